// The feed by GObject, whose signals may be connected and emitted on any thread: a subscription is
// a handler.
#include "objects.h"

G_DECLARE_FINAL_TYPE(Entry, entry, APPLICATION, ENTRY, GObject)
struct _Entry {
    GObject parent;
    int64_t number;
    int64_t score;
};

enum { SCORE = 1, ENTRY_PROPERTIES };

static GParamSpec *entry_properties[ENTRY_PROPERTIES];

G_DEFINE_FINAL_TYPE(Entry, entry, G_TYPE_OBJECT)

// ---- entries ------------------------------------------------------------------------------------

static void entry_set_score(Entry *entry, int64_t score)
{
    entry->score = score;
    g_object_notify_by_pspec((GObject *)entry, entry_properties[SCORE]);
}

static void entry_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    if (id == SCORE) entry_set_score((Entry *)object, g_value_get_int64(value));
    else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void entry_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    if (id == SCORE) g_value_set_int64(value, ((Entry *)object)->score);
    else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void entry_class_init(EntryClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    object_class->set_property = entry_set_property;
    object_class->get_property = entry_get_property;
    entry_properties[SCORE] = integer_property("score", G_PARAM_READWRITE);
    g_object_class_install_properties(object_class, ENTRY_PROPERTIES, entry_properties);
}

static void entry_init(Entry *entry)
{
    (void)entry;
}

// ---- observers ----------------------------------------------------------------------------------

struct feed {
    struct audience audience;
    Entry *entries[FEED_ENTRIES];
    gulong handlers[FEED_THREADS][FEED_SLOTS];
    Entry *subscribed[FEED_THREADS][FEED_SLOTS]; // the entry that the slot's subscription is to
};

static void rank_entry(Entry *entry, GParamSpec *spec, struct shard *shard)
{
    (void)spec;
    shard_rank(shard, entry->number, entry->score);
}

static void hear_score(Entry *entry, GParamSpec *spec, struct subscriber *subscriber)
{
    (void)spec;
    subscriber_hear(subscriber, entry->score);
}

static void subscribe(struct feed *feed, unsigned thread, unsigned slot, Entry *entry)
{
    audience_begin(&feed->audience, thread, slot, entry->score);
    feed->subscribed[thread][slot] = entry;
    feed->handlers[thread][slot] =
        g_signal_connect(entry, "notify::score", G_CALLBACK(hear_score),
                         &feed->audience.subscribers[thread][slot]);
}

static void end_subscription(struct feed *feed, unsigned thread, unsigned slot)
{
    Entry *entry = feed->subscribed[thread][slot];
    g_signal_handler_disconnect(entry, feed->handlers[thread][slot]);
    audience_end(&feed->audience, thread, slot, entry->score);
}

// ---- the application ----------------------------------------------------------------------------

static void *make(void)
{
    struct feed *feed = g_new0(struct feed, 1);
    for (int i = 0; i < FEED_ENTRIES; i++) {
        feed->entries[i] = g_object_new(entry_get_type(), NULL);
        feed->entries[i]->number = i;
        g_signal_connect(feed->entries[i], "notify::score", G_CALLBACK(rank_entry),
                         &feed->audience.shards[i % FEED_LOCKS]);
    }
    return feed;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct feed *feed = context;
    Entry *entry = feed->entries[operation->place];
    switch ((enum feed_operation)operation->kind) {
    case FEED_RAISE: entry_set_score(entry, entry->score + 1); break;
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
    for (int i = 0; i < FEED_ENTRIES; i++) answer_add_score(out, feed->entries[i]->score);
}

static void end(void *context)
{
    struct feed *feed = context;
    for (int i = 0; i < FEED_ENTRIES; i++) g_object_unref(feed->entries[i]);
    g_free(feed);
}

const struct application gobject_feed = {
    .name = "feed", .make = make, .perform = perform, .answer = answer, .end = end,
};
