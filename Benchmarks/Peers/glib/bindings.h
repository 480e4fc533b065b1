// The GObject peer's rows of GBinding.
#ifndef PEER_BINDINGS_H
#define PEER_BINDINGS_H

#include "../peer.h"

// A person's age is set, and then that of another one read, which is bound to it. The row's data is
// one of these.
enum bound_way { BOUND_ONE_WAY, BOUND_TWO_WAYS, BOUND_TWO_WAYS_BACK };
paired_outcome bound_set_up(const paired_workload *self, void **context);
void bound_set_ages(void *context, uint64_t count);
bool bound_check(void *context, uint64_t count);
void bound_tear_down(void *context);

// A binding of one way comes and goes.
paired_outcome bound_set_up_nothing(const paired_workload *self, void **context);
void bound_bind_and_unbind(void *context, uint64_t count);
bool bound_check_unbound(void *context, uint64_t count);

// Its bytes, between persons that nobody has used.
double bound_bytes(void *context);
bool bound_check_bytes(void *context, uint64_t count);

#endif
