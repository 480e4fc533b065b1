public import Foundation
public import IsaKVO
internal import IsaRuntime

// MARK: - A value

extension KeyValueObservable {
  /// Announces that the value of a property is about to change; pair with ``didChangeValue(for:)``
  /// on the same thread.
  ///
  /// - Parameter keyPath: One that ends in a property with a wrapper or a declared key; any other is
  ///   a misuse.
  /// - Note: Source `willChangeValue(for:)`, Foundation.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    endingMisuse { () throws(KeyValueError) in try announce(willChange: keyPath) }
  }

  /// Ends the latest change of the property announced on this thread, and tells the observers.
  ///
  /// - Note: Source `didChangeValue(for:)`, Foundation.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    endingMisuse { () throws(KeyValueError) in try announce(didChange: keyPath) }
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
      endingMisuse { () throws(KeyValueError) in
        try announce(will: changeKind.kind, at: Array(indexes), keyPath)
      }
    }

    /// Ends the change that ``willChange(_:valuesAt:for:)`` announced.
    ///
    /// - Note: Source `didChange(_:valuesAt:for:)`, Foundation.
    public func didChange<Value>(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
    ) {
      endingMisuse { () throws(KeyValueError) in
        try announce(did: changeKind.kind, at: Array(indexes), keyPath)
      }
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
      willChangeValue(forKey: key, withSetMutation: mutationKind.mutation, using: objects)
    }

    /// Ends the change that ``willChangeValue(forKey:withSetMutation:using:)`` announced.
    ///
    /// - Note: Source `didChangeValueForKey:withSetMutation:usingObjects:`,
    ///   NSKeyValueObserving.h.
    public final func didChangeValue(
      forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
      using objects: Set<AnyHashable>
    ) {
      didChangeValue(forKey: key, withSetMutation: mutationKind.mutation, using: objects)
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
      endingMisuse { () throws(KeyValueError) in
        try announce(will: mutation.mutation, set, keyPath)
      }
    }

    /// Ends the change that ``willChangeValue(for:withSetMutation:using:)`` announced.
    ///
    /// - Note: Source `didChangeValue(for:withSetMutation:using:)`, Foundation.
    public func didChangeValue<Member>(
      for keyPath: KeyPath<Self, Set<Member>>, withSetMutation mutation: NSKeyValueSetMutationKind,
      using set: Set<Member>
    ) {
      endingMisuse { () throws(KeyValueError) in
        try announce(did: mutation.mutation, set, keyPath)
      }
    }
  }
#endif
