// Names of 0.1 that have another one now, by which the compiler says so.

public import IsaRuntime

/// Not available: ``KeyValueDelivery``.
@available(*, unavailable, renamed: "KeyValueDelivery")
public enum DeliveryTarget {}

extension KeyValueObservable {
  /// Not available: ``observe(_:options:suppressing:delivery:changeHandler:)``.
  @available(
    *, unavailable, message: "say delivery: .queue(queue), .executor(executor) or .on(actor)"
  )
  public func observe<Value, Place>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, on place: Place,
    changeHandler: @escaping (ValueChange<Value>) -> Void
  ) throws(KeyValueError) -> KeyValueObservation {
    fatalError("unavailable")
  }

  /// Not available: ``observe(_:options:suppressing:delivery:changeHandler:)``.
  @available(*, unavailable, message: "say delivery: .mainActor")
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, isolatedTo isolation: MainActor.Type,
    changeHandler: @escaping @MainActor (Self, ValueChange<Value>) -> Void
  ) throws(KeyValueError) -> KeyValueObservation {
    fatalError("unavailable")
  }
}
