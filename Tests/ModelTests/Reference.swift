import CIsa

/// The rules of observing, applied one by one to plain values: slow, and meant to be obviously
/// right. Nothing is kept but the graph, the lists of registrations and the changes in progress;
/// who is concerned and what they are told is found anew each time.
final class Reference {
  private let kind: ClassKind
  private var graph: Graph
  /// For each node, who stands there, in the order of arrival.
  private var lists: [[Standing]]
  /// Changes announced by hand and not ended, latest last.
  private var announced: [Change] = []
  /// The closure that ends the function of a label.
  private var endings: [Int: () -> Void] = [:]
  /// The nodes that the program itself holds.
  private var held: Set<Int>
  private var evaluations: [Evaluation] = []
  private let reactions: Reactions
  private var trace: [Line] = []

  static func run(_ program: Program, as kind: ClassKind) -> [Line] {
    let reference = Reference(program, kind)
    for (number, step) in program.steps.enumerated() {
      reference.trace.append(.step(number))
      reference.perform(step)
      reference.bury()
    }
    // They and their forwarders hold one another.
    for standing in reference.lists.joined() { standing.letGo() }
    reference.endings = [:]
    return reference.trace
  }

  private init(_ program: Program, _ kind: ClassKind) {
    self.kind = kind
    graph = Graph(nodes: program.nodes)
    lists = program.nodes.map { _ in [] }
    held = Set(program.nodes.indices)
    reactions = Reactions(program)
  }

  // MARK: Steps

  private func perform(_ step: Step) {
    switch step {
    case .observe(let label, let registration): observe(registration, label)
    case .invalidate(let label): endings[label]?()
    case .remove(let observer, let node, let path, let context):
      remove(.object(observer), node, path, context)
    case .set(let node, let key, let value, let way): set(node, key, value, way)
    case .setAlong(let node, let link, let key, let value):
      if case .node(let target) = graph.value(node, link) { set(target, key, value, .coding) }
    case .changeList(let node, let key, let change, let way): changeList(node, key, change, way)
    case .changeSet(let node, let key, let change, let way): changeSet(node, key, change, way)
    case .observeEach(let nodes, let registration): observeEach(nodes, registration)
    case .removeEach(let nodes, let observer, let path, let context):
      removeEach(nodes, .object(observer), path, context)
    case .list(let node): notePlaces(lists[node])
    case .ask(let node, let key):
      notePlaces(lists[node].filter { $0.first.isAffected(by: key) }.reversed())
    case .giveUp(let node): held.remove(node)
    case .giveUpObserver(let number): giveUp(.object(number))
    case .will(let node, let key): announce(Change(node, key, .setting))
    case .did(let node, let key): finishAnnounced(node, key)
    }
  }

  private func observe(_ registration: Registration, _ label: Int) {
    if registration.isEvaluated { return evaluate(registration, label) }
    let standing = Standing(
      node: registration.node, keys: registration.path.keys[...], options: registration.options,
      duty: .tell(registration))
    // A function's token is there before the initial notification, an object's registration not.
    if registration.isFunction { endings[label] = { self.end(standing) } }
    if registration.options.contains(.initial) { tellInitially(standing, registration) }
    if !standing.hasEnded { place(standing) }
  }

  private func tellInitially(_ standing: Standing, _ registration: Registration) {
    let new = registration.options.contains(.new) ? value(standing) : nil
    deliver(registration, Told(new: new), .initial)
  }

  /// Removes the newest that matches.
  private func remove(_ observer: Observer, _ node: Int, _ path: Path, _ context: Int?) {
    if let match = match(observer, node, path, context) {
      end(match)
    } else {
      trace.append(.failure(KVO_ERR_NOT_REGISTERED.rawValue))
    }
  }

  private func match(_ observer: Observer, _ node: Int, _ path: Path, _ context: Int?)
    -> Standing?
  {
    lists[node].last { standing in
      guard case .tell(let registration) = standing.duty else { return false }
      return registration.observer == observer && registration.path == path
        && (context == nil || registration.context == context)
    }
  }

  private func observeEach(_ nodes: [Int], _ registration: Registration) {
    for node in nodes {
      var registration = registration
      registration.node = node
      observe(registration, 0)
    }
  }

  /// All or none.
  private func removeEach(_ nodes: [Int], _ observer: Observer, _ path: Path, _ context: Int?) {
    let matches = nodes.compactMap { match(observer, $0, path, context) }
    if matches.count == nodes.count {
      for match in matches { end(match) }
    } else {
      trace.append(.failure(KVO_ERR_NOT_REGISTERED.rawValue))
    }
  }

  /// The order in which a key path with all reads of one node is heard is not compared.
  private func notePlaces(_ standings: [Standing]) {
    trace.append(.places(standings.filter { $0.evaluation == nil }.map(described)))
  }

