// ---- telling: prints what observers hear, as isalab does ----------------------------------------

// No scenario uses all of it.
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"

// Objects that a line makes on the way, until its end.
static isa_id kept[256];
static size_t kept_count;

static isa_id keep(isa_id object)
{
    if (object != NULL && kept_count < 256) kept[kept_count++] = object;
    return object;
}

static void end_line(void)
{
    while (kept_count > 0) isa_object_release(kept[--kept_count]);
}

// Ends the program with the reason.
static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", isa_last_error()->exception, isa_last_error()->reason);
    exit(1);
}

// The call is meant to fail.
static void refused(isa_status status)
{
    printf("error %s\n", status == ISA_OK ? "none" : isa_status_exception(status));
}

// ---- names --------------------------------------------------------------------------------------

static struct named {
    isa_id object;
    const char *name;
} names[256];
static size_t name_count;

static void name(isa_id object, const char *text)
{
    if (name_count < 256) names[name_count++] = (struct named){object, text};
}

static const char *name_of(isa_id object)
{
    for (size_t i = name_count; i-- > 0;)
        if (names[i].object == object) return names[i].name;
    static char unnamed[128];
    const char *cls = isa_class_name(kvo_class_original(isa_object_get_class(object)));
    const char *article = strchr("AEIOUaeiou", cls[0]) != NULL ? "an" : "a";
    snprintf(unnamed, sizeof unnamed, "%s %s", article, cls);
    return unnamed;
}

// ---- values -------------------------------------------------------------------------------------

static void print_value(FILE *out, const char *types, const void *address);
static void print_object(FILE *out, isa_id object);

static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
        else if (*text == '\n') fputs("\\n", out);
        else if (*text == '\t') fputs("\\t", out);
        else if ((unsigned char)*text < 32) fprintf(out, "\\u{%X}", (unsigned)*text);
        else fputc(*text, out);
    }
    fputc('"', out);
}

// The shortest digits that give the number back.
static void print_real(FILE *out, long double value, int most,
                       bool (*is_same)(const char *, long double))
{
    char text[64];
    int digits = 1;
    do snprintf(text, sizeof text, "%.*Le", digits - 1, value);
    while (!is_same(text, value) && digits++ < most);
    int exponent = atoi(strchr(text, 'e') == NULL ? "0" : strchr(text, 'e') + 1);
    int decimals = digits - 1 - exponent;
    if (exponent >= -4 && exponent < 16) fprintf(out, "%.*Lf", decimals > 0 ? decimals : 0, value);
    else fputs(text, out);
}

static bool is_same_float(const char *text, long double value)
{
    return strtof(text, NULL) == (float)value;
}

static bool is_same_double(const char *text, long double value)
{
    return strtod(text, NULL) == (double)value;
}

static bool is_same_long(const char *text, long double value)
{
    return strtold(text, NULL) == value;
}

// The names of the members of a struct, by its encoding; NULL for a struct that is not declared.
static const char *const *find_labels(const char *types)
{
    for (size_t i = 0; labels[i][0] != NULL; i++) {
        size_t length = strlen(labels[i][0]);
        if (strncmp(types + 1, labels[i][0], length) == 0 && types[1 + length] == '=')
            return labels[i] + 1;
    }
    return NULL;
}

static void print_members(FILE *out, const char *types, const char *address)
{
    const char *member = strchr(types, '=') + 1, *const *names_of_members = find_labels(types);
    size_t offset = 0, size, align;
    for (size_t i = 0; *member != '}'; i++) {
        const char *end;
        must(isa_encoding_measure(member, &size, &align, &end));
        offset = (offset + align - 1) / align * align;
        if (i > 0) fputs(", ", out);
        if (names_of_members != NULL) fprintf(out, "%s: ", names_of_members[i]);
        print_value(out, member, address + offset);
        offset += size;
        member = end;
    }
}

static void print_array(FILE *out, const char *types, const char *address)
{
    char *element;
    size_t size;
    unsigned long count = strtoul(types + 1, &element, 10);
    must(isa_encoding_measure(element, &size, NULL, NULL));
    for (unsigned long i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out);
        print_value(out, element, address + i * size);
    }
}

static void print_reference(FILE *out, char letter, const void *pointer)
{
    if (pointer == NULL) fputs("nil", out);
    else if (letter == '@') print_object(out, (isa_id)pointer);
    else if (letter == '#') fputs(isa_class_name((isa_class)pointer), out);
    else if (letter == ':') fputs(isa_sel_name((isa_sel)pointer), out);
    else if (letter == '*') print_text(out, pointer);
    else fprintf(out, "0x%" PRIxPTR, (uintptr_t)pointer);
}

