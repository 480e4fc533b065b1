// Who is told, by whom, and under which lock.

extension Exhibit {
  static let told = [
    Exhibit(
      name: "unhandled", title: "The observer that does not handle", design: "apple",
      symptom: .exception,
      sign: "NSInternalInconsistencyException: message was received but not handled.",
      cause: """
        The observer's class does not have the one method for everything, or passes a notification \
        on to a superclass that has not.
        """,
      fix: """
        The misuse handler is told; the value stays set and the other observers hear of it. An \
        observer that is a function cannot lack the method.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        let bob = Person()
        observe ada.age as watcher
        observe ada.age by bob
        ada.age = 36
        expect error NSInternalInconsistencyException
        expect watcher count 1
        expect ada.age == 36
        """),
    Exhibit(
      name: "proxy-deadlock", title: "The proxy that waits for itself", design: "proxy",
      symptom: .hang,
      sign: "Observing with the option initial never returns.",
      cause: """
        The proxy registers itself while it holds its lock. The initial notification comes back to \
        it before that returns, and asks for the same lock to find the true observer.
        """,
      fix: "No lock is held while anybody's code runs, initial notifications included.",
      scenario: """
        class Person { age: int }
        let ada = Person()
        observe ada.age as plain
        ada.age = 36
        expect plain count 1
        observe ada.age options(initial, new) as eager
        expect eager count 1
        """),
    Exhibit(
      name: "path-through-array", title: "A key path through an array", design: "apple",
      symptom: .exception,
      sign: "Observing order.items.price raises when the order has items.",
      cause: """
        Each object on a path is observed for the next key, and an array cannot be: what would \
        change when one of its elements does?
        """,
      fix: """
        The refusal is a status and nothing stays behind. Observe the elements by their indexes, or \
        the array's own changes.
        """,
      scenario: """
        class Item { price: int }
        class Order { items: array }
        let pen = Item()
        let ink = Item()
        let order = Order()
        order.items = [pen, ink]
        observe order.items.price as watcher
        expect error NSInvalidArgumentException
        expect isa order == Order
        let items = [pen, ink]
        observer clerk
        observe items.price by clerk at (0, 1)
        ink.price = 3
        expect clerk count 1
        """),
    Exhibit(
      name: "crash-guard", title: "The guard that changes who is told", design: "guard",
      symptom: .wrong,
      sign: "With the guard linked in nothing crashes; one of two parts is no longer told.",
      cause: """
        To make removals safe the guard allows one registration for each observer and key path. The \
        second, with another context, is dropped; so are its options.
        """,
      fix: """
        A mistake is reported and changes nothing. Registrations that differ in their context are \
        two, and each is told.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view options(new) context 1
        observe ada.age by view options(old, new) context 2
        ada.age = 36
        expect notifications 2
        expect view first context 2
        """),
  ]
}
