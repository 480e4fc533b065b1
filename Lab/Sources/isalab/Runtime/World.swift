import CIsa
import IsaRuntime

/// The classes, objects and registrations that one scenario makes, and their end.
///
/// Owns:  a reference to each object that has a name, the tokens, the C strings.
/// Lives: `tearDown` leaves the runtime as it was before; it runs in `deinit` at the latest.
final class World {
  let names = Names()
  let recorder: Recorder
  let budget: Budget
  let symbols: Symbols
  private(set) var objects: [String: isa_id] = [:]
  private(set) var classes: [RuntimeClass] = []
  private var tokens: [String: kvo_token] = [:]
  private var unnamedTokens: [kvo_token] = []
  /// Where the tokens of registrations in progress come to stand.
  private var registering: [String: UnsafeMutablePointer<kvo_token?>] = [:]
  /// How many computed properties are being worked out, and were in this statement.
  var getterDepth = 0
  var getterCount = 0
  var temporaries: [isa_id] = []
  var cStrings: [String: UnsafeMutablePointer<CChar>] = [:]
  private var shared: [String: kvo_shared_observers] = [:]
  private var isStanding = true

  init(_ symbols: Symbols, _ budget: Budget) throws(Refusal) {
    self.symbols = symbols
    self.budget = budget
    recorder = Recorder(symbols, names, budget)
    do throws(Refusal) {
      let dictionary = kvc_class_of_kind(KVC_KIND_DICTIONARY, true)
      _ = try makeClass(Symbols.dictionaryClass, superclass: dictionary) { _ in }
      _ = try makeClass(Symbols.observerClass, superclass: nil) { cls throws(Refusal) in
        try self.addObservingMethod(to: cls)
      }
    } catch {
      tearDown()
      throw error
    }
    recorder.start()
  }

  deinit { tearDown() }

  var decoder: ValueDecoder { ValueDecoder(labels: symbols.labels, names: names) }

  func selector(_ name: String) -> isa_sel { isa_sel_register(name)! }

  // MARK: Classes

  /// Makes and registers a class; `fill` adds what it has. On an error nothing is left of it.
  @discardableResult
  func makeClass(
    _ name: String, superclass: isa_class?, fill: (isa_class) throws(Refusal) -> Void
  ) throws(Refusal) -> isa_class {
    var made: isa_class?
    try refusing(isa_class_pair_allocate(superclass ?? isa_root_class(), name, &made))
    guard let cls = made else { throw Refusal(exception: "NSMallocException", reason: "no class") }
    do throws(Refusal) {
      try fill(cls)
      try refusing(isa_class_pair_register(cls))
    } catch {
      _ = isa_class_pair_dispose(cls)
      throw error
    }
    classes.append(RuntimeClass(cls))
    return cls
  }

  private func addObservingMethod(to cls: isa_class) throws(Refusal) {
    let method = selector("observeValueForKeyPath:ofObject:change:context:")
    let callback: isa_callback = { _, arguments, context in
      let recorder = Unmanaged<Recorder>.fromOpaque(context!).takeUnretainedValue()
      let receiver = arguments![0]!.load(as: UnsafeRawPointer.self)
      let change = arguments![4]!.load(as: UnsafePointer<kvo_change>.self)
      recorder.hear(change.pointee, receiver: receiver)
    }
    let context = Unmanaged.passUnretained(recorder).toOpaque()
    try refusing(isa_class_add_callback(cls, method, "v@:*@^v^v", callback, context, nil))
  }

  // MARK: Objects

  /// Makes an object that the scenario holds under `name`; answers its symbol.
  func makeObject(_ name: String, _ className: String) throws(Refusal) -> String {
    var made: isa_id?
    guard let cls = isa_class_find(className) else { throw World.noClass(className) }
    try refusing(isa_object_allocate(cls, &made))
    objects[name] = made
    return names.add(made!, as: name)
  }

  /// Gives up the scenario's own reference, if it has one.
  func release(_ name: String) {
    if let object = objects.removeValue(forKey: name) { isa_object_release(object) }
  }

  /// A statement behind 'when' runs later, when its objects may be gone.
  func object(_ name: Name) throws(Refusal) -> isa_id {
    if let object = objects[name.text] { return object }
    throw Refusal(
      exception: "NSInvalidArgumentException", reason: "there is no \(name) at this moment")
  }

  /// Holds a collection under `name`; answers its symbol.
  func keep(_ collection: isa_id, as name: String) -> String {
    objects[name] = isa_object_retain(collection)
    return names.add(collection, as: name)
  }

  /// Releases an object once the statement is done.
  @discardableResult
  func releaseLater(_ object: isa_id?) -> isa_id? {
    if let object { temporaries.append(object) }
    return object
  }

  /// The class of that name; a notifying class may not exist yet.
  func existingClass(_ name: String) throws(Refusal) -> isa_class {
    guard let cls = isa_class_find(name) else { throw World.noClass(name) }
    return cls
  }

  private static func noClass(_ name: String) -> Refusal {
    Refusal(
      exception: "NSInvalidArgumentException", reason: "there is no class \(name) at this moment")
  }

  // MARK: Observers

  /// Registers a function that records what it hears.
  func observe(
    _ object: isa_id, _ statement: ObserveStatement, as name: String
  ) throws(Refusal) {
    var token: kvo_token?
    try withUnsafeMutablePointer(to: &token) { slot throws(Refusal) in
      // Written before an initial notification, in whose course it may be asked for.
      registering[name] = slot
      defer { registering[name] = nil }
      try withFunction(name) { function in
        kvo_observe(
          object, statement.target.path, statement.optionBits, &function, statement.contextPointer,
          slot)
      }
    }
    if statement.token == nil { unnamedTokens.append(token!) } else { tokens[name] = token }
  }

