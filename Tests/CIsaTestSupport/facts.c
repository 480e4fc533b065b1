// Trials of facts.
//
// Freed memory is overwritten first, so that a reader who is still there sees it: a fact is torn
// then, and the contents of a block are lost.
#include "facts.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../Sources/CIsa/base/alloc.h"
#include "../../Sources/CIsa/coding/accessor.h"

enum { WORDS = 8, POLLS = 8, MOST_KEYS = 200, READERS = 2, ASKERS = 2 };

struct bytes {
    uint64_t words[WORDS]; // each one more than the one before
};

struct trial {
    isa_class cls;
    const struct isa__key *keys[ASKERS][MOST_KEYS];
    const struct isa__key *absent;
    // Atomic builtins, the first three:
    uint64_t kept[ASKERS]; // how many of an asker's keys have a fact, or how often it has asked
    uint64_t truth;        // what is so
    uint64_t ended;        // askers, or the changer, that have come to their end
    uint64_t changes;
};

struct worker {
    pthread_t thread;
    struct trial *trial;
    uint32_t number;
    uint64_t random;
    isa_test_facts found;
};

static uint32_t below(struct worker *worker, uint64_t limit)
{
    worker->random = worker->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((worker->random >> 33) % limit);
}

// ---- what is freed ------------------------------------------------------------------------------

static void (*free_fact)(struct isa__retired *thing);
static void (*free_block)(struct isa__retired *thing);

static void spoil_fact(struct isa__retired *thing)
{
    struct bytes *bytes = (struct bytes *)((struct isa__fact *)thing)->bytes;
    if ((thing->tag & 0xffffff) == sizeof *bytes)
        for (uint64_t i = 0; i < WORDS; i++) bytes->words[i] = UINT64_MAX - 3 * i;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    free_fact(thing);
}

static void spoil_block(struct isa__retired *thing)
{
    struct isa__directory_block *block = (struct isa__directory_block *)thing;
    for (uint32_t i = 0; i <= block->mask; i++) block->places[i].id = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    free_block(thing);
}

static void begin_spoiling(void)
{
    free_fact = isa__retired_free[ISA_RETIRED_FACT];
    free_block = isa__retired_free[ISA_RETIRED_DIRECTORY];
    isa__retired_free[ISA_RETIRED_FACT] = spoil_fact;
    isa__retired_free[ISA_RETIRED_DIRECTORY] = spoil_block;
}

static void end_spoiling(void)
{
    isa__reclaim();
    isa__retired_free[ISA_RETIRED_FACT] = free_fact;
    isa__retired_free[ISA_RETIRED_DIRECTORY] = free_block;
}

// ---- asking and reading -------------------------------------------------------------------------

static void keep(struct trial *trial, const struct isa__key *key, uint64_t value, uint64_t epoch)
{
    struct bytes bytes;
    for (uint64_t i = 0; i < WORDS; i++) bytes.words[i] = value + i;
    isa__fact_keep(trial->cls, key, ISA_FACT_GETTER, &bytes, sizeof bytes, epoch);
}

static bool is_whole(const volatile struct bytes *bytes)
{
    for (uint64_t i = 0; i < WORDS; i++)
        if (bytes->words[i] != bytes->words[0] + i) return false;
    return true;
}

// Looks for a fact and at its bytes, as often as to see them change; false if there is none.
static bool read(struct worker *worker, const struct isa__key *key, uint64_t *value)
{
    struct isa__thread *thread = isa__reader_enter();
    const struct bytes *bytes = isa__fact_find(worker->trial->cls, key, ISA_FACT_GETTER);
    if (bytes != NULL) *value = bytes->words[0];
    for (int i = 0; bytes != NULL && i < POLLS; i++)
        if (!is_whole(bytes) || bytes->words[0] != *value) worker->found.torn++;
    isa__reader_leave(thread);
    worker->found.reads += bytes != NULL;
    return bytes != NULL;
}

