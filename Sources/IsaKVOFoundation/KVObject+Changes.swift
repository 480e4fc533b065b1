public import Foundation
public import IsaKVO

// MARK: - A value

extension KeyValueObservable {
  /// Announces that the value of a property is about to change; pair with ``didChangeValue(for:)``
  /// on the same thread.
  ///
  /// - Parameter keyPath: That of a property of this object with a wrapper or a declared key.
  /// - Note: Source `willChangeValue(for:)`, Foundation.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    withKey(of: keyPath) { willChangeValue(forKey: $0) }
  }

  /// Ends the latest change of the property announced on this thread, and tells the observers.
  ///
  /// - Note: Source `didChangeValue(for:)`, Foundation.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    withKey(of: keyPath) { didChangeValue(forKey: $0) }
  }

  /// Calls `body` with the key that the key path stands for; another is a misuse.
  fileprivate func withKey<Value>(of keyPath: KeyPath<Self, Value>, _ body: (String) -> Void) {
    endingMisuse { () throws(ObservingError) in
      guard let key = try keys(of: keyPath), !key.contains(".") else {
        throw .notObservable(
          keyPath: "\(keyPath)",
          details: ErrorDetails(
            exceptionName: "NSInvalidArgumentException",
            reason: "Could not extract a String from KeyPath \(keyPath): \(Self.self) has no key "
              + "for it; declare one in \(Self.self).keys"))
      }
      body(key)
    }
  }
}

#if !canImport(ObjectiveC)
  // MARK: - Elements in order

  extension KVObject {
    /// Announces that elements of the ordered collection for `key` are about to change.
    ///
    /// - Parameter indexes: Those of the elements after an insertion, before a removal.
    /// - Note: Source `willChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
    public final func willChange(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
      willChange(changeKind.kind, valuesAt: Array(indexes), forKey: key)
    }

    /// Ends the change that ``willChange(_:valuesAt:forKey:)`` announced.
    ///
    /// - Note: Source `didChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
    public final func didChange(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
      didChange(changeKind.kind, valuesAt: Array(indexes), forKey: key)
    }
  }

  extension KeyValueObservable {
    /// Announces that elements of the ordered collection that a property is are about to change.
    ///
    /// - Note: Source `willChange(_:valuesAt:for:)`, Foundation.
    public func willChange<Value>(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
    ) {
      withKey(of: keyPath) { willChange(changeKind, valuesAt: indexes, forKey: $0) }
    }

    /// Ends the change that ``willChange(_:valuesAt:for:)`` announced.
    ///
    /// - Note: Source `didChange(_:valuesAt:for:)`, Foundation.
    public func didChange<Value>(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
    ) {
      withKey(of: keyPath) { didChange(changeKind, valuesAt: indexes, forKey: $0) }
    }
  }

  // MARK: - Elements without order

  extension KVObject {
    /// Announces a change of the unordered collection for `key` by `objects`.
    ///
    /// - Note: Source `willChangeValueForKey:withSetMutation:usingObjects:`,
    ///   NSKeyValueObserving.h.
    public final func willChangeValue(
      forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
      using objects: Set<AnyHashable>
    ) {
      endingMisuse { () throws(ObservingError) in
        try willChange(key, mutationKind.mutation, objects.map(\.base))
      }
    }

    /// Ends the change that ``willChangeValue(forKey:withSetMutation:using:)`` announced.
    ///
    /// - Note: Source `didChangeValueForKey:withSetMutation:usingObjects:`,
    ///   NSKeyValueObserving.h.
    public final func didChangeValue(
      forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
      using objects: Set<AnyHashable>
    ) {
      endingMisuse { () throws(ObservingError) in
        try didChange(key, mutationKind.mutation, objects.map(\.base))
      }
    }
  }

  extension KeyValueObservable {
    /// Announces a change of the set that a property is by other members.
    ///
    /// Foundation's own declaration takes, of a property of type `Value`, a `Set<Value>`; this one
    /// is for properties that are sets.
    ///
    /// - Note: Source `willChangeValue(for:withSetMutation:using:)`, Foundation.
    public func willChangeValue<Member>(
      for keyPath: KeyPath<Self, Set<Member>>, withSetMutation mutation: NSKeyValueSetMutationKind,
      using set: Set<Member>
    ) {
      withKey(of: keyPath) { willChangeValue(forKey: $0, withSetMutation: mutation, using: set) }
    }

    /// Ends the change that ``willChangeValue(for:withSetMutation:using:)`` announced.
    ///
    /// - Note: Source `didChangeValue(for:withSetMutation:using:)`, Foundation.
    public func didChangeValue<Member>(
      for keyPath: KeyPath<Self, Set<Member>>, withSetMutation mutation: NSKeyValueSetMutationKind,
      using set: Set<Member>
    ) {
      withKey(of: keyPath) { didChangeValue(forKey: $0, withSetMutation: mutation, using: set) }
    }
  }
#endif
