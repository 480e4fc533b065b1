// Moving forwarders.
//
// Owns:      what was taken out of registries, until it is put into others or ended.
// Locks:     isa__lock_for(the object) for each registry, one at a time.
// Invariant: a registration is changed only while nobody can reach it. It was alone in its registry
//            and is taken out; no other thread is inside that object, where it could have found it
//            before, and this one delivers one change, of another object; and nobody counts a
//            reference to it but its own registry, its hop, and its forwarders, so that no
//            announced change waits for it. If any of this fails it is ended like any other.
#include "move.h"

#include "../object/object.h"
#include "deliver.h"
#include "kvo_start.h"
#include "notifying_class.h"
#include "registry.h"

enum { LEVELS = 16 };

// One forwarder on its way.
struct moved {
    struct isa__registration *forwarder;
    struct isa__hop *hop;           // of its chain; NULL: it has none
    struct isa__attachment below;   // that was the hop's
    const struct isa__observed *observed; // of the class of the object it was on
    uintptr_t word;                 // of that object, which is to be the next one's
    uint16_t presence;              // that was found there: see base/reclaim.h
};

bool isa__forwarders_may_move(isa_id object)
{
    const struct isa__thread *thread = isa__thread_get();
    return thread->frames != NULL && thread->frames->outer == NULL &&
           thread->frames->object == object && thread->calling_count == 0 &&
           thread->mark_depth == 0 && isa__detours_load() == 0;
}

static struct isa__observed *observed_of(isa_id object)
{
    return __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
}

// ---- taking out ---------------------------------------------------------------------------------

// The word that a registry has with nothing but `forwarder` in it; 0 if `word` is not that.
static uintptr_t alone_in(uintptr_t word, const struct isa__registration *forwarder, bool chained)
{
    if (!chained) return word == (uintptr_t)forwarder ? word : 0;
    const struct isa__snapshot *snapshot = isa__word_snapshot(word);
    bool alone = snapshot != NULL && snapshot->count == 1 && snapshot->items[0] == forwarder &&
                 snapshot->base == NULL && __atomic_load_n(&snapshot->users, __ATOMIC_RELAXED) == 0;
    return alone ? word : 0;
}

static bool is_movable(uint32_t tag)
{
    const uint32_t needed = ISA_TAG_FUNCTION | ISA_TAG_FORWARDER | ISA_TAG_REGISTERED;
    const uint32_t excluded = ISA_TAG_ENDED | ISA_TAG_OUT | ISA_TAG_ORPHAN | ISA_TAG_RELEASED |
                              ISA_TAG_SHARED | ISA_TAG_TIMED;
    return (tag & needed) == needed && !(tag & excluded);
}

static void take_locked(struct isa__side *side, struct moved *out)
{
    __atomic_store_n(&side->observing, 0, __ATOMIC_RELEASE);
    out->presence = isa__presence_removing_locked(isa__current, &side->presence);
    isa__registry_swap_isa_locked(side->object, 0, NULL);
    if (out->hop == NULL) return;
    out->below = out->hop->attachment;
    out->hop->attachment = (struct isa__attachment){0};
}

// Takes a forwarder out of its registry if it is alone there; false and nothing done if not.
static bool take(struct isa__registration *forwarder, struct moved *out)
{
    uint32_t tag = isa__registration_tag_load(forwarder);
    bool chained = (tag & ISA_TAG_CHAINED) != 0;
    struct isa__chain *chain = chained ? isa__chain_of(forwarder) : NULL;
    if (!is_movable(tag)) return false;
    if (chained && (chain->path->hop_count != 1 || !chain->path->hops[0].is_main)) return false;
    struct isa__side *side = forwarder->side;
    *out = (struct moved){.forwarder = forwarder, .hop = chained ? chain->hops : NULL};
    struct isa__lock *lock = isa__lock_object(side->object);
    out->word = alone_in(isa__observing_value(side), forwarder, chained);
    if (out->word != 0) {
        // The object is there: its registry has the forwarder.
        out->observed = observed_of(side->object);
        if (out->observed == NULL) out->word = 0;
        else take_locked(side, out);
    }
    isa__unlock(lock);
    return out->word != 0;
}

// Takes out one after the other, as far as they can be moved. Answers how many; all of them only if
// nothing is below the last, by which a thread could come up to the others.
static size_t take_all(struct isa__registration *forwarder, struct moved out[LEVELS])
{
    size_t count = 0;
    while (forwarder != NULL && count < LEVELS && take(forwarder, &out[count]))
        forwarder = out[count++].below.forwarder;
    return count;
}

// Whether nobody else has or waits for it.
static bool is_ours(const struct moved *moved)
{
    struct isa__side *side = moved->forwarder->side;
    if (!isa__presence_await(isa__current, &side->presence, side->object, moved->presence))
        return false;
    uint32_t known = 2 + (moved->hop != NULL && moved->below.forwarder != NULL);
    if (__atomic_load_n(&moved->forwarder->references, __ATOMIC_ACQUIRE) != known) return false;
    if (isa__registration_tag_load(moved->forwarder) & (ISA_TAG_ENDED | ISA_TAG_RELEASED))
        return false;
    if (moved->hop == NULL) return true;
    const struct isa__chain *chain = isa__chain_of(moved->forwarder);
    return chain->changes == NULL && !chain->spare_used &&
           __atomic_load_n(&moved->hop->changing, __ATOMIC_ACQUIRE) == 0;
}

