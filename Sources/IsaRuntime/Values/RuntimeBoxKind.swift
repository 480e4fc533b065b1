package import CIsa

/// The kind of value that an object of the library's own classes holds.
public enum RuntimeBoxKind: String, CaseIterable, Sendable {
  /// A struct, a pointer, or what else is no number.
  case value
  /// A number.
  case number
  /// A text.
  case string
  /// Nothing: it stands for nil in collections.
  case null
  /// Elements in order.
  case array
  /// Different elements in order.
  case orderedSet
  /// Different elements.
  case set
  /// Values by keys.
  case dictionary

  /// Whether it holds elements.
  public var isCollection: Bool {
    switch self {
    case .array, .orderedSet, .set, .dictionary: true
    default: false
    }
  }
}

extension RuntimeBoxKind: CoreEnum {
  package typealias Constant = kvc_kind
  package static var first: Int { 1 }
}

extension RuntimeObject {
  /// The kind of value that the object holds if it is of one of the library's own classes; nil for
  /// any other.
  public var boxKind: RuntimeBoxKind? { RuntimeBoxKind(kvc_kind_of(id)) }

  /// Whether the object is a collection that can change.
  public var isMutableCollection: Bool { kvc_is_mutable(id) }
}
