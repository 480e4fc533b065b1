internal import CIsa
internal import IsaKeyValue

/// A getter of a wrapped property that a class, or one above it, overrides.
struct OverriddenGetter {
  let field: Field
  /// Nil if it is not known.
  let place: GetterPlace?

  /// Why the accessor of that name cannot be called.
  fileprivate func cause(_ accessor: String) -> String {
    place == nil
      ? "may override its \(accessor), which only the symbols tell that this program was stripped of"
      : "overrides its \(accessor), but an optimiser has taken out the inherited one"
  }
}

/// The results of looking for a class's overridden getters, by the distances of their properties.
struct GetterAnswers {
  /// The getters that the core asks, with the key paths that lead to them.
  var answered: [Int: Unchecked<AnyKeyPath>] = [:]
  /// The getters of which was reported that the core does not ask them.
  var reported: Set<Int> = []
  /// The properties of which was reported that setting by name goes past the setter.
  var reportedSetters: Set<Int> = []
  /// The keys of which was reported that they change unheard.
  var unheard: Set<String> = []
}

extension ClassRegistration {
  /// By the distances of the properties.
  func findOverriddenGetters() -> [Int: OverriddenGetter] {
    var getters: [Int: OverriddenGetter] = [:]
    for above in sequence(first: self, next: \.superclass).dropFirst() {
      let fields = fieldsByKey.values.filter { $0.owner == above.type && $0.offset > 0 }
      let overrides = fields.isEmpty ? .some([:]) : getterOverrides(in: type, of: above.type)
      for field in fields {
        guard let place = overrides.place(of: field) else { continue }
        getters[field.offset] = OverriddenGetter(field: field, place: place)
      }
    }
    return getters
  }

  /// Whether the class may have a getter of its own for a wrapped property that it inherits.
  func overridesGetter(of field: Field) -> Bool { overriddenGetters[field.offset] != nil }

  /// Whether what the core is answered for a property is what its getter says.
  func isAnswered(_ field: Field) -> Bool {
    !overridesGetter(of: field) || getterAnswers.withLock { $0.answered[field.offset] != nil }
  }

  /// The key paths of the getters that the core asks.
  var answeredKeyPaths: [(key: String, keyPath: AnyKeyPath)] {
    if overriddenGetters.isEmpty { return [] }
    return getterAnswers.withLock { $0.answered }
      .map { (overriddenGetters[$0.key]!.field.key, $0.value.value) }
  }

  /// The key of a getter that the core asks, if the key path is that of the class's own, which it
  /// declares `final`: no key path of a superclass is equal to it.
  func overriddenKey(_ path: AnyKeyPath) -> String? {
    guard !overriddenGetters.isEmpty || !overriddenKeys.isEmpty,
      let getter = getterIdentity(of: path)
    else { return nil }
    let table = MethodTable(type)
    let own = overriddenGetters.values.first { $0.place.map { table[$0.word] } == getter }
    if let own { return isAnswered(own.field) ? own.field.key : nil }
    return overriddenKeys.first { table[$1] == getter && !isFollowed(declarations[$0]!) }?.key.text
  }

  /// Has the core ask the getters that the class overrides, once their key paths are known: by an
  /// object that asks them who they are, or by the class's declaration.
  func meetGetters(on object: KVObject) throws(KeyValueError) {
    if overriddenGetters.isEmpty { return }
    // A thread that comes second waits until the core asks them. This runs the wrappers' code only.
    try hasMetGetters.withLock { hasMet throws(KeyValueError) in
      if hasMet { return }
      hasMet = true
      for getter in overriddenGetters.values { try meet(getter, on: object) }
    }
  }

  /// Whether ``setProperty(_:_:of:)`` has a setter to look for.
  func setsByProperty(_ field: Field) -> Bool {
    declarations[field.key]?.set != nil || overriddenGetters[field.offset] != nil
  }

  /// Sets a wrapped property through its Swift setter, if the class has declared the key or overrides
  /// the property; false if it is to be set in its storage.
  func setProperty(_ key: String, _ value: isa_id?, of object: KVObject) -> Bool {
    guard isWrapped(key), let field = fieldsByKey[key] else { return false }
    let getter = overriddenGetters[field.offset], set = declarations[key]?.set
    if let set, getter == nil { return set(object, value) }
    guard let getter else { return false }
    let path = getterAnswers.withLock { $0.answered[field.offset] }
    guard set != nil || path != nil else {
      reportSetter(getter)
      return false
    }
    return object.announcing(field) {
      set?(object, value) ?? field.assign(value, to: object, by: path!.value)
    }
  }

