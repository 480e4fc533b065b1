import IsaKVO

final class Person: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 30
}

let person = Person()
let observation = try person.observe(\.age, options: [.old, .new]) { person, change in
  print("\(person.name): \(change.oldValue ?? 0) to \(change.newValue ?? 0)")
}
person.age = 40
try person.setValue(41, forKey: "age")
observation.invalidate()
person.age = 50
