import Dispatch
import Forks
import IsaKVO

class Model: KVObject, @unchecked Sendable {
  @Dynamic var a = 1
  @Dynamic var b = [1]
  @Dynamic var next: Model?
  var sum: Int { a + b.count }
}

/// All that the Swift face has locks for; answers what was told.
@discardableResult
func work(on model: Model) -> Int {
  var told = 0
  let tokens = [
    model.observe(\.sum, options: [.old, .new]) { _, change in told += change.newValue ?? 0 },
    model.observe(\.next?.a, options: .new) { _, _ in told += 1 },
    model.observe(\.a, options: .new, delivery: .enqueue { $0() }) { _ in },
  ]
  model.a = 2
  model.b.append(1)
  KVObject.transaction {
    model.a = 3
    model.next = Model()
  }
  try? model.setValue(4, forKey: "a")
  tokens.forEach { $0.invalidate() }
  return told
}

let expected = work(on: Model())
let isOver = DispatchSemaphore(value: 0)
for _ in 0..<3 {
  DispatchQueue.global().async {
    while isOver.wait(timeout: .now()) == .timedOut { work(on: Model()) }
    isOver.signal()
  }
}
let survived = forks_survived(1000, 20) { work(on: Model()) == expected ? 0 : 1 }
print(survived, "of 1000")
isOver.signal()
