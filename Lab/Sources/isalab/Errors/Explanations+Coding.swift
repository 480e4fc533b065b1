import CIsa

extension Explanation {
  /// What values by key report.
  static let coding: [Explanation] = [
    Explanation(
      code: "KVC_ERR_UNDEFINED_KEY", status: KVC_ERR_UNDEFINED_KEY,
      apple: """
        NSUnknownKeyException: "[<K 0x…> valueForUndefinedKey:]: this class is not key value \
        coding-compliant for the key …."
        """,
      lesson: 12,
      mistakes: [
        Mistake(
          title: "reading a key that the class does not know",
          messages: [
            """
            [<%s %p> valueForUndefinedKey:]: this class is not key value coding-compliant \
            for the key %.128s.
            """,
            """
            [<%s %p> %s]: this class is not key value coding-compliant for the key \
            %.128s: its type \"%.64s\" is none that key-value coding boxes
            """,
          ],
          cause: """
            No accessor and no ivar answers to the key: a slip of the pen, a renamed property, \
            or an object of another class.
            """,
          fix: "Correct the key, or let the class answer by valueForUndefinedKey:.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            get k.nonesuch
            """)),
        Mistake(
          title: "setting a key that the class does not know",
          messages: [
            """
            [<%s %p> setValue:forUndefinedKey:]: this class is not key value \
            coding-compliant for the key %.128s.
            """
          ],
          cause: """
            No setter and no ivar takes the key; a read-only property without an ivar is one \
            too.
            """,
          fix: "Correct the key, or give the class a setter.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            set k.nonesuch = 1
            """)),
        Mistake(
          title: "an observed value that cannot be read",
          messages: [
            "the value for key %.128s of <%s %p>, whose observers ask for it, cannot be read: %s",
            """
            the value for key path %.128s of <%s %p>, whose observers ask for it, cannot be \
            read: %s
            """,
          ],
          cause: """
            A class takes an observer of a single unknown key, as Foundation does; the values \
            that the observer asks for cannot be had when it changes.
            """,
          fix: "Observe a key that there is, or without old and new.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            observe k."nonesuch" options(new) as t
            will k."nonesuch"
            did k."nonesuch"
            """)),
      ]),
    Explanation(
      code: "KVC_ERR_NIL_VALUE", status: KVC_ERR_NIL_VALUE,
      apple: """
        NSInvalidArgumentException: "[<K 0x…> setNilValueForKey:]: could not set nil as the \
        value for the key …."
        """,
      lesson: 9,
      mistakes: [
        Mistake(
          title: "nil for a number or struct",
          messages: [
            "[<%s %p> setNilValueForKey:]: could not set nil as the value for the key %.128s."
          ],
          cause: "nil was set, by key, for a property that is not an object.",
          fix: "Override setNilValueForKey: and choose a value, or set one.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            set k.x = nil
            """)),
        Mistake(
          title: "nothing behind a mutable proxy",
          messages: [
            "-[%s %s]: value for the key %.128s of object %p is nil",
            """
            value for the key %.128s of object %p is nil, and its ivar would not keep a new \
            collection
            """,
          ],
          cause: """
            The collection behind mutableArrayValueForKey: is nil: its getter answered \
            nothing, or its ivar would not keep a new one.
            """,
          fix: "Begin with an empty collection.",
          trial: .scenario(
            """
            class N { list: array }
            let n = N()
            add 1 to n.list
            """)),
      ]),
    Explanation(
      code: "KVC_ERR_TYPE", status: KVC_ERR_TYPE,
      apple: """
        NSInvalidArgumentException; for a collection's key "value for key … is not a \
        collection".
        """,
      lesson: 14,
      mistakes: [
        Mistake(
          title: "the value is not of the key's type",
          messages: [
            "%s cannot be read as a number of type \"%c\"",
            "a value of type \"%.64s\" cannot be converted to \"%s\", the type of key %.128s",
            "accessor -[%s %s] has encoding \"%s\", which key-value coding cannot call",
            "the value for key %.128s takes %zu bytes, not %zu",
          ],
          cause: """
            A value was set that cannot become what the key holds, or read into too little room.
            """,
          fix: "Set a value of the key's type; read such keys by kvc_read.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            set k.x = k
            """)),
        Mistake(
          title: "a key that is no collection",
          messages: [
            "key %.128s has type \"%s\", which is no collection"
          ],
          cause:
            "A mutable proxy was asked for a key whose ivar is a number, a struct or the like.",
          fix: "Ask for proxies of arrays, sets and ordered sets.",
          trial: .scenario(
            """
            class P { x: int readonly }
            let p = P()
            add 1 to p."x"
            """)),
      ]),
    Explanation(
      code: "KVC_ERR_RANGE", status: KVC_ERR_RANGE,
      apple: """
        NSRangeException: "*** -[… objectAtIndex:]: index … beyond bounds [0 .. …]".
        """,
      lesson: 14,
      mistakes: [
        Mistake(
          title: "an index beyond the end",
          messages: [
            "*** -[%s %s]: index %zu beyond bounds [0 .. %zu]",
            "*** -[%s %s]: index %zu beyond bounds for empty %s",
            "*** -[%s %s]: index %zu in index set beyond bounds [0 .. %zu]",
            "*** -[%s %s]: index %zu in index set beyond bounds for empty array",
            "-[%s %s]: <%s %p> has no element at index %zu of key %.128s",
            "index %td is no index: those are 0 to %zu",
            """
            accessor -[%s %s] has encoding \"%s\": its index of type '%c' cannot be %llu
            """,
          ],
          cause: "The collection has fewer elements than the index supposes.",
          fix: """
            Compare with the count first; an insertion may be at the count, the others below \
            it.
            """,
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [1, 2]
            remove from k.items at 2
            """)),
        Mistake(
          title: "an announced index with nothing at it",
          messages: [
            """
            the value for key %.128s has nothing at the index %zu that was announced: its \
            count is %zu
            """
          ],
          cause: """
            A change was announced for an index at which there is no element: the accessor \
            refused, or the wrong index was announced.
            """,
          fix: "Announce what really happens; an accessor that may refuse must announce by hand.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = [1]
            observe k.items as t
            will insert into k.items at 3
            did insert into k.items at 3
            """)),
      ]),
    Explanation(
      code: "KVC_ERR_OVERFLOW", status: KVC_ERR_OVERFLOW,
      apple: """
        NSDecimalNumberOverflowException: "NSDecimalNumber overflow exception".
        """,
      lesson: 14,
      mistakes: [
        Mistake(
          title: "an average of what is no number",
          messages: [
            "what is not a number cannot be divided by %llu"
          ],
          cause:
            "@avg met a value that is not a number, and what is not a number cannot be divided.",
          fix: "Ask for a key that is a number in every element.",
          trial: .scenario(
            """
            class K {
              x: int, any: object, next: K
              items: mutable-array accessors, tags: mutable-set
            }
            let k = K()
            k.items = ["one", 2]
            get k.items.@avg.description
            """))
      ]),
  ]
}
