#if !canImport(ObjectiveC)
  public import Foundation
  public import IsaKVO

  extension KVObject {
    /// Announces that elements of the ordered collection for `key` are about to change. `indexes` are
    /// the elements' indexes after an insertion, before a removal.
    ///
    /// - Note: Source `willChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
    public final func willChange(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
      willChange(changeKind, valuesAt: Array(indexes), forKey: key)
    }

    /// Ends the change that ``willChange(_:valuesAt:forKey:)`` announced.
    ///
    /// - Note: Source `didChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
    public final func didChange(
      _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
      didChange(changeKind, valuesAt: Array(indexes), forKey: key)
    }
  }
#endif
