// The events of registrations and of notifications.
#ifndef ISA_OBSERVING_LOG_H
#define ISA_OBSERVING_LOG_H

#include "../base/event.h"
#include "kvo_foreign.h"
#include "registration.h"

// Report that a registration on an object came, went or was refused; `options` with those that a
// registration does not keep. Of a refused registration `registration` is NULL unless it had come.
void isa__log_added(isa_id object, const struct isa__registration *registration, uint64_t options);
void isa__log_removed(isa_id object, const struct isa__registration *registration,
                      isa_removal_reason reason);

// What was to be observed, for isa__log_refused, which leaves the last error as it is.
struct isa__refusal {
    isa_id object;
    const char *key_path;
    const void *observer;
    const kvo_function *function; // NULL: `observer`
    bool is_forwarder;
    const struct isa__registration *registration;
    isa_status status;
};
void isa__log_refused(const struct isa__refusal *refusal);

// Whether anybody listens to notifications, and to what becomes of them.
static inline bool isa__notifications_are_logged(void)
{
    return isa__event_wants(
        ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION) | ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION_ENDED) |
        ISA_EVENT_KIND(ISA_EVENT_CHANGE_HELD) | ISA_EVENT_KIND(ISA_EVENT_CHANGE_MUTED) |
        ISA_EVENT_KIND(ISA_EVENT_HANDLER_SENT));
}

// Report that an observer is notified, and that it has returned. In between `logged` is the
// innermost notification of the thread. A notification that a foreign layer may withhold is
// reported when the layer has said what becomes of it, at the latest at its end.
void isa__logged_begin(kvo_logged *logged, const struct isa__registration *registration,
                       const kvo_change *change);
void isa__logged_end(kvo_logged *logged);

#endif
