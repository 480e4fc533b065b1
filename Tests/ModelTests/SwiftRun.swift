import CIsa
import IsaKVO
import IsaRuntime

/// One program on Swift's own classes.
final class SwiftRun {
  // Programs run one after the other, on one thread.
  nonisolated(unsafe) private static var current: SwiftRun?

  private let engine: SwiftEngine
  /// Nil for those that the program has given up.
  private var nodes: [SwiftNode?]
  private var observers: [SwiftObserver?]
  /// By the number of the node. There are no other nodes, so that none gets the address of one that
  /// is no more.
  private let addresses: [UInt]
  private let reactions: Reactions
  /// The latest of each label, and all that stand until the end.
  private var tokens: [Int: KeyValueObservation] = [:]
  private var made: [KeyValueObservation] = []
  /// By the number that introspection has for a closure; another may have it once the token has
  /// ended.
  private var closures: [UInt: (label: Int, token: KeyValueObservation)] = [:]
  /// Whether each step in progress is a registration, which itself tells of initial values only.
  private var isRegistering: [Bool] = []
  /// The functions that are being registered, and what ends each once it has been told.
  private var registering: [(label: Int, end: (() -> Void)?)] = []
  private var trace: [Line] = []

  static func run(_ program: Program, on engine: SwiftEngine) -> [Line] {
    let run = SwiftRun(program, engine)
    current = run
    for (number, step) in program.steps.enumerated() {
      run.trace.append(.step(number))
      run.perform(step)
    }
    run.end(nodesGoFirst: program.nodesGoFirst)
    current = nil
    return run.trace
  }

  private init(_ program: Program, _ engine: SwiftEngine) {
    self.engine = engine
    let made = program.nodes.map { _ in SwiftNode() }
    nodes = made
    addresses = made.map(engine.address)
    observers = (0..<Generator.observers).map(SwiftObserver.init)
    reactions = Reactions(program)
    for (number, values) in program.nodes.enumerated() {
      for key in Key.stored { poke(number, key, Graph.stored(values, key)) }
    }
  }

  private func end(nodesGoFirst: Bool) {
    if nodesGoFirst { nodes = [] }
    tokens = [:]
    closures = [:]
    made = []
    nodes = []
  }

  // MARK: Steps

  private func perform(_ step: Step) {
    isRegistering.append(step.registers)
    defer { isRegistering.removeLast() }
    report { try take(step) }
  }

  private func take(_ step: Step) throws {
    switch step {
    case .observe(let label, let registration): try observe(registration, label)
    case .invalidate(let label): invalidate(label)
    case .remove(let observer, let node, let path, let context):
      try remove(self.observer(observer), self.node(node), path.text, context)
    case .set(let node, let key, let value, let way): try set(node, key, value, way)
    case .setAlong(let node, let link, let key, let value):
      try self.node(node).setValue(any(value), forKeyPath: "\(link.text).\(key.text)")
    case .changeList(let node, let key, let change, let way):
      try changeList(node, key, change, way)
    case .changeSet(let node, let key, let change, let way): try changeSet(node, key, change, way)
    case .observeEach(let nodes, let registration): try observeEach(nodes, registration)
    case .removeEach(let nodes, let observer, let path, let context):
      try removeEach(nodes, self.observer(observer), path.text, context)
    case .list(let node): try notePlaces(RuntimeObject(self.node(node)).registrations)
    case .ask(let node, let key):
      try notePlaces(RuntimeObject(self.node(node)).affected(by: key.text))
    case .giveUp(let node): nodes[node] = nil
    case .giveUpObserver(let number): observers[number] = nil
    case .will(let node, let key): self.node(node).willChangeValue(forKey: key.text)
    case .did(let node, let key): self.node(node).didChangeValue(forKey: key.text)
    }
  }

  private func report(_ step: () throws -> Void) {
    do { try step() } catch { note(status(of: error)) }
  }

  private func note(_ status: isa_status) {
    // A reaction may leave an announced index without an object, as in the other kind.
    if status != KVC_ERR_RANGE { trace.append(.failure(status.rawValue)) }
  }

  private func status(of error: any Error) -> isa_status {
    switch (error as? KeyValueError)?.code {
    case .notRegistered: KVO_ERR_NOT_REGISTERED
    case .outOfRange: KVC_ERR_RANGE
    case .nilValue: KVC_ERR_NIL_VALUE
    default: fatalError("\(error)")
    }
  }

