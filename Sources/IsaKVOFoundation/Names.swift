// Names for types that are the same under another. As such, methods that are overridden under
// Apple's names override the base class's.
//
// On Apple systems Foundation has these names itself.

public import IsaKeyValue

#if !canImport(ObjectiveC)
  public import Foundation
  public import IsaKVO

  /// The contents of a notification that an observer wants: `new`, `old`, `initial`, `prior`.
  public typealias NSKeyValueObservingOptions = ObservationOptions

  /// The keys of the dictionary that
  /// `observeValue(forKeyPath:of:change:context:)` gets.
  public typealias NSKeyValueChangeKey = ChangeKey

  /// How a value changed, in the numbers of a change dictionary's `kindKey`.
  public typealias NSKeyValueChange = ChangeKind

  /// How an unordered to-many key changes by a set of objects.
  public typealias NSKeyValueSetMutationKind = SetMutation

  /// The only owner of an observation.
  public typealias NSKeyValueObservation = KeyValueObservation

  /// The change that a handler is told of.
  public typealias NSKeyValueObservedChange = ValueChange

  /// The declarations of a class about its keys, by typed key paths.
  public typealias NSKeyValueObservingCustomization = KeyValueCustomization

  extension ValueChange {
    /// How a value changes.
    public typealias Kind = NSKeyValueChange

    /// Where elements were inserted, removed or replaced; nil for any other change.
    public var indexes: IndexSet? { places.map { IndexSet($0) } }
  }
#endif
