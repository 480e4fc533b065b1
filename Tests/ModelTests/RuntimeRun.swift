import CIsa
import CIsaTestSupport

/// One program on classes made at run time.
final class RuntimeRun {
  // Programs run one after the other, on one thread.
  nonisolated(unsafe) private static var current: RuntimeRun?

  private let engine: RuntimeEngine
  private let nodes: [isa_id]
  /// The nodes that the program itself holds.
  private var held: Set<Int>
  private var observers: [isa_id?]
  private let reactions: Reactions
  /// The latest of each label, and all that the end releases.
  private var tokens: [Int: kvo_token] = [:]
  private var made: [kvo_token] = []
  private var trace: [Line] = []

  static func run(_ program: Program, on engine: RuntimeEngine) -> [Line] {
    let run = RuntimeRun(program, engine)
    current = run
    for (number, step) in program.steps.enumerated() {
      run.trace.append(.step(number))
      run.perform(step)
    }
    run.end(nodesGoFirst: program.nodesGoFirst)
    current = nil
    return run.trace
  }

  private init(_ program: Program, _ engine: RuntimeEngine) {
    self.engine = engine
    nodes = program.nodes.map { _ in
      RuntimeEngine.made { isa_object_allocate(engine.nodeClass, $0) }
    }
    held = Set(nodes.indices)
    observers = (0..<Generator.observers).map(engine.makeObserver)
    reactions = Reactions(program)
    for (number, values) in program.nodes.enumerated() { fill(number, values) }
  }

  private func end(nodesGoFirst: Bool) {
    if nodesGoFirst { releaseNodes() }
    for token in made { kvo_token_release(token) }
    for observer in observers { isa_object_release(observer) }
    if !nodesGoFirst { releaseNodes() }
  }

  private func releaseNodes() { for number in held { isa_object_release(nodes[number]) } }

  private func giveUp(_ node: Int) {
    held.remove(node)
    isa_object_release(nodes[node])
  }

  private func observer(_ number: Int) -> isa_id {
    guard let observer = observers[number] else { fatalError("P\(number) has been given up") }
    return observer
  }

  private func giveUpObserver(_ number: Int) {
    isa_object_release(observers[number])
    observers[number] = nil
  }

  // MARK: Steps

  private func perform(_ step: Step) {
    switch step {
    case .observe(let label, let registration): observe(registration, label)
    case .invalidate(let label):
      if let token = tokens[label] { kvo_token_invalidate(token) }
    case .remove(let observer, let node, let path, let context):
      remove(self.observer(observer), nodes[node], engine.paths[path.number], context)
    case .set(let node, let key, let value, let way): set(node, key, value, way)
    case .setAlong(let node, let link, let key, let value): setAlong(node, link, key, value)
    case .changeList(let node, let key, let change, let way):
      changeList(nodes[node], key, change, way)
    case .changeSet(let node, let key, let change, let way):
      changeSet(nodes[node], key, change, way)
    case .observeEach(let nodes, let registration): observeEach(nodes, registration)
    case .removeEach(let nodes, let observer, let path, let context):
      removeEach(nodes, self.observer(observer), engine.paths[path.number], context)
    case .list(let node): notePlaces { kvo_copy_registrations(nodes[node], $0, $1) }
    case .ask(let node, let key): notePlaces { kvo_copy_affected(nodes[node], text(key), $0, $1) }
    case .giveUp(let node): giveUp(node)
    case .giveUpObserver(let number): giveUpObserver(number)
    case .will(let node, let key): report(kvo_will_change(nodes[node], text(key)))
    case .did(let node, let key): report(kvo_did_change(nodes[node], text(key)))
    }
  }

  private func text(_ key: Key) -> UnsafeMutablePointer<CChar> { engine.keys[Int(key.rawValue)] }

  private func report(_ status: isa_status) {
    // A reaction may leave an announced index without an object, which the status of the end of
    // the change says. Notifications are compared all the same.
    if status != ISA_OK && status != KVC_ERR_RANGE { trace.append(.failure(status.rawValue)) }
  }

