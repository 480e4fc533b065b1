// $file in C with this library, as isalab wrote it.
//
//     cc -std=gnu17 $source $(pkg-config --cflags --libs isakvo) -pthread && ./a.out
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isa_types.h>
$structures
#include <isa.h>

// The declared structs, each with the names of its members.
static const char *const labels[][$width] = {$labels{NULL}};

$telling
// ---- $file $rule

$variables
$functions
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_observer_class();
$statements
    return 0;
}
