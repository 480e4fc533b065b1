import IsaRuntime

// How all stands at this moment, read without a message, so that looking leaves no trace in the
// event log.

extension World {
  func state(
    of object: RuntimeObject, _ name: String, _ symbol: String, _ inspector: Inspector
  ) -> ObjectState {
    let isContents = object.boxKind != nil, isa = inspector.trueClass(of: object)
    return ObjectState(
      name: name, symbol: symbol, address: object.address, isa: isa,
      born: names.birth(of: object.address) ?? isa, claim: inspector.claimedClass(of: object),
      record: ObjectState.Record(of: object),
      retainCount: object.retainCountOfOthers, isHeld: objects[name] == object,
      ivars: isContents ? [] : ivars(of: object),
      contents: isContents ? decoder.value(RuntimeValue(object)) : nil,
      registrations: inspector.registrations(of: object), pending: inspector.pending(of: object))
  }

  private func ivars(of object: RuntimeObject) -> [IvarState] {
    lineage(of: object.isa.original).reversed().flatMap { owner in
      owner.ivars.map { state(of: $0, in: object, names.name(of: owner)) }
    }
  }

  /// A class and those above it, the root last.
  private func lineage(of cls: RuntimeClass) -> [RuntimeClass] {
    Array(sequence(first: cls) { $0.superclass })
  }

  private func state(
    of ivar: RuntimeIvar, in object: RuntimeObject, _ owner: String
  ) -> IvarState {
    let declared = symbols.classes[owner]?.properties
      .first { $0.declaration.ivarName == ivar.name }
    let encoding = declared?.type.encoding ?? ivar.encoding.text
    return IvarState(
      name: ivar.name, encoding: encoding, offset: ivar.offset, size: ivar.size, owner: owner,
      value: value(of: ivar, in: object, encoding), isWeak: ivar.ownership == .weak)
  }

  /// The value, or its type alone if it is larger than anybody would look at.
  private func value(
    of ivar: RuntimeIvar, in object: RuntimeObject, _ encoding: String
  ) -> Value {
    guard ivar.size <= 4096, let value = object.ivar(named: ivar.name) else {
      return .opaque(encoding)
    }
    return decoder.value(value, as: encoding)
  }

  // MARK: Classes

  /// The class for whose objects the runtime, or a design, made a class; any other is its own.
  private func observedClass(of cls: RuntimeClass) -> RuntimeClass {
    if cls.isNotifying { return cls.original }
    var base = cls
    while isOfDesign(base), let superclass = base.superclass { base = superclass }
    let name = names.name(of: base)
    return symbols.classes[name] == nil || Symbols.isBuiltIn(name) ? cls : base
  }

  /// Whether a design made it: the scenario does not declare it.
  private func isOfDesign(_ cls: RuntimeClass) -> Bool {
    symbols.classes[names.name(of: cls)] == nil && classes.contains(cls)
  }

  func state(of cls: RuntimeClass, _ inspector: Inspector) -> ClassState {
    let base = observedClass(of: cls), original = names.name(of: base)
    return ClassState(
      name: names.name(of: cls), superclass: cls.superclass.map(names.name(of:)),
      address: cls.address, isNotifying: base != cls, original: original,
      isBuiltIn: symbols.classes[original] == nil || Symbols.isBuiltIn(original),
      instanceSize: cls.instanceSize, ivars: inspector.ivars(of: cls),
      methods: inspector.methods(of: cls), ownPages: cls.ownDispatchPages,
      metaclass: MetaclassState(
        name: names.name(of: cls.metaclass),
        superclass: cls.metaclass.superclass.map(names.name(of:)),
        methods: inspector.methods(of: cls.metaclass), ownPages: cls.metaclass.ownDispatchPages))
  }
}

extension RuntimeObject {
  /// The number of references without this one, which was made to look.
  fileprivate var retainCountOfOthers: Int { retainCount == .max ? .max : retainCount - 1 }
}