  private func observe(_ registration: Registration, _ label: Int) {
    let node = nodes[registration.node], path = engine.paths[registration.path.number]
    let context = UnsafeMutableRawPointer(bitPattern: registration.context)
    switch registration.observer {
    case .object(let number):
      report(
        kvo_add_observer(
          node, observers[number], path, registration.options.rawValue, context))
    case .function:
      var function = kvo_function(
        callback: { change, info in RuntimeRun.told(change, .function(Int(bitPattern: info))) },
        info: UnsafeMutableRawPointer(bitPattern: label), release: nil)
      observe(node, path, registration.options.rawValue, &function, context, label)
    }
  }

  private func observe(
    _ node: isa_id, _ path: UnsafeMutablePointer<CChar>, _ options: UInt32,
    _ function: inout kvo_function, _ context: UnsafeMutableRawPointer?, _ label: Int
  ) {
    // Not a variable: an initial notification may invalidate the token while this call runs.
    let token = UnsafeMutablePointer<kvo_token?>.allocate(capacity: 1)
    defer { token.deallocate() }
    token.initialize(to: nil)
    registering.append((label, token))
    report(kvo_observe(node, path, options, &function, context, token))
    registering.removeLast()
    tokens[label] = token.pointee
    if let token = token.pointee { made.append(token) }
  }

  /// Where the calls that are in progress put their tokens.
  private var registering: [(label: Int, token: UnsafeMutablePointer<kvo_token?>)] = []

  private func remove(
    _ observer: isa_id, _ node: isa_id, _ path: UnsafeMutablePointer<CChar>, _ context: Int?
  ) {
    if let context {
      let pointer = UnsafeMutableRawPointer(bitPattern: context)
      report(kvo_remove_observer_context(node, observer, path, pointer))
    } else {
      report(kvo_remove_observer(node, observer, path))
    }
  }

  private func observeEach(_ numbers: [Int], _ registration: Registration) {
    guard case .object(let observer) = registration.observer else { return }
    let context = UnsafeMutableRawPointer(bitPattern: registration.context)
    withElements(numbers) { array, indexes in
      report(
        kvo_elements_add_observer(
          array, self.observer(observer), indexes, engine.paths[registration.path.number],
          registration.options.rawValue, context))
    }
  }

  private func removeEach(
    _ numbers: [Int], _ observer: isa_id, _ path: UnsafeMutablePointer<CChar>, _ context: Int?
  ) {
    withElements(numbers) { array, indexes in
      if let context {
        let pointer = UnsafeMutableRawPointer(bitPattern: context)
        report(kvo_elements_remove_observer_context(array, observer, indexes, path, pointer))
      } else {
        report(kvo_elements_remove_observer(array, observer, indexes, path))
      }
    }
  }

  /// Calls `body` with an array of nodes and the set of all its indexes.
  private func withElements(
    _ numbers: [Int], _ body: (isa_id, UnsafePointer<kvc_index_set>) -> Void
  ) {
    let elements: [isa_id?] = numbers.map { nodes[$0] }
    let array = RuntimeEngine.made { kvc_array_make(elements, elements.count, $0) }
    var indexes = kvc_index_set()
    let places = Array(elements.indices)
    RuntimeEngine.check(kvc_index_set_make(places, places.count, &indexes))
    body(array, &indexes)
    kvc_index_set_destroy(&indexes)
    isa_object_release(array)
  }

  // MARK: Introspection

  private typealias Infos = UnsafeMutablePointer<UnsafeMutablePointer<kvo_registration_info>?>

  private func notePlaces(_ copy: (Infos, UnsafeMutablePointer<Int>) -> isa_status) {
    var infos: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    RuntimeEngine.check(copy(&infos, &count))
    trace.append(
      .places(UnsafeBufferPointer(start: infos, count: count).compactMap { place($0) }))
    isa_free(infos)
  }