  /// Hands a function that records what it hears to the runtime, which owns it if it takes it.
  private func withFunction(
    _ name: String, _ body: (inout kvo_function) -> isa_status
  ) throws(Refusal) {
    let observer = Unmanaged.passRetained(FunctionObserver(name, recorder))
    var function = kvo_function(
      callback: { change, info in FunctionObserver.from(info).hear(change!.pointee) },
      info: observer.toOpaque(),
      release: { info in Unmanaged<FunctionObserver>.fromOpaque(info!).release() })
    names.addObserver(observer.toOpaque(), as: name)
    guard body(&function) != ISA_OK else { return }
    let refusal = Refusal.last()
    observer.release()
    throw refusal
  }

  /// Ends a function's registration; answers whether it still stood.
  func endToken(_ name: String) -> Bool {
    let token = tokens[name] ?? registering[name]?.pointee
    return token.map { kvo_token_invalidate($0) } ?? false
  }

  // MARK: Shared observers

  func makeShared(_ name: String, _ className: String) throws(Refusal) {
    try refusing(kvo_shared_observers_make(try existingClass(className), &shared[name]))
  }

  func sharedObservers(_ name: Name) -> kvo_shared_observers? { shared[name.text] }

  /// Adds an object, or a function called `functionName`, to shared observers.
  func observeShared(
    _ shared: kvo_shared_observers, _ statement: ObserveStatement, functionName: String
  ) throws(Refusal) {
    let path = statement.target.path
    guard let observer = statement.observer else {
      return try withFunction(functionName) { function in
        kvo_shared_observers_add_function(
          shared, &function, path, statement.optionBits, statement.contextPointer)
      }
    }
    try refusing(
      kvo_shared_observers_add(
        shared, try object(observer), path, statement.optionBits, statement.contextPointer))
  }

  // MARK: The end

  /// Releases what a statement made on the way; whoever keeps some has its own reference by now.
  func releaseTemporaries() {
    getterCount = 0
    let objects = temporaries
    temporaries = []
    for object in objects { isa_object_release(object) }
  }

  /// Ends all that the scenario made; the second time it does nothing.
  func tearDown() {
    guard isStanding else { return }
    isStanding = false
    recorder.stop()
    for token in Array(tokens.values) + unnamedTokens {
      kvo_token_invalidate(token)
      kvo_token_release(token)
    }
    for observers in shared.values { kvo_shared_observers_release(observers) }
    recorder.reactions = [:]
    recorder.standingReactions = [:]
    releaseTemporaries()
    breakCycles()
    for (_, object) in objects.sorted(by: { $0.key < $1.key }) { isa_object_release(object) }
    for cls in classes.reversed() { try? cls.dispose() }
    for string in cStrings.values { string.deallocate() }
    KeyValueSettings.wrapping = .automatic
  }

  /// Objects that hold each other would stay for ever, and their classes with them.
  private func breakCycles() {
    let living = names.namedObjects
    for (object, _, _) in living { isa_object_retain(object) }
    for (object, name, _) in living { letGo(of: object, name) }
    for (object, _, _) in living { isa_object_release(object) }
  }

  /// Empties what the object holds others with.
  private func letGo(of object: isa_id, _ name: String) {
    if kvc_is_mutable(object) { _ = kvc_collection_remove_all(object) }
    for property in symbols.properties(of: symbols.objects[name]!.className)
    where property.ownership == ISA_OWNERSHIP_RETAIN {
      let slot = ivarAddress(of: property, in: object).assumingMemoryBound(to: isa_id?.self)
      let held = slot.pointee
      slot.pointee = nil
      isa_object_release(held)
    }
  }

  func ivarAddress(of property: Symbols.Property, in object: isa_id) -> UnsafeMutableRawPointer {
    let ivar = isa_class_find_ivar(isa_object_get_class(object), property.declaration.ivarName!)
    return isa_object_ivar_address(object, ivar!)
  }
}

/// An observer that is a function: the runtime owns it through the registration.
private final class FunctionObserver {
  private let name: String
  private let recorder: Recorder

  init(_ name: String, _ recorder: Recorder) {
    self.name = name
    self.recorder = recorder
  }

  static func from(_ info: UnsafeMutableRawPointer?) -> FunctionObserver {
    Unmanaged.fromOpaque(info!).takeUnretainedValue()
  }

  func hear(_ change: kvo_change) { recorder.record(change, observer: name) }
}

extension Symbols.Property {
  var ownership: isa_ownership {
    guard type.isObject, !declaration.isComputed else { return ISA_OWNERSHIP_NONE }
    return declaration.isWeak ? ISA_OWNERSHIP_WEAK : ISA_OWNERSHIP_RETAIN
  }
}

extension ObserveStatement {
  private static let known: [(Option, ObservationOptions)] = [
    (.old, .old), (.new, .new), (.initial, .initial), (.prior, .prior), (.retain, .retainObserver),
  ]

  fileprivate var contextPointer: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: context)
  }

  var optionBits: UInt32 {
    let known = ObservationOptions(
      ObserveStatement.known.filter { options.contains($0.0) }.map(\.1))
    return UInt32(known.rawValue)
  }

  /// The options of a registration, in the order in which they are listed.
  static func options(in options: ObservationOptions) -> [String] {
    known.filter { options.contains($0.1) }.map(\.0.rawValue)
  }
}