  /// Nobody is thrown to by an announcement.
  static func noteMisuse(_ misuse: Misuse) {
    current?.note(misuse.exception == "NSRangeException" ? KVC_ERR_RANGE : ISA_ERR_INVALID_ARGUMENT)
  }

  // MARK: Objects

  private func node(_ number: Int) -> SwiftNode {
    guard let node = nodes[number] else { fatalError("n\(number) has been given up") }
    return node
  }

  private func observer(_ number: Int) -> SwiftObserver {
    guard let observer = observers[number] else { fatalError("P\(number) has been given up") }
    return observer
  }

  /// -1 for any other object.
  private func number(of object: KVObject) -> Int {
    addresses.firstIndex(of: engine.address(of: object)) ?? -1
  }

  // MARK: Registrations

  private func observe(_ registration: Registration, _ label: Int) throws {
    let node = node(registration.node), path = registration.path
    let options = ObservationOptions(rawValue: UInt(registration.options.rawValue))
    switch registration.observer {
    case .object(let number):
      try node.addObserver(
        observer(number), forKeyPath: path.text, options: options,
        context: UnsafeMutableRawPointer(bitPattern: registration.context))
    case .function:
      registering.append((label, nil))
      defer { registering.removeLast() }
      let token = try observe(registration, options, label)
      tokens[label] = token
      made.append(token)
      if token.isValid, !registration.isEvaluated { try noteNumber(of: label, token, at: node) }
    }
  }

  /// Registers a closure, in one form or another.
  private func observe(
    _ registration: Registration, _ options: ObservationOptions, _ label: Int
  ) throws -> KeyValueObservation {
    let node = node(registration.node), path = registration.path
    let typed = engine.paths[path.number]
    if let evaluate = typed.byEvaluation, registration.isEvaluated {
      return try evaluate(node, options) { SwiftRun.told($0, .function(label), path) }
    }
    let told: (SwiftChange) -> Void = {
      SwiftRun.told($0, .function(label), Path.named($0.keyPath))
    }
    return switch label % 3 {
    case 0: try SwiftPath.observe(path, of: node, options, label)
    case 1: try typed.byName(node, options, told)
    default: try (typed.byKeyPath ?? typed.byName)(node, options, told)
    }
  }

  /// Notes by which number introspection knows the closure: the node's latest registration is its.
  private func noteNumber(of label: Int, _ token: KeyValueObservation, at node: SwiftNode) throws {
    let latest = try RuntimeObject(node).registrations.last { !$0.isForwarder }
    if let latest, latest.isFunction { closures[latest.observer] = (label, token) }
  }

  private func invalidate(_ label: Int) {
    if let open = registering.last(where: { $0.label == label }) {
      open.end?()
    } else {
      tokens[label]?.invalidate()
    }
  }

  private func remove(
    _ observer: SwiftObserver, _ node: SwiftNode, _ path: String, _ context: Int?
  ) throws {
    if let context {
      try node.removeObserver(
        observer, forKeyPath: path, context: UnsafeMutableRawPointer(bitPattern: context))
    } else {
      try node.removeObserver(observer, forKeyPath: path)
    }
  }

  private func observeEach(_ numbers: [Int], _ registration: Registration) throws {
    guard case .object(let observer) = registration.observer else { return }
    try withElements(numbers) { array, indexes in
      try array.addObserver(
        RuntimeObject(self.observer(observer)), toObjectsAt: indexes,
        forKeyPath: registration.path.text,
        options: ObservationOptions(rawValue: UInt(registration.options.rawValue)),
        context: ObservationContext(address: UInt(registration.context)))
    }
  }

  private func removeEach(
    _ numbers: [Int], _ observer: SwiftObserver, _ path: String, _ context: Int?
  ) throws {
    try withElements(numbers) { array, indexes in
      let observer = try RuntimeObject(observer)
      if let context {
        try array.removeObserver(
          observer, fromObjectsAt: indexes, forKeyPath: path,
          context: ObservationContext(address: UInt(context)))
      } else {
        try array.removeObserver(observer, fromObjectsAt: indexes, forKeyPath: path)
      }
    }
  }

  /// Calls `body` with an array of nodes and all its indexes.
  private func withElements(
    _ numbers: [Int], _ body: (RuntimeObject, [Int]) throws -> Void
  ) throws {
    let elements = try numbers.map { RuntimeValue(try RuntimeObject(node($0))) }
    guard let array = RuntimeValue.array(elements).object else { fatalError("no array") }
    try body(array, Array(elements.indices))
  }

  private func notePlaces(_ registrations: [RuntimeRegistration]) throws {
    trace.append(.places(try registrations.compactMap(place)))
  }

