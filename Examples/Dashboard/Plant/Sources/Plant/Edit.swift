// Changes that people ask for: by key path, validated first.
import IsaKVO

/// The reason why a value is not taken, for those who have entered it.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// The reason, as a sentence.
  public let description: String
  /// Whether there is nothing of that name to change.
  public let isUnknown: Bool

  init(_ description: String, isUnknown: Bool = false) {
    self.description = description
    self.isUnknown = isUnknown
  }
}

/// A value as somebody has entered it.
public enum Entry: Decodable, Equatable, Sendable {
  case nothing
  case truth(Bool)
  case number(Double)
  case text(String)

  /// Any JSON that is one value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let truth = try? container.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// The value, as one of the kind that a property has: key-value coding would make a number of any
  /// other, and of the truth.
  func value(like present: Any?) throws(Refusal) -> Any {
    switch (self, present) {
    case (.nothing, _): throw Refusal("A value is missing.")
    case (.truth(let truth), is Bool): return truth
    case (_, is Bool): throw Refusal("That is neither on nor off.")
    case (.number(let number), is Int):
      guard let whole = Int(exactly: number) else { throw Refusal("That is no whole number.") }
      return whole
    case (.number(let number), is Double): return number
    case (_, is Int), (_, is Double): throw Refusal("That is no number.")
    case (.text(let text), _): return text
    default: throw Refusal("That is no text.")
    }
  }
}

extension Plant {
  /// The key paths that people may set. Key-value coding itself would set any property.
  static let keyPaths: Set = ["name", "isRunning"]

  /// Sets what `keyPath` of the plant leads to.
  public func set(_ keyPath: String, to entry: Entry) throws(Refusal) {
    try edit(self, keyPath, of: Plant.keyPaths, entry)
  }

  /// Sets what `keyPath` of machine `id` leads to.
  public func set(_ keyPath: String, ofMachine id: Int, to entry: Entry) throws(Refusal) {
    guard let machine = machine(id) else {
      throw Refusal("There is no machine \(id).", isUnknown: true)
    }
    try edit(machine, keyPath, of: Machine.keyPaths, entry)
  }
}

extension Machine {
  /// The key paths that people may set.
  static let keyPaths: Set = ["name", "isOn", "settings.target", "settings.limit"]
}

@MainActor
private func edit(
  _ object: KVObject, _ keyPath: String, of known: Set<String>, _ entry: Entry
) throws(Refusal) {
  guard known.contains(keyPath) else {
    throw Refusal("“\(keyPath)” is not to be set.", isUnknown: true)
  }
  do {
    var value: Any? = try entry.value(like: object.value(forKeyPath: keyPath))
    try object.validateValue(&value, forKeyPath: keyPath)
    try object.setValue(value, forKeyPath: keyPath)
  } catch let refusal as Refusal {
    throw refusal
  } catch {
    throw Refusal((error as? KeyValueError)?.reason ?? "\(error)")
  }
}
