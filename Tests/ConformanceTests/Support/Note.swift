import IsaKVO

/// One notification, noted in words: `count setting old 2 new 3`, and what has no words.
struct Note: Hashable, Sendable, CustomStringConvertible {
  let description: String
  let object: UInt
  let context: ObservationContext

  /// Notes everything, keeping no object alive.
  init(_ change: RuntimeChange) {
    var parts = [change.keyPath, change.kind.rawValue]
    if let indexes = change.indexes { parts.append("at \(indexes)") }
    if let old = change.oldValue { parts += ["old", words(for: old)] }
    if let new = change.newValue { parts += ["new", words(for: new)] }
    if change.isPrior { parts.append("prior") }
    if change.isInitial { parts.append("initial") }
    description = parts.joined(separator: " ")
    object = change.object.address
    context = change.context
  }
}

/// A value in words: a text as its characters, a box as what is in it, another object as its class.
func words(for value: RuntimeValue) -> String {
  guard let object = value.object else { return value.description }
  if object.boxKind != nil { return value.string ?? value.description }
  return object.ivar(named: "_text")?.string ?? object.isa.original.name
}
