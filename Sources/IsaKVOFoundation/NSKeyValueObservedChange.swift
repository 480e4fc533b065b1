public import IsaRuntime

#if !canImport(ObjectiveC)
  public import Foundation
  internal import IsaKVO

  /// A change, as the handler of an observation is told of it.
  @frozen
  public struct NSKeyValueObservedChange<Value> {
    /// How a value changes.
    public typealias Kind = NSKeyValueChange

    @usableFromInline let change: ValueChange<Value>

    /// How the value changed.
    public var kind: Kind { Kind(change.kind) }
    /// The value after the change, if `new` was asked for; nil before a change. Of an optional
    /// property, `.some(nil)` is a value that is nil.
    @inlinable public var newValue: Value? { change.newValue }
    /// The value before the change, if `old` was asked for; nil while registering.
    @inlinable public var oldValue: Value? { change.oldValue }
    /// Where elements were inserted, removed or replaced; nil for any other change.
    public var indexes: IndexSet? { change.indexes.map { IndexSet($0) } }
    /// Whether this is told before the change.
    public var isPrior: Bool { change.isPrior }

    @inlinable
    init(_ change: ValueChange<Value>) { self.change = change }
  }

  extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
