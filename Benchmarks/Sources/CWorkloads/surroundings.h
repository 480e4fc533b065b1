// The program that rows are measured in: see surroundings.c.
#ifndef ENGINE_SURROUNDINGS_H
#define ENGINE_SURROUNDINGS_H

#include "vocabulary.h"

// The keys of the program; NULL while there is none.
struct vocabulary *surroundings_vocabulary(void);

#endif
