import IsaKVO

/// A typed observer's notification, in one line: the kind, the indexes, what went → what came.
func words<Value>(_ change: ValueChange<Value>) -> String {
  let places = change.indexes.map { " \($0)" } ?? ""
  let values = "\(words(change.oldValue)) → \(words(change.newValue))"
  return "\(change.kind)\(places): \(values)" + (change.isPrior ? " (prior)" : "")
}

/// A value of a change.
func words<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "absent" }
