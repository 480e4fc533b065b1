// The block beside a registration of more than one key: the related objects that it looks at, and
// its changes in progress.
#ifndef ISA_OBSERVING_CHAIN_H
#define ISA_OBSERVING_CHAIN_H

#include "held.h"
#include "link.h"

// A change in progress that the registration has heard announced.
struct isa__dependent_change {
    struct isa__dependent_change *next;
    uint64_t thread;
    uint64_t number; // of the change, see struct kvo_frame
    uint64_t routes; // a bit for each link by which it was announced and has not ended yet
    uint64_t coming; // the last was cut: a bit for each by which it is about to be announced
    struct isa__held old_value;
};

struct isa__chain {
    const struct isa__path *path;
    struct isa__side *side; // of the observed object; held
    struct isa__dependent_change *changes; // guarded by the object's lock, as the next
    bool spare_used;
    struct isa__dependent_change spare; // for the first change at a time
    struct isa__link links[];
};

static inline size_t isa__chain_size(const struct isa__path *path)
{
    return sizeof(struct isa__chain) + path->link_count * sizeof(struct isa__link);
}

enum { ISA_CHAIN_OFFSET = 64 };
static_assert(ISA_CHAIN_OFFSET % _Alignof(struct isa__chain) == 0 &&
                  ISA_CHAIN_OFFSET >= sizeof(struct isa__registration) +
                                          sizeof(struct isa__registration_rest) + sizeof(uint64_t),
              "the chain stands behind the registration and its time");

static inline struct isa__chain *isa__chain_of(const struct isa__registration *registration)
{
    return (struct isa__chain *)((char *)(uintptr_t)registration + ISA_CHAIN_OFFSET);
}

// Sets up the chain of a registration that is being made, and ends it with the registration.
void isa__chain_init(struct isa__registration *registration, const struct isa__path *path);
void isa__chain_free(struct isa__registration *registration);

// Attaches every link of a registration that was just put into the registry of `object`.
//
// Errors: as isa__link_follow. The caller then takes the registration out again, which detaches.
isa_status isa__chain_attach(isa_id object, struct isa__registration *registration);

// Detaches every link of a registration that has ended. No lock held.
void isa__chain_detach(struct isa__registration *registration);

// Whether nobody can come to a registration by its forwarders and forwarding observers, all of
// which have been detached: each holds a reference until no thread can be calling it. So does a
// pending change, and then this is false as well.
bool isa__chain_is_quiet(const struct isa__registration *registration);

// How a change comes to a registration: by a key of its object or by a link's forwarder.
struct isa__route {
    const struct isa__dependency *dependency;
    uint64_t number; // of the change
    uint64_t bit;    // of the route, see isa__dependent_change
};

enum { ISA_ROUTE_DIRECT = 63 };

// Announces to `registration` of `object` that what it depends on changes; and ends that: attaches
// anew where the dependency says so, and notifies its observer unless the change has come by
// another route too and that has not ended yet.
void isa__dependent_will(isa_id object, struct isa__registration *registration,
                         const struct isa__route *route);
void isa__dependent_did(isa_id object, struct isa__registration *registration,
                        const struct isa__route *route);

static inline struct isa__route isa__route_direct(const struct isa__dependency *dependency,
                                                  uint64_t number)
{
    return (struct isa__route){dependency, number, UINT64_C(1) << ISA_ROUTE_DIRECT};
}

// Attaches anew the links that `dependency` names.
void isa__chain_renew(isa_id object, struct isa__registration *registration,
                      const struct isa__dependency *dependency);

// Takes the route by a link that is attached to nothing any more off every change in progress.
void isa__chain_cancel_route(struct isa__link *link);

// The functions that notify and end a forwarder; its info is the link. The third is a forwarding
// observer's.
void isa__forwarder_notified(const kvo_change *change, void *info);
void isa__forwarder_ended(void *info);
void isa__link_hear(struct isa__link *link, const kvo_change *change);

#endif
