// Each text and stack is written once and then named by its number. The threads' recorders remember
// the numbers that they use, so the tables here are asked, under the lock, for what is new to a
// thread only.
//
// Owns:      the tables, in the trace's arena.
// Locks:     isa__trace_lock; the set of objects is read without it.
// Invariant: the record of a text, stack or object is in the file before any record that names it.
#define _GNU_SOURCE // strnlen
#include "structure.h"

#include "../model/class.h"

enum { FIRST_SIZE = 256 };

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

bool isa__structure_start(struct isa__trace_structure *structure, struct isa__trace_file *file,
                          struct isa__arena *arena)
{
    structure->file = file;
    structure->arena = arena;
    structure->writer = (struct isa__trace_writer){.type = ISA_TRACE_STRUCTURE};
    structure->texts = (struct isa__trace_texts){
        isa__arena_allocate(arena, FIRST_SIZE * sizeof(void *)), FIRST_SIZE, 0};
    structure->stacks = (struct isa__trace_stacks){
        isa__arena_allocate(arena, FIRST_SIZE * sizeof(struct isa__trace_stack)), FIRST_SIZE, 0};
    struct isa__trace_object_table *table =
        isa__arena_allocate(arena, sizeof *table + FIRST_SIZE * sizeof table->places[0]);
    if (table != NULL) table->size = FIRST_SIZE;
    structure->objects = (struct isa__trace_objects){table, 0};
    structure->module_count = 0;
    return structure->texts.places != NULL && structure->stacks.places != NULL && table != NULL;
}

// Where a record of `size` bytes begins, behind its kind; NULL if there is no room for it. Records
// that others name by number must fit if any can.
static unsigned char *begin_locked(struct isa__trace_structure *structure,
                                   enum isa__trace_record kind, size_t size)
{
    struct isa__trace_writer *writer = &structure->writer;
    isa_event first = {.id = writer->id, .thread = writer->thread};
    bool must_fit = kind != ISA_TRACE_RECORD_OBJECT && kind != ISA_TRACE_RECORD_REGISTRATION;
    if (!isa__trace_has_room(writer, size + 16) &&
        !isa__trace_next_chunk_locked(structure->file, writer, &first, must_fit))
        return NULL;
    return isa__record_begin(writer, kind);
}

// ---- texts --------------------------------------------------------------------------------------

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length;
    for (; length >= 8; text += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        hash = mix(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, text, length);
    return mix(hash, rest);
}

static struct isa__trace_text **find_text(const struct isa__trace_texts *texts, uint64_t hash,
                                          const char *text, size_t length)
{
    size_t at = hash & (texts->size - 1);
    for (; texts->places[at] != NULL; at = (at + 1) & (texts->size - 1)) {
        const struct isa__trace_text *found = texts->places[at];
        if (found->hash == hash && strncmp(found->text, text, length) == 0 &&
            found->text[length] == 0)
            break;
    }
    return &texts->places[at];
}

static bool grow_texts(struct isa__trace_structure *structure)
{
    struct isa__trace_texts *texts = &structure->texts;
    if (texts->count * 2 < texts->size) return true;
    struct isa__trace_texts grown = {.size = texts->size * 2, .count = texts->count};
    grown.places = isa__arena_allocate(structure->arena, grown.size * sizeof *grown.places);
    if (grown.places == NULL) return texts->count + 1 < texts->size;
    for (size_t i = 0; i < texts->size; i++) {
        struct isa__trace_text *text = texts->places[i];
        if (text != NULL) *find_text(&grown, text->hash, text->text, strlen(text->text)) = text;
    }
    *texts = grown;
    return true;
}

static struct isa__trace_text *add_text_locked(struct isa__trace_structure *structure,
                                               uint64_t hash, const char *text, size_t length)
{
    if (!grow_texts(structure)) return NULL;
    size_t kept = strnlen(text, ISA_TRACE_TEXT_ROOM);
    struct isa__trace_text *added = isa__arena_allocate(structure->arena, sizeof *added + kept + 1);
    if (added == NULL) return NULL;
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_TEXT, kept + 20);
    if (at == NULL) return NULL;
    added->hash = hash;
    added->number = (uint32_t)++structure->texts.count;
    memcpy(added->text, text, kept);
    at = isa__put(isa__put(at, added->number), length);
    isa__record_end(&structure->writer, isa__put_bytes(at, text, kept));
    *find_text(&structure->texts, hash, text, kept) = added;
    return added;
}

