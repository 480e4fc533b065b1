import CIsa
import IsaRuntime

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
    let cls = RuntimeClass(isa_object_get_class(object)!)
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

  private func ivars(of object: isa_id, _ cls: RuntimeClass) -> [IvarState] {
    lineage(of: cls.original).reversed().flatMap { owner in
      owner.ivars.map { state(of: $0, in: object, names.className(owner)) }
    }
  }

  /// A class and those above it, the root last.
  private func lineage(of cls: RuntimeClass) -> [RuntimeClass] {
    Array(sequence(first: cls) { $0.superclass })
  }

  private func state(of ivar: RuntimeIvar, in object: isa_id, _ owner: String) -> IvarState {
    let declared = symbols.classes[owner]?.properties
      .first { $0.declaration.ivarName == ivar.name }
    let isWeak = ivar.ownership == .weak
    let encoding = declared?.type.encoding ?? ivar.encoding.text
    let address = UnsafeRawPointer(object) + ivar.offset
    return IvarState(
      name: ivar.name, encoding: encoding, offset: ivar.offset, size: ivar.size, owner: owner,
      value: isWeak ? weakValue(at: address) : value(at: address, encoding, size: ivar.size),
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

  /// The scenario's, those of its objects, what is above these, and what the runtime made below them.
  private func scenarioClasses() -> [RuntimeClass] {
    let isas = names.namedObjects.map { RuntimeClass(isa_object_get_class($0.object)!).original }
    let known = Set((classes + isas).flatMap(lineage))
    return RuntimeClass.all.filter { known.contains($0.original) }
  }

  private func state(of cls: RuntimeClass, _ inspector: Inspector) -> ClassState {
    let original = names.className(cls.original)
    return ClassState(
      name: names.className(cls), superclass: cls.superclass.map(names.className),
      address: cls.address, isNotifying: cls.isNotifying, original: original,
      isBuiltIn: symbols.classes[original] == nil || original == Symbols.observerClass,
      instanceSize: cls.instanceSize, ivars: inspector.ivars(of: cls),
      methods: inspector.methods(of: cls), ownPages: cls.ownDispatchPages,
      metaclass: MetaclassState(
        name: names.className(cls.metaclass),
        superclass: cls.metaclass.superclass.map(names.className),
        methods: inspector.methods(of: cls.metaclass), ownPages: cls.metaclass.ownDispatchPages))
  }
}
