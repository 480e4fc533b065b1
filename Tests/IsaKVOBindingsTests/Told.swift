import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// Notes of what a controller tells, key by key, each with a check that all is consistent.
final class Told<Element: KVObject> {
  private(set) var lines: [String] = []
  /// The arrangement by what was told of it.
  private(set) var rows: [Element]
  private var tokens: [KeyValueObservation] = []
  /// Whether it is not told yet of all that has changed.
  private var isBehind = false

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
          rows.replay(change)
          check(controller)
          if !isBehind { #expect(isSame(rows, controller.arrangedObjects)) }
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

  /// Does something in a transaction, at whose end alone the arrangement is what was told of it.
  func inTransaction(_ body: () -> Void) {
    let outer = isBehind
    isBehind = true
    KVObject.transaction(body)
    isBehind = outer
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

  private func check(_ controller: ArrayController<Element>) {
    let rows = controller.arrangedObjects, indexes = controller.selectionIndexes
    #expect(indexes.allSatisfy { $0 < rows.count })
    let selected = indexes.filter { $0 < rows.count }.map { rows[$0] }
    #expect(isSame(selected, controller.selectedObjects))
  }
}

/// A list as a view keeps it: by what it is told, of the arrangement alone.
final class ListCopy<Element: KVObject> {
  private(set) var rows: [Element] = []
  private var token: KeyValueObservation?

  init(_ controller: ArrayController<Element>) {
    token = controller.observe(\.arrangedObjects, options: [.initial, .old, .new]) {
      [unowned self] _, change in
      Recording.add("\(change.kind) \(change.indexes ?? []) \(change.oldValue?.count ?? -1)")
      rows.replay(change)
    }
  }
}

extension Array where Element: KVObject {
  /// Does what is told of a list to this one, its copy.
  mutating func replay(_ change: ValueChange<[Element]>) {
    guard let indexes = change.indexes else { return self = change.newValue ?? [] }
    let old = change.oldValue ?? [], new = change.newValue ?? []
    if change.kind != .insertion {
      let known = indexes.allSatisfy { $0 < count } ? indexes.map { self[$0] } : []
      guard isSame(known, old) else {
        Issue.record("\(change.kind) at \(indexes) is told of another list")
        return
      }
    }
    switch change.kind {
    case .removal: for index in indexes.reversed() { remove(at: index) }
    case .insertion:
      for (index, element) in zip(indexes, new) { insert(element, at: Swift.min(index, count)) }
    default: for (index, element) in zip(indexes, new) { self[index] = element }
    }
  }
}

/// Whether the lists have the same objects.
func isSame<Element: AnyObject>(_ first: [Element], _ second: [Element]) -> Bool {
  first.elementsEqual(second, by: ===)
}
