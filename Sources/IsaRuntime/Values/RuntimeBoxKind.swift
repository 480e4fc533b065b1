internal import CIsa

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

  init?(_ kind: kvc_kind) {
    switch kind {
    case KVC_KIND_VALUE: self = .value
    case KVC_KIND_NUMBER: self = .number
    case KVC_KIND_STRING: self = .string
    case KVC_KIND_NULL: self = .null
    case KVC_KIND_ARRAY: self = .array
    case KVC_KIND_ORDERED_SET: self = .orderedSet
    case KVC_KIND_SET: self = .set
    case KVC_KIND_DICTIONARY: self = .dictionary
    default: return nil
    }
  }

  var kind: kvc_kind {
    switch self {
    case .value: KVC_KIND_VALUE
    case .number: KVC_KIND_NUMBER
    case .string: KVC_KIND_STRING
    case .null: KVC_KIND_NULL
    case .array: KVC_KIND_ARRAY
    case .orderedSet: KVC_KIND_ORDERED_SET
    case .set: KVC_KIND_SET
    case .dictionary: KVC_KIND_DICTIONARY
    }
  }

  /// Whether it holds elements.
  public var isCollection: Bool {
    switch self {
    case .array, .orderedSet, .set, .dictionary: true
    default: false
    }
  }
}

extension RuntimeObject {
  /// The kind of value that the object holds if it is of one of the library's own classes; nil for
  /// any other.
  public var boxKind: RuntimeBoxKind? { RuntimeBoxKind(kvc_kind_of(id)) }

  /// Whether the object is a collection that can change.
  public var isMutableCollection: Bool { kvc_is_mutable(id) }
}
