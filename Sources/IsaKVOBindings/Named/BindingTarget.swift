public import IsaKVO

/// A class that says more about what of its objects can be bound by name than its keys do.
///
///     final class Label: KVObject, BindingTarget {
///       @Dynamic var text = ""
///       @Dynamic var isDimmed = false
///
///       class var bindingNames: [BindingName] { [.value] }
///
///       func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
///         try setValue(shown.plain ?? "", forKey: "text")
///         isDimmed = shown.isPlaceholder
///       }
///     }
public protocol BindingTarget: KVObject {
  /// The names that the class adds to its keys, and to its superclass's names.
  static var bindingNames: [BindingName] { get }

  /// The names of which an object can have one bound only.
  static var exclusiveBindingNames: Set<BindingName> { get }

  /// The key that is set for a name, unless ``show(_:for:)`` says otherwise.
  static func bindingKey(for name: BindingName) -> String

  /// Shows a value, or a placeholder.
  ///
  /// - Throws: The error that stops it; it is the binding's.
  func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError)
}

extension BindingTarget {
  /// The names of which a view can show one selection only.
  public static var exclusiveBindingNames: Set<BindingName> { chosen }

  /// The name itself.
  public static func bindingKey(for name: BindingName) -> String { name.rawValue }

  /// Sets the key for the name.
  public func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    try setValue(shown.plain, forKey: Self.bindingKey(for: name))
  }
}

private let chosen: Set<BindingName> = [
  .selectedIndex, .selectedObject, .selectedTag, .selectedValue,
]

/// A value that is shown, or what stands for it.
public enum Shown<Value> {
  /// The source's value, as its transformer makes it if there is one.
  case value(Value)
  /// A placeholder for a marker, or for nil if there is none. It is never written back.
  case placeholder(Value, BindingMarker?)

  /// The value or the placeholder.
  public var plain: Value {
    switch self {
    case .value(let value), .placeholder(let value, _): value
    }
  }

  /// Whether it stands for a value.
  public var isPlaceholder: Bool {
    if case .placeholder = self { true } else { false }
  }
}

extension KVObject {
  /// The names of what can be bound of an object: the names that its class and the classes above it
  /// declare as a ``BindingTarget``, and its keys; each once.
  ///
  /// - Note: Source `exposedBindings`, NSKeyValueBinding.h.
  public final var exposedBindings: [BindingName] {
    var names: [BindingName] = []
    for type in sequence(first: type(of: self) as AnyClass, next: { _getSuperclass($0) }) {
      names += (type as? any BindingTarget.Type)?.bindingNames ?? []
    }
    names += knownKeys.map { BindingName(rawValue: $0) }
    var seen: Set<BindingName> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The key that is set for a name.
  final func bindingKey(for name: BindingName) -> String {
    (type(of: self) as? any BindingTarget.Type)?.bindingKey(for: name) ?? name.rawValue
  }

  /// Whether the name, or the name that it is a further one of, can be bound.
  final func exposes(_ name: BindingName) -> Bool {
    if exposedBindings.contains(name) { return true }
    guard let (_, base, number) = BindingGroup.of(name) else { return false }
    if base == .displayPatternValue { return number > 0 }
    // A further name can be bound once the name before it is.
    let before = number == 2 ? base : BindingName(rawValue: "\(base.rawValue)\(number - 1)")
    return number > 1 && exposes(base) && bindings.contains { $0.end == .keys(before.rawValue) }
  }
}