static struct isa__trace_text *text_locked(struct isa__trace_structure *structure,
                                           const char *text)
{
    size_t length = strlen(text);
    size_t kept = length < ISA_TRACE_TEXT_ROOM ? length : ISA_TRACE_TEXT_ROOM;
    uint64_t hash = hash_text(text, kept);
    struct isa__trace_text *found = *find_text(&structure->texts, hash, text, kept);
    return found != NULL ? found : add_text_locked(structure, hash, text, length);
}

const struct isa__trace_text *isa__structure_text(struct isa__trace_structure *structure,
                                                  const char *text)
{
    isa__lock(&isa__trace_lock);
    const struct isa__trace_text *found = text_locked(structure, text);
    isa__unlock(&isa__trace_lock);
    return found;
}

static uint64_t text_number_locked(struct isa__trace_structure *structure, const char *text)
{
    if (text == NULL || *text == 0) return 0;
    const struct isa__trace_text *found = text_locked(structure, text);
    return found == NULL ? 0 : found->number;
}

// ---- modules ------------------------------------------------------------------------------------

static bool has_module(const struct isa__trace_structure *structure, uintptr_t address)
{
    for (size_t i = structure->module_count; i-- > 0;)
        if (structure->modules[i][0] <= address && address < structure->modules[i][1]) return true;
    return false;
}

static bool is_known_locked(const struct isa__trace_structure *structure,
                            const struct isa__module *module)
{
    for (size_t i = 0; i < structure->module_count; i++)
        if (structure->modules[i][0] == module->low && structure->modules[i][1] == module->high)
            return true;
    return false;
}

static void add_module_locked(struct isa__trace_structure *structure,
                              const struct isa__module *module)
{
    enum { MOST_MODULES = sizeof structure->modules / sizeof structure->modules[0] };
    size_t path = strnlen(module->path, ISA_TRACE_TEXT_ROOM);
    size_t id = module->build_id_size <= 64 ? module->build_id_size : 0;
    if (structure->module_count == MOST_MODULES) return;
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_MODULE, path + id + 40);
    if (at == NULL) return;
    at = isa__put(isa__put(isa__put(at, module->low), module->high), module->bias);
    at = isa__put_bytes(isa__put(at, id), module->build_id, id);
    isa__record_end(&structure->writer, isa__put_bytes(at, module->path, path));
    structure->modules[structure->module_count][0] = module->low;
    structure->modules[structure->module_count++][1] = module->high;
}

// Called with the loader's lock held.
static void note_module(const struct isa__module *module, void *context)
{
    struct isa__trace_structure *structure = context;
    isa__lock(&isa__trace_lock);
    if (!is_known_locked(structure, module)) add_module_locked(structure, module);
    isa__unlock(&isa__trace_lock);
}

// A thread that forks has isa__trace_lock, and may need the loader's: it waits for the guard.
void isa__structure_find_modules(struct isa__trace_structure *structure)
{
    isa_fork_guard_begin();
    isa__system_modules(note_module, structure);
    isa_fork_guard_end();
}

// ---- stacks -------------------------------------------------------------------------------------

uint64_t isa__stack_hash(const uintptr_t *calls, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) hash = mix(hash, calls[i]);
    return hash == 0 ? 1 : hash;
}

static struct isa__trace_stack *find_stack(const struct isa__trace_stacks *stacks, uint64_t hash)
{
    size_t at = hash & (stacks->size - 1);
    while (stacks->places[at].hash != 0 && stacks->places[at].hash != hash)
        at = (at + 1) & (stacks->size - 1);
    return &stacks->places[at];
}

