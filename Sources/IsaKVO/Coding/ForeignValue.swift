// Values of types of another module, such as Foundation's: to the runtime a number is a number and
// an array an array, in whichever module the type stands.
//
// A type says so itself, by its conformance. The Swift runtime finds the conformance by itself,
// however early a class is registered.

package import IsaKeyValue

/// A type of another module whose values are more to the runtime than something in a box.
package protocol ForeignValue {
  /// The form that the value has for the runtime.
  var foreignForm: ForeignForm { get }

  /// The value of this type that a Swift value is by a cast; nil if it is none.
  static func foreignCast(_ value: Any) -> Any?

  /// The value of this type that something else stands for; nil if it stands for none.
  static func foreignValue(of source: ForeignSource) -> Any?

  /// Where the value stands beside another: negative if before it; nil if they have no order.
  func foreignOrder(beside other: Any) -> Int?

  /// The hash of the Swift value that this one is equal to; nil if its own hash is the same.
  var foreignHash: Int? { get }
}

extension ForeignValue {
  package static func foreignCast(_ value: Any) -> Any? { value as? Self }
  package static func foreignValue(of source: ForeignSource) -> Any? { nil }
  package func foreignOrder(beside other: Any) -> Int? { nil }
  package var foreignHash: Int? { nil }
}

/// The form that a value has for the runtime.
package enum ForeignForm {
  /// Something to hold, and no more.
  case opaque
  /// Something that stands for the values of all its keys, too, none of which changes: a key path may
  /// lead through it, and then has it as its value.
  case everyKey
  case null
  case number(ForeignNumber)
  case text(String)
  case ordered(ForeignOrdered)
  case unordered(ForeignUnordered)
  case dictionary(ForeignDictionary)
}

/// The contents that a value of a foreign type can be made from.
package enum ForeignSource {
  case number(ForeignNumber)
  case text(String)
  case elements([Any])
  case entries([(key: Any, value: Any)])
}

extension ForeignSource {
  /// The digits of a number, or of a text that is one; nil for anything else.
  package var digits: String? {
    switch self {
    case .number(let number): number.digits
    case .text(let text): isNumeric(text) ? text : nil
    default: nil
    }
  }
}

/// The elements of an array or an ordered set at the moment when they are asked for.
package struct ForeignOrdered {
  /// Whether no two elements are equal.
  let isSet: Bool
  let count: () -> Int
  let element: (Int) -> Any

  package init(isSet: Bool, count: @escaping () -> Int, element: @escaping (Int) -> Any) {
    self.isSet = isSet
    self.count = count
    self.element = element
  }
}

/// The members of a set at the moment when they are asked for.
package struct ForeignUnordered {
  let elements: () -> [Any]
  let member: (Any) -> Any?

  package init(elements: @escaping () -> [Any], member: @escaping (Any) -> Any?) {
    self.elements = elements
    self.member = member
  }
}

/// The entries of a dictionary at the moment when they are asked for.
package struct ForeignDictionary {
  let keys: () -> [Any]
  let value: (Any) -> Any?
  /// Sets the value of a key, removes it for nil; nil if the dictionary cannot change.
  let set: ((String, Any?) -> Void)?

  package init(
    keys: @escaping () -> [Any], value: @escaping (Any) -> Any?, set: ((String, Any?) -> Void)?
  ) {
    self.keys = keys
    self.value = value
    self.set = set
  }
}

// MARK: - Changes

/// The part of a module with other names in the dictionary of a change. `KVObject` has the
/// conformance wherever there is such a module.
package protocol ForeignNaming {
  static func foreignForm(of value: Any, for key: ChangeKey) -> Any
  /// The decimal number that has exactly these digits; nil if none has.
  static func foreignNumber(_ digits: String) -> Any?
}

/// The type that has them, where there is such a module. Types never change.
nonisolated(unsafe) let foreignNaming = KVObject.self as Any.Type as? any ForeignNaming.Type

extension ObservationOptions {
  /// Registered by those names. An observer that is registered by both is told in both forms.
  package static let foreignNames = ObservationOptions(rawValue: 1 << 17)
}