  /// Nil for a registration whose observer is no more, and which waits to be collected.
  private func place(_ info: kvo_registration_info) -> Place? {
    guard let observer = observer(info) else { return nil }
    return Place(
      keys: Path.parse(String(cString: info.key_path)), isForwarder: info.is_forwarder,
      observer: observer,
      context: Int(bitPattern: info.context),
      node: nodes.firstIndex { UnsafeRawPointer($0) == info.root } ?? -1,
      path: Self.path(info.root_key_path))
  }

  private func observer(_ info: kvo_registration_info) -> Observer? {
    if info.is_function { return .function(Int(bitPattern: info.observer)) }
    let number = observers.firstIndex { $0.map { UnsafeRawPointer($0) } == info.observer }
    return number.map(Observer.object)
  }

  private static func path(_ text: UnsafePointer<CChar>) -> Path {
    Path.named(String(cString: text))
  }

  // MARK: Attributes and links

  private func set(_ number: Int, _ key: Key, _ value: Value, _ way: Way) {
    let node = nodes[number]
    switch way {
    case .accessor: send(node, key, value)
    case .coding:
      let boxed = boxed(value)
      report(kvc_set_value(node, text(key), boxed))
      isa_object_release(boxed)
    case .manual:
      report(kvo_will_change(node, text(key)))
      poke(node, key, value)
      report(kvo_did_change(node, text(key)))
    case .silent: poke(node, key, value)
    case .inPlace: access(node, key) { poke(node, key, value) }
    }
  }

  /// Runs `body` as an access that announces itself would: by hand, where the setter announces.
  private func access(_ node: isa_id, _ key: Key, _ body: () -> Void) {
    if key != .m { report(kvo_will_change(node, text(key))) }
    body()
    if key != .m { report(kvo_did_change(node, text(key))) }
  }

  private func setAlong(_ number: Int, _ link: Key, _ key: Key, _ value: Value) {
    let boxed = boxed(value)
    report(kvc_set_value_for_path(nodes[number], "\(link.text).\(key.text)", boxed))
    isa_object_release(boxed)
  }

  private func send(_ node: isa_id, _ key: Key, _ value: Value) {
    let selector = engine.selectors.setters[Int(key.rawValue)]
    if key != .rank, case .integer(let number) = value {
      let set = code(
        node, selector, as: (@convention(c) (isa_id, isa_sel?, Int64) -> Void).self)
      set(node, selector, Int64(number))
    } else {
      let set = code(
        node, selector, as: (@convention(c) (isa_id, isa_sel?, isa_id?) -> Void).self)
      let boxed = boxed(value)
      set(node, selector, boxed)
      isa_object_release(boxed)
    }
  }

  private func fill(_ number: Int, _ values: NodeValues) {
    let node = nodes[number]
    for key in Key.stored {
      let value = Graph.stored(values, key)
      if value != .null { poke(node, key, value) }
    }
  }

  /// Writes the field.
  private func poke(_ node: isa_id, _ key: Key, _ value: Value) {
    let fields = UnsafeMutablePointer<isa_test_node>(node)
    switch (key, value) {
    case (.count, .integer(let number)): fields.pointee.count = Int64(number)
    case (.m, .integer(let number)): fields.pointee.m = Int64(number)
    case (.x, .integer(let number)): fields.pointee.x = Int64(number)
    case (.y, .integer(let number)): fields.pointee.y = Int64(number)
    case (.leaf, .integer(let number)): fields.pointee.leaf = Int64(number)
    case (.bag, .list(let words)):
      let array = RuntimeEngine.made { kvc_mutable_array_make(objects(words), words.count, $0) }
      poke(node, key, object: array)
    case (.pouch, .set(let words)):
      let set = RuntimeEngine.made { kvc_mutable_set_make(objects(words), words.count, $0) }
      poke(node, key, object: set)
    default: poke(node, key, object: boxed(value))
    }
  }