  /// Nil for those by which an evaluated key path is heard.
  private func place(_ registration: RuntimeRegistration) throws -> Place? {
    guard let observer = try observer(registration) else { return nil }
    return Place(
      keys: Path.parse(registration.keyPath), isForwarder: registration.isForwarder,
      observer: observer, context: Int(registration.context.address),
      node: addresses.firstIndex(of: registration.root) ?? -1,
      path: Path.named(registration.rootKeyPath))
  }

  private func observer(_ registration: RuntimeRegistration) throws -> Observer? {
    if registration.isFunction {
      guard let closure = closures[registration.observer], closure.token.isValid else { return nil }
      return .function(closure.label)
    }
    let number = observers.firstIndex { $0.map(engine.address) == registration.observer }
    return number.map(Observer.object)
  }

  // MARK: Attributes and links

  private func field(_ key: Key) -> SwiftField {
    guard let field = SwiftNode.fields[key] else { fatalError("\(key) has no field") }
    return field
  }

  private func poke(_ node: Int, _ key: Key, _ value: Value) {
    field(key).store(self.node(node), any(value))
  }

  private func set(_ number: Int, _ key: Key, _ value: Value, _ way: Way) throws {
    let node = node(number), any = any(value)
    switch way {
    case .accessor: field(key).set(node, any)
    case .coding: try node.setValue(any, forKey: key.text)
    case .manual: try field(key).announce(node, any)
    case .silent: field(key).store(node, any)
    case .inPlace: field(key).modify(node) { _ in any }
    }
  }

  // MARK: Lists

  /// The members that a to-many key has at this moment; none for nil.
  private func words(_ node: SwiftNode, _ key: Key) -> [Int] {
    switch key {
    case .items: node.items.map(Words.known)
    case .tags: node.tags.map(Words.known)
    case .row: node.row.map(Words.known)
    case .bag: node.bag?.map(Words.known) ?? []
    default: node.pouch?.map(Words.known) ?? []
    }
  }

  private func changeList(_ number: Int, _ key: Key, _ change: OrderedChange, _ way: Way) throws {
    let node = node(number)
    guard let fitted = change.fitted(to: words(node, key).count) else { return }
    switch way {
    case .accessor: try changeItems(node, fitted)
    case .coding: try self.change(try node.mutableArrayValue(forKey: key.text), fitted)
    case .manual:
      let kind = ChangeKind.allCases[Int(fitted.kind) - 1]
      node.willChange(kind, valuesAt: fitted.indexes, forKey: key.text)
      poke(number, key, .list(fitted.applied(to: words(node, key))))
      node.didChange(kind, valuesAt: fitted.indexes, forKey: key.text)
    case .silent: poke(number, key, .list(fitted.applied(to: words(node, key))))
    case .inPlace:
      field(key).modify(node) { now in
        fitted.applied(to: (now as! [String]).map(Words.known)).map(Words.text)
      }
    }
  }

  /// Changes items by their typed proxy, which has no change of places apart from one another.
  private func changeItems(_ node: SwiftNode, _ change: OrderedChange) throws {
    let first = change.indexes[0], range = first..<(first + change.indexes.count)
    guard Array(range) == change.indexes else {
      return try self.change(try node.mutableArrayValue(forKey: "items"), change)
    }
    let proxy = node.mutableArrayValue(for: \.items)
    switch change {
    case .insert(let words, _) where words.count == 1:
      proxy.insert(Words.text(words[0]), at: first)
    case .insert(let words, _): proxy.insert(contentsOf: words.map(Words.text), at: first)
    case .remove where range.count == 1: proxy.remove(at: first)
    case .remove: proxy.removeSubrange(range)
    case .replace(let words, _) where words.count == 1: proxy[first] = Words.text(words[0])
    case .replace(let words, _): proxy.replaceSubrange(range, with: words.map(Words.text))
    }
  }

  private func change(_ proxy: MutableArrayProxy, _ change: OrderedChange) throws {
    let isOne = change.indexes.count == 1
    switch change {
    case .insert(let words, let indexes) where isOne:
      try proxy.insert(Words.text(words[0]), at: indexes[0])
    case .insert(let words, let indexes):
      try proxy.insert(contentsOf: words.map(boxed), at: indexes)
    case .remove(let indexes) where isOne: try proxy.remove(at: indexes[0])
    case .remove(let indexes): try proxy.remove(at: indexes)
    case .replace(let words, let indexes) where isOne:
      try proxy.replace(at: indexes[0], with: Words.text(words[0]))
    case .replace(let words, let indexes): try proxy.replace(at: indexes, with: words.map(boxed))
    }
  }

