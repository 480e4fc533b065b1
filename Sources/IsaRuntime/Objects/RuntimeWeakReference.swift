internal import CIsa

/// A reference that does not keep its object alive, and reads nil once the object is gone.
///
///     let weak = try RuntimeWeakReference(to: person)
///     if let person = weak.object { … }
public final class RuntimeWeakReference: Sendable {
  private let slot: WeakSlot

  /// Makes a reference.
  ///
  /// - Throws: `KeyValueError.Code.outOfMemory`; `KeyValueError.Code.deallocating`.
  public init(to object: RuntimeObject) throws(KeyValueError) { slot = try WeakSlot(object.id) }

  /// The object, or nil once it is being deallocated.
  public var object: RuntimeObject? { slot.copyObject().map { RuntimeObject(adopting: $0) } }
}
