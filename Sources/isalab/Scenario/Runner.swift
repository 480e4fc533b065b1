import CIsa

/// Runs a checked scenario and keeps what each of its lines brought about.
struct Runner {
  let program: Program
  let world: World
  let inspector: Inspector
  var record: Run
  private var observers = 0

  static func run(_ program: Program) -> Run {
    do throws(Refusal) {
      var runner = try Runner(program)
      return runner.runAll()
    } catch {
      var run = Run(file: program.scenario.file, steps: [])
      run.stopped = Diagnostic(
        file: run.file, location: SourceLocation(line: 1, column: 1), problem: error.reason,
        expected: "a runtime in which the scenario's classes can be made")
      return run
    }
  }

  private init(_ program: Program) throws(Refusal) {
    self.program = program
    world = try World(program.symbols)
    inspector = Inspector(names: world.names)
    record = Run(file: program.scenario.file, steps: [])
  }

  private mutating func runAll() -> Run {
    defer { world.tearDown() }
    let statements = program.scenario.statements
    for (index, statement) in statements.enumerated() {
      perform(statement, before: statements[(index + 1)...])
      if record.stopped != nil { break }
    }
    return record
  }

  private mutating func perform(_ statement: Statement, before following: ArraySlice<Statement>) {
    let before = Snapshot(world, inspector)
    var facts: [Fact] = []
    var refusal: Refusal?
    do throws(Refusal) {
      facts = try perform(statement)
    } catch {
      refusal = Refusal(exception: error.exception, reason: world.names.symbolic(error.reason))
    }
    world.releaseTemporaries()
    let misuse = world.recorder.misuse
    let recorded = world.recorder.takeStep()
    facts += before.changes(to: Snapshot(world, inspector)) + recorded.facts
    if let refusal {
      facts.append(.refused(refusal))
    } else if statement.kind.changesValue, facts.deliveries.isEmpty {
      facts.append(.silence)
    }
    record.steps.append(
      Step(
        number: record.steps.count + 1, location: statement.location, text: statement.text,
        facts: facts, events: recorded.events))
    if let refusal, misuse == nil, !isExpected(by: following) { stop(at: statement, refusal) }
  }

  /// Whether one of the expectations right below asks for an error.
  private func isExpected(by following: ArraySlice<Statement>) -> Bool {
    for statement in following {
      guard case .expect(let expectation) = statement.kind else { return false }
      if case .error = expectation.kind { return true }
    }
    return false
  }

  private mutating func stop(at statement: Statement, _ refusal: Refusal) {
    record.stopped = Diagnostic(
      file: record.file, location: statement.location,
      problem: "\(refusal.exception): \(refusal.reason)",
      expected: "'expect error \(refusal.exception)' in the next line if this is meant")
  }

  // MARK: Statements

  private mutating func perform(_ statement: Statement) throws(Refusal) -> [Fact] {
    switch statement.kind {
    case .structure(let declaration): return structure(declaration)
    case .classPair(let declaration): return try classPair(declaration)
    case .object(let name, let cls): return try object(name, cls.text)
    case .observer(let name): return try object(name, Symbols.observerClass)
    case .set(let target, let value): try set(target, value)
    case .poke(let target, let value): try poke(target, value)
    case .observe(let observe): try self.observe(observe)
    case .removeToken(let name): return removeToken(name.text)
    case .removeObserver(let remove): try self.remove(remove)
    case .release(let name): world.release(name.text)
    case .willChange(let target):
      try refusing(kvo_will_change(world.object(target.object), target.key.text))
    case .didChange(let target):
      try refusing(kvo_did_change(world.object(target.object), target.key.text))
    case .swapIsa(let name, let cls): try swapIsa(of: name, to: cls.text)
    case .wrap(let wrapping): kvo_set_wrapping(wrapping.policy)
    case .query(let query): return [.answer(try answer(query))]
    case .expect(let expectation): return [try judge(expectation, at: statement.location)]
    }
    return []
  }

  private func structure(_ declaration: StructDeclaration) -> [Fact] {
    let encoding = program.symbols.structures[declaration.name.text]!.encoding
    let size = Extent(firstOf: encoding)!.size
    return [.structure(name: declaration.name.text, encoding: encoding, size: size)]
  }

