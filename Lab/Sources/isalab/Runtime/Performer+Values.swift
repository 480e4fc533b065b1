import CIsa
import IsaRuntime

// Values given to properties: by setters, by key-value coding, past both.

extension Performer {
  /// The property of that name of the class that the object belongs to, if it is declared.
  func property(_ key: String, of object: isa_id) -> Symbols.Property? {
    // The class in the isa may be a subclass that observing made: the scenario knows the original.
    let lineage = sequence(first: RuntimeClass(isa_object_get_class(object)!)) { $0.superclass }
    let name = lineage.lazy.map(\.name).first { program.symbols.classes[$0] != nil }
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
  func parent(of reference: PropertyReference) throws(Refusal) -> isa_id? {
    let object = try world.object(reference.object)
    guard reference.keys.count > 1 else { return object }
    var parent: isa_id?
    let path = reference.keys.dropLast().map(\.text).joined(separator: ".")
    try refusing(kvc_copy_value_for_path(object, path, &parent))
    return world.releaseLater(parent)
  }

  func bytes(of literal: Literal, as type: ValueType) throws(Refusal) -> [UInt8] {
    let encoder = ValueEncoder(file: "", labels: program.symbols.labels, words: world)
    do throws(Diagnostic) {
      return try encoder.bytes(of: literal, as: type)
    } catch {
      throw Refusal(error)
    }
  }

  /// Sends the setter's message to the object at the end but one of the path.
  func set(_ target: PropertyReference, _ value: Literal) throws(Refusal) -> [Fact] {
    guard let object = try parent(of: target) else {
      return [.sentToNil]
    }
    let key = target.keys.last!
    let property = property(key.text, of: object)
    let type = property?.type ?? ValueType(name: "object", encoding: "@")
    var argument = try bytes(of: value, as: type)
    let capitalised = key.text.prefix(1).uppercased() + key.text.dropFirst()
    let selector = world.selector(property?.declaration.setter ?? "set\(capitalised):")
    try requireArgument(type.encoding, of: selector, object)
    let status = argument.withUnsafeMutableBytes { bytes in
      withUnsafePointer(to: bytes.baseAddress) { isa_invoke_message(object, selector, $0, nil) }
    }
    try refusing(status)
    return []
  }

  /// Refuses a method that takes something else than what the value was made for.
  private func requireArgument(
    _ encoding: String, of selector: isa_sel, _ object: isa_id
  ) throws(Refusal) {
    guard let method = isa_class_find_method(isa_object_get_class(object), selector) else { return }
    var argument: UnsafeMutablePointer<CChar>?
    try refusing(isa_encoding_copy_type(isa_method_types(method), 3, &argument))
    defer { isa_free(argument) }
    let types = argument.map { String(cString: $0) } ?? ""
    guard Layout(types) == Layout(encoding) else {
      throw Refusal(
        exception: "NSInvalidArgumentException",
        reason: "\(String(cString: isa_sel_name(selector))) takes no value of this kind")
    }
  }

  /// `setValue:forKeyPath:`
  func keyedSet(_ target: PropertyReference, _ value: Literal) throws(Refusal) {
    let boxed = try object(for: value, property(target)?.type)
    let object = try world.object(target.object)
    if target.keys.count == 1, !target.isQuoted {
      try refusing(kvc_set_value(object, target.path, boxed))
    } else {
      try refusing(kvc_set_value_for_path(object, target.path, boxed))
    }
  }

  /// The literal as an object; a struct takes the property's type.
  private func object(for value: Literal, _ type: ValueType?) throws(Refusal) -> isa_id? {
    guard let type, case .structure = value.kind else {
      let isCollection = type.map { CollectionType.named[$0.name] != nil } ?? false
      return try world.object(for: value, as: isCollection ? type!.name : "object")
    }
    return world.box(try bytes(of: value, as: type), type.encoding)
  }

  /// `setValuesForKeysWithDictionary:`
  func bulkSet(_ name: Name, _ values: Literal) throws(Refusal) {
    let dictionary = try world.object(for: values, as: "dictionary")
    try refusing(kvc_set_values(try world.object(name), dictionary))
  }

  func poke(_ target: PropertyReference, _ value: Literal) throws(Refusal) {
    guard let object = try parent(of: target) else { return }
    guard let property = property(target.keys.last!.text, of: object) else {
      throw Refusal(
        exception: "NSInvalidArgumentException", reason: "\(target) is no property with an ivar")
    }
    let bytes = try bytes(of: value, as: property.type)
    let ivar = world.ivarAddress(of: property, in: object)
    let newWord = property.type.isObject ? bytes.withUnsafeBytes { $0.load(as: UInt.self) } : 0
    switch property.ownership {
    case ISA_OWNERSHIP_WEAK:
      let slot = ivar.assumingMemoryBound(to: isa_weak.self)
      try refusing(isa_weak_store(slot, isa_id(bitPattern: newWord)))
    case ISA_OWNERSHIP_RETAIN:
      let slot = ivar.assumingMemoryBound(to: isa_id?.self)
      let old = slot.pointee
      slot.pointee = isa_object_retain(isa_id(bitPattern: newWord))
      isa_object_release(old)
    default: ivar.copyMemory(from: bytes, byteCount: bytes.count)
    }
  }
}