  private func described(_ standing: Standing) -> Place {
    let root = standing.root
    return Place(
      keys: Array(standing.keys), isForwarder: root.isForwarder,
      observer: root.registration.observer,
      context: root.registration.context, node: root.registration.node,
      path: root.registration.path)
  }

  private func end(_ standing: Standing) {
    standing.hasEnded = true
    if standing.stands { takeAway(standing) }
  }

  private func set(_ node: Int, _ key: Key, _ value: Value, _ way: Way) {
    let isAnnounced = way == .manual || (way != .silent && key != .m)
    notify(Change(node, key, .setting), if: isAnnounced) { graph[node].set(key, to: value) }
  }

  private func changeList(_ node: Int, _ key: Key, _ change: OrderedChange, _ way: Way) {
    guard let fitted = change.fitted(to: words(node, key).count) else { return }
    if refuses(node, key) { return }
    notify(Change(node, key, way == .inPlace ? .setting : .ordered(fitted)), if: way != .silent) {
      graph[node].set(key, to: .list(fitted.applied(to: words(node, key))))
    }
  }

  private func changeSet(_ node: Int, _ key: Key, _ change: SetChange, _ way: Way) {
    if refuses(node, key) { return }
    guard let change = kind.toldOf(change, of: graph.value(node, key), key) else { return }
    notify(Change(node, key, way == .inPlace ? .setting : .unordered(change)), if: way != .silent) {
      graph[node].set(key, to: .set(change.applied(to: words(node, key))))
    }
  }

  private func refuses(_ node: Int, _ key: Key) -> Bool {
    let refuses = kind.refusesNil(key) && graph.value(node, key) == .null
    if refuses { trace.append(.failure(KVC_ERR_NIL_VALUE.rawValue)) }
    return refuses
  }

  /// The members of a to-many key; none for nil.
  private func words(_ node: Int, _ key: Key) -> [Int] { graph.value(node, key).words }

  private func notify(_ change: Change, if isAnnounced: Bool, _ body: () -> Void) {
    if isAnnounced { will(change) }
    body()
    if isAnnounced { did(change) }
  }

  /// An announcement that concerns nobody is forgotten.
  private func announce(_ change: Change) {
    will(change)
    if !change.items.isEmpty { announced.append(change) }
  }

  private func finishAnnounced(_ node: Int, _ key: Key) {
    let index = announced.lastIndex { $0.node == node && $0.key == key }
    if let index { did(announced.remove(at: index)) }
  }

  // MARK: The ends of objects

  /// Ends what has been registered on nodes that nobody holds any more.
  private func bury() {
    if held.count == lists.count { return }
    let living = self.living
    for node in lists.indices where !living.contains(node) {
      for standing in lists[node] { end(standing) }
      for evaluation in evaluations where evaluation.registration.node == node { end(evaluation) }
    }
  }

  /// The nodes that are held, and those that links lead to from them.
  private var living: Set<Int> {
    var living: Set<Int> = [], open = Array(held)
    while let node = open.popLast() {
      guard living.insert(node).inserted else { continue }
      open += [graph[node].child, graph[node].other].compactMap { $0 }
    }
    return living
  }

  /// Nobody is held by what it observes.
  private func giveUp(_ observer: Observer) {
    for standing in Array(lists.joined()) {
      if case .tell(let registration) = standing.duty, registration.observer == observer {
        end(standing)
      }
    }
  }

  // MARK: Places

  /// Puts `standing` at the end of its node's list, and behind each value that its keys lead
  /// through whoever must listen there.
  private func place(_ standing: Standing) {
    lists[standing.node].append(standing)
    standing.stands = true
    for (index, link) in standing.links.enumerated() { placeForwarder(of: standing, index, link) }
  }

  private func placeForwarder(of standing: Standing, _ index: Int, _ link: Standing.Link) {
    guard case .node(let target) = graph.value(standing.node, link.key) else { return }
    let forwarder =
      if let path = link.path {
        Standing(
          node: target, keys: link.rest, options: .prior, duty: .affect(standing, path: path))
      } else {
        Standing(
          node: target, keys: link.rest, options: standing.options, duty: .forward(standing))
      }
    standing.forwarders[index] = forwarder
    place(forwarder)
  }

  private func takeAway(_ standing: Standing) {
    lists[standing.node].removeAll { $0 === standing }
    standing.stands = false
    for forwarder in standing.forwarders.values { takeAway(forwarder) }
    standing.forwarders = [:]
  }

  /// Moves the forwarders behind links that `isConcerned`, each to the end of the list where it now
  /// belongs, even if it was there already. One that has gone, and for which an equal one is told,
  /// has none.
  private func moveForwarders(of standing: Standing, _ isConcerned: (Key) -> Bool) {
    guard standing.stands else { return }
    for (index, link) in standing.links.enumerated() where isConcerned(link.key) {
      if let forwarder = standing.forwarders.removeValue(forKey: index) { takeAway(forwarder) }
      placeForwarder(of: standing, index, link)
    }
  }

