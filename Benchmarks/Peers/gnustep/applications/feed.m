// The feed by GNUstep: a subscription is an observer object of its own.
#import "objects.h"

// Key: score.
@interface Entry : NSObject
{
@public
    int64_t number;
    int64_t _score;
}
- (int64_t)score;
- (void)setScore:(int64_t)score;
@end

@implementation Entry

- (int64_t)score { return _score; }
- (void)setScore:(int64_t)score { _score = score; }

@end

// ---- observers ----------------------------------------------------------------------------------

@interface Ranking : NSObject
{
@public
    struct shard *shards;
}
@end

@implementation Ranking

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    int64_t number = ((Entry *)object)->number;
    shard_rank(&shards[number % FEED_LOCKS], number, newInteger(change));
}

@end

@interface Subscriber : NSObject
{
@public
    struct subscriber *subscriber;
}
@end

@implementation Subscriber

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    subscriber_hear(subscriber, newInteger(change));
}

@end

// ---- the application ----------------------------------------------------------------------------

struct feed {
    struct audience audience;
    Entry *entries[FEED_ENTRIES];
    Ranking *ranking;
    Subscriber *subscribers[FEED_THREADS][FEED_SLOTS];
    Entry *subscribed[FEED_THREADS][FEED_SLOTS]; // the entry that the slot's subscription is to
};

static void subscribe(struct feed *feed, unsigned thread, unsigned slot, Entry *entry)
{
    Subscriber *subscriber = [Subscriber new];
    subscriber->subscriber = &feed->audience.subscribers[thread][slot];
    audience_begin(&feed->audience, thread, slot, [entry score]);
    feed->subscribers[thread][slot] = subscriber;
    feed->subscribed[thread][slot] = entry;
    [entry addObserver:subscriber
            forKeyPath:@"score"
               options:NSKeyValueObservingOptionNew
               context:NULL];
}

static void endSubscription(struct feed *feed, unsigned thread, unsigned slot)
{
    Entry *entry = feed->subscribed[thread][slot];
    [entry removeObserver:feed->subscribers[thread][slot] forKeyPath:@"score"];
    [feed->subscribers[thread][slot] release];
    audience_end(&feed->audience, thread, slot, [entry score]);
}

static void *make(void)
{
    struct feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL) abort();
    feed->ranking = [Ranking new];
    feed->ranking->shards = feed->audience.shards;
    for (int i = 0; i < FEED_ENTRIES; i++) {
        feed->entries[i] = [Entry new];
        feed->entries[i]->number = i;
        [feed->entries[i] addObserver:feed->ranking
                           forKeyPath:@"score"
                              options:NSKeyValueObservingOptionNew
                              context:NULL];
    }
    return feed;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct feed *feed = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    Entry *entry = feed->entries[operation->place];
    switch ((enum feed_operation)operation->kind) {
    case FEED_RAISE: [entry setScore:[entry score] + 1]; break;
    case FEED_SUBSCRIBE: subscribe(feed, thread, operation->other, entry); break;
    case FEED_END: endSubscription(feed, thread, operation->other); break;
    }
    [pool release];
}

static void answer(void *context, struct answer *out)
{
    struct feed *feed = context;
    for (unsigned thread = 0; thread < FEED_THREADS; thread++)
        for (unsigned slot = 0; slot < FEED_SLOTS; slot++)
            if (feed->audience.is_taken[thread][slot]) endSubscription(feed, thread, slot);
    audience_answer(&feed->audience, out);
    for (int i = 0; i < FEED_ENTRIES; i++) answer_add_score(out, [feed->entries[i] score]);
}

static void end(void *context)
{
    struct feed *feed = context;
    for (int i = 0; i < FEED_ENTRIES; i++) {
        [feed->entries[i] removeObserver:feed->ranking forKeyPath:@"score"];
        [feed->entries[i] release];
    }
    [feed->ranking release];
    free(feed);
}

// Foundation has to know its threads.
static void *enter(void)
{
    GSRegisterCurrentThread();
    return [NSAutoreleasePool new];
}

static void leave(void *pool)
{
    [(NSAutoreleasePool *)pool release];
    GSUnregisterCurrentThread();
}

const struct application gnustep_feed = {
    .name = "feed", .make = make, .perform = perform, .answer = answer, .end = end,
    .enter = enter, .leave = leave,
};