  /// Writes the field, and takes over the reference.
  private func poke(_ node: isa_id, _ key: Key, object: isa_id?) {
    let fields = UnsafeMutablePointer<isa_test_node>(node)
    var old = object
    switch key {
    case .name: swap(&fields.pointee.name, &old)
    case .child: swap(&fields.pointee.child, &old)
    case .other: swap(&fields.pointee.other, &old)
    case .items: swap(&fields.pointee.items, &old)
    case .tags: swap(&fields.pointee.tags, &old)
    case .row: swap(&fields.pointee.row, &old)
    case .bag: swap(&fields.pointee.bag, &old)
    case .pouch: swap(&fields.pointee.pouch, &old)
    case .rank: swap(&fields.pointee.rank, &old)
    default: fatalError("\(key) is no object")
    }
    isa_object_release(old)
  }

  // MARK: Lists

  private func changeList(_ node: isa_id, _ key: Key, _ change: OrderedChange, _ way: Way) {
    guard let fitted = change.fitted(to: words(node, key).count) else { return }
    var set = kvc_index_set()
    RuntimeEngine.check(kvc_index_set_make(fitted.indexes, fitted.indexes.count, &set))
    defer { kvc_index_set_destroy(&set) }
    switch way {
    case .accessor: sendItems(node, fitted, &set)
    case .coding: changeProxy(node, key, fitted, &set)
    case .manual:
      let kind = kvo_change_kind(rawValue: fitted.kind)
      report(kvo_will_change_indexes(node, kind, &set, text(key)))
      poke(node, key, .list(fitted.applied(to: words(node, key))))
      report(kvo_did_change_indexes(node, kind, &set, text(key)))
    case .silent: poke(node, key, .list(fitted.applied(to: words(node, key))))
    case .inPlace:
      access(node, key) { poke(node, key, .list(fitted.applied(to: words(node, key)))) }
    }
  }

  /// The members that a to-many key has at this moment; none for nil.
  private func words(_ node: isa_id, _ key: Key) -> [Int] {
    let fields = UnsafeMutablePointer<isa_test_node>(node).pointee
    return switch key {
    case .items: value(fields.items).words
    case .tags: value(fields.tags).words
    case .row: value(fields.row).words
    case .bag: value(fields.bag).words
    default: value(fields.pouch).words
    }
  }

  private func sendItems(
    _ node: isa_id, _ change: OrderedChange, _ set: UnsafePointer<kvc_index_set>
  ) {
    typealias Insert = @convention(c) (isa_id, isa_sel?, isa_id?, Int) -> Void
    typealias Remove = @convention(c) (isa_id, isa_sel?, Int) -> Void
    typealias Replace = @convention(c) (isa_id, isa_sel?, Int, isa_id?) -> Void
    let selectors = engine.selectors
    if change.indexes.count > 1 { return sendManyItems(node, change, set) }
    switch change {
    case .insert(let words, let indexes):
      let insert = code(node, selectors.insertItem, as: Insert.self)
      insert(node, selectors.insertItem, isa_test_word(words[0]), indexes[0])
    case .remove(let indexes):
      code(node, selectors.removeItem, as: Remove.self)(node, selectors.removeItem, indexes[0])
    case .replace(let words, let indexes):
      let replace = code(node, selectors.replaceItem, as: Replace.self)
      replace(node, selectors.replaceItem, indexes[0], isa_test_word(words[0]))
    }
  }

  private func sendManyItems(
    _ node: isa_id, _ change: OrderedChange, _ set: UnsafePointer<kvc_index_set>
  ) {
    typealias Insert =
      @convention(c) (isa_id, isa_sel?, isa_id?, UnsafePointer<kvc_index_set>) -> Void
    typealias Remove = @convention(c) (isa_id, isa_sel?, UnsafePointer<kvc_index_set>) -> Void
    typealias Replace =
      @convention(c) (isa_id, isa_sel?, UnsafePointer<kvc_index_set>, isa_id?) -> Void
    let selectors = engine.selectors
    switch change {
    case .insert(let words, _):
      let array = boxed(.list(words))
      code(node, selectors.insertItems, as: Insert.self)(node, selectors.insertItems, array, set)
      isa_object_release(array)
    case .remove:
      code(node, selectors.removeItems, as: Remove.self)(node, selectors.removeItems, set)
    case .replace(let words, _):
      let array = boxed(.list(words))
      let replace = code(node, selectors.replaceItems, as: Replace.self)
      replace(node, selectors.replaceItems, set, array)
      isa_object_release(array)
    }
  }

