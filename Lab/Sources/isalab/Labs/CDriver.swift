/// The C program that plays scenes with the student's functions.
enum CDriver {
  static let source = play + "\n\n" + perform + "\n"

  /// Hearing, and what most lines say.
  static let play = #"""
    // Plays a scene: reads its lines from standard input, does what they say with the student's
    // functions, and writes down what was done and who heard what.
    #ifndef _GNU_SOURCE
    #define _GNU_SOURCE
    #endif
    #include "student_kvo.h"
    #include "world.h"

    #include <pthread.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/resource.h>
    #include <unistd.h>

    enum { MOST_WORDS = 24, MOST_REACTIONS = 64, MOST_LINES = 500 };

    struct reaction {
        isa_id observer;
        char text[160];
        bool is_lasting;
    };

    static struct reaction reactions[MOST_REACTIONS];
    static int reaction_count, line_count, heard_count;
    static pthread_t main_thread;
    static bool is_quiet;
    static isa_class kept_class;

    static void perform(const char *line);

    void say(const char *format, ...)
    {
        if (is_quiet) return;
        if (++line_count > MOST_LINES) stop("more is told than the scene can tell", "without end");
        va_list arguments;
        va_start(arguments, format);
        printf("  ");
        vprintf(format, arguments);
        printf("\n");
        va_end(arguments);
    }

    // ---- hearing --------------------------------------------------------------------------------

    #if LAB_LEVEL >= 3
    static void add_value(char *line, size_t room, const char *label, isa_id value)
    {
        char text[160];
        describe_value(value, text, sizeof text);
        size_t length = strlen(line);
        snprintf(line + length, room - length, "%s%s", label, text);
    }

    // What the change says, as far as the level has it.
    static void describe_change(const student_change *change, char *out, size_t room)
    {
        *out = '\0';
    #if LAB_LEVEL >= 7
        static const char *const kinds[] = {"", "", ", insertion", ", removal", ", replacement"};
        unsigned kind = (unsigned)change->kind;
        if (kind < STUDENT_SETTING || kind > STUDENT_REPLACEMENT)
            snprintf(out, room, ", kind %u, which does not exist", kind);
        else if (kind > STUDENT_SETTING)
            snprintf(out, room, "%s at %zu", kinds[kind], change->index);
    #endif
        if (change->is_prior) snprintf(out + strlen(out), room - strlen(out), ", prior");
        if (change->has_old) add_value(out, room, ", old ", change->old_value);
        if (change->has_new) add_value(out, room, ", new ", change->new_value);
        if (change->context != NULL)
            snprintf(out + strlen(out), room - strlen(out), ", context %zu",
                     (size_t)change->context);
    }
    #else
    static void describe_change(const student_change *change, char *out, size_t room)
    {
        (void)change, (void)room;
        *out = '\0';
    }
    #endif

    static void react(isa_id observer)
    {
        for (int i = 0; i < reaction_count; i++) {
            if (reactions[i].observer != observer) continue;
            struct reaction reaction = reactions[i];
            if (!reaction.is_lasting) reactions[i].observer = NULL;
            char *rest = NULL;
            for (char *line = strtok_r(reaction.text, ";", &rest); line != NULL;
                 line = strtok_r(NULL, ";", &rest)) {
                line += strspn(line, " ");
                size_t end = strlen(line);
                while (end > 0 && line[end - 1] == ' ') line[--end] = '\0';
                say("%s does: %s", name_of(observer), line);
                perform(line);
            }
            return;
        }
    }

    static void tell(isa_id observer, const student_change *change)
    {
        __atomic_add_fetch(&heard_count, 1, __ATOMIC_SEQ_CST);
        char what[400];
        const char *where = pthread_equal(pthread_self(), main_thread) ? "" : ", on another thread";
        if (!is_quiet) {
            describe_change(change, what, sizeof what);
            say("%s%s hears %s.%s%s%s", is_dead(observer) ? "the dead " : "", name_of(observer),
                name_of(change->object), change->key_path, what, where);
        }
        react(observer);
    }

    // ---- words ----------------------------------------------------------------------------------

    struct words {
        char text[256];
        char *at[MOST_WORDS];
        int count;
    };

    static void split(const char *line, struct words *words)
    {
        memset(words, 0, sizeof *words);
        snprintf(words->text, sizeof words->text, "%s", line);
        char *rest = NULL;
        char *word = strtok_r(words->text, " ", &rest);
        for (; word != NULL && words->count < MOST_WORDS; word = strtok_r(NULL, " ", &rest))
            words->at[words->count++] = word;
    }

    // "i.name": the object i and the key path behind its dot.
    static isa_id target(char *word, const char **path)
    {
        char *dot = word == NULL ? NULL : strchr(word, '.');
        if (dot == NULL) stop("an object and a key were expected", word == NULL ? "" : word);
        *dot = '\0';
        *path = dot + 1;
        return find_object(word);
    }

    #if LAB_LEVEL >= 3
    static bool has_word(const struct words *words, const char *word)
    {
        for (int i = 0; i < words->count; i++)
            if (strcmp(words->at[i], word) == 0) return true;
        return false;
    }

