// The window: each widget's property is bound to one of a model or a controller, each button calls one.
import Foundation
import GTKBridge
import IsaKVO
import IsaKVOBindings

@MainActor
final class Window {
  let inventory = Inventory()
  let items = ArrayController<Item>()
  let model = ViewModel()
  let history: History
  let preferences: DefaultsController
  let interface: Interface
  let details: Details
  let status: GObjectEnd<String>
  private let document: Document
  private let table: Table<Item>
  private var token: KeyValueObservation?
  /// The ends that nobody asks for by name.
  private var ends: [KVObject] = []

  init(_ document: Document, preferences: DefaultsController) throws {
    self.document = document
    self.preferences = preferences
    try document.load(into: inventory)
    history = History(of: inventory)
    items.bindContent(to: inventory, \.items)
    items.automaticallyRearranges = true
    items.makeObject = { Item("New item", .tools) }
    interface = try Interface(
      contentsOfFile: Bundle.module.path(forResource: "Window", ofType: "ui")!)
    table = Table(interface["table"], of: items)
    details = try Details(interface, of: items)
    status = GObjectEnd(interface["status"], "label")
    addColumns()
    try bindModel()
    try bindPreferences()
    try connectButtons()
    // Letters that are typed once another item was selected are another change.
    token = items.observe(\.selectedObjects) { [history] _, _ in history.endStep() }
    interface["window"].answer("close-request") { _ in
      MainLoop.quit()
      return false
    }
  }

  private func addColumns() {
    table.addColumn("Name", \.name, expands: true)
    table.addColumn("Category", \.category.rawValue)
    table.addColumn("Quantity", \.quantity)
    table.addColumn("Price", \.price) { String(format: "%.2f", $0) }
  }

  private func bindModel() throws {
    let search: GObjectEnd<String> = end("search", "text")
    try model.bind(\.search, to: search, \.value)
    try model.bind("count", to: items, withKeyPath: "arrangedObjects.@count")
    try model.bind("total", to: items, withKeyPath: "arrangedObjects.@sum.price")
    try items.follow(\.filter, of: model, \.filter)
    try status.follow(\.value, of: model, \.status)
    // An added item is shown, whatever was searched for.
    interface["add"].on("clicked") { [items] _ in
      search.value = ""
      items.add()
    }
  }

  private func bindPreferences() throws {
    let hides: GObjectEnd<Bool> = end("hidesSoldOut", "active")
    let currency: GObjectEnd<String> = end("currency", "text")
    for (end, key) in [(hides as KVObject, "hidesSoldOut"), (currency, "currency")] {
      try end.bind(.value, to: preferences, withKeyPath: "values.\(key)", options: .edited)
      try model.bind(BindingName(rawValue: key), to: preferences, withKeyPath: "values.\(key)")
    }
  }

  private func connectButtons() throws {
    try button("remove", isEnabledBy: items, \.canRemove) { $0.items.removeSelected() }
    try button("undo", isEnabledBy: history, \.canUndo) { window in
      window.items.discardEditing()
      window.history.undo()
    }
    try button("redo", isEnabledBy: history, \.canRedo) { window in
      window.items.discardEditing()
      window.history.redo()
    }
    interface["save"].on("clicked") { [unowned self] _ in
      attempt { try document.save(inventory) }
    }
    interface["reload"].on("clicked") { [unowned self] _ in
      attempt { try document.load(into: inventory) }
    }
  }

  private func button<Source: KeyValueObservable>(
    _ id: String, isEnabledBy source: Source, _ property: KeyPath<Source, Bool>,
    _ action: @escaping (Window) -> Void
  ) throws {
    let isSensitive: GObjectEnd<Bool> = end(id, "sensitive")
    try isSensitive.follow(\.value, of: source, property)
    interface[id].on("clicked") { [unowned self] _ in action(self) }
  }

  /// Does what may fail, and shows why it did.
  private func attempt(_ action: () throws -> Void) {
    do {
      try items.commitEditing()
      try action()
    } catch {
      details.error.value = "\(error)"
    }
  }

  private func end<Value>(_ id: String, _ property: String) -> GObjectEnd<Value> {
    let end = GObjectEnd<Value>(interface[id], property)
    ends.append(end)
    return end
  }
}
