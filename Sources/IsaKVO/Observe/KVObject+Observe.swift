internal import CIsa
public import IsaKeyValue

/// The protocol of ``KVObject`` and its subclasses, so that a key path can begin at the subclass.
public protocol KeyValueObservable: KVObject {}

extension KVObject: KeyValueObservable {}

extension KeyValueObservable {
  /// Observes a property until the returned observation is invalidated or released.
  ///
  ///     let age = person.observe(\.age, options: [.old, .new]) { person, change in
  ///       print(change.oldValue ?? 0, change.newValue ?? 0)
  ///     }
  ///
  /// The key path may lead through other objects (`\.address.city`), through optionals
  /// (`\.address?.city`), through constants, and to computed properties: what it reads is found out
  /// by evaluating it, and again whenever that changes. Nil that it unwraps by force (`\.boss!.name`),
  /// and an element that an array does not have (`\.rows[0]`), are no value, until there is one. The
  /// first observation of a key path evaluates it in any case, which runs its getters, such as a getter
  /// that computes or that overrides another.
  ///
  /// A key path that ends in a stored property without a wrapper or reads nothing that can be
  /// observed, bits that are no option, and a class that cannot be registered are misuses, of which
  /// becomes what `KeyValueSettings.misusePolicy` says. Nothing is observed then.
  ///
  /// - Parameters:
  ///   - keyPath: The property to observe.
  ///   - options: The values that a change carries, and the notifications besides those of changes.
  ///   - isSame: If given, a change whose old value is the same as its new one is not told: `==` if
  ///     values are `Equatable`. In a transaction the two values of the merged change are compared.
  ///     Changes of elements, the initial notification and those before a change are always told.
  ///   - changeHandler: Runs on the thread that changes the value, before the setter returns. Not
  ///     `@Sendable`, since an object that is not is changed where it was observed; the handler of
  ///     an object that several threads change must be fit for that.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Returns: The only owner of the observation; dropping it ends the observation. It is not valid
  ///   if nothing is observed.
  /// - Note: Source `observe(_:options:changeHandler:)` of Foundation's Swift overlay.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil,
    changeHandler: @escaping (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    do throws(KeyValueError) {
      if let isSame {
        return try observe(keyPath, options, suppressing: isSame, changeHandler, file, line)
      }
      // The second closure is compiled where the types are known.
      let sink = Sink { object, old, new, tag in
        ChangeInPlace(object, old, new, tag).notify(changeHandler)
      }
      return try observe(keyPath, options, sink, file, line)
    } catch {
      return .refused(error, file, line)
    }
  }

