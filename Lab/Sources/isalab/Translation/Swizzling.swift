/// The exchange of a setter's code, as every language writes it.
struct Swizzling {
  /// The class whose objects it is meant for; of a notifying class, the one that that is for.
  var className: String
  /// Whether the method is looked for in the notifying class, where it cannot be exchanged.
  var isNotifying: Bool
  var property: Symbols.Property
  /// The name that the method tells under.
  var name: String
  /// Whether the setter is a superclass's: then it is overridden, since that one's objects would hear
  /// of an exchange too.
  var isInherited: Bool

  /// The selector of the setter, as the scenario declares it.
  var setter: String { property.declaration.setter ?? conventionalSetter }
  /// The selector that a setter has if nobody chooses another.
  var conventionalSetter: String { "set\(property.name.capitalisedFirst):" }

  /// The selector of the method that calls `setter`.
  func method(for setter: String) -> String { "\(name)_\(setter)" }
}

extension TranslationScope {
  func swizzling(
    of target: PropertyReference, as name: Name, _ place: TranslationPlace
  ) -> Swizzling? {
    let className = Symbols.originalName(of: target.object.text)
    guard let property = symbols.property(target.path, of: className) else { return nil }
    let isNotifying = className != target.object.text
    // The first exchange in a subclass has left a method of its own there.
    let isOwn =
      property.owner == className
      || swizzles.contains {
        $0.step < place.step && $0.className == className && $0.key == property.name
      }
    return Swizzling(
      className: className, isNotifying: isNotifying, property: property, name: name.text,
      isInherited: !isOwn && !isNotifying)
  }

  /// Whether the scenario exchanges the code of the setter that a reference leads to.
  func isSwizzled(_ reference: PropertyReference) -> Bool {
    let parent =
      reference.keys.count > 1
      ? property(reference.parent)?.type.name : className(of: reference.object)
    guard let parent, let key = reference.keys.last?.text else { return false }
    return swizzles.contains { $0.key == key && isClass(parent, below: $0.className) }
  }

  private func isClass(_ className: String, below ancestor: String) -> Bool {
    if className == ancestor { return true }
    return symbols.classes[className]?.superclass.map { isClass($0, below: ancestor) } ?? false
  }
}
