/// The name of something about an object that can be bound, such as a view's value.
///
/// A name with a number behind it, such as `enabled2`, is one of several whose values are taken together.
///
/// - Note: Source `NSBindingName`, NSKeyValueBinding.h.
public struct BindingName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String

  /// The name of that text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name of that text.
  public init(stringLiteral text: String) { rawValue = text }

  // The names of AppKit that are no matter of its views alone.
  /// The value that a view shows.
  public static let value: BindingName = "value"
  /// The title that a view shows.
  public static let title: BindingName = "title"
  /// The objects, or the object, that a controller or view has.
  public static let content: BindingName = "content"
  /// The array that a controller's content is.
  public static let contentArray: BindingName = "contentArray"
  /// The object that a controller's content is.
  public static let contentObject: BindingName = "contentObject"
  /// The set that a controller's content is.
  public static let contentSet: BindingName = "contentSet"
  /// The places of the selected objects.
  public static let selectionIndexes: BindingName = "selectionIndexes"
  /// The place of the chosen object.
  public static let selectedIndex: BindingName = "selectedIndex"
  /// The object that is chosen.
  public static let selectedObject: BindingName = "selectedObject"
  /// The tag of the chosen object.
  public static let selectedTag: BindingName = "selectedTag"
  /// The value of the chosen object.
  public static let selectedValue: BindingName = "selectedValue"
  /// The filter of a controller.
  public static let filterPredicate: BindingName = "filterPredicate"
  /// The order of a controller's objects.
  public static let sortDescriptors: BindingName = "sortDescriptors"
  /// Whether a view answers its user; all that are bound must say so.
  public static let enabled: BindingName = "enabled"
  /// Whether a view's user may change what it shows; all that are bound must say so.
  public static let editable: BindingName = "editable"
  /// Whether a view is not shown; one bound value that says so suffices.
  public static let hidden: BindingName = "hidden"
  /// A part of the text that `BindingOptions.displayPattern` makes: `displayPatternValue1` and so on.
  public static let displayPatternValue: BindingName = "displayPatternValue"
}

/// How the values of names that belong together are taken together.
enum BindingGroup {
  case all, any, pattern

  /// The group of a name, the name without its number, and the number; nil for a name by itself.
  static func of(_ name: BindingName) -> (group: BindingGroup, base: BindingName, number: Int)? {
    let digits = name.rawValue.reversed().prefix { $0.isNumber }
    let base = BindingName(rawValue: String(name.rawValue.dropLast(digits.count)))
    let group: BindingGroup
    switch base {
    case .enabled, .editable: group = .all
    case .hidden: group = .any
    case .displayPatternValue: group = .pattern
    default: return nil
    }
    return (group, base, Int(String(digits.reversed())) ?? 1)
  }
}
