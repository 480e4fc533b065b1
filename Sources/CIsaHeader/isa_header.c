// SwiftPM builds a C target only if it has a source file; the header is the whole of this one.
#include "isa_header.h"
