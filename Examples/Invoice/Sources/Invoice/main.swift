// An invoice that is read from JSON, edited, undone and written again.
import Foundation
import IsaKVO
import IsaKVOFoundation

let json = """
  {
    "customer": "Ann",
    "items": [{"name": "Paper", "price": 0.1}, {"name": "Ink", "price": 0.2}]
  }
  """
let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
let history = History(document)

/// The line that a window would show.
let display = document.observe(\.total, options: .new) { document, change in
  print("  total is now \(change.newValue!)")
}

@MainActor
func show(_ what: String) {
  let items = document.items.map { "\($0.name) \($0.price)" }.joined(separator: ", ")
  print("\(what): \(document.customer): \(items); in all \(document.sum(of: "price")!)")
}

show("read")
print("dearest:", document.value(forKeyPath: "items.@max.price") ?? "none")

document.lines.add(Item("Stamps", "12345678901234567.89"))
document.items[0].price = Decimal(string: "0.7")!
document.lines.exchangeObject(at: 0, withObjectAt: 1)
document.setValue("Bob", forKey: "customer")
show("edited")

while history.canUndo { history.undo() }
show("undone")
while history.canRedo { history.redo() }
show("redone")

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys]
history.undo()
print(String(decoding: try encoder.encode(document), as: UTF8.self))
withExtendedLifetime(display) {}
