import CIsa
import IsaRuntime

// Questions to the runtime: what a query finds out.

extension Performer {
  func answer(_ query: Query) throws(Refusal) -> Answer {
    switch query {
    case .property(let reference): return .property("\(reference)", try read(reference))
    case .isa(let name):
      let isa = RuntimeClass(isa_object_get_class(try subject(name))!)
      return .isa(of: name.text, inspector.names.className(isa), address: isa.address)
    case .claimedClass(let name):
      return .claimedClass(of: name.text, inspector.claimedClass(of: try subject(name)))
    case .superclass(let name):
      let superclass = try classOf(name).superclass
      return .superclass(of: name.text, superclass.map(inspector.names.className) ?? "nil")
    case .methods(let name):
      let cls = try classOf(name)
      return .methods(of: inspector.names.className(cls), inspector.methods(of: cls))
    case .implementation(let name, let selector):
      return implementation(of: name, selector.text, try classOf(name))
    case .retainCount(let name):
      return .retainCount(of: name.text, Int(isa_object_retain_count(try world.object(name))))
    case .registrations(let name):
      return .registrations(of: name.text, inspector.registrations(of: try world.object(name)))
    case .alive(let name): return .alive(name.text, world.names.isAlive(name.text))
    case .pending(let name):
      return .pending(of: name.text, inspector.pending(of: try world.object(name)))
    case .affected(let reference): return try affected(reference)
    case .affecting(let reference): return try affecting(reference, isClosure: false)
    case .closure(let reference): return try affecting(reference, isClosure: true)
    case .keyed(let reference): return .property("\(reference)", try readByPath(reference))
    case .bulk(let name, let keys): return .bulk(of: name.text, try readAll(keys, of: name))
    case .validation(let reference, let literal): return try validate(reference, literal)
    }
  }

  private func implementation(of name: Name, _ selector: String, _ cls: RuntimeClass) -> Answer {
    let view = inspector.implementation(selector, in: cls)
    let code = view.map { MachineCode.bytes(at: $0.address) } ?? []
    return .implementation(of: "\(name) \(selector)", view, code: code)
  }

  /// The object, or the class seen as the object that it is.
  private func subject(_ name: Name) throws(Refusal) -> isa_id {
    if let object = world.objects[name.text] { return object }
    return isa_class_as_object(try world.existingClass(name.text))
  }

  /// The class, or the one that the object's isa leads to.
  func classOf(_ name: Name) throws(Refusal) -> RuntimeClass {
    if let object = world.objects[name.text] { return RuntimeClass(isa_object_get_class(object)!) }
    return RuntimeClass(try world.existingClass(name.text))
  }

  // MARK: Values

  /// Reads a property of the object's own in place, anything else through key-value coding.
  func read(_ reference: PropertyReference) throws(Refusal) -> Value {
    guard reference.keys.count == 1, let property = property(reference) else {
      return try readByPath(reference)
    }
    let size = max(Extent(firstOf: property.type.encoding)?.size ?? 0, 16)
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var types: UnsafePointer<CChar>?
    let object = try world.object(reference.object)
    try refusing(kvc_read(object, property.name, buffer, size, &types))
    let value = world.decoder.value(at: buffer, encoding: property.type.encoding)
    if property.type.isObject { isa_object_release(buffer.load(as: isa_id?.self)) }
    return value
  }

  private func readByPath(_ reference: PropertyReference) throws(Refusal) -> Value {
    var value: isa_id?
    let object = try world.object(reference.object)
    if reference.keys.count == 1, !reference.isQuoted {
      try refusing(kvc_copy_value(object, reference.path, &value))
    } else {
      try refusing(kvc_copy_value_for_path(object, reference.path, &value))
    }
    return shown(world.releaseLater(value))
  }

  private func readAll(_ keys: [Name], of name: Name) throws(Refusal) -> Value {
    let words = keys.map { world.word(ofText: $0.text) }
    let array = world.word(
      ofCollection: words, CollectionType(kind: .array, isMutable: false))
    var values: isa_id?
    try refusing(kvc_copy_values(try world.object(name), isa_id(bitPattern: array), &values))
    return shown(world.releaseLater(values))
  }

  private func shown(_ object: isa_id?) -> Value {
    world.names.value(ofObject: UInt(bitPattern: object), world.decoder)
  }

  private func validate(
    _ reference: PropertyReference, _ literal: Literal
  ) throws(Refusal) -> Answer {
    var value = try world.object(for: literal)
    let given = value
    var error: isa_id?
    var isValid = false
    try refusing(
      kvc_validate_value_for_path(
        try world.object(reference.object), reference.path, &value, &error, &isValid))
    if value != given { world.releaseLater(value) }
    world.releaseLater(error)
    return .validation(
      of: "\(reference)", shown(value), isValid: isValid,
      error: error.flatMap(ObjectReader.text))
  }

  // MARK: Observers of a change

  private func affected(_ reference: PropertyReference) throws(Refusal) -> Answer {
    let object = try parent(of: reference)
    let key = reference.keys.last!.text
    return .affected(
      by: "\(reference)", object.map { inspector.affected(by: key, of: $0) } ?? [])
  }

  private func affecting(
    _ reference: PropertyReference, isClosure: Bool
  ) throws(Refusal) -> Answer {
    let cls = kvo_class_original(isa_object_get_class(try world.object(reference.object)))
    var keys: isa_id?
    try refusing(
      isClosure
        ? kvo_class_copy_all_affecting(cls, reference.path, &keys)
        : kvo_class_copy_affecting(cls, reference.path, &keys))
    world.releaseLater(keys)
    let texts = keys.map { ObjectReader.objects(in: $0).compactMap(ObjectReader.text) } ?? []
    return .affecting("\(reference)", keys: texts.sorted(), isClosure: isClosure)
  }
}
