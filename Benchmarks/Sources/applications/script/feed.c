// Writes the feed's script. The entries' last values, and the changes of each that the ranking is
// told, do not depend on the order in which the threads come to it.
#include "parts.h"
#include "random.h"

struct plain {
    int64_t scores[FEED_ENTRIES];
    struct audience audience;
};

// The subscriptions of one thread: the oldest ends first.
struct slots {
    uint32_t entries[FEED_SLOTS];
    uint32_t first;
    uint32_t count; // of those taken
};

enum { HOT_ENTRIES = FEED_ENTRIES / 100 }; // which half of all operations are on

static uint32_t draw_entry(struct random *random)
{
    return draw(random, draw(random, 2) == 0 ? HOT_ENTRIES : FEED_ENTRIES);
}

static struct operation raise_score(struct plain *plain, uint32_t entry)
{
    int64_t score = ++plain->scores[entry];
    shard_rank(&plain->audience.shards[entry % FEED_LOCKS], entry, score);
    return (struct operation){ .kind = FEED_RAISE, .place = entry };
}

static struct operation subscribe(struct slots *slots, uint32_t entry)
{
    uint32_t slot = (slots->first + slots->count++) % FEED_SLOTS;
    slots->entries[slot] = entry;
    return (struct operation){ .kind = FEED_SUBSCRIBE, .place = entry, .other = slot };
}

static struct operation end(struct slots *slots)
{
    uint32_t slot = slots->first;
    slots->first = (slot + 1) % FEED_SLOTS;
    slots->count--;
    return (struct operation){ .kind = FEED_END, .place = slots->entries[slot], .other = slot };
}

static struct operation do_any(struct plain *plain, struct slots *slots, struct random *random)
{
    uint32_t entry = draw_entry(random);
    if (draw(random, 100) != 0) return raise_score(plain, entry);
    bool begins = slots->count == 0 || (slots->count < FEED_SLOTS && draw(random, 2) == 0);
    return begins ? subscribe(slots, entry) : end(slots);
}

// Each subscription hears all; those that stand at the end are ended then.
static bool write_thread(struct plain *plain, unsigned thread, struct script *out)
{
    struct random random = { 3 + thread };
    struct slots slots = { .count = 0 };
    struct operation *operations = calloc(out->count, sizeof *operations);
    out->operations[thread] = operations;
    if (operations == NULL) return false;
    for (size_t i = 0; i < out->count; i++) {
        operations[i] = do_any(plain, &slots, &random);
        out->expected.observers[FEED_SUBSCRIBERS].count += operations[i].kind == FEED_SUBSCRIBE;
    }
    return true;
}

static void write_answer(const struct plain *plain, struct answer *out)
{
    audience_answer(&plain->audience, out);
    for (size_t i = 0; i < FEED_ENTRIES; i++) answer_add_score(out, plain->scores[i]);
}

bool feed_write(struct script *out)
{
    struct plain *plain = calloc(1, sizeof *plain);
    *out = (struct script){ .name = "feed", .observers = { "ranking", "subscribers" },
                            .threads = FEED_THREADS, .locks = FEED_LOCKS,
                            .count = FEED_OPERATIONS };
    bool is_written = plain != NULL;
    for (unsigned i = 0; i < FEED_THREADS && is_written; i++)
        is_written = write_thread(plain, i, out);
    if (is_written) write_answer(plain, &out->expected);
    free(plain);
    return is_written;
}

void script_free(struct script *script)
{
    for (unsigned i = 0; i < MOST_THREADS; i++) free(script->operations[i]);
}
