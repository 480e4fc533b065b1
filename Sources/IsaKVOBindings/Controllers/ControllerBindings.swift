public import IsaKVO
internal import IsaKeyValue

// The names of AppKit by which the content of controllers is bound, beside the names of their keys.

extension ArrayController: BindingTarget {
  /// `contentArray`, by which adding and removing changes the list that it is bound to.
  public static var bindingNames: [BindingName] { [.contentArray] }

  /// The key of the content for `contentArray`.
  public static func bindingKey(for name: BindingName) -> String {
    name == .contentArray ? "content" : name.rawValue
  }

  /// Takes a list as the content: an empty one for a placeholder, and for anything that is no list.
  ///
  /// - Throws: The error of setting a key, for any other name.
  public func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    guard name == .contentArray else {
      return try setValue(shown.plain, forKey: Self.bindingKey(for: name))
    }
    updatePlace()
    follow(.setting, nil, [], now: NamedList.elements(in: shown.isPlaceholder ? nil : shown.plain))
  }
}

extension ObjectController: BindingTarget {
  /// `contentObject`, by which adding and removing sets the property that it is bound to.
  public static var bindingNames: [BindingName] { [.contentObject] }

  /// The key of the content for `contentObject`.
  public static func bindingKey(for name: BindingName) -> String {
    name == .contentObject ? "content" : name.rawValue
  }

  /// Takes an object as the content: none for a placeholder, and for one of another class.
  ///
  /// - Throws: The error of setting a key, for any other name.
  public func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    guard name == .contentObject else {
      return try setValue(shown.plain, forKey: Self.bindingKey(for: name))
    }
    updatePlace()
    content = shown.isPlaceholder ? nil : shown.plain as? Object
  }
}