  private func classPair(_ declaration: ClassDeclaration) throws(Refusal) -> [Fact] {
    let name = declaration.name.text
    let superclass = try declaration.superclass.map { name throws(Refusal) in
      try world.existingClass(name.text)
    }
    let properties = program.symbols.classes[name]!.properties
    let cls = try world.makeClass(name, superclass: superclass) { cls throws(Refusal) in
      for property in properties { try world.addProperty(property, to: cls) }
    }
    return [
      .classPair(
        name: name, superclass: inspector.names.className(isa_class_superclass(cls)),
        size: isa_class_instance_size(cls), ivars: inspector.ivars(of: cls))
    ]
  }

  private func object(_ name: Name, _ className: String) throws(Refusal) -> [Fact] {
    let symbol = try world.makeObject(name.text, className)
    let address = UInt(bitPattern: world.object(name))
    return [.object(name: name.text, symbol: symbol, className: className, address: address)]
  }

  func property(_ reference: PropertyReference) -> Symbols.Property {
    let className = program.symbols.objects[reference.object.text]!.className
    return program.symbols.property(reference.key.text, of: className)!
  }

  func bytes(of literal: Literal, as type: ValueType) throws(Refusal) -> [UInt8] {
    let encoder = ValueEncoder(file: record.file, labels: program.symbols.labels, words: world)
    do throws(Diagnostic) {
      return try encoder.bytes(of: literal, as: type)
    } catch {
      throw Refusal(
        exception: "NSInvalidArgumentException",
        reason: "\(error.problem), expected \(error.expected)")
    }
  }

  private func set(_ target: PropertyReference, _ value: Literal) throws(Refusal) {
    let property = property(target)
    var argument = try bytes(of: value, as: property.type)
    let selector = world.selector(property.declaration.setter!)
    let status = argument.withUnsafeMutableBytes { bytes in
      withUnsafePointer(to: bytes.baseAddress) {
        isa_invoke_message(world.object(target.object), selector, $0, nil)
      }
    }
    try refusing(status)
  }

  private func poke(_ target: PropertyReference, _ value: Literal) throws(Refusal) {
    let property = property(target)
    let bytes = try bytes(of: value, as: property.type)
    let ivar = world.ivarAddress(of: property, in: world.object(target.object))
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

  private mutating func observe(_ statement: ObserveStatement) throws(Refusal) {
    let object = world.object(statement.target.object)
    guard let observer = statement.observer else {
      observers += 1
      try world.observe(object, statement, as: statement.token?.text ?? "observer#\(observers)")
      return
    }
    try refusing(
      kvo_add_observer(
        object, world.object(observer), statement.target.key.text, statement.optionBits,
        UnsafeMutableRawPointer(bitPattern: statement.context)))
  }

  private func removeToken(_ name: String) -> [Fact] {
    if world.endToken(name) { return [] }
    return [.note("\(name) had ended already: a token may be ended any number of times")]
  }

  private func remove(_ statement: RemoveStatement) throws(Refusal) {
    let object = world.object(statement.target.object)
    let observer = world.object(statement.observer)
    let key = statement.target.key.text
    guard let context = statement.context else {
      return try refusing(kvo_remove_observer(object, observer, key))
    }
    let pointer = UnsafeMutableRawPointer(bitPattern: context)
    try refusing(kvo_remove_observer_context(object, observer, key, pointer))
  }

  private func swapIsa(of name: Name, to className: String) throws(Refusal) {
    let cls = try world.existingClass(className)
    try refusing(isa_object_set_class(world.object(name), cls, nil))
  }
}

extension Statement.Kind {
  /// Whether observers might be told of it.
  fileprivate var changesValue: Bool {
    switch self {
    case .set, .poke, .didChange: true
    default: false
    }
  }
}

extension Wrapping {
  fileprivate var policy: kvo_wrapping {
    switch self {
    case .automatic: KVO_WRAP_AUTOMATIC
    case .libffi: KVO_WRAP_LIBFFI
    case .apple: KVO_WRAP_AS_APPLE
    }
  }
}
