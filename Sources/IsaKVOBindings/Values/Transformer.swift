internal import IsaKVO

/// A way to make another value of one, and perhaps that one again.
///
///     let percent = Transformer<Double, String> { "\(Int($0 * 100)) %" } back: { text in
///       guard let number = Double(text.prefix { $0 != " " }) else { throw NotANumber() }
///       return number / 100
///     }
///     try field.bind(\.text, to: model, \.share, percent)
///
/// - Note: Source `NSValueTransformer`, NSValueTransformer.h.
public struct Transformer<Source, Target> {
  let forward: (Source) throws -> Target
  let back: ((Target) throws -> Source)?
  /// Whether it makes something of a marker.
  var takesMarkers = false
  /// The object under another library's name that it was made of.
  package var origin: AnyObject?

  /// A transformer of one direction.
  ///
  /// - Parameter transform: It may throw: the binding's `onError` is told, and the target stays.
  public init(_ transform: @escaping (Source) throws -> Target) {
    forward = transform
    back = nil
  }

  /// A transformer of both directions.
  ///
  /// - Parameters:
  ///   - transform: As that of ``init(_:)``.
  ///   - back: It may throw to refuse a value: `onError` is told, and the source stays.
  public init(
    _ transform: @escaping (Source) throws -> Target, back: @escaping (Target) throws -> Source
  ) {
    forward = transform
    self.back = back
  }

  /// Whether it has a way back.
  public var isReversible: Bool { back != nil }

  /// The value that it makes.
  public func callAsFunction(_ value: Source) throws -> Target { try forward(value) }

  /// The value that it would make this one of.
  ///
  /// - Throws: The error of the way back; `KeyValueError.Code.notBindable` if there is none.
  public func reversed(_ value: Target) throws -> Source {
    guard let back else {
      throw KeyValueError(
        .notBindable, reason: "a transformer of one direction was to make \(value) again")
    }
    return try back(value)
  }

  /// This one, and then another on what it makes.
  public func then<Next>(_ next: Transformer<Target, Next>) -> Transformer<Source, Next> {
    guard let back, let nextBack = next.back else {
      return Transformer<Source, Next> { [forward] in try next.forward(forward($0)) }
    }
    return Transformer<Source, Next> { [forward] in
      try next.forward(forward($0))
    } back: {
      try back(nextBack($0))
    }
  }
}

extension Transformer where Source == Bool, Target == Bool {
  /// True for false, and false for true.
  public static var negated: Transformer {
    Transformer {
      !$0
    } back: {
      !$0
    }
  }
}

extension Transformer where Target == Bool {
  /// Whether there is no value.
  public static func isNil<Wrapped>() -> Transformer where Source == Wrapped? {
    Transformer { $0 == nil }
  }

  /// Whether there is a value.
  public static func isNotNil<Wrapped>() -> Transformer where Source == Wrapped? {
    Transformer { $0 != nil }
  }
}

extension Transformer where Source: LosslessStringConvertible, Target == String {
  /// The text of a value, such as a number's. Text that is none of the type's is refused.
  public static var text: Transformer {
    Transformer {
      String($0)
    } back: { text in
      if let value = Source(text) { return value }
      throw KeyValueError(
        .incompatible, reason: "“\(text)” cannot be read as \(Source.self)",
        cure: "enter what \(Source.self) can be made of")
    }
  }
}
