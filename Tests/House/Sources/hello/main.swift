// A program that observes one property; with an argument it does nothing.
import IsaKVO

final class Person: KVObject {
  @Dynamic var age = 30
}

if CommandLine.arguments.count == 1 {
  let person = Person()
  let token = person.observe(\.age, options: [.old, .new]) { _, change in
    print(change.oldValue ?? 0, "→", change.newValue ?? 0)
  }
  person.age = 41
  token.invalidate()
}
