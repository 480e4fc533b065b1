// Prints how long first observations take, in ns: of the process, of a further class, and of a
// further key path of a class that is observed already; the last two are means.
import IsaKVO

final class First: KVObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var c = 0
  @Dynamic var d = 0
  @Dynamic var next: First?
  var sum: Int { a &+ b }
}

final class Second: KVObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var c = 0
  @Dynamic var d = 0
}

final class Third: KVObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var c = 0
  @Dynamic var d = 0
}

final class Fourth: KVObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var c = 0
  @Dynamic var d = 0
}

final class Fifth: KVObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var c = 0
  @Dynamic var d = 0
}

nonisolated(unsafe) var heard = 0

func ticks(
  _ body: () -> [KeyValueObservation]
) -> (ns: Int64, observations: [KeyValueObservation]) {
  var observations: [KeyValueObservation] = []
  let time = ContinuousClock().measure { observations = body() }
  let (seconds, attoseconds) = time.components
  return (seconds * 1_000_000_000 + attoseconds / 1_000_000_000, observations)
}

let (first, second, third) = (First(), Second(), Third())
let (fourth, fifth) = (Fourth(), Fifth())
_ = ticks { [] }
let process = ticks { [first.observe(\.a) { _, _ in heard += 1 }] }
let classes = ticks {
  [
    second.observe(\.a) { _, _ in heard += 1 },
    third.observe(\.a) { _, _ in heard += 1 },
    fourth.observe(\.a) { _, _ in heard += 1 },
    fifth.observe(\.a) { _, _ in heard += 1 },
  ]
}
let keyPaths = ticks {
  [
    first.observe(\.b) { _, _ in heard += 1 },
    first.observe(\.c) { _, _ in heard += 1 },
    first.observe(\.d) { _, _ in heard += 1 },
    second.observe(\.b) { _, _ in heard += 1 },
  ]
}
let computed = ticks {
  [
    first.observe(\.sum) { _, _ in heard += 1 },
    first.observe(\.next?.a) { _, _ in heard += 1 },
  ]
}
(first.a, first.b, first.c, first.d) = (1, 1, 1, 1)
(second.a, second.b) = (1, 1)
(third.a, fourth.a, fifth.a) = (1, 1, 1)
let observations =
  process.observations + classes.observations + keyPaths.observations + computed.observations
// Nine properties that are observed themselves, and the sum, which is told twice.
precondition(heard == 11, "\(heard)")
withExtendedLifetime(observations) {}
print(process.ns, classes.ns / 4, keyPaths.ns / 4, computed.ns / 2)
