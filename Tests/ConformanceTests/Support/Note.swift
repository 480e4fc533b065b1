import IsaKVO
import IsaRuntime

/// One notification, noted in words: `count setting old 2 new 3`, and what has no words.
struct Note: Hashable, Sendable, CustomStringConvertible {
  let description: String
  let object: UInt
  let context: ObservationContext

  /// Notes everything, keeping no object alive.
  init(_ told: Told) {
    var parts = [told.keyPath, "\(told.kind)"]
    if let indexes = told.indexes { parts.append("at \(indexes)") }
    if let old = told.oldWords { parts += ["old", old] }
    if let new = told.newWords { parts += ["new", new] }
    if told.isPrior { parts.append("prior") }
    if told.isInitial { parts.append("initial") }
    description = parts.joined(separator: " ")
    object = told.object.address
    context = told.context
  }
}

/// A value in words: a text as its characters, a box as what is in it, another object as its class.
func words(for value: RuntimeValue) -> String {
  guard let object = value.object else { return value.description }
  if object.boxKind != nil { return value.string ?? value.description }
  return object.ivar(named: "_text")?.string ?? object.isa.original.name
}

/// A Swift value in the same words.
func words(for value: Any?) -> String {
  switch value {
  case nil, is KeyValueNull: "nil"
  case let object as KVObject: adopted(object).isa.original.name
  case let values as [Any]: "(\(values.map { words(for: $0) }.joined(separator: ", ")))"
  case let values as Set<AnyHashable>:
    "{\(values.map { words(for: $0.base) }.sorted().joined(separator: ", "))}"
  case let value?: "\(value)"
  }
}