  // MARK: Sets

  private func changeSet(_ number: Int, _ key: Key, _ change: SetChange, _ way: Way) throws {
    let node = node(number)
    switch way {
    case .accessor: try changeTags(node, change)
    case .coding: try self.change(try node.mutableSetValue(forKey: key.text), change)
    case .manual:
      let mutation = SetMutation.allCases[Int(change.mutation.rawValue) - 1]
      let operand = Set<AnyHashable>(change.words.map(Words.text))
      node.willChangeValue(forKey: key.text, withSetMutation: mutation, using: operand)
      poke(number, key, .set(change.applied(to: words(node, key))))
      node.didChangeValue(forKey: key.text, withSetMutation: mutation, using: operand)
    case .silent: poke(number, key, .set(change.applied(to: words(node, key))))
    case .inPlace:
      field(key).modify(node) { now in
        Set(change.applied(to: (now as! Set<String>).map(Words.known)).map(Words.text))
      }
    }
  }

  /// Changes tags by their typed proxy.
  private func changeTags(_ node: SwiftNode, _ change: SetChange) throws {
    let proxy = node.mutableSetValue(for: \.tags), words = change.words.map(Words.text)
    switch change.mutation {
    case .union where change.isSingle: words.forEach { proxy.insert($0) }
    case .minus where change.isSingle: words.forEach { proxy.remove($0) }
    case .union: proxy.formUnion(words)
    case .minus: proxy.subtract(words)
    case .intersect: proxy.formIntersection(words)
    case .set: proxy.setElements(words)
    }
  }

  private func change(_ proxy: MutableSetProxy, _ change: SetChange) throws {
    let words = change.words.map(boxed)
    switch change.mutation {
    case .union where change.isSingle: for word in words { try proxy.insert(word) }
    case .minus where change.isSingle: for word in words { try proxy.remove(word) }
    case .union: try proxy.formUnion(words)
    case .minus: try proxy.subtract(words)
    case .intersect: try proxy.formIntersection(words)
    case .set: try proxy.setElements(words)
    }
  }

  // MARK: Values

  private func boxed(_ word: Int) -> RuntimeValue { Words.text(word).runtimeValue }

  private func any(_ value: Value) -> Any? {
    switch value {
    case .null, .unknown: nil
    case .integer(let number): number
    case .word(let number): Words.text(number)
    case .derivedWord(let number): "!\(Words.text(number))!"
    case .node(let number): node(number)
    case .list(let words): words.map(Words.text)
    case .set(let words): Set(words.map(Words.text))
    }
  }

  private func value(_ any: Any?) -> Value {
    switch any {
    case nil: .null
    case let text as String: Words.value(text)
    case let node as SwiftNode: .node(number(of: node))
    case let number as any BinaryInteger: .integer(Int(number))
    case let number as Double: Int(exactly: number).map(Value.integer) ?? .unknown
    case let list as [String]: .list(list.map(Words.known))
    case let set as Set<String>: .set(set.map(Words.known).sorted())
    default: .unknown
    }
  }

  // MARK: Telling

  /// Tells of a change that a closure has been told of; nobody is told of a run's own preparation.
  static func told(_ change: SwiftChange, _ observer: Observer, _ path: Path) {
    current?.noteTold(change, observer, path)
  }

  /// Tells of a change that an observer object has been told of.
  static func told(_ observer: Int, _ change: (_ isInitial: Bool) -> SwiftChange) {
    guard let run = current else { fatalError("told outside of a run") }
    let change = change(run.isRegistering.last == true)
    run.noteTold(change, .object(observer), Path.named(change.keyPath))
  }

  private func noteTold(_ change: SwiftChange, _ observer: Observer, _ path: Path) {
    if change.phase == .initial, let stop = change.stop {
      registering[registering.count - 1].end = stop
    }
    trace.append(
      .told(
        Note(
          observer: observer, context: change.context,
          node: change.object.map(number) ?? -1, path: path,
          phase: change.phase, kind: change.kind, old: change.old.map(value),
          new: change.new.map(value), indexes: change.indexes)))
    reactions.run(observer, change.phase, perform)
  }
}

extension Step {
  /// Whether it registers an observer.
  fileprivate var registers: Bool {
    switch self {
    case .observe, .observeEach: true
    default: false
    }
  }
}

extension Words {
  /// The number of a word; -1 for any other string.
  fileprivate static func known(_ text: String) -> Int { number(text) ?? -1 }
}