static void print_value(FILE *out, const char *types, const void *address)
{
    while (strchr("rnNoORVA", *types) != NULL) types++;
    switch (*types) {
    case 'c': fprintf(out, "%" PRId8, *(const int8_t *)address); break;
    case 's': fprintf(out, "%" PRId16, *(const int16_t *)address); break;
    case 'i': case 'l': fprintf(out, "%" PRId32, *(const int32_t *)address); break;
    case 'q': fprintf(out, "%" PRId64, *(const int64_t *)address); break;
    case 'C': fprintf(out, "%" PRIu8, *(const uint8_t *)address); break;
    case 'S': fprintf(out, "%" PRIu16, *(const uint16_t *)address); break;
    case 'I': case 'L': fprintf(out, "%" PRIu32, *(const uint32_t *)address); break;
    case 'Q': fprintf(out, "%" PRIu64, *(const uint64_t *)address); break;
    case 'B': fputs(*(const bool *)address ? "true" : "false", out); break;
    case 'f': print_real(out, *(const float *)address, 9, is_same_float); break;
    case 'd': print_real(out, *(const double *)address, 17, is_same_double); break;
    case 'D': print_real(out, *(const long double *)address, 21, is_same_long); break;
    case '{': fputc('(', out), print_members(out, types, address), fputc(')', out); break;
    case '[': fputc('[', out), print_array(out, types, address), fputc(']', out); break;
    default: print_reference(out, *types, *(void *const *)address); break;
    }
}

struct texts { char *items[256]; size_t count; };

static bool note_text(isa_id object, size_t index, void *context)
{
    struct texts *texts = context;
    if (index >= 256) return false;
    size_t size;
    FILE *out = open_memstream(&texts->items[texts->count++], &size);
    print_object(out, object);
    fclose(out);
    return true;
}

// Numbers by size, then all else by its text.
static int compare_texts(const void *first, const void *second)
{
    char *a = *(char *const *)first, *b = *(char *const *)second, *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    bool is_x = end_a != a && *end_a == '\0', is_y = end_b != b && *end_b == '\0';
    if (is_x && is_y && x != y) return x < y ? -1 : 1;
    return is_x != is_y ? (is_x ? -1 : 1) : strcmp(a, b);
}

static void print_texts(FILE *out, struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", texts->items[i]);
        free(texts->items[i]);
    }
}

static void print_collection(FILE *out, isa_id object, const char *brackets, bool is_sorted)
{
    struct texts texts = {.count = 0};
    must(kvc_collection_enumerate(object, note_text, &texts));
    if (is_sorted) qsort(texts.items, texts.count, sizeof *texts.items, compare_texts);
    fputc(brackets[0], out);
    print_texts(out, &texts);
    fputc(brackets[1], out);
}

static bool is_word(const char *text)
{
    if (!isalpha((unsigned char)text[0])) return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
    return true;
}

static bool note_entry(isa_id key, size_t index, void *context)
{
    struct { isa_id dictionary; struct texts texts; } *entries = context;
    if (index >= 256) return false;
    size_t size;
    isa_id value;
    FILE *out = open_memstream(&entries->texts.items[entries->texts.count++], &size);
    if (kvc_string_text(key) != NULL && is_word(kvc_string_text(key)))
        fputs(kvc_string_text(key), out);
    else print_object(out, key);
    must(kvc_dictionary_copy_value(entries->dictionary, key, &value));
    fputs(": ", out);
    print_object(out, value);
    isa_object_release(value);
    fclose(out);
    return true;
}

static void print_dictionary(FILE *out, isa_id dictionary)
{
    struct { isa_id dictionary; struct texts texts; } entries = {dictionary, {.count = 0}};
    isa_id keys;
    must(kvc_dictionary_copy_keys(dictionary, &keys));
    must(kvc_collection_enumerate(keys, note_entry, &entries));
    isa_object_release(keys);
    qsort(entries.texts.items, entries.texts.count, sizeof(char *), compare_texts);
    fputs(entries.texts.count == 0 ? "{:" : "{", out);
    print_texts(out, &entries.texts);
    fputc('}', out);
}

