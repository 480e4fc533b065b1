import IsaKVO

let person = try ClassBuilder("Person").property("age", .int64).register().allocate()
try person.set("age", 30)

let observation = try person.observe("age", as: Int.self, options: [.old, .new]) { change in
  print("age: \(change.oldValue ?? 0) to \(change.newValue ?? 0)")
}
print("is a \(person.isa), says it is a \(person.class)")

try person.send("setAge:", 40)
observation.invalidate()
try person.send("setAge:", 50)
print("is a \(person.isa) again")