  /// Whether one that a change concerned when it was announced may still be told of it.
  private func mayBeTold(_ standing: Standing) -> Bool {
    standing.stands || lists[standing.node].contains { $0.isEqual(to: standing) }
  }

  // MARK: Evaluated key paths

  /// Its initial notification comes when all that it reads is heard already.
  private func evaluate(_ registration: Registration, _ label: Int) {
    let evaluation = Evaluation(registration)
    evaluations.append(evaluation)
    endings[label] = { self.end(evaluation) }
    follow(evaluation)
    guard registration.options.contains(.initial) else { return }
    deliver(registration, Told(new: value(evaluation)), .initial)
  }

  /// Hears of what is read now, and keeps its place beside what the evaluation before has read of
  /// the same nodes: the next one often reads that again.
  private func follow(_ evaluation: Evaluation) {
    let registration = evaluation.registration
    let reads = graph.reads(registration.node, registration.path.keys[...])
    for read in reads where evaluation.heard[read] == nil {
      let standing = Standing(
        node: read.node, keys: [read.key], options: .prior, duty: .evaluate(evaluation))
      evaluation.heard[read] = standing
      place(standing)
    }
    let latest = reads.map { Evaluation.Answer(read: $0, value: link($0)) }
    if latest == evaluation.latest { return }
    let before = evaluation.latest.map(\.read)
    evaluation.latest = latest
    evaluation.kept = []
    for read in evaluation.heard.keys where !reads.contains(read) {
      if before.contains(read), reads.contains(where: { $0.node == read.node }) {
        evaluation.kept.insert(read)
      } else {
        drop(read, of: evaluation)
      }
    }
  }

  /// The node that a property leads to.
  private func link(_ read: Evaluation.Read) -> Int? {
    guard case .node(let node) = graph.value(read.node, read.key) else { return nil }
    return node
  }

  private func drop(_ read: Evaluation.Read, of evaluation: Evaluation) {
    if let standing = evaluation.heard.removeValue(forKey: read) { takeAway(standing) }
    evaluation.kept.remove(read)
  }

  private func end(_ evaluation: Evaluation) {
    evaluation.hasEnded = true
    evaluation.heard.values.forEach(takeAway)
    evaluation.heard = [:]
    evaluation.kept = []
  }

  private func value(_ evaluation: Evaluation) -> Value {
    let registration = evaluation.registration
    return graph.value(registration.node, registration.path.keys[...])
  }

  private func hear(_ standing: Standing, _ evaluation: Evaluation, _ phase: Phase) {
    let read = Evaluation.Read(node: standing.node, key: standing.first)
    let options = evaluation.registration.options
    if phase == .prior {
      if evaluation.kept.contains(read) {
        if !options.isDisjoint(with: [.old, .prior]) { drop(read, of: evaluation) }
        return
      }
      let old = value(evaluation)
      evaluation.announced.append((read, old))
      if options.contains(.prior) { deliver(evaluation.registration, Told(old: old), .prior) }
      return
    }
    let index = evaluation.announced.lastIndex { $0.read == read }
    let old = index.map { evaluation.announced.remove(at: $0).old }
    if evaluation.kept.contains(read) { return drop(read, of: evaluation) }
    follow(evaluation)
    deliver(evaluation.registration, Told(old: old, new: value(evaluation)), .after)
  }

  // MARK: One change

  /// The value itself is read once, before anyone is told; that of each dependent when its turn
  /// comes.
  private func will(_ change: Change) {
    let concerned = lists[change.node].filter { $0.first.isAffected(by: change.key) }
    let exact = before(change)
    change.items = concerned.map { Change.Item(standing: $0, told: exact) }
    for (index, standing) in concerned.enumerated() where mayBeTold(standing) {
      if !standing.isExact(change.key) { change.items[index].told = Told(old: value(standing)) }
      var told = change.items[index].told
      told.new = nil
      tell(standing, told, .prior, change)
    }
  }

  private func did(_ change: Change) {
    var came = came(change)
    for item in change.items.reversed() where mayBeTold(item.standing) {
      moveForwarders(of: item.standing) { $0.isAffected(by: change.key) }
      var told = item.told
      if item.standing.isExact(change.key) {
        if wantsNew(item.standing) { came = self.came(change) ?? came }
        complete(&told, change, came)
      } else {
        told.new = value(item.standing)
      }
      tell(item.standing, told, .after, change)
    }
    // An observer that has come meanwhile is not told, but may have looked at the value before.
    for standing in lists[change.node] where standing.first.isAffected(by: change.key) {
      if change.items.contains(where: { $0.standing === standing }) { continue }
      moveForwarders(of: standing) { $0.isAffected(by: change.key) }
      catchUp(standing)
    }
  }