static void print_object(FILE *out, isa_id object)
{
    if (object == NULL) {
        fputs("nil", out);
        return;
    }
    kvc_value inside = kvc_unbox(&object);
    switch (kvc_kind_of(object)) {
    case KVC_KIND_STRING: print_text(out, kvc_string_text(object)); break;
    case KVC_KIND_NUMBER:
    case KVC_KIND_VALUE: print_value(out, inside.types, inside.address); break;
    case KVC_KIND_NULL: fputs("null", out); break;
    case KVC_KIND_ARRAY:
    case KVC_KIND_ORDERED_SET: print_collection(out, object, "[]", false); break;
    case KVC_KIND_SET: print_collection(out, object, "{}", true); break;
    case KVC_KIND_DICTIONARY: print_dictionary(out, object); break;
    default: fputs(name_of(object), out); break;
    }
}

// ---- observers ----------------------------------------------------------------------------------

static struct reaction {
    const char *observer;
    void (*act)(void);
    bool is_standing, is_done;
} reactions[64];
static size_t reaction_count;
static bool is_elsewhere;

static void react_later(const char *observer, void (*act)(void), bool is_standing)
{
    if (reaction_count == 64) exit(1);
    reactions[reaction_count++] = (struct reaction){observer, act, is_standing, false};
}

// Acts inside the observer's callback the next time that it is told; each time.
static void when(const char *observer, void (*act)(void))
{
    react_later(observer, act, false);
}

static void whenever(const char *observer, void (*act)(void))
{
    react_later(observer, act, true);
}

static void react(const char *observer)
{
    for (size_t i = 0; i < reaction_count; i++) {
        struct reaction *reaction = &reactions[i];
        if (strcmp(reaction->observer, observer) != 0 || reaction->is_standing || reaction->is_done)
            continue;
        reaction->is_done = true;
        reaction->act();
        break;
    }
    for (size_t i = 0; i < reaction_count; i++)
        if (reactions[i].is_standing && strcmp(reactions[i].observer, observer) == 0)
            reactions[i].act();
}

static void print_indexes(const kvc_index_set *set)
{
    kvc_index_walk walk = {0, 0};
    bool is_first = true;
    for (size_t index; kvc_index_set_next(set, &walk, &index); is_first = false)
        printf("%s%zu", is_first ? " at (" : ", ", index);
    fputs(is_first ? " at ()" : ")", stdout);
}

static void print_change(const kvo_change *change)
{
    static const char *kinds[] = {"", "", "insertion", "removal", "replacement"};
    const char *sign = ": ";
    if (change->kind != KVO_CHANGE_SETTING) {
        printf("%s%s", sign, kinds[change->kind]);
        if (change->indexes != NULL) print_indexes(change->indexes);
        sign = ", ";
    }
    if (change->old_value.address != NULL) {
        printf("%sold ", sign);
        print_value(stdout, change->old_value.types, change->old_value.address);
        sign = ", ";
    }
    if (change->new_value.address != NULL) {
        printf("%snew ", sign);
        print_value(stdout, change->new_value.types, change->new_value.address);
        sign = ", ";
    }
    if (change->context != NULL) {
        printf("%scontext %" PRIuPTR, sign, (uintptr_t)change->context);
        sign = ", ";
    }
    if (is_elsewhere) printf("%son another thread", sign);
}

// An observer that is a function; `observer` is its name.
static void hear(const kvo_change *change, void *observer)
{
    printf("→ %s hears %s %s.%s", (const char *)observer,
           change->is_initial ? "the current value of" : "that", name_of(change->object),
           change->key_path);
    if (!change->is_initial) fputs(change->is_prior ? " will change" : " changed", stdout);
    print_change(change);
    putchar('\n');
    react(observer);
}

// Tells of a change as the method does that swizzling puts before a setter.
static void tell(const char *observer, isa_id object, const char *key, isa_id old)
{
    isa_id new;
    must(kvc_copy_value(object, key, &new));
    hear(&(kvo_change){.object = object, .key_path = key, .kind = KVO_CHANGE_SETTING,
                       .old_value = {"@", &old}, .new_value = {"@", &new}},
         (void *)observer);
    isa_object_release(new);
}

// The method of an observer that is an object.
static void observe_value(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)sel, (void)key_path, (void)object, (void)context;
    hear(change, (void *)name_of(self));
}

static isa_class Observer;

static void make_observer_class(void)
{
    must(isa_class_pair_allocate(isa_root_class(), "Observer", &Observer));
    isa_sel sel = isa_sel_register("observeValueForKeyPath:ofObject:change:context:");
    must(isa_class_add_method(Observer, sel, (isa_imp)observe_value, "v@:*@^v^v"));
    must(isa_class_pair_register(Observer));
}