static bool grow_stacks(struct isa__trace_structure *structure)
{
    struct isa__trace_stacks *stacks = &structure->stacks;
    if (stacks->count * 2 < stacks->size) return true;
    struct isa__trace_stacks grown = {.size = stacks->size * 2, .count = stacks->count};
    grown.places = isa__arena_allocate(structure->arena, grown.size * sizeof *grown.places);
    if (grown.places == NULL) return stacks->count + 1 < stacks->size;
    for (size_t i = 0; i < stacks->size; i++)
        if (stacks->places[i].hash != 0)
            *find_stack(&grown, stacks->places[i].hash) = stacks->places[i];
    *stacks = grown;
    return true;
}

static uint64_t add_stack_locked(struct isa__trace_structure *structure, uint64_t hash,
                                 const uintptr_t *calls, size_t count)
{
    if (!grow_stacks(structure)) return 0;
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_STACK, (count + 2) * 10);
    if (at == NULL) return 0;
    uint64_t number = ++structure->stacks.count;
    at = isa__put(isa__put(at, number), count);
    for (size_t i = 0; i < count; i++)
        at = i == 0 ? isa__put(at, calls[0]) : isa__put_signed(at, calls[i] - calls[i - 1]);
    isa__record_end(&structure->writer, at);
    *find_stack(&structure->stacks, hash) = (struct isa__trace_stack){hash, number};
    return number;
}

static bool lacks_module_locked(const struct isa__trace_structure *structure,
                                const uintptr_t *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!has_module(structure, calls[i])) return true;
    return false;
}

uint64_t isa__structure_stack(struct isa__trace_structure *structure, uint64_t hash,
                              const uintptr_t *calls, size_t count)
{
    isa__lock(&isa__trace_lock);
    uint64_t number = find_stack(&structure->stacks, hash)->number;
    bool lacks_module = number == 0 && lacks_module_locked(structure, calls, count);
    isa__unlock(&isa__trace_lock);
    if (number != 0) return number;
    if (lacks_module) isa__structure_find_modules(structure);
    isa__lock(&isa__trace_lock);
    number = find_stack(&structure->stacks, hash)->number;
    if (number == 0) number = add_stack_locked(structure, hash, calls, count);
    isa__unlock(&isa__trace_lock);
    return number;
}

// ---- objects ------------------------------------------------------------------------------------

enum { DEAD = 1 };

static uintptr_t *find_object(struct isa__trace_object_table *table, uintptr_t address)
{
    size_t at = mix(0, address >> 3) & (table->size - 1);
    for (;; at = (at + 1) & (table->size - 1)) {
        uintptr_t found = __atomic_load_n(&table->places[at], __ATOMIC_ACQUIRE);
        if (found == 0 || (found & ~(uintptr_t)DEAD) == address) return &table->places[at];
    }
}

int isa__structure_has_object(const struct isa__trace_structure *structure, const void *object)
{
    struct isa__trace_object_table *table =
        __atomic_load_n(&structure->objects.table, __ATOMIC_ACQUIRE);
    uintptr_t *place = find_object(table, (uintptr_t)object & ~(uintptr_t)DEAD);
    uintptr_t found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (found == 0) return 0;
    return found & DEAD ? 2 : 1;
}

static struct isa__trace_object_table *grow_objects(struct isa__trace_structure *structure)
{
    struct isa__trace_object_table *table = structure->objects.table, *grown;
    if (structure->objects.count * 2 < table->size) return table;
    size_t size = table->size * 2;
    grown = isa__arena_allocate(structure->arena, sizeof *grown + size * sizeof grown->places[0]);
    if (grown == NULL) return structure->objects.count + 1 < table->size ? table : NULL;
    grown->size = size;
    for (size_t i = 0; i < table->size; i++)
        if (table->places[i] != 0)
            *find_object(grown, table->places[i] & ~(uintptr_t)DEAD) = table->places[i];
    __atomic_store_n(&structure->objects.table, grown, __ATOMIC_RELEASE);
    return grown;
}

