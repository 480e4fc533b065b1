import IsaRuntime

// Questions to the runtime: what a query finds out.

extension Performer {
  func answer(_ query: Query) throws(KeyValueError) -> Answer {
    switch query {
    case .property(let reference): return .property("\(reference)", try read(reference))
    case .isa(let name):
      let isa = try subject(name).isa
      return .isa(of: name.text, inspector.names.name(of: isa), address: isa.address)
    case .claimedClass(let name):
      return .claimedClass(of: name.text, inspector.claimedClass(of: try subject(name)))
    case .superclass(let name):
      let superclass = try classOf(name).superclass
      return .superclass(of: name.text, superclass.map(inspector.names.name(of:)) ?? "nil")
    case .methods(let name):
      let cls = try classOf(name)
      return .methods(of: inspector.names.name(of: cls), inspector.methods(of: cls))
    case .implementation(let name, let selector):
      return implementation(of: name, selector.text, try classOf(name))
    case .retainCount(let name):
      return .retainCount(of: name.text, try world.object(name).retainCount)
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
  private func subject(_ name: Name) throws(KeyValueError) -> RuntimeObject {
    if let object = world.objects[name.text] { return object }
    return try world.existingClass(name.text).object
  }

  /// The class, or the one that the object's isa leads to.
  func classOf(_ name: Name) throws(KeyValueError) -> RuntimeClass {
    if let object = world.objects[name.text] { return object.isa }
    return try world.existingClass(name.text)
  }

  // MARK: Values

  /// Reads a property of the object's own in place, anything else through key-value coding.
  func read(_ reference: PropertyReference) throws(KeyValueError) -> Value {
    guard reference.keys.count == 1, let property = property(reference) else {
      return try readByPath(reference)
    }
    let value = try world.object(reference.object).get(property.name)
    return world.decoder.value(value, as: property.type.encoding)
  }

  private func readByPath(_ reference: PropertyReference) throws(KeyValueError) -> Value {
    let object = try world.object(reference.object)
    let isKey = reference.keys.count == 1 && !reference.isQuoted
    let value =
      try isKey
      ? object.value(forKey: reference.path) : object.value(forKeyPath: reference.path)
    return world.decoder.value(value)
  }

  private func readAll(_ keys: [Name], of name: Name) throws(KeyValueError) -> Value {
    let values = try world.object(name).dictionaryWithValues(forKeys: keys.map(\.text))
    return world.decoder.value(.dictionary(values))
  }

  private func validate(
    _ reference: PropertyReference, _ literal: Literal
  ) throws(KeyValueError) -> Answer {
    var value = try world.value(of: literal)
    var cause: String?
    var isValid = true
    do throws(KeyValueError) {
      try world.object(reference.object).validateValue(&value, forKeyPath: reference.path)
    } catch {
      guard error.code == .invalid else { throw error }
      cause = (error.underlying as? OutOfBounds)?.message
      isValid = false
    }
    return .validation(
      of: "\(reference)", world.decoder.value(value), isValid: isValid, error: cause)
  }

  // MARK: Observers of a change

  private func affected(_ reference: PropertyReference) throws(KeyValueError) -> Answer {
    let object = try parent(of: reference)
    let key = reference.keys.last!.text
    return .affected(
      by: "\(reference)", object.map { inspector.affected(by: key, of: $0) } ?? [])
  }

  private func affecting(
    _ reference: PropertyReference, isClosure: Bool
  ) throws(KeyValueError) -> Answer {
    let cls = try world.object(reference.object).isa.original
    let keys =
      try isClosure
      ? cls.dependencyClosure(of: reference.path) : cls.keyPathsAffecting(reference.path)
    return .affecting("\(reference)", keys: keys.sorted(), isClosure: isClosure)
  }
}