  private func changeProxy(
    _ node: isa_id, _ key: Key, _ change: OrderedChange, _ set: UnsafePointer<kvc_index_set>
  ) {
    let proxy = RuntimeEngine.made { kvc_proxy_make_array(node, text(key), $0) }
    defer { isa_object_release(proxy) }
    let isOne = change.indexes.count == 1
    switch change {
    case .insert(let words, let indexes) where isOne:
      report(kvc_ordered_insert(proxy, isa_test_word(words[0]), indexes[0]))
    case .remove(let indexes) where isOne: report(kvc_ordered_remove(proxy, indexes[0]))
    case .replace(let words, let indexes) where isOne:
      report(kvc_ordered_replace(proxy, indexes[0], isa_test_word(words[0])))
    case .remove: report(kvc_ordered_remove_many(proxy, set))
    case .insert(let words, _):
      let array = boxed(.list(words))
      report(kvc_ordered_insert_many(proxy, array, set))
      isa_object_release(array)
    case .replace(let words, _):
      let array = boxed(.list(words))
      report(kvc_ordered_replace_many(proxy, set, array))
      isa_object_release(array)
    }
  }

  // MARK: Sets

  private func changeSet(_ node: isa_id, _ key: Key, _ change: SetChange, _ way: Way) {
    let operand = boxed(.set(change.words))
    defer { isa_object_release(operand) }
    switch way {
    case .accessor: sendTags(node, change, operand)
    case .coding: changeProxy(node, key, change, operand)
    case .manual:
      let mutation = kvo_set_mutation(rawValue: change.mutation.rawValue)
      report(kvo_will_change_set(node, text(key), mutation, operand))
      poke(node, key, .set(change.applied(to: words(node, key))))
      report(kvo_did_change_set(node, text(key), mutation, operand))
    case .silent: poke(node, key, .set(change.applied(to: words(node, key))))
    case .inPlace: access(node, key) { poke(node, key, .set(change.applied(to: words(node, key)))) }
    }
  }

  private func sendTags(_ node: isa_id, _ change: SetChange, _ operand: isa_id?) {
    typealias Change = @convention(c) (isa_id, isa_sel?, isa_id?) -> Void
    let selectors = engine.selectors
    let one = change.isSingle ? change.words.first : nil
    let selector =
      switch change.mutation {
      case .union: one == nil ? selectors.addTags : selectors.addTag
      case .minus: one == nil ? selectors.removeTags : selectors.removeTag
      case .intersect: selectors.intersectTags
      case .set: engine.selectors.setters[Int(Key.tags.rawValue)]
      }
    code(node, selector, as: Change.self)(node, selector, one.map { isa_test_word($0) } ?? operand)
  }

  private func changeProxy(_ node: isa_id, _ key: Key, _ change: SetChange, _ operand: isa_id?) {
    let proxy = RuntimeEngine.made { kvc_proxy_make_set(node, text(key), $0) }
    defer { isa_object_release(proxy) }
    let one = change.isSingle ? change.words.first.map { isa_test_word($0) } ?? nil : nil
    switch change.mutation {
    case .union where one != nil: report(kvc_collection_add(proxy, one))
    case .minus where one != nil: report(kvc_collection_remove(proxy, one))
    case .union: report(kvc_set_unite(proxy, operand))
    case .minus: report(kvc_set_subtract(proxy, operand))
    case .intersect: report(kvc_set_intersect(proxy, operand))
    case .set: report(kvc_collection_set_objects(proxy, operand))
    }
  }

  // MARK: Values