static kvo_token *new_token(void)
{
    static kvo_token tokens[64];
    static size_t count;
    if (count == 64) exit(1);
    return &tokens[count++];
}

static void *run_elsewhere(void *act)
{
    (*(void (**)(void))act)();
    return NULL;
}

// On another thread, for which this one waits.
static void on_thread(void (*act)(void))
{
    pthread_t thread;
    is_elsewhere = true;
    if (pthread_create(&thread, NULL, run_elsewhere, &act) != 0) exit(1);
    pthread_join(thread, NULL);
    is_elsewhere = false;
}

// ---- making values ------------------------------------------------------------------------------

static isa_id string(const char *text)
{
    isa_id made;
    must(kvc_string_make(text, &made));
    return keep(made);
}

static isa_id integer(int64_t value)
{
    isa_id made;
    must(kvc_number_make_integer(value, &made));
    return keep(made);
}

static isa_id real(double value)
{
    isa_id made;
    must(kvc_number_make_double(value, &made));
    return keep(made);
}

static isa_id boxed(const char *types, const void *address)
{
    isa_id made;
    must(kvc_box((kvc_value){types, address}, &made));
    return keep(made);
}

static isa_id boolean(bool value) { return boxed("B", &value); }

#define MAKER(name, make)                                               \
    static isa_id name(size_t count, ...)                        \
    {                                                                   \
        isa_id objects[64] = {NULL}, made;                              \
        va_list arguments;                                              \
        va_start(arguments, count);                                     \
        for (size_t i = 0; i < count && i < 64; i++)                    \
            objects[i] = va_arg(arguments, isa_id);                     \
        va_end(arguments);                                              \
        must(make(objects, count < 64 ? count : 64, &made));            \
        return keep(made);                                              \
    }
MAKER(array, kvc_array_make)
MAKER(set, kvc_set_make)
MAKER(ordered_set, kvc_ordered_set_make)
MAKER(mutable_array, kvc_mutable_array_make)
MAKER(mutable_set, kvc_mutable_set_make)
MAKER(mutable_ordered_set, kvc_mutable_ordered_set_make)

// Keys, which are C strings, each with its value.
#define DICTIONARY_MAKER(name, make)                                    \
    static isa_id name(size_t count, ...)                        \
    {                                                                   \
        isa_id keys[64] = {NULL}, values[64] = {NULL}, made;            \
        va_list arguments;                                              \
        va_start(arguments, count);                                     \
        for (size_t i = 0; i < count && i < 64; i++) {                  \
            keys[i] = string(va_arg(arguments, const char *));          \
            values[i] = va_arg(arguments, isa_id);                      \
        }                                                               \
        va_end(arguments);                                              \
        must(make(keys, values, count < 64 ? count : 64, &made));       \
        return keep(made);                                              \
    }
DICTIONARY_MAKER(dictionary, kvc_dictionary_make)
DICTIONARY_MAKER(mutable_dictionary, kvc_mutable_dictionary_make)

static const kvc_index_set *indexes(size_t count, ...)
{
    static kvc_index_set set;
    size_t numbers[64];
    va_list arguments;
    va_start(arguments, count);
    for (size_t i = 0; i < count && i < 64; i++) numbers[i] = (size_t)va_arg(arguments, int);
    va_end(arguments);
    kvc_index_set_destroy(&set);
    must(kvc_index_set_make(numbers, count < 64 ? count : 64, &set));
    return &set;
}

// ---- reaching values ----------------------------------------------------------------------------

// The value at the end of a key path, as an object.
static isa_id at(isa_id object, const char *key_path)
{
    isa_id value;
    must(kvc_copy_value_for_path(object, key_path, &value));
    return keep(value);
}

static double number(isa_id object, const char *key_path)
{
    double value = 0;
    isa_id found = at(object, key_path);
    if (found != NULL) must(kvc_number_read(found, 'd', &value));
    return value;
}

static double count(isa_id collection) { return (double)kvc_collection_count(collection); }

// A text of the objects one behind the other; nothing adds nothing.
static isa_id joined(size_t count, ...)
{
    char text[1024] = "";
    va_list arguments;
    va_start(arguments, count);
    for (size_t i = 0; i < count; i++) {
        isa_id object = va_arg(arguments, isa_id), description;
        if (object == NULL) continue;
        must(kvc_copy_description(object, &description));
        strncat(text, kvc_string_text(description), sizeof text - strlen(text) - 1);
        isa_object_release(description);
    }
    va_end(arguments);
    return string(text);
}

