internal import IsaKVO

/// How a property of one object is bound to that of another: all in which the forms of `follow` and
/// `bind` differ, but for the place of the later pushes. A class, like what it has: to copy a structure
/// of types that are not known, code looks up their metadata.
final class BindingPlan<Target: KeyValueObservable, Source: KeyValueObservable, Input, Value> {
  /// The property that is bound.
  let end: ReferenceWritableKeyPath<Target, Value>
  /// Leads to the property that it is bound to.
  let path: KeyPath<Source, Input>
  /// Makes the target's value of the source's, and perhaps that one again; nil where they are the same.
  var transformer: Transformer<Input, Value>?
  /// Whether a value is the same as the value before it, and not passed on; nil if all are.
  var isSame: ((Input, Input) -> Bool)?
  /// How values are written back; nil for a binding of one direction.
  var ways: WritingBack<Source, Input>?

  /// One direction.
  init(
    _ end: ReferenceWritableKeyPath<Target, Value>, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>? = nil, suppressing isSame: ((Input, Input) -> Bool)?
  ) {
    (self.end, self.path, self.transformer, self.isSame) = (end, path, transformer, isSame)
  }

  /// Both directions.
  init(
    _ end: ReferenceWritableKeyPath<Target, Value>, _ path: ReferenceWritableKeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>? = nil, validates: Bool
  ) {
    (self.end, self.path, self.transformer) = (end, path, transformer)
    ways = WritingBack(validate: validates ? { try judged($1, for: path, of: $0) } : nil)
  }

  /// Both directions, to a property that may have no value.
  convenience init(
    _ end: ReferenceWritableKeyPath<Target, Value>,
    _ path: ReferenceWritableKeyPath<Source, Value?>, ifNil placeholder: Value, validates: Bool
  ) where Input == Value? {
    self.init(end, path, .showing(placeholder), validates: validates)
    ways!.isPlaceholder = { $0 == nil }
  }

  /// Both directions, to a property behind an optional.
  init<Middle: KeyValueObservable>(
    _ end: ReferenceWritableKeyPath<Target, Value>, _ first: KeyPath<Source, Middle?>,
    _ rest: ReferenceWritableKeyPath<Middle, Value>, ifNil placeholder: Value, validates: Bool
  ) where Input == Value? {
    (self.end, path) = (end, first.appending(path: \.[optional: rest]))
    transformer = .showing(placeholder)
    ways = WritingBack(
      validate: validates
        ? { source, value in
          guard let middle = source[keyPath: first], let value else { return value }
          return try judged(value, for: rest, of: middle)
        } : nil,
      write: { source, value in
        if let value { source[keyPath: first]?[keyPath: rest] = value }
      }, isPlaceholder: { $0 == nil })
  }
}

/// How the value of a target is written to the source.
final class WritingBack<Source, Input> {
  /// Judges a value, and may replace it.
  var validate: ((Source, Input) throws -> Input)?
  /// Sets the source; nil for its key path's own way.
  var write: ((Source, Input) -> Void)?
  /// Whether a placeholder is shown for the value, which is never written back.
  var isPlaceholder: (Input) -> Bool

  init(
    validate: ((Source, Input) throws -> Input)?, write: ((Source, Input) -> Void)? = nil,
    isPlaceholder: @escaping (Input) -> Bool = { _ in false }
  ) {
    (self.validate, self.write, self.isPlaceholder) = (validate, write, isPlaceholder)
  }

  /// Whether there is no way of its own.
  var areNone: Bool { validate == nil && write == nil }
}

extension Transformer where Source == Target? {
  /// Shows a placeholder for nil.
  static func showing(_ placeholder: Target) -> Transformer {
    Transformer {
      $0 ?? placeholder
    } back: {
      .some($0)
    }
  }
}

/// The value that a validator leaves of one.
private func judged<Root: KeyValueObservable, Value>(
  _ value: Value, for path: KeyPath<Root, Value>, of root: Root
) throws -> Value {
  let (object, key) = try root.codedEnd(of: path)
  var left: Any? = value
  try object.validateValue(&left, forKey: key)
  if let value = converted(left, to: Value.self) { return value }
  throw KeyValueError(
    .incompatible, key: key,
    reason: "the validator of “\(key)” replaced a value by one of another type: \(left as Any)")
}

extension Optional {
  /// The value behind a key path, or nil.
  fileprivate subscript<Value>(optional path: KeyPath<Wrapped, Value>) -> Value? {
    self.map { $0[keyPath: path] }
  }
}