  /// Moves the forwarders of those whom `standing` would have told.
  private func catchUp(_ standing: Standing) {
    switch standing.duty {
    case .tell, .evaluate: break
    case .forward(let whole): catchUp(whole)
    case .affect(let dependent, let path):
      moveForwarders(of: dependent) { Dependences[$0].paths.contains(path) }
      catchUp(dependent)
    }
  }

  /// The elements that `change` takes away, and of a set also those that it brings, by the value
  /// before.
  private func before(_ change: Change) -> Told {
    let words = words(change.node, change.key)
    switch change.shape {
    case .setting: return Told(old: graph.value(change.node, change.key))
    case .ordered(let shape):
      let old = shape.kind == 2 ? nil : Self.elements(of: words, at: shape.indexes)
      return Told(kind: shape.kind, old: old, indexes: shape.indexes)
    case .unordered(let shape):
      let now = Set(words), then = Set(shape.applied(to: words))
      let added = Value.set(then.subtracting(now).sorted())
      let removed = Value.set(now.subtracting(then).sorted())
      return switch shape.mutation {
      case .union: Told(kind: 2, new: added)
      case .minus, .intersect: Told(kind: 3, old: removed)
      case .set: Told(kind: 4, old: removed, new: added)
      }
    }
  }

  /// The elements that came, as they are now; nil if they are not all there.
  private func came(_ change: Change) -> Value? {
    guard case .ordered(let shape) = change.shape, shape.kind != 3 else { return nil }
    return Self.elements(of: words(change.node, change.key), at: shape.indexes)
  }

  /// Whether those whom `standing` tells are shown a value after the change.
  private func wantsNew(_ standing: Standing) -> Bool {
    switch standing.duty {
    case .tell(let registration): registration.options.contains(.new)
    case .forward(let whole): wantsNew(whole)
    case .evaluate, .affect: false
    }
  }

  /// Adds what there is to tell after the change. An observer told after another has taken elements
  /// away again is shown those that `came`, as they were last seen.
  private func complete(_ told: inout Told, _ change: Change, _ came: Value?) {
    switch change.shape {
    case .setting: told.new = graph.value(change.node, change.key)
    case .ordered(let shape) where shape.kind != 3: told.new = came
    case .ordered, .unordered: break
    }
  }

  /// The members at `indexes`, if there is one at each.
  private static func elements(of words: [Int], at indexes: [Int]) -> Value? {
    indexes.allSatisfy(words.indices.contains) ? .list(indexes.map { words[$0] }) : nil
  }

  private func value(_ standing: Standing) -> Value { graph.value(standing.node, standing.keys) }

  // MARK: Telling

  private func tell(_ standing: Standing, _ told: Told, _ phase: Phase, _ change: Change) {
    switch standing.duty {
    case .tell(let registration):
      if phase == .prior && !registration.options.contains(.prior) { return }
      deliver(registration, told, phase)
    case .forward(let whole): tell(whole, told, phase, change)
    case .evaluate(let evaluation): hear(standing, evaluation, phase)
    case .affect(let dependent, let path):
      if phase == .prior {
        begin(dependent, by: standing, change)
      } else {
        finish(dependent, by: standing, path, change)
      }
    }
  }

  /// Announces a change of `dependent`, by the first of the routes that `change` takes to it.
  private func begin(_ dependent: Standing, by route: Standing, _ change: Change) {
    let id = ObjectIdentifier(dependent)
    if change.dependents[id] != nil {
      change.dependents[id]?.routes.append(route)
      return
    }
    let old = value(dependent)
    change.dependents[id] = Change.Dependent(routes: [route], old: old)
    tell(dependent, Told(old: old), .prior, change)
  }

  /// Ends it, by the last route: those that are no longer there do not count.
  private func finish(
    _ dependent: Standing, by route: Standing, _ path: [Key], _ change: Change
  ) {
    let id = ObjectIdentifier(dependent)
    change.dependents[id]?.routes.removeAll { $0 === route || !$0.stands }
    guard let state = change.dependents[id], mayBeTold(dependent) else { return }
    moveForwarders(of: dependent) { Dependences[$0].paths.contains(path) }
    if !state.routes.isEmpty { return }
    tell(dependent, Told(old: state.old, new: value(dependent)), .after, change)
  }

  private func deliver(_ registration: Registration, _ told: Told, _ phase: Phase) {
    let options = registration.options
    trace.append(
      .told(
        Note(
          observer: registration.observer, context: registration.context, node: registration.node,
          path: registration.path, phase: phase, kind: told.kind,
          old: options.contains(.old) ? told.old : nil,
          new: options.contains(.new) ? told.new : nil, indexes: told.indexes)))
    reactions.run(registration.observer, phase, perform)
  }
}
