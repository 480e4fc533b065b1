// A program that opens the library Opened at run time, as a host of plug-ins does.
#ifndef HOST_H
#define HOST_H

// Opens the library beside the program, whose own path is `program`.
//
// Prints how often trackings fire on three threads: the one that opens the library, one that was
// there before, and one that comes afterwards; and the mode by which the library finds them. False
// if there is no such library.
_Bool host_open(const char *program);

// Has `track` make a tracking of the program's own, of a property of the library's that `read`
// reads and `change` changes; answers how often it fires.
int host_track(int (*track)(void (*read)(void), void (*change)(void)));

#endif