    static void *context_of(const struct words *words)
    {
        for (int i = 0; i + 1 < words->count; i++)
            if (strcmp(words->at[i], "context") == 0)
                return (void *)(uintptr_t)strtoul(words->at[i + 1], NULL, 10);
        return NULL;
    }
    #endif

    // ---- what a line may say --------------------------------------------------------------------

    static void do_add(struct words *words)
    {
        const char *path;
        isa_id observer = find_object(words->at[1]), object = target(words->at[2], &path);
        unsigned options = 0;
        void *context = NULL;
    #if LAB_LEVEL >= 3
        if (has_word(words, "new")) options |= STUDENT_NEW;
        if (has_word(words, "old")) options |= STUDENT_OLD;
        if (has_word(words, "initial")) options |= STUDENT_INITIAL;
        if (has_word(words, "prior")) options |= STUDENT_PRIOR;
        context = context_of(words);
    #endif
        if (student_add(object, observer, path, options, context, tell) != ISA_OK) say("refused");
    }

    static void do_remove(struct words *words)
    {
        const char *path;
        isa_id observer = find_object(words->at[1]), object = target(words->at[2], &path);
        isa_status status;
    #if LAB_LEVEL >= 3
        status = has_word(words, "context")
                     ? student_remove_context(object, observer, path, context_of(words))
                     : student_remove(object, observer, path);
    #else
        status = student_remove(object, observer, path);
    #endif
        if (status != ISA_OK) {
            bool was_quiet = is_quiet;
            is_quiet = false;
            say("refused");
            is_quiet = was_quiet;
        }
    }

    static void do_new(struct words *words)
    {
        isa_class cls = isa_class_find(words->at[2]);
        isa_id object;
        if (cls == NULL) stop("there is no such class", words->at[2]);
        must(isa_object_allocate(cls, &object), words->at[2]);
        note_thing(words->at[1], object, cls);
    }

    // Makes objects until one stands where a dead one stood.
    static void do_reuse(struct words *words)
    {
        isa_class cls = isa_class_find(words->at[2]);
        isa_id before = find_object(words->at[3]), made[256];
        int count = 0;
        do must(isa_object_allocate(cls, &made[count]), words->at[2]);
        while (made[count++] != before && count < 256);
        note_thing(words->at[1], made[count - 1], cls);
        for (int i = 0; i < count - 1; i++) isa_object_release(made[i]);
    }

    static void do_observer(struct words *words)
    {
        isa_class cls = isa_class_find("Observer");
        for (int i = 1; i < words->count; i++) {
            isa_id object;
            must(isa_object_allocate(cls, &object), "Observer");
            note_thing(words->at[i], object, cls);
        }
    }

    static void do_set(struct words *words, const char *line)
    {
        const char *path;
        isa_id object = target(words->at[1], &path);
        const char *text = strchr(line, '"');
        set_value(object, path, text != NULL ? text : words->at[2]);
    }

    static void do_get(struct words *words)
    {
        const char *path;
        char text[200];
        isa_id value, object = target(words->at[1], &path);
        must(kvc_copy_value_for_path(object, path, &value), path);
        describe_value(value, text, sizeof text);
        say("%s", text);
        isa_object_release(value);
    }

    static void do_isa(struct words *words)
    {
        isa_id object = find_object(words->at[1]);
        isa_class cls = isa_object_get_class(object), made_as = class_made_as(object);
        if (cls == made_as) say("%s", isa_class_name(cls));
        else if (isa_class_superclass(cls) == made_as)
            say("a subclass of %s", isa_class_name(made_as));
        else say("the class %s", isa_class_name(cls));
    }

    static void do_class(struct words *words)
    {
        isa_id object = find_object(words->at[1]);
        isa_class cls = ISA_SEND(isa_class(*)(isa_id, isa_sel), object, isa_sel_register("class"));
        say("%s", isa_class_name(cls));
    }

    static void do_setter(struct words *words)
    {
        const char *key;
        isa_id object = target(words->at[1], &key);
        isa_property property = isa_class_find_property(class_made_as(object), key);
        isa_sel setter = isa_sel_register(isa_property_get_info(property)->setter);
        isa_imp now = isa_class_find_imp(isa_object_get_class(object), setter);
        isa_imp before = isa_class_find_imp(class_made_as(object), setter);
        say("%s", now == before ? "as it was" : "replaced");
    }

    static void do_references(struct words *words)
    {
        say("%zu", isa_object_retain_count(find_object(words->at[1])));
    }

    static void do_keep(struct words *words)
    {
        kept_class = isa_object_get_class(find_object(words->at[1]));
    }

    static void do_kept(struct words *words)
    {
        bool is_kept = kept_class == isa_object_get_class(find_object(words->at[1]));
        say("%s", is_kept ? "the same class" : "another class");
    }

    static void do_alive(struct words *words)
    {
        say("%s", is_dead(find_object(words->at[1])) ? "no" : "yes");
    }

    static void do_release(struct words *words)
    {
        isa_object_release(find_object(words->at[1]));
    }

    static void do_append(struct words *words)
    {
        append_bare(find_object(words->at[1]), find_object(words->at[2]));
    }
    """#
}
