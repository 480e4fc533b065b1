import CIsa

extension Explanation {
  /// What classes, objects and calls report.
  static let core: [Explanation] = [
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
            "isa_class_set_guard: class %s is registered",
            "isa_class_set_info: class %s is registered",
            "isa_class_set_layout: class %s is registered, its layout is final",
            "isa_class_set_memory_hooks: class %s is registered",
            "isa_class_set_profile: %s is registered, its profile cannot change",
          ],
          cause: """
            Ivars, layout, profile, guard and memory hooks are settled when the class is \
            registered: instances may exist.
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
