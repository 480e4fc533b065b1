extension CDriver {
  /// Elements, threads, and the scene itself.
  static let perform = #"""
    // ---- items, by the accessors ----------------------------------------------------------------

    static size_t number(const char *word)
    {
        return strtoul(word, NULL, 10);
    }

    static void do_insert(struct words *words)
    {
        ISA_SEND(void (*)(isa_id, isa_sel, isa_id, size_t), find_object(words->at[1]),
                 isa_sel_register("insertObject:inItemsAtIndex:"), find_object(words->at[2]),
                 number(words->at[3]));
    }

    static void do_take(struct words *words)
    {
        ISA_SEND(void (*)(isa_id, isa_sel, size_t), find_object(words->at[1]),
                 isa_sel_register("removeObjectFromItemsAtIndex:"), number(words->at[2]));
    }

    static void do_replace(struct words *words)
    {
        ISA_SEND(void (*)(isa_id, isa_sel, size_t, isa_id), find_object(words->at[1]),
                 isa_sel_register("replaceObjectInItemsAtIndex:withObject:"), number(words->at[2]),
                 find_object(words->at[3]));
    }

    #if LAB_LEVEL >= 6
    static void do_depends(struct words *words)
    {
        const char *key, *paths[MOST_WORDS];
        char *dot = strchr(words->at[1], '.');
        *dot = '\0';
        key = dot + 1;
        for (int i = 2; i < words->count; i++) paths[i - 2] = words->at[i];
        isa_class cls = isa_class_find(words->at[1]);
        if (student_depends(cls, key, paths, (size_t)words->count - 2) != ISA_OK) say("refused");
    }
    #endif

    #if LAB_LEVEL >= 7
    static student_kind kind_named(const char *word)
    {
        if (strcmp(word, "insertion") == 0) return STUDENT_INSERTION;
        if (strcmp(word, "removal") == 0) return STUDENT_REMOVAL;
        if (strcmp(word, "replacement") == 0) return STUDENT_REPLACEMENT;
        return STUDENT_SETTING;
    }

    static void do_will(struct words *words)
    {
        const char *key;
        isa_id object = target(words->at[1], &key);
        student_kind kind = words->count > 2 ? kind_named(words->at[2]) : STUDENT_SETTING;
        size_t index = words->count > 3 ? number(words->at[3]) : 0;
        if (strcmp(words->at[0], "will") == 0) student_will_change(object, key, kind, index);
        else student_did_change(object, key, kind, index);
    }
    #endif

    // ---- later, elsewhere, often ----------------------------------------------------------------

    static void do_when(struct words *words, const char *line)
    {
        if (reaction_count == MOST_REACTIONS) stop("too many reactions", line);
        struct reaction *reaction = &reactions[reaction_count++];
        words->at[1][strcspn(words->at[1], ":")] = '\0';
        reaction->observer = find_object(words->at[1]);
        reaction->is_lasting = strcmp(words->at[0], "always") == 0;
        const char *text = strchr(line, ':') + 1;
        snprintf(reaction->text, sizeof reaction->text, "%s", text + strspn(text, " "));
    }

    struct runner {
        pthread_t thread;
        char line[160];
        long times;
    };

    static void *run(void *context)
    {
        struct runner *runner = context;
        for (long i = 0; i < runner->times; i++) perform(runner->line);
        return NULL;
    }

    static void start(struct runner *runner, const char *line, long times)
    {
        snprintf(runner->line, sizeof runner->line, "%s", line + strspn(line, " "));
        runner->times = times;
        if (pthread_create(&runner->thread, NULL, run, runner) != 0) stop("no thread", line);
    }

    static void do_thread(const char *line)
    {
        struct runner runner;
        start(&runner, line + strlen("thread"), 1);
        pthread_join(runner.thread, NULL);
    }

    // race 1000: LINE | LINE: each on a thread of its own, so often, nothing said meanwhile.
    static void do_race(struct words *words, const char *line)
    {
        struct runner runners[8];
        char text[256], *rest = NULL;
        int count = 0;
        snprintf(text, sizeof text, "%s", strchr(line, ':') + 1);
        is_quiet = true;
        heard_count = 0;
        char *each = strtok_r(text, "|", &rest);
        for (; each != NULL && count < 8; each = strtok_r(NULL, "|", &rest))
            start(&runners[count++], each, strtol(words->at[1], NULL, 10));
        for (int i = 0; i < count; i++) pthread_join(runners[i].thread, NULL);
        is_quiet = false;
    }

    // ---- visitors -------------------------------------------------------------------------------

    static void ignore(isa_id observer, const student_change *change)
    {
        (void)observer, (void)change;
    }

    // Comes and goes, with an observer of its own for each thread.
    static void do_visit(struct words *words)
    {
        static _Thread_local isa_id visitor;
        const char *path;
        isa_id object = target(words->at[1], &path);
        if (visitor == NULL)
            must(isa_object_allocate(isa_class_find("Observer"), &visitor), "Observer");
        must(student_add(object, visitor, path, 0, NULL, ignore), "student_add");
        must(student_remove(object, visitor, path), "student_remove");
    }

    // ---- the scene ------------------------------------------------------------------------------

    struct command {
        const char *name;
        void (*run)(struct words *words);
    };

    static const struct command commands[] = {
        {"add", do_add},
        {"remove", do_remove},
        {"new", do_new},
        {"reuse", do_reuse},
        {"observer", do_observer},
        {"get", do_get},
        {"isa", do_isa},
        {"class", do_class},
        {"setter", do_setter},
        {"references", do_references},
        {"keep-class", do_keep},
        {"class-kept", do_kept},
        {"alive", do_alive},
        {"release", do_release},
        {"append", do_append},
        {"insert", do_insert},
        {"take", do_take},
        {"replace", do_replace},
        {"visit", do_visit},
    #if LAB_LEVEL >= 6
        {"depends", do_depends},
    #endif
    #if LAB_LEVEL >= 7
        {"will", do_will},
        {"did", do_will},
    #endif
    };

    static void perform(const char *line)
    {
        struct words words;
        split(line, &words);
        if (words.count == 0) return;
        const char *verb = words.at[0];
        if (strcmp(verb, "set") == 0) do_set(&words, line);
        else if (strcmp(verb, "when") == 0 || strcmp(verb, "always") == 0) do_when(&words, line);
        else if (strcmp(verb, "thread") == 0) do_thread(line);
        else if (strcmp(verb, "race") == 0) do_race(&words, line);
        else if (strcmp(verb, "heard") == 0) say("heard %d", heard_count);
        else if (strcmp(verb, "note") == 0) say("%s", line + strlen("note "));
        else {
            for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
                if (strcmp(verb, commands[i].name) == 0) {
                    commands[i].run(&words);
                    return;
                }
            stop("there is no such command", line);
        }
    }

    // An object that observes itself and ends that when it dies.
    static void selfish_dealloc(isa_id self, isa_sel sel)
    {
        (void)sel;
        if (student_remove(self, self, "count") != ISA_OK) say("refused");
    }

    int main(void)
    {
        char line[256];
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 22, 1 << 22});
        /* whoever started it may have been killed */
        setrlimit(RLIMIT_CPU, &(struct rlimit){60, 60});
        alarm(60);
        setvbuf(stdout, NULL, _IOLBF, 0);
        main_thread = pthread_self();
        make_classes((isa_imp)selfish_dealloc);
        while (fgets(line, sizeof line, stdin) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            printf("> %s\n", line);
            perform(line);
        }
        printf("end\n");
        return 0;
    }
    """#
}
