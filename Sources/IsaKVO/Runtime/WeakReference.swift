internal import CIsa

/// A reference that does not keep its object alive, and reads nil once the object is gone.
///
///     let weak = try WeakReference(to: person)
///     if let person = weak.object { … }
public final class WeakReference: Sendable {
  private let slot: WeakSlot

  /// Makes a reference.
  ///
  /// - Throws: ``RuntimeError/outOfMemory``; ``RuntimeError/deallocating(className:details:)``.
  public init(to object: RuntimeObject) throws(RuntimeError) { slot = try WeakSlot(object) }

  /// The object, or nil once it is being deallocated.
  public var object: RuntimeObject? { slot.copyObject() }
}
