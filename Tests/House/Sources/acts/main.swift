// Does one act as often as it is told: acts ACT COUNT.
import IsaKVO

final class Person: KVObject {
  @Dynamic var age = 30
  @Dynamic var given = "Ada"
  @Dynamic var family = "King"
  @Dynamic var scores: [Int] = []

  var name: String { "\(given) \(family)" }
}

/// Prevents that what handlers do is left out.
nonisolated(unsafe) var total = 0

let act = CommandLine.arguments.dropFirst().first ?? "set"
let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1
let person = Person()

switch act {
case "set":
  let token = person.observe(\.age, options: [.old, .new]) { total += $1.newValue! }
  for number in 0..<count { person.age = number }
  token.invalidate()
case "evaluated":
  let token = person.observe(\.name, options: .new) { total += $1.newValue!.count }
  for number in 0..<count { person.given = "\(number)" }
  token.invalidate()
case "insert":
  let token = person.observe(\.scores, options: .new) { _, change in total += change.newValue!.count
  }
  let scores = person.mutableArrayValue(for: \.scores)
  for number in 0..<count { scores.insert(number, at: 0) }
  token.invalidate()
default:
  for _ in 0..<count {
    let token = person.observe(\.age, options: .new) { total += $1.newValue! }
    person.age = 1
    token.invalidate()
  }
}
print(act, total)
