internal import IsaKVO

extension ArrayController {
  /// Whether the class overrides ``arrange(_:)``. A class that does not is not asked to arrange all
  /// of the content where a few elements have come or changed.
  final class var overridesArrange: Bool {
    overrides(
      self, of: ArrayController<Element>.self, like: Arranging<Element>.self,
      unlike: Inheriting<Element>.self)
  }
}

private final class Arranging<Element: KVObject>: ArrayController<Element> {
  override func arrange(_ objects: [Element]) -> [Element] { objects }
}

private final class Inheriting<Element: KVObject>: ArrayController<Element> {}
