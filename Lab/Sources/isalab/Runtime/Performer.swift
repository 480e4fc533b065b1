import IsaRuntime

/// Carries out statements, by the runtime's own calls.
///
/// A class, because a statement may carry out another one: an observer may act when it is told.
final class Performer {
  let program: Program
  let world: World
  let inspector: Inspector
  /// How somebody else observes, where a scenario is run so.
  var design: DesignSession?
  private let budget: Budget
  private var observers = 0
  /// What faults find, by the addresses of the objects.
  var rows: [UInt: [(property: Symbols.Property, value: RuntimeValue)]] = [:]

  init(_ program: Program, _ budget: Budget) throws(KeyValueError) {
    self.program = program
    self.budget = budget
    world = try World(program.symbols, budget)
    inspector = Inspector(names: world.names)
  }

  func perform(_ statement: Statement) throws(KeyValueError) -> [Fact] {
    if let facts = try design?.perform(statement) { return facts }
    switch statement.kind {
    case .structure(let declaration): return structure(declaration)
    case .classPair(let declaration): return try classPair(declaration)
    case .object(let name, let cls): return try object(name, cls.text)
    case .observer(let name): return try object(name, Symbols.observerClass)
    case .collection(let name, let type, let literal):
      return try collection(name, type, literal)
    case .query(let query): return [.answer(try answer(query))]
    case .removeToken(let name): return removeToken(name.text)
    case .set(let target, let value): return try set(target, value)
    case .swizzle(let target, as: let name): return try swizzle(target, as: name.text)
    case .onThread(let inner): return try performElsewhere(inner)
    case .repetition(let count, let inner): return try performRepeatedly(inner, count)
    default:
      try change(statement.kind)
      return []
    }
  }

  /// A statement whose facts are what the runtime tells of it.
  private func change(_ kind: Statement.Kind) throws(KeyValueError) {
    switch kind {
    case .poke(let target, let value): try poke(target, value)
    case .keyedSet(let target, let value): try keyedSet(target, value)
    case .bulkSet(let name, let values): try bulkSet(name, values)
    case .edit(let edit): try self.edit(edit)
    case .willEdit(let edit): try announce(edit, isWill: true)
    case .didEdit(let edit): try announce(edit, isWill: false)
    case .willChange(let target):
      try parent(of: target)?.willChangeValue(forKey: target.keys.last!.text)
    case .didChange(let target):
      try parent(of: target)?.didChangeValue(forKey: target.keys.last!.text)
    case .observe(let observe): try self.observe(observe)
    case .removeObserver(let remove): try self.remove(remove)
    case .release(let name):
      _ = try world.object(name)
      world.release(name.text)
    case .shared(let name, let cls):
      try world.listeners.makeShared(name.text, try world.existingClass(cls.text))
    case .share(let name, let target):
      try world.listeners.share(name, with: try world.object(target))
    case .swapIsa(let name, let cls):
      try world.object(name).setIsa(try world.existingClass(cls.text))
    case .fault(let name, let values): try fault(name, values)
    case .wrap(let wrapping): KeyValueSettings.wrapping = wrapping.policy
    case .bind(let target, to: let source, let isTwoWay):
      try bind(target, to: source, isTwoWay: isTwoWay)
    case .unbind(let target): try view(target).unbind(\.width)
    case .reaction(let observer, let inner):
      world.recorder.reactions[observer.text, default: []].append(reaction(inner))
    case .standingReaction(let observer, let inner):
      world.recorder.standingReactions[observer.text, default: []].append(reaction(inner))
    default: break
    }
  }

  private func structure(_ declaration: StructDeclaration) -> [Fact] {
    let encoding = program.symbols.structures[declaration.name.text]!.encoding
    let size = Extent(firstOf: encoding)!.size
    return [.structure(name: declaration.name.text, encoding: encoding, size: size)]
  }

  private func classPair(_ declaration: ClassDeclaration) throws(KeyValueError) -> [Fact] {
    let cls = try world.makeClass(declaration)
    return [
      .classPair(
        name: cls.name, superclass: cls.superclass.map(inspector.names.name(of:)) ?? "nil",
        size: cls.instanceSize, ivars: inspector.ivars(of: cls))
    ]
  }

  private func object(_ name: Name, _ className: String) throws(KeyValueError) -> [Fact] {
    let symbol = try world.makeObject(name.text, className)
    let address = try world.object(name).address
    return [.object(name: name.text, symbol: symbol, className: className, address: address)]
  }

  private func collection(
    _ name: Name, _ type: Name?, _ literal: Literal
  ) throws(KeyValueError) -> [Fact] {
    let className = program.symbols.objects[name.text]!.className
    let collection = try world.value(of: literal, as: className)
    guard let object = collection.object else {
      throw KeyValueError(.outOfMemory, reason: "no memory for \(name)")
    }
    _ = world.keep(object, as: name.text)
    let contents = world.decoder.value(collection)
    return [.collection(name: name.text, typeName: className, contents: contents)]
  }

  /// A name for a function that the scenario gives none.
  func nextObserverName() -> String {
    observers += 1
    return "observer#\(observers)"
  }

  // MARK: Now and elsewhere

  /// A statement to carry out inside a callback.
  private func reaction(_ statement: Statement) -> Recorder.Reaction {
    let run = { [unowned self] in
      let outer = self.budget.location
      defer { self.budget.location = outer }
      self.budget.location = statement.location
      do throws(KeyValueError) {
        let facts = try self.perform(statement)
        for fact in facts { self.world.recorder.record(fact) }
      } catch {
        self.design?.refused(Refusal(error))
        self.world.recorder.record(error)
      }
    }
    return Recorder.Reaction(text: statement.text, run: run)
  }

  private func performRepeatedly(
    _ statement: Statement, _ count: Int
  ) throws(KeyValueError) -> [Fact] {
    budget.location = statement.location
    var facts: [Fact] = []
    for _ in 0..<count {
      guard budget.spend() else { break }
      // The guard against circles of computed properties is for one statement.
      world.getterCount = 0
      facts += try perform(statement)
    }
    return facts
  }

  /// Carries a statement out on another thread, and waits for it.
  private func performElsewhere(_ statement: Statement) throws(KeyValueError) -> [Fact] {
    var outcome: Result<[Fact], KeyValueError> = .success([])
    // It may be a callback on another thread already that waits.
    let wasElsewhere = world.recorder.isElsewhere
    world.recorder.isElsewhere = true
    OtherThread.run {
      do throws(KeyValueError) {
        outcome = .success(try self.perform(statement))
      } catch {
        outcome = .failure(error)
      }
    }
    world.recorder.isElsewhere = wasElsewhere
    return try outcome.get()
  }
}
