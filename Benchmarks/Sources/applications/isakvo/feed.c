// The feed by this library: functions observe, and a subscription ends with its token.
//
// The ranking observes each entry by a registration of its own, as the others have to.
#include "object.h"

// Key: score.
struct entry {
    struct isa_header header;
    int64_t score;
    int64_t number;
};

struct feed {
    struct audience audience;
    isa_id entries[FEED_ENTRIES];
    kvo_token ranking[FEED_ENTRIES];
    kvo_token subscriptions[FEED_THREADS][FEED_SLOTS];
    isa_id subscribed[FEED_THREADS][FEED_SLOTS]; // the entry that the slot's subscription is to
    isa_sel set_score;
};

static int64_t score_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct entry *)self)->score;
}

static void set_score(isa_id self, isa_sel sel, int64_t score)
{
    (void)sel;
    ((struct entry *)self)->score = score;
}

static isa_class entry_class(void)
{
    static const struct field fields[] = {
        { "_score", "q", ISA_OWNERSHIP_NONE }, { "_number", "q", ISA_OWNERSHIP_NONE },
    };
    static const struct method methods[] = {
        { "score", (isa_imp)score_of, "q@:" }, { "setScore:", (isa_imp)set_score, "v@:q" },
    };
    static isa_class cls;
    if (cls == NULL) cls = make_class("Entry", fields, COUNT(fields), methods, COUNT(methods));
    return cls;
}

// ---- observers ----------------------------------------------------------------------------------

static void rank_entry(const kvo_change *change, void *info)
{
    shard_rank(info, ((struct entry *)change->object)->number, integer_in(change->new_value));
}

static void hear_score(const kvo_change *change, void *info)
{
    subscriber_hear(info, integer_in(change->new_value));
}

static void subscribe(struct feed *feed, unsigned thread, unsigned slot, isa_id entry)
{
    kvo_function hear = { hear_score, &feed->audience.subscribers[thread][slot], NULL };
    audience_begin(&feed->audience, thread, slot, score_of(entry, NULL));
    feed->subscribed[thread][slot] = entry;
    must(kvo_observe(entry, "score", KVO_OPTION_NEW, &hear, NULL,
                     &feed->subscriptions[thread][slot]));
}

static void end_subscription(struct feed *feed, unsigned thread, unsigned slot)
{
    isa_id entry = feed->subscribed[thread][slot];
    kvo_token_release(feed->subscriptions[thread][slot]);
    audience_end(&feed->audience, thread, slot, score_of(entry, NULL));
}

// ---- the application ----------------------------------------------------------------------------

static void *make(void)
{
    struct feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL) abort();
    feed->set_score = isa_sel_register("setScore:");
    for (size_t i = 0; i < FEED_ENTRIES; i++) {
        kvo_function rank = { rank_entry, &feed->audience.shards[i % FEED_LOCKS], NULL };
        feed->entries[i] = make_object(entry_class());
        ((struct entry *)feed->entries[i])->number = (int64_t)i;
        must(kvo_observe(feed->entries[i], "score", KVO_OPTION_NEW, &rank, NULL,
                         &feed->ranking[i]));
    }
    return feed;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct feed *feed = context;
    isa_id entry = feed->entries[operation->place];
    switch ((enum feed_operation)operation->kind) {
    case FEED_RAISE:
        ISA_SEND(set_integer, entry, feed->set_score, score_of(entry, NULL) + 1);
        break;
    case FEED_SUBSCRIBE: subscribe(feed, thread, operation->other, entry); break;
    case FEED_END: end_subscription(feed, thread, operation->other); break;
    }
}

static void answer(void *context, struct answer *out)
{
    struct feed *feed = context;
    for (unsigned thread = 0; thread < FEED_THREADS; thread++)
        for (unsigned slot = 0; slot < FEED_SLOTS; slot++)
            if (feed->audience.is_taken[thread][slot]) end_subscription(feed, thread, slot);
    audience_answer(&feed->audience, out);
    for (size_t i = 0; i < FEED_ENTRIES; i++)
        answer_add_score(out, score_of(feed->entries[i], NULL));
}

static void end(void *context)
{
    struct feed *feed = context;
    for (size_t i = 0; i < FEED_ENTRIES; i++) {
        kvo_token_release(feed->ranking[i]);
        isa_object_release(feed->entries[i]);
    }
    free(feed);
}

const struct application isakvo_feed = {
    .name = "feed", .make = make, .perform = perform, .answer = answer, .end = end,
};
