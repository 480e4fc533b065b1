// What is observed, for the module of the workloads.

extension Person {
  package static var agePath: KeyPath<Person, Int> { \.age }
  package static var namePath: KeyPath<Person, String> { \.name }
  package static var friendPath: KeyPath<Person, Thing?> { \.friend }
  package static var scorePath: KeyPath<Person, Int?> { \.score }
  package static var placePath: KeyPath<Person, Place> { \.place }
  package static var itemsPath: ReferenceWritableKeyPath<Person, [Int]> { \.items }
  package static var totalPath: KeyPath<Person, Int> { \.total }
}

extension Outer {
  package static var leafPath: KeyPath<Outer, Int> { \.a.b.c }
}