// ---- ending -------------------------------------------------------------------------------------

// Ends what has been taken out and cannot be put in anywhere.
static void end_all(struct moved *moved, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        // The next one's end has been seen to; what was not taken out is detached as ever.
        if (moved[i].hop != NULL) {
            if (i + 1 < count) isa__side_drop(moved[i].below.related);
            else isa__hop_detach(moved[i].hop, &moved[i].below);
        }
        if (moved[i].hop != NULL) isa__word_let_go(moved[i].word, false);
        isa__registration_release_token(moved[i].forwarder);
    }
}

// ---- putting in ---------------------------------------------------------------------------------

// Whether the class of `object` is the one that the forwarder was registered for, and would be
// asked nothing that it has not answered.
static bool takes(isa_id object, const struct moved *moved)
{
    const struct isa__observed *observed = observed_of(object);
    const struct isa__side *side = isa__side_find(object);
    if (observed == NULL || observed != moved->observed || !isa__observed_is_usual(observed) ||
        isa__kvo_takes_over(object) ||
        isa__object_is_deallocating(object) || isa__registration_times_are_recorded() ||
        (side != NULL && isa__observing_value(side) != 0))
        return false;
    struct isa__known_path known;
    const struct isa__key *key = moved->forwarder->key;
    if (!isa__fact_recall(observed->original, key, ISA_FACT_PATH, &known, sizeof known) ||
        known.notifying == NULL)
        return false;
    return moved->hop == NULL ? known.path->is_plain
                              : known.path == isa__chain_of(moved->forwarder)->path;
}

static void change_side(struct isa__side **where, struct isa__side *side)
{
    isa__side_hold(side);
    isa__side_drop(*where);
    *where = side;
}

static bool put(const struct moved *moved, isa_id object)
{
    struct isa__side *side = isa__side_get(object);
    if (side == NULL) return false;
    change_side(&moved->forwarder->side, side);
    if (moved->hop != NULL) change_side(&isa__chain_of(moved->forwarder)->side, side);
    struct isa__lock *lock = isa__lock_object(object);
    bool empty = isa__observing_value(side) == 0 && !isa__object_is_deallocating(object);
    if (empty) {
        isa__presence_adding_locked(isa__current, &side->presence);
        __atomic_store_n(&side->observing, moved->word, __ATOMIC_RELEASE);
        isa__registry_swap_isa_locked(
            object, moved->word, __atomic_load_n(&moved->observed->notifying, __ATOMIC_ACQUIRE));
    }
    isa__unlock(lock);
    return empty;
}

static bool put_all(struct moved *moved, size_t count, isa_id object);

// Attaches the hop of one that has been put in, to the object that its key leads to now.
static isa_status renew_below(struct moved *moved, size_t count, isa_id object)
{
    struct isa__hop *hop = moved->hop;
    struct isa__attachment next = {0};
    isa_id related = NULL;
    uint64_t ticket = __atomic_add_fetch(&hop->issued, 1, __ATOMIC_SEQ_CST);
    isa_status status = isa__copy_related(object, hop->plan->head, &related);
    if (count > 1) isa__side_drop(moved->below.related);
    if (count > 1 && related == NULL) end_all(moved + 1, count - 1);
    else if (count > 1 && put_all(moved + 1, count - 1, related))
        next = (struct isa__attachment){isa__side_find(related), moved[1].forwarder, NULL};
    if (next.related != NULL) isa__side_hold(next.related);
    else if (status == ISA_OK && related != NULL) status = isa__hop_attach(hop, related, &next);
    isa_object_release(related);
    struct isa__attachment leftover = isa__hop_install(hop, ticket, next);
    isa__hop_detach(hop, &leftover);
    if (count == 1) isa__hop_detach(hop, &moved->below);
    return status;
}

// Puts the first into the registry of `object`, and the others where its path leads to. False if
// that cannot be: then all have been ended.
static bool put_all(struct moved *moved, size_t count, isa_id object)
{
    if (!takes(object, moved) || !put(moved, object)) {
        end_all(moved, count);
        return false;
    }
    if (moved->hop == NULL) return true;
    if (renew_below(moved, count, object) == ISA_OK) return true;
    isa__registration_release_token(moved->forwarder);
    return false;
}

bool isa__forwarders_move(struct isa__attachment *attachment, isa_id related)
{
    struct moved moved[LEVELS];
    if (attachment->forwarder == NULL) return false;
    size_t count = take_all(attachment->forwarder, moved);
    if (count == 0) return false;
    const struct moved *last = &moved[count - 1];
    bool ours = last->hop == NULL || last->below.related == NULL;
    for (size_t i = 0; i < count && ours; i++) ours = is_ours(&moved[i]);
    if (!ours) end_all(moved, count);
    bool done = ours && put_all(moved, count, related);
    isa__side_drop(attachment->related);
    *attachment = (struct isa__attachment){0};
    if (!done) return false;
    attachment->forwarder = moved[0].forwarder;
    attachment->related = moved[0].forwarder->side;
    isa__side_hold(attachment->related);
    return true;
}
