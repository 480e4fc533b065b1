import CIsa

extension Explanation {
  /// What classes, objects and calls report.
  static let core: [Explanation] = [
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
            "[<%s %p> valueForKeyPath:]: this class does not implement the %.*s operation."
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
            "-[%s compare:]: a number is compared with a number, not with %s",
            "-[%s compare:]: a string is compared with a string, not with %s",
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
            "isa_object_watch: no object with memory hooks",
            "no class to allocate from",
            "the isa of class object %s stays",
            "there is no profile %d",
          ],
          cause: """
            A metaclass was taken for a class, an ivar or property contradicts what is there, \
            or a class of the library was to be changed.
            """,
          fix: "Build on the class itself, with encodings and ownership that agree.",
          trial: .calls(.metaclass)),
      ]),
    Explanation(
      code: "ISA_ERR_EXISTS", status: ISA_ERR_EXISTS,
      apple: "objc_allocateClassPair answers nil and class_addMethod NO; nothing is raised.",
      lesson: 4,
      mistakes: [
        Mistake(
          title: "the name is taken",
          messages: [
            "a class named %s is registered already",
            "isa_class_add_ivar: class %s has an ivar %s",
            "isa_class_add_method: class %s has a method %s",
            "isa_class_add_property: class %s has a property %s",
            "isa_class_synthesize: class %s has a method %s",
          ],
          cause: """
            A class of that name is registered, or the class itself has such a method, ivar or \
            property.
            """,
          fix: """
            Look first, by isa_class_find and its like, or replace the method with \
            isa_class_replace_method.
            """,
          trial: .calls(.exists))
      ]),
    Explanation(
      code: "ISA_ERR_NOT_FOUND", status: ISA_ERR_NOT_FOUND,
      apple: "Objective-C's runtime answers nil.",
      lesson: 2,
      mistakes: [
        Mistake(
          title: "there is nothing of that name",
          messages: [
            "a method encoding of %zu types has no type %zu",
            "class %s is registered and has no ivar %s for property %s",
            "the IMP was not made by isa_imp_make",
          ],
          cause: """
            A registered class lacks the ivar that a property is to stand on, the IMP was not \
            made by isa_imp_make, or the encoding has fewer types.
            """,
          fix: "Add ivars before the class is registered; dispose only of IMPs that are yours.",
          trial: .calls(.notFound))
      ]),
    Explanation(
      code: "ISA_ERR_IN_USE", status: ISA_ERR_IN_USE,
      apple: """
        objc_disposeClassPair leaves it to the caller, and crashes later. A collection that is \
        changed while it is walked raises NSGenericException.
        """,
      lesson: 4,
      mistakes: [
        Mistake(
          title: "the class is still used",
          messages: [
            "isa_class_pair_dispose: class %s has %lld instances",
            "isa_class_pair_dispose: class %s has a subclass, %s",
          ],
          cause: "A class was to be disposed of while objects or subclasses of it live.",
          fix: "Release its objects, and dispose of its subclasses, before it.",
          trial: .calls(.inUse)),
        Mistake(
          title: "a collection changes while it is looked at",
          messages: [
            "-[%s %s]: the value for key %.128s leads to itself",
            "the collection was mutated while being enumerated",
          ],
          cause: """
            An element changed the collection that was asking it, or a proxy's value is the \
            proxy.
            """,
          fix: "Change a copy; keep isEqual: and hash free of side effects.",
          trial: .calls(.itself)),
      ]),
    Explanation(
      code: "ISA_ERR_REGISTERED", status: ISA_ERR_REGISTERED,
      apple: "class_addIvar answers NO for a class that is registered.",
      lesson: 4,
      mistakes: [
        Mistake(
          title: "the class is registered, and its layout final",
          messages: [
            "isa_class_add_ivar: class %s is registered, its layout is final",
            "isa_class_pair_register: %s is registered",
            "isa_class_set_info: class %s is registered",
            "isa_class_set_layout: class %s is registered, its layout is final",
            "isa_class_set_memory_hooks: class %s is registered",
            "isa_class_set_profile: %s is registered, its profile cannot change",
          ],
          cause: """
            Ivars, layout, profile and memory hooks are settled when the class is registered: \
            instances may exist.
            """,
          fix: "Add them between isa_class_pair_allocate and isa_class_pair_register.",
          trial: .calls(.registered))
      ]),
    Explanation(
      code: "ISA_ERR_NOT_REGISTERED", status: ISA_ERR_NOT_REGISTERED,
      apple: "Objective-C's runtime leaves this open; allocating from such a class crashes.",
      lesson: 4,
      mistakes: [
        Mistake(
          title: "the class is not registered yet",
          messages: [
            "class %s is not registered yet",
            "class %s: its superclass, %s, is not registered",
          ],
          cause: "An object, an isa swap or a subclass needs a class whose layout is final.",
          fix: "Call isa_class_pair_register first.",
          trial: .calls(.notRegistered))
      ]),
    Explanation(
      code: "ISA_ERR_BAD_ENCODING", status: ISA_ERR_BAD_ENCODING,
      apple: "NSGetSizeAndAlignment and NSMethodSignature raise NSInvalidArgumentException.",
      lesson: 2,
      mistakes: [
        Mistake(
          title: "a type encoding that cannot be parsed",
          messages: [
            "%s: the encoding \"%s\" is not that of one value of known size",
            "type \"%.64s\" has no size to box",
            "type encoding \"%s\"%s, column %zu: %s",
          ],
          cause: """
            The text is no type encoding, or one of another shape: a method's has result, \
            receiver, selector and as many arguments as the selector has colons. The reason \
            names the column.
            """,
          fix: """
            Compare it with @encode: "v@:q" takes a long long and returns nothing.
            """,
          trial: .calls(.badEncoding))
      ]),
    Explanation(
      code: "ISA_ERR_NOT_PASSABLE", status: ISA_ERR_NOT_PASSABLE,
      apple: "NSInvocation refuses unions; a setter of such a type is left alone by KVO.",
      lesson: 7,
      mistakes: [
        Mistake(
          title: "libffi cannot pass the type",
          messages: [
            "a value of type \"%s\" cannot be passed",
            "libffi refuses the signature \"%.200s\"",
            "type \"%.*s\" cannot be passed by value: %s",
            "type encoding \"%.*s\" tells no size: %s",
          ],
          cause: """
            A union, bit-field, 128-bit integer, or a struct whose members are not known, was \
            to go by value.
            """,
          fix: "Pass a pointer to it, or declare the struct's members.",
          trial: .calls(.notPassable)),
        Mistake(
          title: "a struct too large for GNUstep's profile",
          messages: [
            "-[%s %s]: a struct of %zu bytes cannot be observed, at most %zu were expected"
          ],
          cause: """
            Under GNUstep's profile a setter of a struct of more than six words is not \
            wrapped.
            """,
          fix: "Use the default profile, which wraps it.",
          trial: .scenario(
            """
            struct Three { a: double, b: double, c: double }
            struct Big { one: Three, two: Three, last: double }
            class G profile gnustep { big: Big }
            let g = G()
            observe g.big as t
            """)),
      ]),
    Explanation(
      code: "ISA_ERR_LAYOUT", status: ISA_ERR_LAYOUT,
      apple: "object_setClass does not check, and the process crashes later.",
      lesson: 5,
      mistakes: [
        Mistake(
          title: "an isa swap between classes of different layout",
          messages: [
            "instances of %s (%zu bytes) and %s (%zu bytes) are laid out differently"
          ],
          cause: """
            The new class's instances have another size or other owned ivars than the object \
            has room for.
            """,
          fix: "Swap only to subclasses that add no ivars, as a notifying class is.",
          trial: .scenario(
            """
            class Small { x: int }
            class Large { x: int, y: double }
            let p = Small()
            isa p = Large
            """))
      ]),
    Explanation(
      code: "ISA_ERR_UNRECOGNIZED_SELECTOR", status: ISA_ERR_UNRECOGNIZED_SELECTOR,
      apple: """
        NSInvalidArgumentException: "-[… …]: unrecognized selector sent to instance …".
        """,
      lesson: 3,
      mistakes: [
        Mistake(
          title: "the object does not answer the message",
          messages: [
            "%s does not descend from the root class: it has no %s",
            "%s does not respond to copy, so the object cannot be associated as a copy",
            "%s does not respond to the selector %s",
            "-[%s %s]: <%s %p> has no accessors for key %.128s any more",
            "-[%s %s]: unrecognized selector sent to instance %p",
            "-[%s decimalValue]: unrecognized selector sent to instance %p",
            """
            <%s %p> is no enumerator: a collection, or an object that answers nextObject, \
            was expected
            """,
          ],
          cause: """
            The object's class, and its superclasses, have no method for the selector; often \
            the object is of another kind than was thought, or cannot change.
            """,
          fix: "Ask isa_object_responds_to, or look at the object's class.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            let list = [k]
            add 3 to list
            """)),
        Mistake(
          title: "an object that cannot be copied",
          messages: [
            "%s: an instance of %s cannot be copied: it does not respond to copy"
          ],
          cause:
            "A property declared with copy was handed an object whose class has no method copy.",
          fix: "Give the class a method copy, or declare the property retain.",
          trial: .calls(.noCopy)),
      ]),
    Explanation(
      code: "ISA_ERR_NO_TRAMPOLINE", status: ISA_ERR_NO_TRAMPOLINE,
      apple: """
        Apple's KVO has compiled functions and needs no executable memory; \
        imp_implementationWithBlock ends the process.
        """,
      lesson: 7,
      mistakes: [
        Mistake(
          title: "the system grants no executable memory",
          messages: [
            "libffi cannot make a closure of \"%.200s\"",
            "libffi gives no memory for a trampoline",
            "trampolines are denied to this process",
          ],
          cause: """
            libffi could make no closure: the system forbids memory that is both written and \
            run.
            """,
          fix: """
            Let the automatic wrapping policy use its compiled thunks, or allow the process \
            executable memory.
            """,
          trial: .calls(.noTrampoline))
      ]),
    Explanation(
      code: "ISA_ERR_UNSUPPORTED", status: ISA_ERR_UNSUPPORTED,
      apple: "Foundation raises NSInvalidArgumentException for what it does not do.",
      lesson: 4,
      mistakes: [
        Mistake(
          title: "understood, but not something this runtime does",
          messages: [
            "…"
          ],
          cause: """
            The core itself never answers it; the Swift layer does, for a Swift class that \
            cannot be registered, and a method of your own may, by isa_fail.
            """,
          fix: "Read the reason: it is that method's own.",
          trial: .calls(.unsupported))
      ]),
    Explanation(
      code: "ISA_ERR_DEALLOCATING", status: ISA_ERR_DEALLOCATING,
      apple: """
        "Cannot form weak reference to instance … It is possible that this object was over- \
        released, or is in the process of deallocation", and the process ends.
        """,
      lesson: 11,
      mistakes: [
        Mistake(
          title: "the object is dying",
          messages: [
            "<%s %p> is being deallocated",
            "<%s %p> is being deallocated: it cannot be observed",
            "object %p is being deallocated: it can get no weak reference",
          ],
          cause: """
            Inside its dealloc an object was to be observed, to get a weak reference, or to be \
            stored weakly.
            """,
          fix: "In dealloc only remove, never add.",
          trial: .calls(.dying)),
        Mistake(
          title: "an observed object died, under GNUstep's profile",
          messages: [
            "<%s %p> was deallocated while observers were registered on it: %zu"
          ],
          cause: """
            An object died with registrations on it. By default they end silently, as \
            Foundation's do since macOS 10.13.
            """,
          fix: "Remove observers before the object dies, or hold them by tokens.",
          trial: .scenario(
            """
            class G profile gnustep { x: int }
            let g = G()
            observe g.x as t
            release g
            """)),
        Mistake(
          title: "a property's setter could not store",
          messages: [
            "%s: %s"
          ],
          cause: """
            A synthesised setter has no caller to answer to: a weak property was handed an \
            object that is dying, or memory was short. The property keeps its value.
            """,
          fix: "Look at the reason behind the colon.",
          trial: .calls(.weakSetter)),
      ]),
  ]
}