static void add_object_locked(struct isa__trace_structure *structure, uintptr_t address,
                              const char *class_name, uint64_t event, bool is_anew)
{
    struct isa__trace_object_table *table = grow_objects(structure);
    if (table == NULL) return;
    uintptr_t *place = find_object(table, address);
    if (*place != 0 && !(is_anew && *place & DEAD)) return;
    uint64_t number = text_number_locked(structure, class_name);
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_OBJECT, 30);
    if (at != NULL)
        isa__record_end(&structure->writer,
                        isa__put(isa__put(isa__put(at, address), number), event));
    structure->objects.count += *place == 0;
    __atomic_store_n(place, address, __ATOMIC_RELEASE);
}

void isa__structure_add_object(struct isa__trace_structure *structure, const void *object,
                               const char *class_name, uint64_t event, bool is_anew)
{
    uintptr_t address = (uintptr_t)object & ~(uintptr_t)DEAD;
    isa__lock(&isa__trace_lock);
    add_object_locked(structure, address, class_name, event, is_anew);
    isa__unlock(&isa__trace_lock);
}

void isa__structure_end_object(struct isa__trace_structure *structure, const void *object)
{
    uintptr_t address = (uintptr_t)object & ~(uintptr_t)DEAD;
    isa__lock(&isa__trace_lock);
    uintptr_t *place = find_object(structure->objects.table, address);
    if (*place == address) __atomic_store_n(place, address | DEAD, __ATOMIC_RELEASE);
    isa__unlock(&isa__trace_lock);
}

// ---- what was there before ----------------------------------------------------------------------

static void add_registration_locked(struct isa__trace_structure *structure, isa_id object,
                                    const kvo_registration_info *info)
{
    uint64_t path = text_number_locked(structure, info->key_path);
    uint64_t root_path =
        info->is_forwarder ? text_number_locked(structure, info->root_key_path) : 0;
    uint64_t flags = (uint64_t)info->options | (info->is_forwarder ? ISA_EVENT_FORWARDER : 0) |
                     (info->is_shared ? ISA_EVENT_SHARED : 0);
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_REGISTRATION, 80);
    if (at == NULL) return;
    at = isa__put(isa__put(at, (uintptr_t)object), info->number);
    at = isa__put(isa__put(isa__put(at, path), flags), (uintptr_t)info->observer);
    at = isa__put(at, info->is_forwarder ? (uintptr_t)info->root : 0);
    isa__record_end(&structure->writer, isa__put(isa__put(at, root_path), info->is_function));
}

void isa__structure_add_registration(struct isa__trace_structure *structure, isa_id object,
                                     const kvo_registration_info *info)
{
    isa__lock(&isa__trace_lock);
    add_registration_locked(structure, object, info);
    isa__unlock(&isa__trace_lock);
}

void isa__structure_note(struct isa__trace_structure *structure, const char *name,
                         const char *text)
{
    size_t length = strlen(name), rest = strnlen(text, ISA_TRACE_TEXT_ROOM);
    isa__lock(&isa__trace_lock);
    unsigned char *at = begin_locked(structure, ISA_TRACE_RECORD_NOTE, length + rest + 10);
    if (at != NULL) {
        at = isa__put_bytes(isa__put(at, length), name, length);
        isa__record_end(&structure->writer, isa__put_bytes(at, text, rest));
    }
    isa__unlock(&isa__trace_lock);
}

// ---- events -------------------------------------------------------------------------------------

static bool has_room_locked(struct isa__trace_structure *structure, const isa_event *event)
{
    struct isa__trace_header *header = structure->file->header;
    if (__atomic_load_n(&header->structure_end, __ATOMIC_RELAXED) != 0) return false;
    if (isa__trace_has_room(&structure->writer, ISA_TRACE_MOST_EVENT + ISA_TRACE_MOST_THREAD) ||
        isa__trace_next_chunk_locked(structure->file, &structure->writer, event, false))
        return true;
    __atomic_store_n(&header->structure_end, event->id, __ATOMIC_RELAXED);
    return false;
}

bool isa__structure_write_event(struct isa__trace_structure *structure, const isa_event *event,
                                const struct isa__trace_numbers *numbers)
{
    isa__lock(&isa__trace_lock);
    bool has_room = has_room_locked(structure, event);
    if (has_room) isa__trace_write_event(&structure->writer, event, numbers, structure->values);
    isa__unlock(&isa__trace_lock);
    return has_room;
}
