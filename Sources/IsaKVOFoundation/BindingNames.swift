// AppKit's names for bindings, controllers and editors, as far as no view is needed for them.
//
// On Apple systems AppKit has these names itself.

#if !canImport(ObjectiveC)
  public import Foundation
  public import IsaKVO
  public import IsaKVOBindings

  /// The name of something about an object that can be bound.
  public typealias NSBindingName = BindingName

  /// A mark in the place of a selection's value: `multipleValues`, `noSelection`, `notApplicable`.
  public typealias NSBindingSelectionMarker = BindingMarker

  /// The mark of several selected objects whose values differ.
  public var NSMultipleValuesMarker: Any { BindingMarker.multipleValues }

  /// The mark of no selection.
  public var NSNoSelectionMarker: Any { BindingMarker.noSelection }

  /// The mark of a selected object without such a key.
  public var NSNotApplicableMarker: Any { BindingMarker.notApplicable }

  /// Whether a value is one of the marks.
  ///
  /// - Note: Source `NSIsControllerMarker`, NSKeyValueBinding.h.
  public func NSIsControllerMarker(_ object: Any?) -> Bool { object is BindingMarker }

  // MARK: - Options

  /// How a binding by name shows values, as a key of a dictionary.
  ///
  /// - Note: Source `NSBindingOption`, NSKeyValueBinding.h.
  public struct NSBindingOption: RawRepresentable, Hashable, Sendable {
    /// The text.
    public let rawValue: String

    /// The option of that text.
    public init(rawValue: String) { self.rawValue = rawValue }

    // Options that say how values are shown and written back.
    /// A `Bool`: `BindingOptions.allowsEditingMultipleValues`.
    public static let allowsEditingMultipleValuesSelection = option(
      "AllowsEditingMultipleValuesSelection")
    /// A `Bool`: `BindingOptions.conditionallySetsEditable`.
    public static let conditionallySetsEditable = option("ConditionallySetsEditable")
    /// A `Bool`: `BindingOptions.conditionallySetsEnabled`.
    public static let conditionallySetsEnabled = option("ConditionallySetsEnabled")
    /// A `Bool`: `BindingOptions.conditionallySetsHidden`.
    public static let conditionallySetsHidden = option("ConditionallySetsHidden")
    /// A `Bool`: `BindingOptions.continuouslyUpdatesValue`.
    public static let continuouslyUpdatesValue = option("ContinuouslyUpdatesValue")
    /// A `String`: `BindingOptions.displayPattern`.
    public static let displayPattern = option("DisplayPattern")
    /// A `Bool`: `BindingOptions.handlesContentAsCompoundValue`.
    public static let handlesContentAsCompoundValue = option("HandlesContentAsCompoundValue")
    /// A value: `BindingOptions.multipleValuesPlaceholder`.
    public static let multipleValuesPlaceholder = option("MultipleValuesPlaceholder")
    /// A value: `BindingOptions.noSelectionPlaceholder`.
    public static let noSelectionPlaceholder = option("NoSelectionPlaceholder")
    /// A value: `BindingOptions.notApplicablePlaceholder`.
    public static let notApplicablePlaceholder = option("NotApplicablePlaceholder")
    /// A value: `BindingOptions.nullPlaceholder`.
    public static let nullPlaceholder = option("NullPlaceholder")
    /// A `Bool`: `BindingOptions.raisesForNotApplicableKeys`.
    public static let raisesForNotApplicableKeys = option("RaisesForNotApplicableKeys")
    /// A `Bool`: `BindingOptions.validatesImmediately`.
    public static let validatesImmediately = option("ValidatesImmediately")
    /// A ``ValueTransformer``, or a `Transformer<Any?, Any?>`.
    public static let valueTransformer = option("ValueTransformer")
    /// The name of a registered transformer, as a text or an ``NSValueTransformerName``.
    public static let valueTransformerName = option("ValueTransformerName")

    // Options that mean something to AppKit's own views, Core Data and alert panels. They are kept.
    /// Kept, and without an effect.
    public static let allowsNullArgument = option("AllowsNullArgument")
    /// Kept, and without an effect.
    public static let alwaysPresentsApplicationModalAlerts = option(
      "AlwaysPresentsApplicationModalAlerts")
    /// Kept, and without an effect.
    public static let contentPlacementTag = option("ContentPlacementTag")
    /// Kept, and without an effect.
    public static let createsSortDescriptor = option("CreatesSortDescriptor")
    /// Kept, and without an effect.
    public static let deletesObjectsOnRemove = option("DeletesObjectsOnRemove")
    /// Kept, and without an effect.
    public static let displayName = option("DisplayName")
    /// Kept, and without an effect.
    public static let insertsNullPlaceholder = option("InsertsNullPlaceholder")
    /// Kept, and without an effect.
    public static let invokesSeparatelyWithArrayObjects = option(
      "InvokesSeparatelyWithArrayObjects")
    /// Kept, and without an effect.
    public static let predicateFormat = option("PredicateFormat")
    /// Kept, and without an effect.
    public static let selectorName = option("SelectorName")
    /// Kept, and without an effect.
    public static let selectsAllWhenSettingContent = option("SelectsAllWhenSettingContent")

    private static func option(_ name: String) -> NSBindingOption {
      NSBindingOption(rawValue: "NS" + name)
    }
  }

  /// A key of the dictionary in which `infoForBinding(_:)` tells of a binding.
  ///
  /// - Note: Source `NSBindingInfoKey`, NSKeyValueBinding.h.
  public struct NSBindingInfoKey: RawRepresentable, Hashable, Sendable {
    /// The text.
    public let rawValue: String

    /// The key of that text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The object that is bound to; not there once it has gone.
    public static let observedObject = NSBindingInfoKey(rawValue: "NSObservedObject")
    /// The key path of that object.
    public static let observedKeyPath = NSBindingInfoKey(rawValue: "NSObservedKeyPath")
    /// The options, as a `[NSBindingOption: Any]`.
    public static let options = NSBindingInfoKey(rawValue: "NSOptions")
  }

  // MARK: - Controllers and editors

  /// An object between a model and its views, which knows of edits.
  public typealias NSController = Controller

  /// One object between a model and its views.
  public typealias NSObjectController = ObjectController<KVObject>

  /// A list of objects between a model and its views.
  public typealias NSArrayController = ArrayController<KVObject>

  /// Objects with objects below them, between a model and its views. The property that leads to those
  /// below is a key path, so the class of the objects is named: `NSTreeController<Folder>(children:)`.
  public typealias NSTreeController = TreeController

  /// A dictionary between a model and its views.
  public typealias NSDictionaryController = DictionaryController<Any>

  /// Settings between `UserDefaults` and views.
  public typealias NSUserDefaultsController = DefaultsController

  /// An object that lets its user change something before the model has it.
  public typealias NSEditor = Editor

  /// An object that editors tell of their edits.
  public typealias NSEditorRegistration = EditorRegistry

  extension Editor {
    /// Puts the changes into the model; false if the model does not take them.
    ///
    ///     if !controller.commitEditing() { return }
    ///
    /// The form that throws tells why.
    ///
    /// - Note: Source `commitEditing`, NSEditor.
    public func commitEditing() -> Bool {
      do throws(KeyValueError) {
        let commit: () throws(KeyValueError) -> Void = commitEditing
        try commit()
        return true
      } catch {
        return false
      }
    }
  }

  extension DefaultsController {
    /// Makes a controller of Foundation's defaults, of the process's defaults if there are none.
    ///
    /// - Note: Source `initWithDefaults:initialValues:`, NSUserDefaultsController.
    public convenience init(defaults: UserDefaults?, initialValues: [String: Any]?) {
      self.init(UserDefaultsStore(defaults ?? .standard), initialValues: initialValues ?? [:])
    }
  }
#endif
