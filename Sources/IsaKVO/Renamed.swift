// Names of 0.1 that have another one now, by which the compiler says so. docs/what-became-of.md has them
// all. `Observation` is not among them: it would hide the Swift module of that name.

public import IsaRuntime

/// Not available: `RuntimeAssociationKey`.
@available(*, unavailable, renamed: "RuntimeAssociationKey")
public typealias AssociationKey = RuntimeAssociationKey

/// Not available: `RuntimeAssociationPolicy`.
@available(*, unavailable, renamed: "RuntimeAssociationPolicy")
public typealias AssociationPolicy = RuntimeAssociationPolicy

/// Not available: `RuntimeBoxKind`.
@available(*, unavailable, renamed: "RuntimeBoxKind")
public typealias BoxKind = RuntimeBoxKind

/// Not available: `RuntimeChange`.
@available(*, unavailable, renamed: "RuntimeChange")
public typealias Change = RuntimeChange

/// Not available: `RuntimeClassBuilder`.
@available(*, unavailable, renamed: "RuntimeClassBuilder")
public typealias ClassBuilder = RuntimeClassBuilder

/// Not available: `KeyValueError`.
@available(*, unavailable, renamed: "KeyValueError")
public typealias CodingError = KeyValueError

/// Not available: `KeyValueError`.
@available(*, unavailable, renamed: "KeyValueError")
public typealias ErrorDetails = KeyValueError

/// Not available: `RuntimeEvent`.
@available(*, unavailable, renamed: "RuntimeEvent")
public typealias Event = RuntimeEvent

/// Not available: `RuntimeEventKind`.
@available(*, unavailable, renamed: "RuntimeEventKind")
public typealias EventKind = RuntimeEventKind

/// Not available: `RuntimeEventLog`.
@available(*, unavailable, renamed: "RuntimeEventLog")
public typealias EventLog = RuntimeEventLog

/// Not available: `RuntimeImplementation`.
@available(*, unavailable, renamed: "RuntimeImplementation")
public typealias Implementation = RuntimeImplementation

/// Not available: `RuntimeIvar`.
@available(*, unavailable, renamed: "RuntimeIvar")
public typealias Ivar = RuntimeIvar

/// Not available: `RuntimeMethod`.
@available(*, unavailable, renamed: "RuntimeMethod")
public typealias Method = RuntimeMethod

/// Not available: `RuntimeMethodCall`.
@available(*, unavailable, renamed: "RuntimeMethodCall")
public typealias MethodCall = RuntimeMethodCall

/// Not available: `KeyValueNull`.
@available(*, unavailable, renamed: "KeyValueNull")
public typealias Null = KeyValueNull

/// Not available: `RuntimeObservationInfo`.
@available(*, unavailable, renamed: "RuntimeObservationInfo")
public typealias ObservationInfo = RuntimeObservationInfo

/// Not available: `KeyValueError`.
@available(*, unavailable, renamed: "KeyValueError")
public typealias ObservingError = KeyValueError

/// Not available: `RuntimeOwnership`.
@available(*, unavailable, renamed: "RuntimeOwnership")
public typealias Ownership = RuntimeOwnership

/// Not available: `RuntimePendingChange`.
@available(*, unavailable, renamed: "RuntimePendingChange")
public typealias PendingChange = RuntimePendingChange

/// Not available: `KeyValueProfile`.
@available(*, unavailable, renamed: "KeyValueProfile")
public typealias Profile = KeyValueProfile

/// Not available: `RuntimeProperty`.
@available(*, unavailable, renamed: "RuntimeProperty")
public typealias Property = RuntimeProperty

/// Not available: `RuntimeRegistration`.
@available(*, unavailable, renamed: "RuntimeRegistration")
public typealias Registration = RuntimeRegistration

/// Not available: `RuntimeRemovalReason`.
@available(*, unavailable, renamed: "RuntimeRemovalReason")
public typealias RemovalReason = RuntimeRemovalReason

/// Not available: `KeyValueError`.
@available(*, unavailable, renamed: "KeyValueError")
public typealias RuntimeError = KeyValueError

/// Not available: `RuntimeSelector`.
@available(*, unavailable, renamed: "RuntimeSelector")
public typealias Selector = RuntimeSelector

/// Not available: `RuntimeSetterInfo`.
@available(*, unavailable, renamed: "RuntimeSetterInfo")
public typealias SetterInfo = RuntimeSetterInfo

/// Not available: `RuntimeTypeEncoding`.
@available(*, unavailable, renamed: "RuntimeTypeEncoding")
public typealias TypeEncoding = RuntimeTypeEncoding

/// Not available: `RuntimeWeakReference`.
@available(*, unavailable, renamed: "RuntimeWeakReference")
public typealias WeakReference = RuntimeWeakReference

/// Not available: `KeyValueSettings`.
@available(*, unavailable, renamed: "KeyValueSettings")
public typealias DepthLimit = KeyValueSettings

/// Not available: ``KeyValueDelivery``.
@available(*, unavailable, renamed: "KeyValueDelivery")
public enum DeliveryTarget {}

extension KeyValueObservable {
  /// Not available: ``observe(_:options:suppressing:delivery:changeHandler:file:line:)``.
  @available(
    *, unavailable, message: "say delivery: .queue(queue), .executor(executor) or .on(actor)"
  )
  public func observe<Value, Place>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, on place: Place,
    changeHandler: @escaping (ValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    fatalError("unavailable")
  }

  /// Not available: ``observe(_:options:suppressing:delivery:changeHandler:file:line:)``.
  @available(*, unavailable, message: "say delivery: .mainActor")
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, isolatedTo isolation: MainActor.Type,
    changeHandler: @escaping @MainActor (Self, ValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    fatalError("unavailable")
  }
}