static bool is_between(isa_id value, double least, double greatest, const char *message,
                              isa_id *error)
{
    double number;
    bool is_number = kvc_number_read(value, 'd', &number) == ISA_OK;
    if (is_number && number >= least && number <= greatest) return true;
    if (error != NULL) must(kvc_string_make(message, error));
    return false;
}

static void *ivar(isa_id object, const char *name)
{
    return isa_object_ivar_address(object, isa_class_find_ivar(isa_object_get_class(object), name));
}

// The object in an ivar; it goes past every setter.
static isa_id stored(isa_id object, const char *name)
{
    return *(isa_id *)ivar(object, name);
}

static void store(isa_id object, const char *name, isa_id value)
{
    isa_ownership ownership =
        isa_ivar_ownership(isa_class_find_ivar(isa_object_get_class(object), name));
    isa_id *place = ivar(object, name), old = *place;
    if (ownership == ISA_OWNERSHIP_WEAK) {
        must(isa_weak_store((isa_weak *)place, value));
        return;
    }
    *place = ownership == ISA_OWNERSHIP_NONE ? value : isa_object_retain(value);
    if (ownership != ISA_OWNERSHIP_NONE) isa_object_release(old);
}

// The collection in an ivar as one that can change, made if there is none.
static isa_id own(isa_id self, const char *name, kvc_kind kind)
{
    isa_id collection = stored(self, name), made;
    if (collection != NULL && kvc_is_mutable(collection)) return collection;
    if (collection != NULL) must(kvc_collection_mutable_copy(collection, &made));
    else must(kvc_collection_make(kind, true, array(0), &made));
    store(self, name, keep(made));
    return made;
}

// A live view of a to-many key.
static isa_id proxy(isa_id object, const char *key_path, kvc_kind kind)
{
    isa_id made;
    if (kind == KVC_KIND_SET) must(kvc_proxy_make_set_for_path(object, key_path, &made));
    else if (kind == KVC_KIND_ORDERED_SET)
        must(kvc_proxy_make_ordered_set_for_path(object, key_path, &made));
    else must(kvc_proxy_make_array_for_path(object, key_path, &made));
    return keep(made);
}

// A class method that answers no.
static bool no(isa_id self, isa_sel sel) { return (void)self, (void)sel, false; }

// ---- bindings -----------------------------------------------------------------------------------

struct end { isa_id object; const char *key; };

static struct binding {
    struct end target, source;
    kvo_token tokens[2];
    bool is_pushing;
} bindings[32];
static size_t binding_count;

static bool is_same(struct end first, struct end second)
{
    return first.object == second.object && strcmp(first.key, second.key) == 0;
}

// Whether bindings that are not among `used` lead from one end to another.
static bool leads(struct end from, struct end to, uint32_t used)
{
    if (is_same(from, to)) return true;
    for (size_t i = 0; i < binding_count; i++) {
        struct binding *next = &bindings[i];
        uint32_t all = used | (uint32_t)1 << i;
        if (all == used || next->target.object == NULL) continue;
        if (is_same(next->source, from) && leads(next->target, to, all)) return true;
        bool is_two_way = next->tokens[1] != NULL;
        if (is_two_way && is_same(next->target, from) && leads(next->source, to, all)) return true;
    }
    return false;
}

// Whether a ring of bindings has led a value to where it is already.
static bool is_round(struct binding *binding, struct end from, struct end to, isa_id value)
{
    if (!leads(to, from, (uint32_t)1 << (binding - bindings))) return false;
    isa_id there;
    must(kvc_copy_value(to.object, to.key, &there));
    bool is_equal = kvc_is_equal(value, there);
    isa_object_release(there);
    return is_equal;
}

// Its own push comes back as an echo, further down on the same stack: that ends here.
static void push(struct binding *binding, struct end from, struct end to)
{
    if (binding->is_pushing) return;
    isa_id value;
    binding->is_pushing = true;
    must(kvc_copy_value(from.object, from.key, &value));
    if (!is_round(binding, from, to, value)) must(kvc_set_value(to.object, to.key, value));
    isa_object_release(value);
    binding->is_pushing = false;
}

