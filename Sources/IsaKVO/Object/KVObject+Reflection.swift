internal import IsaKeyValue

extension KVObject: CustomReflectable {}

extension KVObject {
  /// The stored properties by their names, inherited ones first, wrapped ones by their values. Nobody is
  /// told of these reads, and no initial value is computed.
  final var propertyMirror: Mirror {
    var children: [Mirror.Child] = []
    let start = instanceSize(of: KVObject.self)
    forEachProperty(of: type(of: self)) { property in
      // What stands before is the library's.
      if property.offset >= start { children.append(child(property)) }
    }
    return Mirror(
      self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
  }

  private final func child(_ property: StoredProperty) -> Mirror.Child {
    if let storage = fieldStorage(of: property.type) {
      return (property.wrappedName, shownValue(of: self, at: property.offset, in: storage))
    }
    // To load one takes the runtime's help, which a weak reference to no object would be changed by.
    if !property.isStrong { return (property.name, "a weak or unowned reference") }
    return (property.name, constantValue(of: self, property))
  }
}
