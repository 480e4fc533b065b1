import IsaKVO

final class Person: KVObject {
  @Dynamic var age = 30
}

func old(_ person: Person, _ value: Any) {
  // error below: 'Null' has been renamed to 'KeyValueNull'
  print(value is Null)
  // error below: 'CodingError' has been renamed to 'KeyValueError'
  print(value is CodingError)
  // error below: 'current' has been renamed to 'KeyValueSettings.misusePolicy'
  MisusePolicy.current = .strict
}