  @usableFromInline
  func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions, _ sink: Sink,
    _ file: StaticString, _ line: UInt
  ) throws(KeyValueError) -> KeyValueObservation {
    KeyValueObservation(
      try registering(file, line) { () throws(KeyValueError) in
        try register(keyPath, options, sink)
      })
  }

  /// Registers code that is compiled for the types of a key path.
  func register<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions, _ sink: Sink
  ) throws(KeyValueError) -> any RegistrationControl {
    let id = try observedID()
    let (path, reads) = try path(of: keyPath, id)
    if path.isMadeOfKeys {
      return try register(path, of: id, options, path.wrapping?(sink) ?? sink)
    }
    return try start(
      EvaluatedObservation(self, keyPath, path, options, sink: sink), keyPath, reads)
  }

  /// Registers a closure for a key path.
  ///
  /// - Parameter isPart: Whether the closure serves an observation that heeds the scopes itself.
  package func register<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions, isPart: Bool = false,
    _ handler: @escaping (Self, ValueChange<Value>) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    let id = try observedID()
    let (path, reads) = try path(of: keyPath, id)
    if path.isMadeOfKeys {
      return try register(path, of: id, options, Sink(handler, isPart: isPart))
    }
    return try start(
      EvaluatedObservation(self, keyPath, path, options, isPart: isPart, handler), keyPath, reads)
  }

  /// Begins to observe a key path that is more than keys.
  private func start<Value>(
    _ observation: EvaluatedPath, _ keyPath: KeyPath<Self, Value>, _ reads: [FindingProbe.Read]
  ) throws(KeyValueError) -> any RegistrationControl {
    let handle = EvaluatedPath.Handle(observation)
    try logging(span: "observe \(observation.name)") { () throws(KeyValueError) in
      try observation.start(reads) { list throws(KeyValueError) in
        let fields = list.keys.map { list.registrations[$0]!.field! }
        try self.check(keyPath, fields, end: list.last?.objectAtEnd)
        return !keyPath.goesOn(behind: fields)
      }
    }
    return handle
  }

  /// Observes a key path by name, with old and new as a Swift type.
  ///
  ///     let city = try person.observe("address.city", as: String?.self, options: .new) { … }
  ///
  /// A value that is of another type is left out of the change, and is a misuse, reported once.
  ///
  /// - Throws: `KeyValueError.Code.notObservable` when a key has no accessor, as far
  ///   as there are objects to ask; `KeyValueError.Code.incompatible` for a wrapped property whose
  ///   value is of another type; otherwise as `RuntimeObject.observe(_:options:handler:)`.
  public func observe<Value>(
    _ keyPath: String, as type: Value.Type, options: ObservationOptions = [],
    changeHandler: @escaping (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> KeyValueObservation {
    let field = try knownField(keyPath, of: try observedID())
    if let field, field.offset > 0, !field.gives(type, of: self) {
      throw KeyValueError(
        .incompatible, key: keyPath, className: className,
        reason: "\(keyPath) is of type \(field.typeName), and cannot be observed as \(type)")
    }
    return KeyValueObservation(
      try registering(file, line) { () throws(KeyValueError) in
        try register(keyPath, options, Sink(changeHandler, isPart: false))
      })
  }

  /// The keys that the key path is made of, joined by dots; nil if it is more than that.
  package func keys<Value>(of keyPath: KeyPath<Self, Value>) throws(KeyValueError) -> String? {
    let path = try path(of: keyPath, try observedID()).path
    return path.isMadeOfKeys ? path.keys : nil
  }

  /// The key path, as it is known, and what was read to find that out.
  private func path<Value>(
    of keyPath: KeyPath<Self, Value>, _ id: isa_id
  ) throws(KeyValueError) -> (path: KnownPath, reads: [FindingProbe.Read]) {
    guard let known = ClassRegistration.knownPath(keyPath, of: id) else {
      return try find(keyPath, .of(id))
    }
    if known.isMadeOfKeys, !known.isOneKey { askCustomization(for: keyPath, of: known.keys) }
    return (known, [])
  }

  private func find<Value>(
    _ keyPath: KeyPath<Self, Value>, _ registration: ClassRegistration
  ) throws(KeyValueError) -> (path: KnownPath, reads: [FindingProbe.Read]) {
    let steps = keyPath.steps
    if let keys = writtenKeys(of: keyPath, steps, registration) {
      return (registration.knownPaths.add(keyPath, keys, of: steps.last?.type), [])
    }
    let (keys, reads, isTracked) = try evaluatedKeys(of: keyPath, steps, registration)
    let known = registration.knownPaths.add(keyPath, keys, of: steps.last?.type)
    if isTracked { known.noteTracked() }
    return (known, reads)
  }

  /// The keys of a key path that tells them itself.
  private func writtenKeys<Value>(
    of keyPath: KeyPath<Self, Value>, _ steps: [KeyPathStep], _ registration: ClassRegistration
  ) -> String? {
    if let key = registration.knownKey(keyPath) {
      askCustomization(of: key, keyPath)
      if let own = registration.ownPath(key) { askCustomization(of: key, own) }
      return key
    }
    // A key path that unwraps by force is not evaluated: nil there stops the process.
    let isForced = steps.contains { $0.isForced }
    guard isForced || steps.contains(where: \.isChained),
      let keys = registration.keys(along: steps, asking: isForced)
    else { return nil }
    askCustomization(for: keyPath, of: keys)
    return keys
  }

  /// The keys that a key path is found to be made of when it is evaluated, nil if it is more than that;
  /// and whether it reads what Observation tracks.
  private func evaluatedKeys<Value>(
    of keyPath: KeyPath<Self, Value>, _ steps: [KeyPathStep], _ registration: ClassRegistration
  ) throws(KeyValueError) -> (keys: String?, reads: [FindingProbe.Read], isTracked: Bool) {
    if keyPath.mayStop {
      throw notObservable(
        keyPath,
        "this version of Swift does not tell its steps, which may stop at nil or be unheard",
        "observe a computed property that reads it")
    }
    if let walk = PathWalk(keyPath), unobserved({ walk.stops(at: self) }) {
      try checkSteps(of: keyPath, steps)
      return (nil, [], false)
    }
    let probe = FindingProbe()
    let isTracked = probe.run { _ = self[keyPath: keyPath] }
    if let failure = probe.failure { throw failure.error }
    let reads = probe.reads
    // The names of what was read are known by now, without a look at the program's symbols.
    try checkSteps(of: keyPath, steps)
    askCustomization(for: keyPath, reads)
    if isTracked { return (nil, reads, true) }
    if let keys = declaredEnd(of: keyPath, reads) { return (keys, reads, false) }
    // Nothing to follow: the property announces its changes.
    if reads.isEmpty, let key = registration.followedKey(keyPath) { return (key, reads, false) }
    // What announces on the way does not report itself either.
    if let keys = readKeys(of: keyPath, along: steps, reads, registration) {
      if reads.count < steps.count { askCustomization(for: keyPath, of: keys) }
      return (keys, reads, false)
    }
    try check(keyPath, reads.map(\.field), end: reads.last?.anyObject)
    return (nil, reads, false)
  }

  /// Throws `KeyValueError.Code.notObservable` if a key path reads a variable that nobody hears of.
  private func checkSteps(
    of keyPath: AnyKeyPath, _ steps: [KeyPathStep]
  ) throws(KeyValueError) {
    let isThroughOthers = steps.contains(where: \.isOfOtherClass)
    for step in steps {
      guard let name = step.unheardVariable else { continue }
      let variable = "\(step.owner).\(name)"
      guard isThroughOthers else { throw notObservable(keyPath, "\(variable) has no wrapper") }
      throw notObservable(
        keyPath, "\(variable) is a variable whose changes nobody is told of", step.cure)
    }
  }

  /// The keys of steps that have been followed, as far as there was an object.
  private func readKeys(
    of keyPath: AnyKeyPath, along steps: [KeyPathStep], _ reads: [FindingProbe.Read],
    _ registration: ClassRegistration
  ) -> String? {
    guard reads.allSatisfy({ $0.object.registration?.isAnswered($0.field) ?? true }) else {
      return nil
    }
    if !knowsSteps { return joinedKeys(of: keyPath, reads) }
    // Of a property behind nil, with a getter of its own or without a wrapper, which was not read,
    // nothing else tells the name.
    let isUnread = reads.count < steps.count { $0.isOfObject }
    return registration.keys(along: steps, asking: isUnread)
  }

  /// The same where its memory tells no steps: it is compared with the key paths of what was read.
  private func joinedKeys(of keyPath: AnyKeyPath, _ reads: [FindingProbe.Read]) -> String? {
    var object: KVObject? = self
    var path: AnyKeyPath?
    for read in reads {
      guard read.object === object, let step = read.keyPath else { return nil }
      guard let above = path else {
        (path, object) = (step, read.value)
        continue
      }
      guard let joined = above.appending(path: step) ?? above.appending(inherited: step) else {
        return nil
      }
      (path, object) = (joined, read.value)
    }
    guard let path, isSamePath(path, keyPath) else { return nil }
    return reads.map(\.field.key).joined(separator: ".")
  }

  /// Throws if these properties, of which the last one's value is `end`, are not all that the key path
  /// leads through.
  private func check(
    _ keyPath: AnyKeyPath, _ fields: [Field], end: AnyObject?
  ) throws(KeyValueError) {
    if fields.isEmpty { throw notObservable(keyPath, unwrappedEnd(of: keyPath, in: self)) }
    if let end, keyPath.goesOn(behind: fields) {
      throw notObservable(keyPath, unwrappedEnd(of: keyPath, in: end))
    }
    if let dotted = fields.first(where: \.isDotted) {
      throw notObservable(keyPath, "the name “\(dotted.key)” has a dot, which parts keys")
    }
  }

  /// The keys of the objects that were read and of a property that the class of the last of them
  /// has declared a key for, if the key path is made of these.
  ///
  /// - Parameter isFollowed: Whether the property is to be a computed one whose getter is followed.
  func declaredEnd(
    of keyPath: AnyKeyPath, _ reads: [FindingProbe.Read], isFollowed: Bool = false
  ) -> String? {
    var object: KVObject = self
    var steps: [AnyKeyPath] = []
    var keys: [String] = []
    for read in reads where read.object === object {
      guard let next = read.value, let registration = next.registration,
        let step = read.keyPath
      else { return nil }
      object = next
      steps.append(step)
      keys.append(read.field.key)
      if let key = registration.key(keyPath, behind: steps, isFollowed: isFollowed) {
        return (keys + [key]).joined(separator: ".")
      }
    }
    return nil
  }

  /// The mistake in a key path that reads nothing of its last object which reports itself: it ends
  /// in a property without a wrapper, of which the name may be known, or only the type.
  private func unwrappedEnd(of keyPath: AnyKeyPath, in owner: AnyObject) -> String {
    if let name = keyPath.steps.last?.name(asking: false),
      let property = unwrappedProperty(name, of: Swift.type(of: owner))
    {
      return "\(property) has no wrapper"
    }
    let type = type(of: keyPath).valueType
    func isEmpty<Value>(_ type: Value.Type) -> Bool { DynamicValue<Value>.isEmpty }
    if _openExistential(type, do: isEmpty) { return "no two values of type \(type) differ" }
    let names = unwrappedProperties(of: owner, type: type)
    switch names.count {
    case 0: return "it reads no property of \(Swift.type(of: owner)) that can be observed"
    case 1: return "\(names[0]) has no wrapper"
    default: return "none of \(names.joined(separator: ", ")) has a wrapper"
    }
  }

  private func notObservable(
    _ keyPath: AnyKeyPath, _ reason: String, _ cure: String? = nil
  ) -> KeyValueError {
    KeyValueError(
      .notObservable, key: keyPath.text, className: className,
      reason: "\(keyPath.text) of \(Self.self) cannot be observed: \(reason)", cure: cure)
  }
}

extension StringProtocol {
  /// Where `text` occurs first.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
