// Foundation's transformers of values, which it has on Apple systems only. The names are the same
// as in the bindings' own registry.

#if !canImport(ObjectiveC)
  public import Foundation
  internal import IsaKVO
  public import IsaKVOBindings

  /// The name of a transformer that is registered.
  public typealias NSValueTransformerName = TransformerName

  extension TransformerName {
    /// True for false and nil, false for true. It can be reversed.
    public static var negateBooleanTransformerName: TransformerName { .negateBoolean }
    /// Whether there is no value.
    public static var isNilTransformerName: TransformerName { .isNil }
    /// Whether there is a value.
    public static var isNotNilTransformerName: TransformerName { .isNotNil }
  }

  /// A class whose objects make another value of one, and perhaps that one again.
  ///
  ///     final class Celsius: ValueTransformer {
  ///       override class func allowsReverseTransformation() -> Bool { true }
  ///       override func transformedValue(_ value: Any?) -> Any? { (value as? Double).map { "\($0) °C" } }
  ///       override func reverseTransformedValue(_ value: Any?) -> Any? { … }
  ///     }
  ///     ValueTransformer.setValueTransformer(Celsius(), forName: "Celsius")
  ///
  /// Registered transformers are found by `Transformer.registered(as:)` too, and the other way
  /// round. The transformers that read archives are not there.
  ///
  /// - Note: Source `NSValueTransformer`, NSValueTransformer.h.
  open class ValueTransformer: NSObject, NamedValueTransformer {
    /// Makes a transformer.
    public override init() { super.init() }

    /// The class of the values that it makes.
    ///
    /// - Note: Source `transformedValueClass`, NSValueTransformer.h.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether it has a way back; true, unless a subclass says otherwise.
    ///
    /// - Note: Source `allowsReverseTransformation`, NSValueTransformer.h.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The value that it makes: the same, unless a subclass makes another.
    ///
    /// - Note: Source `transformedValue:`, NSValueTransformer.h.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value that it would make this one of: by the way there, unless a subclass has another. A misuse
    /// of one without a way back.
    ///
    /// - Note: Source `reverseTransformedValue:`, NSValueTransformer.h.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      if Self.allowsReverseTransformation() { return transformedValue(value) }
      Misuse.end(
        KeyValueError(
          .notBindable,
          reason: "\(Self.self) has no way back, and was to make \(value ?? "nil") again"))
      return nil
    }

    // MARK: Names

    /// Registers a transformer under a name, for bindings that are made from then on; nil takes the
    /// former one away. Any thread may call this.
    ///
    /// - Note: Source `setValueTransformer:forName:`, NSValueTransformer.h.
    public class func setValueTransformer(
      _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
      guard let transformer else { return Transformer<Any?, Any?>.unregister(name) }
      Transformer.register(transformer.transformer, as: name)
    }

    /// The names of all that are registered, in their order.
    ///
    /// - Note: Source `valueTransformerNames`, NSValueTransformer.h.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
      Transformer<Any?, Any?>.registeredNames
    }

    // MARK: As the bindings have them

    /// The same for bindings.
    final var transformer: Transformer<Any?, Any?> {
      let there: (Any?) throws -> Any? = { [self] in plain(transformedValue($0)) }
      var made =
        Self.allowsReverseTransformation()
        ? Transformer(there) { [self] in plain(reverseTransformedValue($0)) } : Transformer(there)
      made.origin = self
      return made
    }

    /// The object that a transformer was made of, or an object that stands for the transformer.
    class func standing(for transformer: Transformer<Any?, Any?>) -> ValueTransformer {
      if let known = transformer.origin as? ValueTransformer { return known }
      return transformer.isReversible
        ? ReversibleTransformer(transformer) : ForwardTransformer(transformer)
    }
  }

  // Not of classes alone: then an initialiser could not answer an object that there is.
  /// A class of transformers whose objects are found by name.
  public protocol NamedValueTransformer {}

  extension NamedValueTransformer {
    /// The transformer that is registered under a name; nil if there is none, or of another class.
    ///
    /// - Note: Source `valueTransformerForName:`, NSValueTransformer.h.
    public init?(forName name: NSValueTransformerName) {
      guard let known = Transformer<Any?, Any?>.registered(as: name),
        let object = ValueTransformer.standing(for: known) as? Self
      else { return nil }
      self = object
    }
  }

  /// Stands for a transformer of the bindings. An error of the transformer is a misuse, and makes
  /// nil.
  private class ForwardTransformer: ValueTransformer {
    let known: Transformer<Any?, Any?>

    init(_ known: Transformer<Any?, Any?>) { self.known = known }

    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? { made(value) { try known($0) } }

    final func made(_ value: Any?, _ make: (Any?) throws -> Any?) -> Any? {
      do { return try make(value) } catch {
        Misuse.end(
          error as? KeyValueError
            ?? KeyValueError(
              .invalid, reason: "a transformer refused \(value ?? "nil"): \(error)",
              underlying: error))
        return nil
      }
    }
  }

  /// One with a way back.
  private final class ReversibleTransformer: ForwardTransformer {
    override class func allowsReverseTransformation() -> Bool { true }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
      made(value) { try known.reversed($0) }
    }
  }
#endif
