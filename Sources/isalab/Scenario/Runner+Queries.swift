import CIsa

// Questions to the runtime: what a query finds out.

extension Runner {
  func answer(_ query: Query) throws(Refusal) -> Answer {
    switch query {
    case .property(let reference): return .property("\(reference)", try read(reference))
    case .isa(let name):
      let isa = isa_object_get_class(try subject(name))!
      let address = UInt(bitPattern: isa)
      return .isa(of: name.text, inspector.names.className(isa), address: address)
    case .claimedClass(let name):
      return .claimedClass(of: name.text, inspector.claimedClass(of: try subject(name)))
    case .superclass(let name):
      let superclass = isa_class_superclass(try classOf(name))
      return .superclass(of: name.text, superclass.map { inspector.names.className($0) } ?? "nil")
    case .methods(let name):
      let cls = try classOf(name)
      return .methods(of: inspector.names.className(cls), inspector.methods(of: cls))
    case .implementation(let name, let selector):
      return implementation(of: name, selector.text, try classOf(name))
    case .retainCount(let name):
      return .retainCount(of: name.text, Int(isa_object_retain_count(world.object(name))))
    case .registrations(let name):
      return .registrations(of: name.text, inspector.registrations(of: world.object(name)))
    case .alive(let name): return .alive(name.text, world.names.isAlive(name.text))
    }
  }

  private func implementation(of name: Name, _ selector: String, _ cls: isa_class) -> Answer {
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
  func classOf(_ name: Name) throws(Refusal) -> isa_class {
    if let object = world.objects[name.text] { return isa_object_get_class(object) }
    return try world.existingClass(name.text)
  }

  func read(_ reference: PropertyReference) throws(Refusal) -> Value {
    let property = property(reference)
    let size = max(Extent(firstOf: property.type.encoding)?.size ?? 0, 16)
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var types: UnsafePointer<CChar>?
    try refusing(kvc_read(world.object(reference.object), property.name, buffer, size, &types))
    let value = world.decoder.value(at: buffer, encoding: property.type.encoding)
    if property.type.isObject { isa_object_release(buffer.load(as: isa_id?.self)) }
    return value
  }
}
