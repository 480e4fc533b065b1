import IsaRuntime

// The methods and ivars that a class declaration gives its class.

extension World {
  /// Makes the class of a declaration.
  func makeClass(_ declaration: ClassDeclaration) throws(KeyValueError) -> RuntimeClass {
    let name = declaration.name.text
    var superclass = RuntimeClass.root
    if let parent = declaration.superclass { superclass = try existingClass(parent.text) }
    let properties = symbols.classes[name]!.properties
    let made = try makeClass(name, superclass: superclass, profile: declaration.runtimeProfile) {
      builder throws(KeyValueError) in
      if declaration.isPrivate { try builder.accessesIvars(false) }
      for property in properties { try addProperty(property, to: builder) }
    }
    // The old way takes a class that is registered.
    for property in properties {
      for case .triggered(let keys) in property.declaration.attributes {
        try made.setKeys(keys.map(\.text), triggering: property.name)
      }
    }
    return made
  }

  private func addProperty(
    _ property: Symbols.Property, to builder: RuntimeClassBuilder
  ) throws(KeyValueError) {
    let declaration = property.declaration
    let encoding = RuntimeTypeEncoding(property.type.encoding)
    if declaration.isComputed {
      try addComputedGetter(of: property, to: builder)
    } else if declaration.isIvar {
      try builder.ivar(property.name, encoding, ownership: property.ownership)
    } else {
      try builder.property(
        property.name, encoding, ownership: property.ownership,
        isReadOnly: declaration.isReadonly, getter: RuntimeSelector(declaration.getter),
        setter: declaration.setter.map { RuntimeSelector($0) })
    }
    if declaration.isManual { try builder.automaticallyNotifies(property.name, false) }
    for attribute in declaration.attributes {
      switch attribute {
      case .depends(let paths):
        try builder.key(property.name, affectedBy: paths.map(\.text))
      case .accessors(let names): try addAccessors(names, of: property, to: builder)
      case .valid(let least, let greatest):
        try addValidation(of: property, least, greatest, to: builder)
      default: break
      }
    }
  }

  private func addValidation(
    of property: Symbols.Property, _ least: Literal, _ greatest: Literal,
    to builder: RuntimeClassBuilder
  ) throws(KeyValueError) {
    let range = Double("\(least)")!...max(Double("\(least)")!, Double("\(greatest)")!)
    let message = "\(property.name) must be from \(least) to \(greatest)"
    try builder.validator(property.name) { _, value in
      let number = try? value.number(as: .double).double
      guard let number, range.contains(number) else { throw OutOfBounds(message: message) }
    }
  }
}

/// The error of a value that a scenario declares to be none of the property's.
struct OutOfBounds: Error {
  var message: String
}

extension ClassDeclaration {
  fileprivate var runtimeProfile: KeyValueProfile? {
    profile.map { $0 == .gnustep ? .gnustep : .apple }
  }
}
