import IsaKVO
import IsaKVOBindings
import Testing

/// Notes of what a controller tells, key by key, each with a check that all is consistent.
final class Told<Element: KVObject> {
  private(set) var lines: [String] = []
  private var rows: [Element]
  private var tokens: [KeyValueObservation] = []

  /// - Parameter keys: Those that are noted; the arrangement is checked in any case.
  init(
    _ controller: ArrayController<Element>,
    _ keys: Set<String> = ["content", "arrangedObjects", "selectionIndexes", "selectedObjects"]
  ) {
    rows = controller.arrangedObjects
    for options in [ObservationOptions([.old, .new]), [.old, .new, .prior]] {
      tokens.append(
        controller.observe(\.arrangedObjects, options: options) {
          [unowned self] controller, change in
          if options.contains(.prior) { return check(controller) }
          apply(change)
          check(controller)
          #expect(isSame(rows, controller.arrangedObjects))
          if keys.contains("arrangedObjects") { note("arrangedObjects", change) }
        })
    }
    func watch<Value>(_ key: String, _ property: KeyPath<ArrayController<Element>, Value>) {
      tokens.append(
        controller.observe(property, options: [.old, .new, .prior]) {
          [unowned self] controller, change in
          check(controller)
          if !change.isPrior, keys.contains(key) { note(key, change) }
        })
    }
    watch("content", \.content)
    watch("selectionIndexes", \.selectionIndexes)
    watch("selectedObjects", \.selectedObjects)
    watch("selectionIndex", \.selectionIndex)
    watch("canSelectNext", \.canSelectNext)
    watch("canSelectPrevious", \.canSelectPrevious)
    watch("canRemove", \.canRemove)
  }

  /// The notes since this was last asked.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  private func note<Value>(_ key: String, _ change: ValueChange<Value>) {
    let places = change.indexes.map { " \($0)" } ?? ""
    let values =
      change.kind == .setting ? ": \(text(change.oldValue)) to \(text(change.newValue))" : ""
    lines.append("\(key) \(change.kind)\(places)\(values)")
  }

  private func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }

  private func apply(_ change: ValueChange<[Element]>) {
    guard let indexes = change.indexes else { return rows = change.newValue ?? [] }
    let old = change.oldValue ?? [], new = change.newValue ?? []
    switch change.kind {
    case .removal:
      #expect(isSame(indexes.map { rows[$0] }, old))
      for index in indexes.reversed() { rows.remove(at: index) }
    case .insertion:
      for (index, element) in zip(indexes, new) { rows.insert(element, at: index) }
    default:
      #expect(isSame(indexes.map { rows[$0] }, old))
      for (index, element) in zip(indexes, new) { rows[index] = element }
    }
  }

  private func check(_ controller: ArrayController<Element>) {
    let rows = controller.arrangedObjects, indexes = controller.selectionIndexes
    #expect(indexes.allSatisfy { $0 < rows.count })
    let selected = indexes.filter { $0 < rows.count }.map { rows[$0] }
    #expect(isSame(selected, controller.selectedObjects))
  }
}

/// Whether the lists have the same objects.
func isSame<Element: AnyObject>(_ first: [Element], _ second: [Element]) -> Bool {
  first.elementsEqual(second, by: ===)
}
