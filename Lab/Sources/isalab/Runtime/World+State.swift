import CIsa

// How all stands at this moment, read without a message, so that looking leaves no trace in the
// event log.

extension World {
  func state(_ inspector: Inspector) -> WorldState {
    WorldState(
      objects: names.namedObjects.map { state(of: $0.object, $0.name, $0.symbol, inspector) },
      classes: scenarioClasses().map { state(of: $0, inspector) })
  }

  // MARK: Objects

  private func state(
    of object: isa_id, _ name: String, _ symbol: String, _ inspector: Inspector
  ) -> ObjectState {
    let cls = isa_object_get_class(object)!
    return ObjectState(
      name: name, symbol: symbol, address: UInt(bitPattern: object),
      isa: names.className(cls), claim: inspector.claimedClass(of: object),
      record: record(of: object), retainCount: Int(clamping: isa_object_retain_count(object)),
      isHeld: objects[name] == object,
      ivars: isContents(object) ? [] : ivars(of: object, cls), contents: contents(of: object),
      registrations: inspector.registrations(of: object), pending: inspector.pending(of: object))
  }

  private func record(of object: isa_id) -> ObjectState.Record {
    let header = UnsafePointer<isa_header>(object)
    let word = isa_header_record(header)
    if word & UInt(ISA_RECORD_IMMORTAL) != 0 { return .immortal }
    return word & UInt(ISA_RECORD_INLINE) != 0 ? .count : .side
  }

  private func isContents(_ object: isa_id) -> Bool { kvc_kind_of(object) != KVC_KIND_OTHER }

  private func contents(of object: isa_id) -> Value? {
    isContents(object) ? names.value(ofObject: UInt(bitPattern: object), decoder) : nil
  }

  private func ivars(of object: isa_id, _ cls: isa_class) -> [IvarState] {
    return lineage(of: kvo_class_original(cls)!).reversed().flatMap { owner in
      Inspector.ownIvars(of: owner).map { state(of: $0, in: object, names.className(owner)) }
    }
  }

  /// A class and those above it, the root last.
  private func lineage(of cls: isa_class) -> [isa_class] {
    [cls] + (isa_class_superclass(cls).map { lineage(of: $0) } ?? [])
  }

  private func state(of ivar: isa_ivar, in object: isa_id, _ owner: String) -> IvarState {
    let name = String(cString: isa_ivar_name(ivar))
    let declared = symbols.classes[owner]?.properties.first { $0.declaration.ivarName == name }
    let isWeak = isa_ivar_ownership(ivar) == ISA_OWNERSHIP_WEAK
    let encoding = declared?.type.encoding ?? String(cString: isa_ivar_types(ivar))
    let address = UnsafeRawPointer(isa_object_ivar_address(object, ivar)!)
    return IvarState(
      name: name, encoding: encoding, offset: isa_ivar_offset(ivar), size: isa_ivar_size(ivar),
      owner: owner,
      value: isWeak
        ? weakValue(at: address) : value(at: address, encoding, size: isa_ivar_size(ivar)),
      isWeak: isWeak)
  }

  /// The value, or its type alone if it is larger than anybody would look at.
  private func value(at address: UnsafeRawPointer, _ encoding: String, size: Int) -> Value {
    size > 4096 ? .opaque(encoding) : decoder.value(at: address, encoding: encoding)
  }

  private func weakValue(at address: UnsafeRawPointer) -> Value {
    guard let object = isa_weak_copy(address.assumingMemoryBound(to: isa_weak.self)) else {
      return .nothing
    }
    defer { isa_object_release(object) }
    return names.value(ofObject: UInt(bitPattern: object), decoder)
  }

  // MARK: Classes

  /// The root class, the scenario's, those of its objects, what is above these, and what the runtime
  /// made below them.
  private func scenarioClasses() -> [isa_class] {
    let isas = names.namedObjects.map { kvo_class_original(isa_object_get_class($0.object))! }
    let known = Set([isa_root_class()!] + (classes + isas).flatMap(lineage))
    return Inspector.registeredClasses().filter { known.contains(kvo_class_original($0)) }
  }

  private func state(of cls: isa_class, _ inspector: Inspector) -> ClassState {
    let name = names.className(cls)
    let metaclass = isa_class_metaclass(cls)!
    return ClassState(
      name: name, superclass: isa_class_superclass(cls).map { names.className($0) },
      address: UInt(bitPattern: cls), isNotifying: kvo_class_is_notifying(cls),
      original: names.className(kvo_class_original(cls)),
      isBuiltIn: symbols.classes[names.className(kvo_class_original(cls))] == nil
        || names.className(kvo_class_original(cls)) == Symbols.observerClass,
      instanceSize: isa_class_instance_size(cls), ivars: inspector.ivars(of: cls),
      methods: inspector.methods(of: cls), ownPages: inspector.ownPages(of: cls),
      metaclass: MetaclassState(
        name: names.className(metaclass),
        superclass: isa_class_superclass(metaclass).map { names.className($0) },
        methods: inspector.methods(of: metaclass), ownPages: inspector.ownPages(of: metaclass)))
  }
}