  /// The value as an object, with a reference for the caller.
  private func boxed(_ value: Value) -> isa_id? {
    switch value {
    case .null, .unknown: nil
    case .integer(let number): RuntimeEngine.made { kvc_number_make_integer(Int64(number), $0) }
    case .word(let number): isa_object_retain(isa_test_word(number))
    case .derivedWord(let number): isa_object_retain(isa_test_derived_word(number))
    case .node(let number): isa_object_retain(nodes[number])
    case .list(let words): RuntimeEngine.made { kvc_array_make(objects(words), words.count, $0) }
    case .set(let words): RuntimeEngine.made { kvc_set_make(objects(words), words.count, $0) }
    }
  }

  private func objects(_ words: [Int]) -> [isa_id?] { words.map { isa_test_word($0) } }

  /// The value that an object is, if it is one of those that programs use.
  private func value(_ object: isa_id?) -> Value {
    guard let object else { return .null }
    if let number = Self.word(object) { return .word(number) }
    for number in 0..<Generator.words where isa_test_derived_word(number) == object {
      return .derivedWord(number)
    }
    switch kvc_kind_of(object) {
    case KVC_KIND_NUMBER:
      var number: Int64 = 0
      return kvc_number_read(object, CChar(UInt8(ascii: "q")), &number) == ISA_OK
        ? .integer(Int(number)) : .unknown
    case KVC_KIND_ARRAY: return .list(Self.words(in: object))
    case KVC_KIND_SET: return .set(Self.words(in: object).sorted())
    // Last: another object may have got the memory of a node that is no more.
    default: return nodes.firstIndex(of: object).map(Value.node) ?? .unknown
    }
  }

  private static func word(_ object: isa_id?) -> Int? {
    (0..<Generator.words).first { isa_test_word($0) == object }
  }

  /// The numbers of the words in a collection; -1 for any other object.
  private static func words(in collection: isa_id) -> [Int] {
    var words: [Int] = []
    withUnsafeMutablePointer(to: &words) { words in
      let status = kvc_collection_enumerate(
        collection,
        { object, _, words in
          let number = RuntimeRun.word(object) ?? -1
          words?.assumingMemoryBound(to: [Int].self).pointee.append(number)
          return true
        }, words)
      RuntimeEngine.check(status)
    }
    return words
  }

  /// nil for a value that is absent.
  private func value(_ value: kvc_value) -> Value? {
    guard let address = value.address, let types = value.types else { return nil }
    switch UInt8(bitPattern: types.pointee) {
    case UInt8(ascii: "@"): return self.value(address.load(as: isa_id?.self))
    case UInt8(ascii: "q"): return .integer(Int(address.load(as: Int64.self)))
    case UInt8(ascii: "Q"): return .integer(Int(address.load(as: UInt64.self)))
    default: return .unknown
    }
  }

  // MARK: Telling

  static func told(_ change: UnsafePointer<kvo_change>?, _ observer: Observer) {
    guard let run = current, let change = change?.pointee else {
      fatalError("told outside of a run, or nothing")
    }
    run.noteTold(change, observer)
  }

  private func noteTold(_ change: kvo_change, _ observer: Observer) {
    for (label, token) in registering { tokens[label] = token.pointee }
    let phase: Phase = change.is_initial ? .initial : change.is_prior ? .prior : .after
    trace.append(
      .told(
        Note(
          observer: observer, context: Int(bitPattern: change.context),
          node: nodes.firstIndex(of: change.object) ?? -1, path: Self.path(change.key_path),
          phase: phase,
          kind: change.kind.rawValue, old: value(change.old_value), new: value(change.new_value),
          indexes: change.indexes.map { Self.indexes($0) })))
    reactions.run(observer, phase, perform)
  }

  private static func indexes(_ set: UnsafePointer<kvc_index_set>) -> [Int] {
    var indexes: [Int] = [], walk = kvc_index_walk(), index = 0
    while kvc_index_set_next(set, &walk, &index) { indexes.append(index) }
    return indexes
  }
}
