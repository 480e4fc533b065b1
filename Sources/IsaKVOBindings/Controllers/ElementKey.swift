internal import IsaKVO

/// A property of elements by which a controller sorts, filters or shows them.
enum ElementKey<Element: KVObject>: Hashable {
  /// By key path.
  case property(PartialKeyPath<Element>)
  /// By name: a key, or keys joined by dots.
  case name(String)
}
