import IsaKVO

final class Person: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 30
  var title: String { "\(name), \(age)" }
}

let person = Person()
let observation = person.observe(\.title, options: [.old, .new]) { person, change in
  print("\(change.oldValue!) → \(change.newValue!)")
}
person.age = 40
try person.setValue("Bob", forKey: "name")
observation.invalidate()
