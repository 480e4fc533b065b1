public import IsaRuntime

#if !canImport(ObjectiveC)
  public import Foundation
  internal import IsaKVO

  /// What the handler of an observation is told.
  public struct NSKeyValueObservedChange<Value> {
    /// How a value changes.
    public typealias Kind = NSKeyValueChange

    /// How the value changed.
    public let kind: Kind
    /// The value after the change, if `new` was asked for; nil before a change. Of an optional
    /// property, `.some(nil)` is a value that is nil.
    public let newValue: Value?
    /// The value before the change, if `old` was asked for; nil while registering.
    public let oldValue: Value?
    /// Where elements were inserted, removed or replaced; nil for any other change.
    public let indexes: IndexSet?
    /// Whether this is told before the change.
    public let isPrior: Bool

    @usableFromInline
    init(_ change: ValueChange<Value>) {
      kind = Kind(change.kind)
      newValue = change.newValue
      oldValue = change.oldValue
      indexes = change.indexes.map { IndexSet($0) }
      isPrior = change.isPrior
    }
  }

  extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
