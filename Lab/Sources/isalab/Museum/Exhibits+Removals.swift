// Removing twice, the wrong one, too early, in the wrong order.

extension Exhibit {
  static let removals = [
    Exhibit(
      name: "double-removal", title: "Removed twice", design: "apple", symptom: .exception,
      sign: "NSRangeException, often in a dealloc.",
      cause: """
        A removal must match a registration. Where two pieces of code each clean up, the second \
        finds nothing, and there is no asking beforehand.
        """,
      fix: """
        A status that the caller may ignore, and tokens, which can be ended any number of times.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view
        remove view from ada.age
        remove view from ada.age
        expect error NSRangeException
        ada.age = 36
        expect no notification
        observe ada.age as token
        remove token
        remove token
        expect isa ada == Person
        """),
    Exhibit(
      name: "wrong-context", title: "The context of somebody else", design: "gnustep",
      symptom: .wrong,
      sign: """
        A class and its superclass observe the same property; one removes its own registration, and \
        the other's is gone.
        """,
      cause: """
        The two are told apart by their contexts alone, and here NULL as the context of a removal \
        means any: the oldest goes.
        """,
      fix: "NULL is a context like any other and matches itself only. Tokens need none.",
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view context 7
        observe ada.age by view
        remove view from ada.age context 0
        ada.age = 36
        expect view last context 7
        """),
    Exhibit(
      name: "removal-in-initial", title: "Removed inside the initial notification",
      design: "apple", symptom: .exception,
      sign: "An observer that has seen enough at once and removes itself: NSRangeException.",
      cause: """
        The initial notification is sent before the registration is recorded: from inside it there \
        is nothing to remove yet.
        """,
      fix: """
        The token exists before the initial notification is sent. Ending it there ends what is \
        about to be registered.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        when once hears: remove once
        observe ada.age options(initial, new) as once
        expect once count 1
        ada.age = 36
        expect once count 1
        expect isa ada == Person
        """),
    Exhibit(
      name: "wrong-order", title: "Two swizzlers undone in the wrong order", design: "swizzlers",
      symptom: .wrong,
      sign: "One observer is silenced by the end of another, and the isa never comes home.",
      cause: """
        Each swizzler puts back the class that it found. If the first leaves first, it drops the \
        second's class; the second then puts back the first's, which nobody needs any more.
        """,
      fix: """
        One subclass for all observers of a class. It goes when the last registration goes, and \
        only if it still is what stands in the isa.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observe ada.age as first
        observe ada.age as second
        remove first
        ada.age = 36
        expect second count 1
        remove second
        expect isa ada == Person
        """),
    Exhibit(
      name: "isa-stays", title: "The isa that never comes back", design: "handmade",
      symptom: .wrong,
      sign: "After the last removal each set still takes the long way.",
      cause: "Removing takes a block out of the table; nobody asks whether it was the last.",
      fix: "The last removal, of any key, puts the original class back into the isa.",
      scenario: """
        class Person { name: string }
        let ada = Person()
        observe ada.name as token
        remove token
        expect isa ada == Person
        """),
  ]
}
