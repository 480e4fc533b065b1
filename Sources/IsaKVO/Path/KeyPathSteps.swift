// The steps of a key path, by the names that the source gave to the properties on it.
//
// A key path's description tells the name of a stored property, and of a computed one where the code
// is that reads it; beside that stands the getter by which the compiler tells the property from others.
// The program's symbols tell whose code that is, where an optimiser has left one. Nothing is evaluated.
//
// Owns:  the names that were found, for the life of the process: as many as the program has such code.
// Locks: its own, held for a look into the table only.
internal import IsaRuntime

/// One step of a key path.
struct KeyPathStep {
  private enum Property {
    case stored(String)
    /// The code that reads it, and the identity that the compiler gave to it.
    case computed(UInt, UInt?)
    case other
  }

  private let property: Property
  /// Whether nil at this step stops the process.
  fileprivate(set) var isForced = false

  init(stored name: String) { property = .stored(name) }

  init(readAt address: UInt?, _ identities: [UInt: UInt]) {
    property = address.map { .computed($0, identities[$0]) } ?? .other
  }

  /// The property's name in the source; nil for what has none, such as a subscript, and for a
  /// computed property of a program that was stripped of its symbols.
  ///
  /// - Parameter type: The class that the property is of.
  func name(in type: AnyClass) -> String? {
    switch property {
    case .stored(let name): return name
    case .other: return nil
    case .computed(let address, let identity):
      if let known = knownNames.withLock({ $0[address] }) { return known }
      let name =
        identity.flatMap { variableName(of: $0, in: type) } ?? variableNames(at: [address])[address]
      knownNames.withLock { $0[address] = .some(name) }
      return name
    }
  }
}

private let knownNames = Locked<[UInt: String?]>([:])

extension AnyKeyPath {
  /// The steps that it consists of; none for the object itself.
  var steps: [KeyPathStep] {
    var rest = Substring("\(self)").dropFirst("\\\(Swift.type(of: self).rootType)".count)
    let identities = stepIdentities(of: self)
    var steps: [KeyPathStep] = []
    while let next = rest.popFirst() {
      switch next {
      case ".": steps.append(takeStep(&rest, identities))
      case "!": if !steps.isEmpty { steps[steps.count - 1].isForced = true }
      default: break
      }
    }
    return steps
  }

  /// Whether it unwraps an optional by force: nil there stops the process.
  var isForced: Bool { steps.contains { $0.isForced } }
}

/// Takes a step off the rest of a description: `name`, or `<computed 0x55… (Swift.Int)>`.
private func takeStep(_ rest: inout Substring, _ identities: [UInt: UInt]) -> KeyPathStep {
  guard rest.first == "<" else {
    let name = rest.prefix { !".?!".contains($0) }
    rest = rest.dropFirst(name.count)
    return KeyPathStep(stored: String(name))
  }
  let head = rest.prefix { $0 != "(" }
  rest = rest.dropFirst(head.count)
  var depth = 0
  // The type stands in parentheses, and may have some itself.
  while let next = rest.popFirst() {
    if next == "(" { depth += 1 } else if next == ")" { depth -= 1 }
    if depth == 0 { break }
  }
  rest = rest.dropFirst()
  let words = head.split(separator: " ")
  let digits = words.first == "<computed" ? words.last?.dropFirst("0x".count) : nil
  return KeyPathStep(readAt: digits.flatMap { UInt($0, radix: 16) }, identities)
}
