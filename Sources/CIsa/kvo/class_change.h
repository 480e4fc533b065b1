// The class of an observed object, set by hand.
#ifndef ISA_KVO_CLASS_CHANGE_H
#define ISA_KVO_CLASS_CHANGE_H

// Connects the hooks of isa_object_set_class.
void isa__class_change_start(void);

#endif
