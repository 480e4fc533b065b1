import CIsa

extension Explanation {
  /// What any call reports that is given too little, or cannot have it.
  static let arguments: [Explanation] = [
    Explanation(
      code: "ISA_ERR_NO_MEMORY", status: ISA_ERR_NO_MEMORY,
      apple: "malloc fails, and NSMallocException is raised or the process ends.",
      lesson: 1,
      mistakes: [
        Mistake(
          title: "memory is short",
          messages: [
            "no memory …",
            "-[%s %s]: no copy could be made",
            "-[%s copy]: the key could not be copied",
            "isa_method_exchange: no memory",
            "isa_sel_register: no memory for selector %s",
          ],
          cause: """
            The system grants no more memory, or far too much was asked for. Everything is as \
            it was before the call.
            """,
          fix: "Ask for less, or let go of something and call again.",
          trial: .calls(.noMemory))
      ]),
    Explanation(
      code: "ISA_ERR_INVALID_ARGUMENT", status: ISA_ERR_INVALID_ARGUMENT,
      apple: """
        NSInvalidArgumentException, often with "attempt to insert nil object" or "*** -[… …]: \
        … cannot be nil".
        """,
      lesson: 4,
      mistakes: [
        Mistake(
          title: "something is missing",
          messages: [
            "%s: a method of class %s needs a selector, an IMP and a type encoding",
            "%s: %s is NULL",
            "%s: no %s",
            "*** -[%s %s]: index set cannot be nil",
            "*** -[%s %s]: key cannot be nil",
            "*** -[%s %s]: object cannot be nil",
            "*** -[%s initWithObjects:count:]: attempt to insert nil object from objects[%zu]",
            """
            *** -[IsaDictionary initWithObjects:forKeys:count:]: attempt to insert nil \
            object from %s[%zu]
            """,
            "NULL digits",
            "[<%s %p> %s]: no key path",
            "a class needs a name",
            "an ivar or property needs name and type",
            "isa_class_add_ivar_at: no offset",
            "isa_class_add_property: class %s: no info",
            "isa_class_set_memory_hooks: %s needs all six hooks",
            "isa_class_synthesize: class %s: no info",
            "isa_method_set_imp: no IMP for %s",
            "isa_sel_register: a selector needs a name",
            "no %s",
            "no %s to set",
            "no class, no key or nowhere to put it",
            "no collection to send %s to",
            "no function to call",
            "no indexes",
            "no indexes to make a set of",
            "no key",
            "no key path",
            "no object",
            "no object to observe",
            "no observer",
            "no shared observers",
            "no shared observers, no observer or no key",
            "no text for a string",
            "no value for key %.128s",
            "no value to box",
            "nothing to compare",
            "nowhere to put the token",
          ],
          cause: """
            NULL, or an empty text, was handed in where an object, class, key or place for the \
            answer was needed.
            """,
          fix: """
            Look at what the reason says is missing: most often an object that was never made, \
            or a call before it whose status nobody looked at.
            """,
          trial: .calls(.missing)),
        Mistake(
          title: "a key path that cannot be read",
          messages: [
            "[<%s %p> %s]: the key path is not UTF-8",
            """
            [<%s %p> valueForKeyPath:]: collections are nested more than %d deep on the key \
            path %.128s
            """,
            "key path \"%.128s\": there is an empty key in it",
            "the key path is not UTF-8 text",
          ],
          cause: """
            The path has an empty key, as in "a..b", or is not text; or what it leads through \
            contains itself.
            """,
          fix: "Join whole keys by single dots.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            observe k."a..b" as t
            """)),
        Mistake(
          title: "a collection is handed what does not fit",
          messages: [
            "*** -[%s %s]: %s argument is not an %s, but of class %s",
            "*** -[%s %s]: argument is not a collection",
            "*** -[%s %s]: count of array (%zu) differs from count of index set (%zu)",
            "a key of class %s has a zero byte within",
            "a key of class %s is not a string",
            "kind %d is not an array, ordered set or set",
          ],
          cause: """
            As many objects as indexes were expected, or a collection of another kind, or keys \
            that are strings.
            """,
          fix: "Hand in an object for each index.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [1, 2]
            insert [3] into k.items at (0, 1)
            """)),
        Mistake(
          title: "an operator that does not exist",
          messages: [
            "[<%s %p> valueForKeyPath:]: this class does not implement the %s operation."
          ],
          cause: "What stands behind the @ is no operator that the collection's class has.",
          fix: """
            Use @count, @sum, @avg, @min, @max or a union; or give the class a method \
            <operator>ForKeyPath:.
            """,
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [1, 2]
            get k.items.@median.self
            """)),
        Mistake(
          title: "two things that cannot be compared",
          messages: [
            "-[%s compare:]: a %s is compared with a %s, not with %s"
          ],
          cause: """
            compare: was sent to a number or string with an object of another kind; @min and \
            @max do so.
            """,
          fix: """
            Keep values of one kind in the collection, or ask for a key that all of them \
            answer alike.
            """,
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [1, "one"]
            get k.items.@max.self
            """)),
        Mistake(
          title: "what affects a key was declared wrongly",
          messages: [
            "+[%s %s] has encoding \"%s\": \"i@:^@\" or \"@@:\" was expected",
            """
            +[%s keyPathsForValuesAffectingValueForKey:] answered for key %.128s with \
            something else than a set of strings
            """,
            "a class that descends from the root class was expected",
            "setKeys:triggerChangeNotificationsForDependentKey: %s",
            "setKeys:triggerChangeNotificationsForDependentKey: an array of strings was expected",
          ],
          cause: """
            A set of strings was expected from keyPathsForValuesAffecting<Key>, an array of \
            strings by setKeys:triggerChangeNotificationsForDependentKey:, and a class of the \
            root class's line.
            """,
          fix: """
            Answer a set of key paths, lent ("@@:") or handed out ("i@:^@").
            """,
          trial: .calls(.wrongKeys)),
        Mistake(
          title: "a change that cannot be announced",
          messages: [
            "a change at indexes is an insertion, removal or replacement, not kind %d",
            "a set of objects was expected",
            "there is no set mutation %d",
          ],
          cause: """
            A change at indexes is an insertion, a removal or a replacement; a set mutation is \
            one of four, with a set of objects.
            """,
          fix: "Announce what happens: kvo_will_change for anything else.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.tags = {1}
            observe k.tags as t
            will union k.tags with k
            """)),
        Mistake(
          title: "text that is none",
          messages: [
            "the text is not UTF-8: byte %zu of %zu, 0x%02x"
          ],
          cause: "The bytes handed in are not UTF-8.",
          fix: "Convert the text first.",
          trial: .calls(.notText)),
        Mistake(
          title: "a number of no number's type",
          messages: [
            "\"%c\" is no number's letter"
          ],
          cause: "The letter is that of an object, a pointer or a struct, or is no type's.",
          fix: """
            Hand in the letter of the number's type: "i" for an int, "d" for a double.
            """,
          trial: .calls(.noNumber)),
        Mistake(
          title: "something of another class",
          messages: [
            "<%s %p> cannot have shared observers of %s",
            "a class of objects to observe, and somewhere to put it, was expected",
            "an object that descends from the root class was expected",
            "setObservationInfo: %p is not what is registered on <%s %p>",
          ],
          cause: """
            The object is no instance of what was expected here, or the pointer belongs to \
            another object.
            """,
          fix: "Hand in an object of the class that the reason names.",
          trial: .calls(.wrongShared)),
        Mistake(
          title: "a class that cannot be built so",
          messages: [
            "%d is not an association policy",
            "%s is a metaclass: its one instance is %s",
            "%s: ownership %d does not go with the encoding \"%s\"",
            "class %s has %s memory hooks",
            "class %s: its superclass, %s, is a metaclass",
            "class %s: ivar %s has encoding %s and ownership %d, property %s has %s and %d",
            "isa_class_add_ivar: %s is a metaclass; class objects have no ivars",
            "isa_class_add_ivar: class %s lays its ivars out %s, %s needs %s offset",
            "isa_class_add_ivar_at: no place for %s at offset %zu of %zu bytes",
            "isa_class_add_property: property %s of class %s: a %s",
            "isa_class_pair_dispose: %s is a metaclass; dispose of its class",
            "isa_class_pair_dispose: class %s belongs to the library",
            "isa_class_pair_register: %s is a metaclass; its class is registered",
            "isa_class_set_info: %s is a metaclass",
            "isa_class_set_layout: class %s %s",
            "isa_class_set_memory_hooks: %s is a metaclass",
            "isa_method_exchange: %s has the encoding %s, %s has %s",
            """
            isa_method_exchange: method %s belongs to %s, which wraps that of %s: a method of %s \
            was expected
            """,
            """
            %c[%s %s] has encoding \"%.128s\": \"%s\" was expected, by which the library sends it
            """,
            """
            validator -[%s %s] has encoding \"%.128s\", which cannot be called: \"B@:^@^@\" was \
            expected
            """,
            "isa_object_watch: no object with memory hooks",
            "no class to allocate from",
            "the isa of class object %s stays",
            "there is no profile %d",
          ],
          cause: """
            A metaclass was taken for a class, an ivar or property contradicts what is there, \
            a method has another encoding than it is called by, or a class of the library was to \
            be changed.
            """,
          fix: "Build on the class itself, with encodings and ownership that agree.",
          trial: .calls(.metaclass)),
      ]),
  ]
}
