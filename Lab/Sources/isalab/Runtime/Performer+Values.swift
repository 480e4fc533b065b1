import IsaRuntime

// Values given to properties: by setters, by key-value coding, past both.

extension Performer {
  /// The property of that name of the class that the object belongs to, if it is declared.
  func property(_ key: String, of object: RuntimeObject) -> Symbols.Property? {
    // The class in the isa may be a subclass that observing made: the scenario knows the original.
    let lineage = sequence(first: object.isa) { $0.superclass }
    let name = lineage.lazy.map { SwiftView.shownName(of: $0.name) }
      .first { program.symbols.classes[$0] != nil }
    return name.flatMap { program.symbols.property(key, of: $0) }
  }

  /// The property that the keys lead to, as far as the declarations tell.
  func property(_ reference: PropertyReference) -> Symbols.Property? {
    guard !reference.isQuoted, let object = program.symbols.objects[reference.object.text] else {
      return nil
    }
    return program.symbols.property(atPath: reference.path, of: object.className)
  }

  /// The object that all but the last key lead to; nil if something on the way is nil.
  func parent(of reference: PropertyReference) throws(KeyValueError) -> RuntimeObject? {
    let object = try world.object(reference.object)
    guard reference.keys.count > 1 else { return object }
    let path = reference.keys.dropLast().map(\.text).joined(separator: ".")
    let parent = try object.value(forKeyPath: path)
    return parent.isNil ? nil : world.releaseLater(RuntimeValue(try parent.boxed())).object
  }

  /// Sends the setter's message to the object at the end but one of the path; to one of Swift's it
  /// assigns.
  func set(_ target: PropertyReference, _ value: Literal) throws(KeyValueError) -> [Fact] {
    guard let object = try parent(of: target) else {
      return [.sentToNil]
    }
    let key = target.keys.last!
    if let view = object.unsafeSwiftObject as? SwiftView, key.text == SwiftView.key {
      view.width = try world.value(of: value, as: ValueType(name: "long", encoding: "q")).int ?? 0
      return []
    }
    let property = property(key.text, of: object)
    let type = property?.type ?? ValueType(name: "object", encoding: "@")
    let argument = try world.value(of: value, as: type)
    let selector = RuntimeSelector(
      property?.declaration.setter ?? "set\(key.text.capitalisedFirst):")
    try requireArgument(type.encoding, of: selector, object)
    try object.send(selector, argument)
    return []
  }

  /// Refuses a method that takes something else than the value was made for.
  private func requireArgument(
    _ encoding: String, of selector: RuntimeSelector, _ object: RuntimeObject
  ) throws(KeyValueError) {
    guard let method = object.isa.method(selector) else { return }
    let types = try method.encoding.types()
    guard types.count > 3, Layout(types[3].text) == Layout(encoding) else {
      throw KeyValueError(.invalidArgument, reason: "\(selector) takes no value of this kind")
    }
  }

  /// `setValue:forKeyPath:`
  func keyedSet(_ target: PropertyReference, _ value: Literal) throws(KeyValueError) {
    let boxed = try object(for: value, property(target)?.type)
    let object = try world.object(target.object)
    if target.keys.count == 1, !target.isQuoted {
      try object.setValue(boxed, forKey: target.path)
    } else {
      try object.setValue(boxed, forKeyPath: target.path)
    }
  }

  /// The literal as an object; a struct takes the property's type.
  private func object(
    for value: Literal, _ type: ValueType?
  ) throws(KeyValueError) -> RuntimeValue {
    if let type, case .structure = value.kind { return try world.value(of: value, as: type) }
    let isCollection = type.map { CollectionType.named[$0.name] != nil } ?? false
    return try world.value(of: value, as: isCollection ? type!.name : "object")
  }

  /// `setValuesForKeysWithDictionary:`
  func bulkSet(_ name: Name, _ values: Literal) throws(KeyValueError) {
    try world.object(name).setValuesForKeys(try world.value(of: values, as: "dictionary"))
  }

  /// Writes the ivar.
  func poke(_ target: PropertyReference, _ value: Literal) throws(KeyValueError) {
    guard let object = try parent(of: target) else { return }
    guard let property = property(target.keys.last!.text, of: object) else {
      throw KeyValueError(.invalidArgument, reason: "\(target) is no property with an ivar")
    }
    let ivar = property.declaration.ivarName!
    try object.poke(ivar: ivar, try world.value(of: value, as: property.type))
  }
}
