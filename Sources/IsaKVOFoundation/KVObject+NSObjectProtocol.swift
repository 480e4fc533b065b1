public import Foundation
public import IsaKVO

#if !canImport(ObjectiveC)
  /// Delegates of Foundation's, such as `URLSessionDelegate`, ask for an `NSObjectProtocol`. Equality, hash
  /// and texts are the object's own.
  extension KVObject: NSObjectProtocol {
    /// The object.
    ///
    /// - Note: Source `self`, NSObjectProtocol.
    public func `self`() -> Self { self }

    /// False: the object stands for none but itself.
    ///
    /// - Note: Source `isProxy`, NSObjectProtocol.
    public func isProxy() -> Bool { false }
  }
#endif
