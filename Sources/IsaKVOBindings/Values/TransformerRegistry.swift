internal import IsaKVO
internal import IsaKeyValue

/// The name of a transformer that is registered.
///
/// - Note: Source `NSValueTransformerName`, NSValueTransformer.h.
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String

  /// The name of that text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name of that text.
  public init(stringLiteral text: String) { rawValue = text }

  /// True for false, nil and a marker; false for true. It can be reversed.
  public static let negateBoolean: TransformerName = "NSNegateBoolean"
  /// Whether there is no value.
  public static let isNil: TransformerName = "NSIsNil"
  /// Whether there is a value.
  public static let isNotNil: TransformerName = "NSIsNotNil"
}

extension Transformer where Source == Any?, Target == Any? {
  /// Registers a transformer under a name; a former one is replaced, in bindings that are made from
  /// then on. Any thread may call this.
  public static func register<From, To>(
    _ transformer: Transformer<From, To>, as name: TransformerName
  ) {
    let erased = transformer.erased()
    let old = registry.withLock { $0.updateValue(Unchecked(value: erased), forKey: name) }
    withExtendedLifetime(old) {}
  }

  /// Takes the transformer of that name away; bindings that have it keep it.
  package static func unregister(_ name: TransformerName) {
    let old = registry.withLock { $0.removeValue(forKey: name) }
    withExtendedLifetime(old) {}
  }

  /// The transformer of that name; nil if there is none.
  public static func registered(as name: TransformerName) -> Transformer? {
    registry.withLock { $0[name]?.value }
  }

  /// The names of all that are registered, in their order.
  public static var registeredNames: [TransformerName] {
    registry.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
  }
}

extension Transformer {
  /// The same for values of any type: values that cannot be converted to its own are refused.
  public func erased() -> Transformer<Any?, Any?> {
    if let same = self as? Transformer<Any?, Any?> { return same }
    let forward: (Any?) throws -> Any? = { [forward] value in
      plain(try forward(try taking(value, as: Source.self)))
    }
    guard let back else { return Transformer<Any?, Any?>(forward) }
    return Transformer<Any?, Any?>(forward) { value in
      plain(try back(try taking(value, as: Target.self)))
    }
  }
}

/// A value as the type that a transformer takes.
private func taking<Value>(_ value: Any?, as type: Value.Type) throws(KeyValueError) -> Value {
  if let value = converted(value, to: type) { return value }
  throw KeyValueError(
    .incompatible, reason: "a transformer of \(type) was given \(value.map { "\($0)" } ?? "nil")")
}

/// A value that may itself be an optional, without another one around it.
package func plain<Value>(_ value: Value) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.wrapped
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { flatMap { plain($0) } }
}

/// A transformer that crosses to where the compiler cannot follow: it runs where the objects are.
private struct Unchecked: @unchecked Sendable {
  let value: Transformer<Any?, Any?>
}

private var negateBoolean: Transformer<Any?, Any?> {
  func negated(_ value: Any?) -> Any? { !(converted(value, to: Bool.self) ?? false) }
  var transformer = Transformer<Any?, Any?>(negated, back: negated)
  transformer.takesMarkers = true
  return transformer
}

private let registry = Locked<[TransformerName: Unchecked]>([
  .negateBoolean: Unchecked(value: negateBoolean),
  .isNil: Unchecked(value: Transformer { $0 == nil }),
  .isNotNil: Unchecked(value: Transformer { $0 != nil }),
])