// The same by a copy.
static bool recall(struct worker *worker, const struct isa__key *key, uint64_t *value)
{
    struct bytes bytes;
    if (!isa__fact_recall(worker->trial->cls, key, ISA_FACT_GETTER, &bytes, sizeof bytes))
        return false;
    *value = bytes.words[0];
    worker->found.reads++;
    worker->found.torn += !is_whole(&bytes);
    return true;
}

static bool look(struct worker *worker, const struct isa__key *key, uint64_t *value)
{
    return below(worker, 2) ? read(worker, key, value) : recall(worker, key, value);
}

static void begin(struct worker *workers, uint32_t count, struct trial *trial,
                  void *(*run)(void *worker))
{
    for (uint32_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.trial = trial, .number = i, .random = i + 1};
        if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0) abort();
    }
}

static void end(struct worker *workers, uint32_t count, isa_test_facts *sum)
{
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        sum->reads += workers[i].found.reads;
        sum->lost += workers[i].found.lost;
        sum->torn += workers[i].found.torn;
        sum->outdated += workers[i].found.outdated;
    }
}

static void allocate_class(struct trial *trial)
{
    static uint64_t number;
    char name[40];
    snprintf(name, sizeof name, "FactsTrial%llu", (unsigned long long)number++);
    if (isa_class_pair_allocate(isa_root_class(), name, &trial->cls) != ISA_OK) abort();
}

static void make_class(struct trial *trial)
{
    char name[40];
    allocate_class(trial);
    if (isa_class_pair_register(trial->cls) != ISA_OK) abort();
    trial->absent = isa__key_intern("factsTrialAbsent");
    for (int a = 0; a < ASKERS; a++)
        for (int k = 0; k < MOST_KEYS; k++) {
            snprintf(name, sizeof name, "factsTrial%d.%d", a, k);
            trial->keys[a][k] = isa__key_intern(name);
        }
}

// ---- growing ------------------------------------------------------------------------------------

