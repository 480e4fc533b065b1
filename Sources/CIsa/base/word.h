// Words of 64 bits that threads share by atomic builtins.
#ifndef ISA_BASE_WORD_H
#define ISA_BASE_WORD_H

#include <stdint.h>

// On i386 a plain one is aligned to 4 bytes, and could stand in two cache lines.
typedef uint64_t isa__word64 __attribute__((aligned(8)));
typedef int64_t isa__count64 __attribute__((aligned(8)));

#endif
