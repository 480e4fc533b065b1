import IsaKVO

final class Person: KVObject {
  @Dynamic var age = 30
}

func observe(_ person: Person) throws -> KeyValueObservation {
  // error below: value of type 'Person' has no member 'agee'
  person.observe(\.agee) { _, _ in }
}
