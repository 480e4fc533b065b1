package import IsaKVO

// The properties are internal, as most are: the compiler then sees all accesses to them, and checks
// at run time only those that it has to.

/// The class whose properties the workloads set: as a user of the library would declare it.
package final class Person: KVObject {
  @Dynamic var age = 0
  @Dynamic var name = ""
  @Dynamic var friend: Thing?
  @Dynamic var score: Int?
  @Dynamic var place = Place(x: 0, y: 0)
  @Dynamic var items: [Int] = []
  @Dynamic var first = 0
  @Dynamic var second = 0

  /// Computed from two observable properties.
  var total: Int { first &+ second }

  /// The same, as a text.
  var label: String { "\(first) and \(second)" }

  /// Computed from one of two, as a third one says.
  var chosen: Int { age & 1 == 0 ? first : second }
}

/// The same, stored plainly.
package final class PlainPerson {
  var age = 0
  var name = ""
  var friend: Thing?
  var items: [Int] = []

  package init() {}
}

/// An object that another one holds.
package final class Thing: Sendable {
  package let number: Int

  package init(_ number: Int) { self.number = number }
}

/// A value without a type encoding in C.
package struct Place: Equatable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A generic class, observable.
package final class Cell<Value>: KVObject {
  @Dynamic var value: Value

  package init(_ value: Value) { self.value = value }
}

/// The same, stored plainly.
package final class PlainCell<Value> {
  var value: Value

  package init(_ value: Value) { self.value = value }
}

/// The beginning of the key path a.b.c.
package final class Outer: KVObject {
  @Dynamic var a = Middle()
}

/// The middle of the key path a.b.c.
package final class Middle: KVObject {
  @Dynamic var b = Inner()
}

/// The end of the key path a.b.c.
package final class Inner: KVObject {
  // Elsewhere in the object than the age of a person: the compiler would have one function read both.
  @Dynamic var note = ""
  @Dynamic var c = 0
}

/// Holds an object, or none.
package final class Holder: KVObject {
  @Dynamic var inner: Inner? = Inner()
}

/// Elements, and what is computed over them.
package final class Shelf: KVObject {
  @Dynamic var items: [Inner] = []

  /// How often the sum was computed.
  package private(set) var evaluations = 0

  package init(_ count: Int) { items = (0..<count).map { _ in Inner() } }

  var sum: Int {
    evaluations += 1
    return items.reduce(0) { $0 &+ $1.c }
  }
}

/// What can be counted with, whoever it is.
package protocol Counting: AnyObject {
  var count: Int { get set }
}

/// Counts, observably.
package final class Tally: KVObject, Counting {
  @Dynamic package var count = 0
}

/// The same, stored plainly.
package final class PlainTally: Counting {
  package var count = 0

  package init() {}
}
