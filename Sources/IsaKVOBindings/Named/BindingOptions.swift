public import IsaKVO

/// How a binding by name shows values, and writes back what its user enters.
///
/// - Note: Source `NSBindingOption`, NSKeyValueBinding.h.
public struct BindingOptions {
  /// Makes another value of the source's value.
  public var transformer: Transformer<Any?, Any?>?
  /// The same by the name that it was registered under.
  public var transformerName: TransformerName?
  /// Whether the transformer makes another value of each element, rather than of the collection.
  public var transformsElements = false

  /// Shown for nil.
  public var nullPlaceholder: Any?
  /// Shown where nothing is selected.
  public var noSelectionPlaceholder: Any?
  /// Shown where the values of several selected objects differ.
  public var multipleValuesPlaceholder: Any?
  /// Shown where an object has no such key.
  public var notApplicablePlaceholder: Any?
  /// Whether an object without such a key is an error.
  public var raisesForNotApplicableKeys = false

  /// Whether each value is judged by the source's `validateValue(_:forKeyPath:)` when it is entered.
  public var validatesImmediately = false
  /// Whether each value is written back when it is entered, rather than when editing ends.
  public var continuouslyUpdatesValue = false
  /// Whether values of several selected objects may be entered together.
  public var allowsEditingMultipleValues = true

  /// Whether the target's `enabled` is false where there is nothing to edit.
  public var conditionallySetsEnabled = false
  /// Whether the target's `editable` is false where there is nothing to edit.
  public var conditionallySetsEditable = false
  /// Whether the target's `hidden` is true where there is nothing to show.
  public var conditionallySetsHidden = false

  /// Whether a collection is set as a whole, rather than changed in place.
  public var handlesContentAsCompoundValue = false
  /// Whether a value that equals the shown value is not shown again.
  public var suppressesEqual = false
  /// The text that is made of the names `displayPatternValue1`, `displayPatternValue2` and so on:
  /// `"%{value1}@ of %{value2}@"`.
  public var displayPattern: String?

  /// Options that mean something to a view only. They are kept.
  public var others: [String: Any] = [:]

  /// Shows values as they are, and writes back when editing ends.
  public init() {}

  /// The same, with the options that `set` sets.
  ///
  ///     try field.bind(.value, to: people, withKeyPath: "selection.name", options: .with {
  ///       $0.noSelectionPlaceholder = "nobody"
  ///     })
  public static func with(_ set: (inout BindingOptions) -> Void) -> BindingOptions {
    var options = BindingOptions()
    set(&options)
    return options
  }

  /// The placeholder for a marker, or for nil.
  func placeholder(for marker: BindingMarker?) -> Any? {
    switch marker {
    case nil: nullPlaceholder
    case .noSelection: noSelectionPlaceholder
    case .multipleValues: multipleValuesPlaceholder
    case .notApplicable: notApplicablePlaceholder
    }
  }

  /// Whether values are shown as they are.
  var isPlain: Bool {
    transformer == nil && transformerName == nil && nullPlaceholder == nil && !suppressesEqual
      && !conditionallySetsEnabled && !conditionallySetsEditable && !conditionallySetsHidden
  }
}

/// The other end of a binding, and how it is bound.
///
/// - Note: Source `NSBindingInfoKey`, NSKeyValueBinding.h.
public struct BindingInfo {
  /// The object that is bound to; nil once it has gone.
  public let observedObject: KVObject?
  /// The key path of that object.
  public let observedKeyPath: String
  /// The options; of a typed binding, no options.
  public let options: BindingOptions
}
