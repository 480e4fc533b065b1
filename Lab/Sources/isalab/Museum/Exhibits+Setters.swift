// Setters that are wrapped wrongly, or not at all.

extension Exhibit {
  static let setters = [
    Exhibit(
      name: "int-setter", title: "An int where an object is expected", design: "handmade",
      symptom: .crash,
      sign: "The first set of an observed number crashes.",
      cause: """
        One setter serves all properties and takes its value as an object. The 40 that comes in the \
        register is retained as if it were an address.
        """,
      fix: """
        Wrap each setter by its type encoding: a thunk compiled for the type, or a libffi closure \
        made for the signature.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observe ada.age as watcher
        ada.age = 40
        expect watcher last old 0 new 40
        expect ada.age == 40
        """),
    Exhibit(
      name: "equal-value", title: "An equal value never arrives", design: "easykvo",
      symptom: .wrong,
      sign: "Observers are told of a new list; the object still holds the old one.",
      cause: """
        The setter compares first and skips the original for what is equal. Equal is not the same: \
        two lists that are equal now need not be later. The blocks are called all the same.
        """,
      fix: """
        The original is always called, once, between will and did. Whoever minds equal values \
        compares old and new when told.
        """,
      scenario: """
        class Order { items: array }
        let order = Order()
        let first: mutable-array = [1]
        let second: mutable-array = [1]
        order.items = first
        observe order.items as watcher
        order.items = second
        expect watcher count 1
        add 2 to second
        expect order.items == [1, 2]
        """),
    Exhibit(
      name: "big-struct", title: "A struct of more than six words", design: "gnustep",
      symptom: .exception,
      sign: "Observing a matrix raises, observing a rectangle works.",
      cause: "Setters are compiled for structs of up to six words; a larger one has no wrapper.",
      fix: "A libffi closure describes a struct of any size, member by member.",
      scenario: """
        struct Matrix { a: double, b: double, c: double, d: double, x: double, y: double, z: double }
        class Layer { matrix: Matrix }
        let layer = Layer()
        observe layer.matrix options(new) as watcher
        layer.matrix = (1, 0, 0, 1, 5, 6, 7)
        expect watcher last new (1, 0, 0, 1, 5, 6, 7)
        """),
    Exhibit(
      name: "pointer-setter", title: "The property that is silent", design: "apple",
      symptom: .wrong,
      sign: "A property of a pointer type is observed without complaint, and nobody is ever told.",
      cause: """
        There is no wrapper for pointers: the setter is left alone, a line is logged, and the \
        registration stands there for nothing.
        """,
      fix:
        "Wrap every setter that libffi can describe, pointers, C strings and selectors included.",
      scenario: """
        class Buffer { start: pointer }
        let buffer = Buffer()
        observe buffer.start options(new) as watcher
        buffer.start = 0x10
        expect watcher count 1
        """),
    Exhibit(
      name: "devirtualised", title: "The setter that nobody looks up", design: NativeDesign.name,
      symptom: .wrong,
      sign: """
        An isa swap on a native Swift object works for some assignments, and for none in a release \
        build.
        """,
      cause: """
        Swift calls through the vtable only where it must. A final property has no slot in it, += \
        uses another one, and whole-module optimisation calls or inlines the only setter there is.
        """,
      fix: """
        Send a message: its receiver's class is asked each time. The Swift layer's @Dynamic tests the \
        object's header instead, which no optimiser may take away. `isalab swiftisa` tells more.
        """,
      scenario: """
        class Person {
          age: int
          height: int
        }
        let person = Person()
        observe person.age as watcher
        observe person.height as measurer
        person.age = 36
        expect watcher count 1
        person.height = 180
        expect measurer count 1
        """),
  ]
}
