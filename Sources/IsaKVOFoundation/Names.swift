// Names for types that are the same under another. As such, methods that are overridden under
// Apple's names override the base class's.
//
// On Apple systems Foundation has these names itself.

public import IsaRuntime

#if !canImport(ObjectiveC)
  public import IsaKVO

  /// The contents of a notification that an observer wants: `new`, `old`, `initial`, `prior`.
  public typealias NSKeyValueObservingOptions = ObservationOptions

  /// The keys of the dictionary that
  /// `observeValue(forKeyPath:of:change:context:)` gets.
  public typealias NSKeyValueChangeKey = ChangeKey
#endif
