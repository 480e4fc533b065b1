// The feed by Qt's signals, which may be connected and emitted on any thread; whoever is connected
// without an object of its own is called on the emitting one. Bindable properties are for one
// thread only.
#include "objects.h"

#include <vector>

namespace {

struct Subscription {
    Entry *entry = nullptr;
    QMetaObject::Connection connection;
};

struct Feed {
    audience around{};
    std::vector<Entry> entries{ FEED_ENTRIES };
    Subscription subscriptions[FEED_THREADS][FEED_SLOTS];

    Feed()
    {
        for (size_t i = 0; i < entries.size(); i++) {
            shard *ranking = &around.shards[i % FEED_LOCKS];
            qint64 number = qint64(i);
            QObject::connect(&entries[i], &Entry::scoreChanged, [ranking, number](qint64 score) {
                shard_rank(ranking, number, score);
            });
        }
    }

    void subscribe(unsigned thread, unsigned slot, Entry *entry)
    {
        subscriber *listener = &around.subscribers[thread][slot];
        audience_begin(&around, thread, slot, entry->score());
        subscriptions[thread][slot] = {
            entry, QObject::connect(entry, &Entry::scoreChanged, [listener](qint64 score) {
                subscriber_hear(listener, score);
            })
        };
    }

    void endSubscription(unsigned thread, unsigned slot)
    {
        Subscription &subscription = subscriptions[thread][slot];
        QObject::disconnect(subscription.connection);
        audience_end(&around, thread, slot, subscription.entry->score());
    }
};

void *make()
{
    return new Feed;
}

void perform(void *context, unsigned thread, const operation *operation)
{
    Feed &feed = *static_cast<Feed *>(context);
    Entry *entry = &feed.entries[operation->place];
    switch (feed_operation(operation->kind)) {
    case FEED_RAISE: entry->setScore(entry->score() + 1); break;
    case FEED_SUBSCRIBE: feed.subscribe(thread, operation->other, entry); break;
    case FEED_END: feed.endSubscription(thread, operation->other); break;
    }
}

void say(void *context, answer *out)
{
    Feed &feed = *static_cast<Feed *>(context);
    for (unsigned thread = 0; thread < FEED_THREADS; thread++)
        for (unsigned slot = 0; slot < FEED_SLOTS; slot++)
            if (feed.around.is_taken[thread][slot]) feed.endSubscription(thread, slot);
    audience_answer(&feed.around, out);
    for (const Entry &entry : feed.entries) answer_add_score(out, entry.score());
}

void end(void *context)
{
    delete static_cast<Feed *>(context);
}

} // namespace

const application qt_feed = { "feed", make, perform, say, end, nullptr, nullptr, nullptr };
