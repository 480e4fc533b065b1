// The header says it all; a target needs a source file.
#include "swift_memory.h"
