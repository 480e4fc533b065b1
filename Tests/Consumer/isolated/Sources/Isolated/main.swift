import IsaKVO
import IsaRuntime

let store = Store()
let chain = Chain()
let plain = Plain()
let screen = Screen()

await store.loadElsewhere()
print("loaded:", store.count, Counted().count)

try store.addObserver(store, forKeyPath: "count", options: .new)
try screen.show(store, plain, chain)
store.count = 3
plain.number = 4
await Task.detached { [chain] in chain.number = 5 }.value
while screen.lines.count < 4 { await Task.yield() }
print(store.log.joined(separator: "; "))
print(screen.lines.joined(separator: "; "))

let titles = store.values(of: \.rows)
let consumer = Task {
  for await rows in titles where !rows.isEmpty { return rows.map(\.title).joined() }
  return ""
}
store.rows.append(Row(title: "first"))
print("rows:", await consumer.value)

chain.store = store
let proxy = try store.mutableArrayValue(forKey: "rows")
await Task.detached { [store, chain] in
  tell("set") { try store.setValue(7, forKey: "count") }
  tell("read") { _ = try store.value(forKey: "count") }
  tell("set by a path") { try chain.setValue(7, forKeyPath: "store.count") }
  tell("edit") { try proxy.remove(at: 0) }
}.value
print("unharmed:", store.count, store.rows.count)

/// Prints how a call ended.
nonisolated func tell(_ what: String, _ call: () throws -> Void) {
  do {
    try call()
    print("\(what): done")
  } catch {
    print("\(what): \((error as? KeyValueError)?.code.rawValue ?? "\(error)")")
  }
}