  /// The computed properties that a class above has declared and whose getters this one has of its own.
  func findOverriddenKeys() -> [KeyName: Int] {
    declarations.filter { !isWrapped($0.key.text) }.compactMapValues {
      overriddenGetter(of: $0.keyPath, in: type)
    }
  }

  private func meet(_ getter: OverriddenGetter, on object: KVObject) throws(KeyValueError) {
    let field = getter.field
    let found = getter.place.flatMap { place in
      place.isNamed
        ? KeyPathProbe.keyPath(of: field, getter: place.word, of: field.owner, on: object) : nil
    }
    if let path = found ?? declarations[field.key]?.keyPath {
      try answer(field, by: path)
    } else {
      try reportStored(getter)
    }
  }

  private func answer(_ field: Field, by path: AnyKeyPath) throws(KeyValueError) {
    field.noteName(of: path)
    let path = Unchecked(path)
    try addGetter(of: field) { field.answer($1, of: $0, by: path.value) }
    getterAnswers.withLock { $0.answered[field.offset] = path }
  }

  /// Has the core go on telling what is stored, and the first time say so.
  private func reportStored(_ getter: OverriddenGetter) throws(KeyValueError) {
    let field = getter.field
    let reason =
      "\(field.key) is told by name as it is stored: class \(type) \(getter.cause("getter")); declare "
      + "\(field.key) in the class's keys"
    try addGetter(of: field) { [getterAnswers] object, result in
      let isFirst = getterAnswers.withLock { $0.reported.insert(field.offset).inserted }
      if isFirst { isa_report_misuse(ISA_ERR_UNSUPPORTED, nil, reason) }
      field.answer(result, of: object, by: nil)
    }
  }

  /// Says, the first time, that a value set by name has gone past the class's setter.
  private func reportSetter(_ getter: OverriddenGetter) {
    let offset = getter.field.offset, key = getter.field.key
    guard getterAnswers.withLock({ $0.reportedSetters.insert(offset).inserted }) else { return }
    isa_report_misuse(
      ISA_ERR_UNSUPPORTED, nil,
      "\(key) is set by name where it is stored: class \(type) \(getter.cause("setter")); declare "
        + "\(key) in the class's keys")
  }

  /// - Parameter body: Stores the value, or an object that it lends.
  private func addGetter(
    of field: Field, _ body: @escaping (KVObject, UnsafeMutableRawPointer) -> Void
  ) throws(KeyValueError) {
    let context = retainedContext(GetterBody(body))
    let status = isa_class_add_callback(
      cls, field.getter.sel, "\(field.encoding)@:", runGetter, context, releaseContext)
    if status != ISA_OK { releaseContext(context) }
    try KeyValueError.check(status, key: field.getter.name, className: name)
  }
}

/// The code of a getter, as a method of the core's keeps it.
private final class GetterBody {
  let run: (KVObject, UnsafeMutableRawPointer) -> Void

  init(_ run: @escaping (KVObject, UnsafeMutableRawPointer) -> Void) { self.run = run }
}

private let runGetter: isa_callback = { result, arguments, context in
  let id = arguments![0]!.load(as: isa_id.self)
  box(context, as: GetterBody.self).run(KVObject.at(id), result!)
}

extension KVObject {
  /// Runs `body`, which sets a property by name through a setter of the class's own. The setter may
  /// set and announce other things, and the change is told once.
  fileprivate final func announcing(_ field: Field, _ body: () -> Bool) -> Bool {
    let key = field.key, type = Swift.type(of: self)
    // Keys that affect this one, as the class says, are told of where they are set.
    guard let id = adoptedID, type.automaticallyNotifiesObservers(forKey: key),
      type.keyPathsForValuesAffectingValue(forKey: key).isEmpty
    else { return body() }
    _ = withAnswers { kvo_will_change(id, key) }
    defer { _ = withAnswers { kvo_did_change(id, key) } }
    return DeclaredSetting.run(id, key) {
      DeliveryScope.with(covered: [UInt(bitPattern: storage(of: field))], body)
    }
  }
}

extension GetterOverrides {
  /// The place of a property's getter, if it is overridden; nil in it if that is not known.
  fileprivate func place(of field: Field) -> GetterPlace?? {
    switch self {
    case .unknown: .some(nil)
    case .some(let places): places[field.key].map { .some($0) }
    }
  }
}
