import CIsa

extension Explanation {
  /// What observing reports.
  static let observing: [Explanation] = [
    Explanation(
      code: "KVO_ERR_NOT_REGISTERED", status: KVO_ERR_NOT_REGISTERED,
      apple: """
        NSRangeException: "Cannot remove an observer … for the key path "…" from … because it \
        is not registered as an observer."
        """,
      lesson: 10,
      mistakes: [
        Mistake(
          title: "a removal that matches nothing",
          messages: [
            """
            Cannot remove an observer <%s %p> for the key path "%.128s" from <%s %p> because \
            it is not registered as an observer.
            """
          ],
          cause: """
            That observer was never added for that key path and context, or was removed \
            already. Nothing has changed.
            """,
          fix: """
            Remove once for each time that you add, with the same context; or keep a token, \
            which may be ended twice.
            """,
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            observer o
            remove o from k.x
            """)),
        Mistake(
          title: "a shared observer that is not there",
          messages: [
            """
            Cannot remove a shared observer <%s %p> for the key "%.128s" of %s because it is \
            not registered as an observer.
            """
          ],
          cause: "The collection has no such observer for that key and context.",
          fix: "Take out what was put in.",
          trial: .calls(.notShared)),
      ]),
    Explanation(
      code: "KVO_ERR_INVALID_OPTIONS", status: KVO_ERR_INVALID_OPTIONS,
      apple: "Foundation ignores bits that do not exist.",
      lesson: 9,
      mistakes: [
        Mistake(
          title: "option bits that do not exist",
          messages: [
            "options 0x%llx: bits 0x%llx do not exist, those of 0x%llx were expected",
            "options 0x%x of shared observers: new, old, prior (0x%x) were expected",
          ],
          cause: """
            Options are a sum of new 1, old 2, initial 4, prior 8, and retain 0x10000. Shared \
            observers know new, old and prior.
            """,
          fix: "Use the constants KVO_OPTION_….",
          trial: .calls(.options))
      ]),
    Explanation(
      code: "KVO_ERR_NOT_OBSERVABLE", status: KVO_ERR_NOT_OBSERVABLE,
      apple: """
        NSInvalidArgumentException: "[<NSArray 0x…> addObserver:forKeyPath:options:context:] \
        is not supported. Key path: …"
        """,
      lesson: 12,
      mistakes: [
        Mistake(
          title: "an array or set, or a path through one",
          messages: [
            "[<%s %p> %s] is not supported. Key path: %.128s"
          ],
          cause: """
            Arrays, ordered sets and sets are not observed themselves, and no key path leads \
            through one to its elements.
            """,
          fix: "Observe the property that holds the collection, or the elements, by index.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [k]
            observe k.items.x as t
            """)),
        Mistake(
          title: "something that is not an object of the root class's line",
          messages: [
            """
            %s %s cannot be observed: an instance of a class that descends from the root \
            class was expected
            """,
            "[<%s %p> %s] is not supported.",
            "an instance of %s cannot be observed",
            "the receiver of %s is none: an array was expected",
          ],
          cause: """
            A class object, or an instance of a bare root class, cannot be observed; the form \
            with indexes is for arrays.
            """,
          fix: "Observe instances of classes that descend from isa_root_class.",
          trial: .calls(.classObject)),
        Mistake(
          title: "a key path that leads no further",
          messages: [
            "key path \"%.128s\" of <%s %p> cannot be followed any further: %.200s"
          ],
          cause: """
            A value came to stand on the path that cannot be observed, such as an array where \
            the path goes on.
            """,
          fix: "Keep objects on the way that can be observed.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            observe k.any.x options() as t
            k.any = [1]
            """)),
        Mistake(
          title: "a key that cannot be shared",
          messages: [
            """
            "%.128s" of %s cannot have shared observers: one key that no other affects was \
            expected
            """,
            "key \"%.128s\" of %s depends on others and cannot have shared observers",
          ],
          cause: "Shared observers observe one key that no other affects.",
          fix: "Observe key paths and dependent keys on the object itself.",
          trial: .calls(.sharedPath)),
      ]),
    Explanation(
      code: "KVO_ERR_NAME_TAKEN", status: KVO_ERR_NAME_TAKEN,
      apple: """
        One line on the console: "KVO failed to allocate class pair for name NSKVONotifying_…, \
        automatic key-value observing will not work for this class".
        """,
      lesson: 4,
      mistakes: [
        Mistake(
          title: "the notifying class's name is taken",
          messages: [
            """
            KVO failed to allocate class pair for name NSKVONotifying_%s, automatic key-value \
            observing will not work for this class
            """
          ],
          cause: """
            A class named NSKVONotifying_<Class> exists that this library did not make. The \
            object is observed, its setters do not announce.
            """,
          fix: "Rename that class, or announce changes by hand.",
          trial: .scenario(
            """
            class NSKVONotifying_K { x: int }
            class K { x: int }
            let k = K()
            observe k.x as t
            """))
      ]),
    Explanation(
      code: "KVO_ERR_UNHANDLED", status: KVO_ERR_UNHANDLED,
      apple: """
        NSInternalInconsistencyException: "An -observeValueForKeyPath:ofObject:change:context: \
        message was received but not handled."
        """,
      lesson: 8,
      mistakes: [
        Mistake(
          title: "an observer that does not handle the message",
          messages: [
            """
            <%s %p>: An -observeValueForKeyPath:ofObject:change:context: message was \
            received but not handled. Key path: %.128s Observed object: <%s %p> Context: %p
            """
          ],
          cause: """
            The observing object's class has no \
            observeValueForKeyPath:ofObject:change:context:, or hands on to super what is its \
            own. The value stays set, the other observers are told.
            """,
          fix: "Implement the method, and call super only for contexts that are not yours.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            let deaf = K()
            observe k.x by deaf
            k.x = 1
            """))
      ]),
    Explanation(
      code: "KVO_ERR_WRONG_THREAD", status: KVO_ERR_WRONG_THREAD,
      apple: """
        Foundation does not look; its pending changes are each thread's own, and nobody is \
        told.
        """,
      lesson: 8,
      mistakes: [
        Mistake(
          title: "a change ended on another thread",
          messages: [
            """
            didChangeValueForKey:%.128s of <%s %p> came on another thread than its \
            willChangeValueForKey:
            """
          ],
          cause:
            "didChangeValueForKey: was sent on another thread than its willChangeValueForKey:.",
          fix: "Pair them on one thread, or hand the change over with kvo_claim_change.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            observe k.x as t
            will k.x
            on thread did k.x
            """))
      ]),
    Explanation(
      code: "KVO_ERR_NOT_WRAPPED", status: KVO_ERR_NOT_WRAPPED,
      apple: """
        Nothing is raised: a setter that KVO does not understand is left alone, with one line \
        on the console.
        """,
      lesson: 7,
      mistakes: [
        Mistake(
          title: "a setter that is left alone",
          messages: [
            """
            the setter -[%s %s] of type "%s" is not wrapped: automatic key-value observing \
            will not work for its key
            """
          ],
          cause: """
            The setter returns something, or its type is one that the wrapping policy leaves \
            alone. It sets as before and announces nothing.
            """,
          fix: "Let the setter return nothing; announce by hand; or use the automatic policy.",
          trial: .scenario(
            """
            class Wide { x: long-double }
            let p = Wide()
            wrap apple
            observe p.x as t
            """))
      ]),
    Explanation(
      code: "KVO_ERR_INCONSISTENT", status: KVO_ERR_INCONSISTENT,
      apple: """
        NSInternalInconsistencyException: "Cannot remove an observer … most likely because the \
        value for the key … has changed without an appropriate KVO notification being sent."
        """,
      lesson: 12,
      mistakes: [
        Mistake(
          title: "a value on a key path changed unannounced",
          messages: [
            """
            Cannot %s an observer %s for the key path "%.128s" from <%s %p>, most likely \
            because the value for the key "%.128s" has changed without an appropriate KVO \
            notification being sent. Check the KVO-compliance of the %s class.
            """
          ],
          cause: """
            An object on the way was replaced past its setter, so the forwarder stands on the \
            old one.
            """,
          fix: "Set it by its setter or by key, or announce the change by hand.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            let a = K()
            let b = K()
            k.next = a
            observer o
            observe k.next.x by o
            poke k.next = b
            remove o from k.next.x
            """))
      ]),
    Explanation(
      code: "KVO_ERR_SELF_DEPENDENT", status: KVO_ERR_SELF_DEPENDENT,
      apple: "NSInternalInconsistencyException when the key is first observed.",
      lesson: 13,
      mistakes: [
        Mistake(
          title: "a key that is declared to affect itself",
          messages: [
            """
            +[%s keyPathsForValuesAffectingValueForKey:]: key path "%.128s" cannot affect \
            key "%.128s", which it is or goes through
            """
          ],
          cause: """
            keyPathsForValuesAffecting<Key> names the key itself, or a path that begins with \
            it.
            """,
          fix: "Name only the keys that the value is computed from.",
          trial: .scenario(
            """
            class Loop { x: int depends on (x) }
            let p = Loop()
            observe p.x as t
            """))
      ]),
    Explanation(
      code: "KVO_ERR_TOO_DEEP", status: KVO_ERR_TOO_DEEP,
      apple: "Foundation overflows the stack and the process crashes.",
      lesson: 10,
      mistakes: [
        Mistake(
          title: "notifications within one another",
          messages: [
            "%u notifications within one another, at most %u were expected; no more are sent: %s"
          ],
          cause: """
            An observer changes what it observes, or two observers change each other's, \
            without end.
            """,
          fix: """
            Change only if the value differs; the reason names the changes that lead to one \
            another.
            """,
          trial: .calls(.endless)),
        Mistake(
          title: "registrations within registrations",
          messages: [
            "observing \"%.128s\" of <%s %p> would be registration number %u inside another"
          ],
          cause: "A key depends on itself in the next object, in that one's next, and so on.",
          fix: "End the chain, or make it shorter than 144 objects.",
          trial: .scenario(
            """
            class Link { x: int depends on (next.x), next: Link }
            let p = Link()
            p.next = p
            observe p.x as t
            """)),
        Mistake(
          title: "a path of too many keys, or too many paths",
          messages: [
            """
            +[%s keyPathsForValuesAffectingValueForKey:] asks for key %.128s while it is \
            asked for it
            """,
            """
            +[%s keyPathsForValuesAffectingValueForKey:] names more and more key paths: more \
            than %d
            """,
            "key path \"%.64s...\" has %zu keys, at most %d were expected",
          ],
          cause: """
            A path may have 128 keys; a key may be affected by 4096 paths; a class method must \
            not ask for what it is asked for.
            """,
          fix: "Observe a shorter path; let the class answer from a table.",
          trial: .calls(.longPath)),
      ]),
  ]
}