static void push_source(const kvo_change *change, void *info)
{
    struct binding *binding = info;
    (void)change;
    push(binding, binding->source, binding->target);
}

static void push_target(const kvo_change *change, void *info)
{
    struct binding *binding = info;
    (void)change;
    push(binding, binding->target, binding->source);
}

static void unbind(isa_id target, const char *key)
{
    for (size_t i = 0; i < binding_count; i++) {
        struct binding *binding = &bindings[i];
        if (binding->target.object != target || strcmp(binding->target.key, key) != 0) continue;
        for (int end = 0; end < 2; end++) kvo_token_release(binding->tokens[end]);
        *binding = (struct binding){.is_pushing = false};
    }
}

static struct binding *follow(isa_id target, const char *key, isa_id source,
                                     const char *source_key)
{
    unbind(target, key);
    if (binding_count == 32) exit(1);
    struct binding *binding = &bindings[binding_count++];
    *binding = (struct binding){.target = {target, key}, .source = {source, source_key}};
    push_source(NULL, binding);
    must(kvo_observe(source, source_key, 0, &(kvo_function){push_source, binding, NULL}, NULL,
                     &binding->tokens[0]));
    return binding;
}

static void bind(isa_id target, const char *key, isa_id source, const char *source_key)
{
    struct binding *binding = follow(target, key, source, source_key);
    must(kvo_observe(target, key, 0, &(kvo_function){push_target, binding, NULL}, NULL,
                     &binding->tokens[1]));
}

// ---- questions ----------------------------------------------------------------------------------

static void show_value(isa_id object, const char *key_path)
{
    isa_id value;
    isa_status status = kvc_copy_value_for_path(object, key_path, &value);
    if (status != ISA_OK) {
        refused(status);
        return;
    }
    printf("%s is ", key_path);
    print_object(stdout, value);
    putchar('\n');
    isa_object_release(value);
}

static void show_class(isa_class cls)
{
    const char *kind = cls != NULL && isa_class_is_metaclass(cls) ? "metaclass of " : "";
    printf("%s%s\n", kind, cls == NULL ? "nil" : isa_class_name(cls));
}

static void show_methods(isa_class cls)
{
    isa_method *methods;
    size_t count;
    must(isa_class_copy_methods(cls, &methods, &count));
    for (size_t i = 0; i < count; i++)
        printf("-[%s %s]\n", isa_class_name(cls), isa_sel_name(isa_method_selector(methods[i])));
    isa_free(methods);
}

static void show_imp(isa_class cls, isa_sel sel)
{
    isa_method method = isa_class_find_method(cls, sel);
    if (method == NULL)
        printf("nil\n");
    else
        printf("-[%s %s]\n", isa_class_name(isa_method_class(method)), isa_sel_name(sel));
}

static void show_list(kvo_registration_info *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%s\n", list[i].key_path, list[i].is_forwarder ? ", a forwarder" : "");
    isa_free(list);
}

static void show_registrations(isa_id object)
{
    kvo_registration_info *list;
    size_t count;
    must(kvo_copy_registrations(object, &list, &count));
    show_list(list, count);
}

static void show_affected(isa_id object, const char *key)
{
    kvo_registration_info *list;
    size_t count;
    must(kvo_copy_affected(object, key, &list, &count));
    show_list(list, count);
}

static void show_pending(isa_id object)
{
    kvo_pending_info *list;
    size_t count;
    must(kvo_copy_pending(object, &list, &count));
    for (size_t i = 0; i < count; i++) puts(list[i].key);
    isa_free(list);
}

static void show_keys(isa_status (*copy)(isa_class, const char *, isa_id *), isa_class cls,
                             const char *key)
{
    isa_id keys;
    must(copy(cls, key, &keys));
    print_object(stdout, keys);
    putchar('\n');
    isa_object_release(keys);
}

static void show_values(isa_id object, isa_id keys)
{
    isa_id values;
    must(kvc_copy_values(object, keys, &values));
    print_object(stdout, values);
    putchar('\n');
    isa_object_release(values);
}

static void show_validity(isa_id object, const char *key_path, isa_id value)
{
    isa_id given = value, error = NULL;
    bool is_valid;
    isa_status status = kvc_validate_value_for_path(object, key_path, &value, &error, &is_valid);
    if (status != ISA_OK) {
        refused(status);
        return;
    }
    puts(is_valid ? "valid" : error == NULL ? "invalid" : kvc_string_text(error));
    isa_object_release(error);
    if (value != given) isa_object_release(value);
}
