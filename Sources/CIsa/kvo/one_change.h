// A change of one object of an ordered key by a proxy, by means of its own.
#ifndef ISA_KVO_ONE_CHANGE_H
#define ISA_KVO_ONE_CHANGE_H

// Fills the hooks of rank 4.
void isa__one_change_start(void);

#endif
