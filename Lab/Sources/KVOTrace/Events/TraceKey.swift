/// A key, or key path, of a class.
package struct TraceKey: Hashable, Sendable {
  package let className: TextNumber
  package let key: TextNumber

  package init(className: TextNumber, key: TextNumber) {
    self.className = className
    self.key = key
  }
}

extension Trace {
  /// The class's name and the key with a dot between them; `?` for a class that is not known.
  package func name(of key: TraceKey) -> String {
    (key.className == 0 ? "?" : text(key.className)) + "." + text(key.key)
  }

  /// The key that the event is about, of the class of its object.
  package func key(of event: TraceEvent) -> TraceKey {
    TraceKey(className: className(of: event.object, at: event.id), key: event.name)
  }

  /// The name of the class of the object that had the address at the event; 0: not known.
  package func className(of address: UInt64, at event: UInt64) -> TextNumber {
    structure.objects.index(of: address, at: event).map { structure.objects.className($0) } ?? 0
  }
}

/// A question's `Class.key`. The class may be named without what stands before its last dot.
package struct TraceProperty: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil: there is no dot with a name on each side.
  package init?(_ text: String) {
    guard let dot = text.firstIndex(of: "."), dot != text.startIndex, text.last != "." else {
      return nil
    }
    description = text
  }

  package func matches(className: String, key: String) -> Bool {
    let name = className + "." + key
    guard name.hasSuffix(description), description.utf8.count > key.utf8.count + 1 else {
      return false
    }
    return name == description || name.dropLast(description.count).hasSuffix(".")
  }
}

/// Which of a trace's keys a property means, each worked out once.
struct KeyFilter {
  let property: TraceProperty?
  private var known: [TraceKey: Bool] = [:]

  init(_ property: TraceProperty?) { self.property = property }

  mutating func contains(_ key: TraceKey, in trace: Trace) -> Bool {
    guard let property else { return true }
    if let answer = known[key] { return answer }
    let answer = property.matches(className: trace.text(key.className), key: trace.text(key.key))
    known[key] = answer
    return answer
  }
}