static void *keep_each(void *context)
{
    const struct worker *worker = context;
    struct trial *trial = worker->trial;
    uint64_t epoch = isa__method_epoch();
    for (uint64_t i = 0; i < MOST_KEYS; i++) {
        keep(trial, trial->keys[worker->number][i], i, epoch);
        __atomic_store_n(&trial->kept[worker->number], i + 1, __ATOMIC_RELEASE);
    }
    __atomic_fetch_add(&trial->ended, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void find_one(struct worker *worker, uint32_t asker, uint64_t at)
{
    uint64_t value = at;
    if (!look(worker, worker->trial->keys[asker][at], &value)) worker->found.lost++;
    worker->found.torn += value != at;
}

// Finds one that is kept, perhaps one that is being kept, and none that never was.
static void *find_kept(void *context)
{
    struct worker *worker = context;
    struct trial *trial = worker->trial;
    uint64_t value;
    while (__atomic_load_n(&trial->ended, __ATOMIC_ACQUIRE) < ASKERS) {
        uint32_t asker = below(worker, ASKERS);
        uint64_t kept = __atomic_load_n(&trial->kept[asker], __ATOMIC_ACQUIRE);
        if (kept > 0) find_one(worker, asker, below(worker, kept));
        if (kept < MOST_KEYS && look(worker, trial->keys[asker][kept], &value))
            worker->found.torn += value != kept;
        worker->found.torn += look(worker, trial->absent, &value);
    }
    return NULL;
}

isa_test_facts isa_test_facts_growing(uint64_t rounds)
{
    isa_test_facts sum = {0};
    begin_spoiling();
    for (uint64_t round = 0; round < rounds; round++) {
        struct trial trial = {0};
        struct worker askers[ASKERS], readers[READERS], last = {.trial = &trial};
        make_class(&trial);
        begin(readers, READERS, &trial, find_kept);
        begin(askers, ASKERS, &trial, keep_each);
        end(askers, ASKERS, &sum);
        end(readers, READERS, &sum);
        for (uint32_t a = 0; a < ASKERS; a++)
            for (uint64_t k = 0; k < MOST_KEYS; k++) find_one(&last, a, k);
        sum.lost += last.found.lost;
        sum.torn += last.found.torn;
        isa_class_pair_dispose(trial.cls);
    }
    end_spoiling();
    return sum;
}

// ---- changing -----------------------------------------------------------------------------------

enum { CHANGED_KEYS = 4, LOOKS = 16, ASKS = 4 };

// Asks what is so, and keeps it; of what stays so the fact is now another, now the same.
static void *ask(void *context)
{
    struct worker *worker = context;
    struct trial *trial = worker->trial;
    for (uint64_t i = 0; __atomic_load_n(&trial->ended, __ATOMIC_ACQUIRE) == 0; i++) {
        const struct isa__key *key = trial->keys[0][below(worker, CHANGED_KEYS)];
        uint64_t epoch = isa__method_epoch();
        uint64_t truth = __atomic_load_n(&trial->truth, __ATOMIC_ACQUIRE);
        keep(trial, key, truth * 2 + (i >> 2) % 2, epoch);
        if (i == 100) __atomic_store_n(&trial->kept[0], CHANGED_KEYS, __ATOMIC_RELEASE);
    }
    return NULL;
}

// Whether there is a fact, though it may not hold.
static bool stands(struct worker *worker, const struct isa__key *key)
{
    struct isa__thread *thread = isa__reader_enter();
    bool found = isa__fact_find_any(worker->trial->cls, key, ISA_FACT_GETTER) != NULL;
    isa__reader_leave(thread);
    return found;
}

// Changes what is so, counts that, and looks what is known of it: as often as was asked for, and
// until it has found something, for which the asker has to have its turn.
static void *change(void *context)
{
    struct worker *worker = context;
    struct trial *trial = worker->trial;
    for (uint64_t i = 1; i <= trial->changes || worker->found.reads == 0; i++) {
        __atomic_store_n(&trial->truth, i, __ATOMIC_RELEASE);
        isa__method_epoch_advance();
        bool kept = __atomic_load_n(&trial->kept[0], __ATOMIC_ACQUIRE) != 0;
        for (int looks = 0; looks < LOOKS; looks++) {
            const struct isa__key *key = trial->keys[0][below(worker, CHANGED_KEYS)];
            uint64_t value;
            if (look(worker, key, &value)) worker->found.outdated += value / 2 < i;
            worker->found.lost += kept && !stands(worker, key);
        }
    }
    __atomic_store_n(&trial->ended, 1, __ATOMIC_RELEASE);
    return NULL;
}

isa_test_facts isa_test_facts_changing(uint64_t changes)
{
    struct trial trial = {.changes = changes};
    struct worker asker, changer;
    isa_test_facts sum = {0};
    begin_spoiling();
    make_class(&trial);
    begin(&asker, 1, &trial, ask);
    while (__atomic_load_n(&trial.kept[0], __ATOMIC_ACQUIRE) == 0) sched_yield();
    begin(&changer, 1, &trial, change);
    end(&changer, 1, &sum);
    end(&asker, 1, &sum);
    isa_class_pair_dispose(trial.cls);
    end_spoiling();
    return sum;
}

// ---- answering ----------------------------------------------------------------------------------

static void write_key(char text[40], uint64_t i)
{
    snprintf(text, 40, "answer%llu", (unsigned long long)i);
}

static int64_t answer_zero(isa_id self, isa_sel sel)
{
    (void)self, (void)sel;
    return 0;
}

static void *ask_class(void *context)
{
    struct trial *trial = ((struct worker *)context)->trial;
    char text[40];
    struct isa__answer answer;
    for (uint64_t i; (i = __atomic_load_n(&trial->truth, __ATOMIC_ACQUIRE)) < trial->changes;) {
        write_key(text, i);
        if (isa__answer_find(trial->cls, text, ISA_FACT_GETTER, &answer) != ISA_OK) abort();
        __atomic_fetch_add(&trial->kept[0], 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

// Has the asker ask again and again, and comes between somewhere.
static void keep_asking(struct worker *worker)
{
    const uint64_t *asked = &worker->trial->kept[0];
    for (int i = 0; i < ASKS; i++) {
        uint64_t before = __atomic_load_n(asked, __ATOMIC_ACQUIRE);
        isa__method_epoch_advance();
        while (i + 1 < ASKS && __atomic_load_n(asked, __ATOMIC_ACQUIRE) == before) sched_yield();
        for (uint32_t turns = below(worker, 4000); turns > 0; turns--)
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

// Gives the class a method for a key that an ivar answered for, and looks who answers.
static void change_answer(struct worker *worker, uint64_t number)
{
    struct trial *trial = worker->trial;
    char text[40];
    struct isa__answer answer;
    write_key(text, number);
    __atomic_store_n(&trial->truth, number, __ATOMIC_RELEASE);
    keep_asking(worker);
    isa_sel sel = isa_sel_register(text);
    if (isa_class_add_method(trial->cls, sel, (isa_imp)answer_zero, "q@:") != ISA_OK) abort();
    for (int looks = 0; looks < 20 * LOOKS; looks++) {
        if (!isa__answer_recall(trial->cls, text, ISA_FACT_GETTER, &answer)) continue;
        worker->found.reads++;
        worker->found.outdated += answer.accessor.kind == ISA_ACCESSOR_IVAR;
    }
}

isa_test_facts isa_test_answers_changing(uint64_t keys)
{
    struct trial trial = {.changes = keys};
    struct worker asker, changer = {.trial = &trial};
    isa_test_facts sum = {0};
    char text[40] = "_";
    allocate_class(&trial);
    for (uint64_t i = 0; i < keys; i++) {
        write_key(text + 1, i);
        if (isa_class_add_ivar(trial.cls, text, "q", ISA_OWNERSHIP_NONE) != ISA_OK) abort();
    }
    if (isa_class_pair_register(trial.cls) != ISA_OK) abort();
    begin(&asker, 1, &trial, ask_class);
    for (uint64_t i = 0; i < keys; i++) change_answer(&changer, i);
    __atomic_store_n(&trial.truth, keys, __ATOMIC_RELEASE);
    end(&asker, 1, &sum);
    sum.reads += changer.found.reads;
    sum.outdated += changer.found.outdated;
    isa_class_pair_dispose(trial.cls);
    return sum;
}

// ---- interning ----------------------------------------------------------------------------------

enum { INTERNERS = 2, PATIENCE = 20000 };

struct interning {
    struct trial trial;
    uint64_t count;
    uint64_t interned[INTERNERS]; // atomic builtins
    const struct isa__key **keys[INTERNERS];
};

static uint64_t interned_before; // by former trials: keys are for ever

static void write_text(char text[40], uint64_t i)
{
    snprintf(text, 40, "internedByTrial%llu", (unsigned long long)(interned_before + i));
}

// Waits a while for the other one, so that both come to a text at once.
static void await_other(const uint64_t *interned, uint64_t at)
{
    for (int i = 0; i < PATIENCE && __atomic_load_n(interned, __ATOMIC_ACQUIRE) < at;)
        i++;
}

static void *intern_each(void *context)
{
    struct worker *worker = context;
    struct interning *interning = (struct interning *)worker->trial;
    char text[40];
    for (uint64_t i = 0; i < interning->count; i++) {
        write_text(text, i);
        await_other(&interning->interned[!worker->number], i);
        interning->keys[worker->number][i] = isa__key_intern(text);
        __atomic_store_n(&interning->interned[worker->number], i + 1, __ATOMIC_RELEASE);
        worker->found.lost += isa__key_find(text) == NULL;
        worker->found.reads++;
    }
    return NULL;
}

isa_test_facts isa_test_keys_interning(uint64_t count)
{
    struct interning interning = {.count = count};
    struct worker interners[INTERNERS];
    isa_test_facts sum = {0};
    begin_spoiling();
    for (int i = 0; i < INTERNERS; i++)
        interning.keys[i] = calloc(count, sizeof **interning.keys);
    begin(interners, INTERNERS, &interning.trial, intern_each);
    end(interners, INTERNERS, &sum);
    for (uint64_t i = 0; i < count; i++)
        sum.torn += interning.keys[1][i] != interning.keys[0][i];
    for (int i = 0; i < INTERNERS; i++) free(interning.keys[i]);
    interned_before += count;
    end_spoiling();
    return sum;
}

// ---- texts --------------------------------------------------------------------------------------

enum { TEXTS = 400 };

struct texts {
    struct trial trial;
    struct isa__keys keys;
    char texts[TEXTS][24];
    const struct isa__key *added_keys[TEXTS];
    uint64_t added; // atomic builtins
};

static void *add_each(void *context)
{
    struct texts *texts = (struct texts *)((struct worker *)context)->trial;
    for (uint64_t i = 0; i < TEXTS; i++) {
        texts->added_keys[i] = isa__keys_intern(&texts->keys, texts->texts[i]);
        __atomic_store_n(&texts->added, i + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void *find_added(void *context)
{
    struct worker *worker = context;
    struct texts *texts = (struct texts *)worker->trial;
    uint64_t added;
    do {
        added = __atomic_load_n(&texts->added, __ATOMIC_ACQUIRE);
        if (added == 0) continue;
        uint64_t at = below(worker, added);
        const struct isa__key *found = isa__keys_find(&texts->keys, texts->texts[at]);
        worker->found.reads++;
        if (found == NULL) worker->found.lost++;
        else worker->found.torn += found != texts->added_keys[at];
    } while (added < TEXTS);
    return NULL;
}

static void free_keys(struct isa__keys *keys)
{
    uint32_t at = 0;
    for (struct isa__key *key; (key = isa__directory_next(&keys->directory, &at)) != NULL;)
        isa__free(ISA_KIND_OTHER, key, sizeof *key + key->length + 1);
    while (keys->outgrown != NULL) {
        struct isa__retired *block = &keys->outgrown->retired;
        keys->outgrown = (struct isa__directory_block *)block->next;
        free_block(block);
    }
    isa__directory_end(&keys->directory);
}

isa_test_facts isa_test_texts_growing(uint64_t rounds)
{
    isa_test_facts sum = {0};
    static struct texts texts;
    begin_spoiling();
    for (uint64_t round = 0; round < rounds; round++) {
        struct worker adder, readers[READERS];
        texts = (struct texts){.added = 0};
        for (uint64_t i = 0; i < TEXTS; i++)
            snprintf(texts.texts[i], sizeof texts.texts[i], "text%llu", (unsigned long long)i);
        begin(readers, READERS, &texts.trial, find_added);
        begin(&adder, 1, &texts.trial, add_each);
        end(&adder, 1, &sum);
        end(readers, READERS, &sum);
        free_keys(&texts.keys);
    }
    end_spoiling();
    return sum;
}

// ---- how many are known -------------------------------------------------------------------------

size_t isa_test_known_getters(const isa_class *classes, size_t class_count,
                              const char *const *keys, size_t key_count)
{
    size_t known = 0;
    struct isa__thread *thread = isa__reader_enter();
    for (size_t k = 0; k < key_count; k++) {
        const struct isa__key *key = isa__key_find(keys[k]);
        for (size_t c = 0; key != NULL && c < class_count; c++)
            known += isa__answer_known(classes[c], key) != NULL;
    }
    isa__reader_leave(thread);
    return known;
}
