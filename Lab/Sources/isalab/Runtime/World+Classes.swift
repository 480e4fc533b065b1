import CIsa

// The methods and ivars that a class declaration gives its class.

extension World {
  /// Gives a class that is not registered yet what its declaration says of it as a whole.
  func apply(_ declaration: ClassDeclaration, to cls: isa_class) throws(Refusal) {
    if let profile = declaration.profile {
      let value = profile == .gnustep ? ISA_PROFILE_GNUSTEP : ISA_PROFILE_APPLE
      try refusing(isa_class_set_profile(cls, value))
    }
    guard declaration.isPrivate else { return }
    try Method.add("accessInstanceVariablesDirectly", "B@:", to: isa_class_metaclass(cls)) {
      _, result, _ in result!.storeBytes(of: 0, as: UInt8.self)
    }
  }

  func addProperty(_ property: Symbols.Property, to cls: isa_class) throws(Refusal) {
    let declaration = property.declaration
    if declaration.isComputed {
      try addComputedGetter(of: property, to: cls)
    } else if declaration.isIvar {
      try refusing(
        isa_class_add_ivar(cls, property.name, property.type.encoding, property.ownership))
    } else {
      try synthesize(property, in: cls)
    }
    if declaration.isManual { try switchOffNotification(of: property, in: cls) }
    for attribute in declaration.attributes {
      switch attribute {
      case .depends(let paths): try addDependency(of: property, on: paths, to: cls)
      case .accessors(let names): try addAccessors(names, of: property, to: cls)
      case .valid(let least, let greatest):
        try addValidation(of: property, least, greatest, to: cls)
      default: break
      }
    }
  }

  /// Declares dependencies in the old way, which takes a class that is registered.
  func declareTriggers(_ property: Symbols.Property, in cls: isa_class) throws(Refusal) {
    for case .triggered(let keys) in property.declaration.attributes {
      let words = keys.map { word(ofText: $0.text) }
      let array = word(ofCollection: words, CollectionType(kind: .array, isMutable: false))
      try refusing(kvo_class_set_keys(cls, isa_id(bitPattern: array), property.name))
    }
  }

  private func synthesize(_ property: Symbols.Property, in cls: isa_class) throws(Refusal) {
    let declaration = property.declaration
    let status = withCStrings(property.name, property.type.encoding, declaration.getter) {
      name, types, getter in
      withOptionalCString(declaration.setter) { setter in
        var info = isa_property_info()
        info.name = name
        info.types = types
        info.getter = getter
        info.setter = setter
        info.ownership = property.ownership
        info.readonly = declaration.isReadonly
        return isa_class_synthesize(cls, &info)
      }
    }
    try refusing(status)
  }

  /// Adds the class method that answers no when the runtime asks whether to wrap the setter.
  private func switchOffNotification(
    of property: Symbols.Property, in cls: isa_class
  ) throws(Refusal) {
    let method = property.declaration.selector("automaticallyNotifiesObserversOf<Key>")
    try Method.add(method, "B@:", to: isa_class_metaclass(cls)) { _, result, _ in
      result!.storeBytes(of: 0, as: UInt8.self)
    }
  }

  /// Adds the class method that answers what affects the key.
  private func addDependency(
    of property: Symbols.Property, on paths: [Name], to cls: isa_class
  ) throws(Refusal) {
    let method = property.declaration.selector("keyPathsForValuesAffecting<Key>")
    let texts = paths.map(\.text)
    try Method.add(method, "i@:^@", to: isa_class_metaclass(cls)) {
      [unowned self] _, result, arguments in
      let words = texts.map { self.word(ofText: $0) }
      let set = self.word(ofCollection: words, CollectionType(kind: .set, isMutable: false))
      let out = arguments.argument(0, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = isa_object_retain(isa_id(bitPattern: set))
      result!.storeBytes(of: ISA_OK.rawValue, as: UInt32.self)
    }
  }

  private func addValidation(
    of property: Symbols.Property, _ least: Literal, _ greatest: Literal, to cls: isa_class
  ) throws(Refusal) {
    let method = property.declaration.selector("validate<Key>:error:")
    let range = Double("\(least)")!...max(Double("\(least)")!, Double("\(greatest)")!)
    let message = "\(property.name) must be from \(least) to \(greatest)"
    try Method.add(method, "B@:^@^@", to: cls) { [unowned self] _, result, arguments in
      let value = arguments.argument(0, as: UnsafeMutablePointer<isa_id?>?.self)
      let error = arguments.argument(1, as: UnsafeMutablePointer<isa_id?>?.self)
      var number = 0.0
      let isNumber = kvc_number_read(value?.pointee, 100, &number) == ISA_OK
      let isValid = isNumber && range.contains(number)
      if !isValid, let error {
        error.pointee = isa_object_retain(isa_id(bitPattern: self.word(ofText: message)))
      }
      result!.storeBytes(of: isValid ? 1 : 0, as: UInt8.self)
    }
  }
}

private func withCStrings<Result>(
  _ first: String, _ second: String, _ third: String,
  _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
) -> Result {
  first.withCString { first in
    second.withCString { second in third.withCString { body(first, second, $0) } }
  }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
