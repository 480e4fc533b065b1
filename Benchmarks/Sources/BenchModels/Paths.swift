// The observed key paths, for the module of the workloads.

extension Person {
  package static var agePath: ReferenceWritableKeyPath<Person, Int> { \.age }
  package static var namePath: KeyPath<Person, String> { \.name }
  package static var friendPath: KeyPath<Person, Thing?> { \.friend }
  package static var scorePath: KeyPath<Person, Int?> { \.score }
  package static var placePath: KeyPath<Person, Place> { \.place }
  package static var itemsPath: ReferenceWritableKeyPath<Person, [Int]> { \.items }
  package static var totalPath: KeyPath<Person, Int> { \.total }
  package static var labelPath: KeyPath<Person, String> { \.label }
  package static var chosenPath: KeyPath<Person, Int> { \.chosen }
}

extension Outer {
  package static var leafPath: KeyPath<Outer, Int> { \.a.b.c }
}

extension Inner {
  package static var numberPath: KeyPath<Inner, Int> { \.c }
}

extension Holder {
  package static var leafPath: KeyPath<Holder, Int?> { \.inner?.c }
}

extension Shelf {
  package static var sumPath: KeyPath<Shelf, Int> { \.sum }
}
