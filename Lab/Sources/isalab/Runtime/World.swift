import IsaKVO
import IsaRuntime

/// The classes, objects and registrations that one scenario makes, and their end.
///
/// Owns:  a reference to each object that has a name, the observers.
/// Lives: `tearDown` leaves the runtime as it was before; it runs in `deinit` at the latest.
final class World {
  let names = Names()
  let recorder: Recorder
  let listeners: Listeners
  let budget: Budget
  let symbols: Symbols
  private(set) var objects: [String: RuntimeObject] = [:]
  private(set) var classes: [RuntimeClass] = []
  /// How many computed properties are being worked out, and were in this statement.
  var getterDepth = 0
  var getterCount = 0
  var temporaries: [RuntimeObject] = []
  /// Follows how all stands.
  private(set) lazy var watch = StateWatch(self, Inspector(names: names))
  private var isStanding = true

  init(_ symbols: Symbols, _ budget: Budget) throws(KeyValueError) {
    self.symbols = symbols
    self.budget = budget
    recorder = Recorder(symbols, names, budget)
    listeners = Listeners(recorder, names)
    do throws(KeyValueError) {
      try SwiftView.prepare()
      let dictionary = RuntimeValue.dictionary([:], isMutable: true).object!.isa
      _ = try makeClass(Symbols.dictionaryClass, superclass: dictionary)
      try listeners.addObservingMethod(to: try makeClass(Symbols.observerClass))
      recorder.watch = watch
      try recorder.start()
    } catch {
      tearDown()
      throw error
    }
  }

  deinit { tearDown() }

  var decoder: ValueDecoder { ValueDecoder(labels: symbols.labels, names: names) }

  // MARK: Classes

  /// Makes and registers a class; `fill` adds what it has. On an error nothing is left of it.
  @discardableResult
  func makeClass(
    _ name: String, superclass: RuntimeClass = .root, profile: KeyValueProfile? = nil,
    fill: (RuntimeClassBuilder) throws(KeyValueError) -> Void = { _ in }
  ) throws(KeyValueError) -> RuntimeClass {
    let builder = try RuntimeClassBuilder(name, superclass: superclass, profile: profile)
    try fill(builder)
    let made = try builder.register()
    classes.append(made)
    return made
  }

  /// The class of that name; a notifying class may not exist yet.
  func existingClass(_ name: String) throws(KeyValueError) -> RuntimeClass {
    if let cls = RuntimeClass.find(named: SwiftView.runtimeName(of: name)) { return cls }
    throw KeyValueError(.invalidArgument, reason: "there is no class \(name) at this moment")
  }

  // MARK: Objects

  /// Makes an object that the scenario holds under `name`; answers its symbol.
  func makeObject(_ name: String, _ className: String) throws(KeyValueError) -> String {
    let made =
      className == SwiftView.name
      ? try RuntimeObject(SwiftView()) : try existingClass(className).allocate()
    objects[name] = made
    return names.add(made, as: name)
  }

  /// Gives up the scenario's own reference, if it has one.
  func release(_ name: String) {
    let gone = objects.removeValue(forKey: name)
    // The object's end may look for others, when nothing here is being changed any more.
    withExtendedLifetime(gone) {}
  }

  /// A statement behind 'when' runs later, when its objects may be gone.
  func object(_ name: Name) throws(KeyValueError) -> RuntimeObject {
    if let object = objects[name.text] { return object }
    throw KeyValueError(.invalidArgument, reason: "there is no \(name) at this moment")
  }

  /// Holds a collection under `name`; answers its symbol.
  func keep(_ collection: RuntimeObject, as name: String) -> String {
    objects[name] = collection
    return names.add(collection, as: name)
  }

  /// Keeps an object, by a reference more, until the statement is done.
  @discardableResult
  func releaseLater(_ value: RuntimeValue) -> RuntimeValue {
    if let object = value.object {
      temporaries.append(RuntimeObject(unsafeAddress: object.address))
    }
    return value
  }

  // MARK: The end

  /// Releases what a statement made on the way; whoever keeps some has its own reference by now.
  func releaseTemporaries() {
    getterCount = 0
    temporaries = []
  }

  /// Ends all that the scenario made; the second time it does nothing.
  func tearDown() {
    guard isStanding else { return }
    isStanding = false
    recorder.stop()
    listeners.end()
    recorder.reactions = [:]
    recorder.standingReactions = [:]
    releaseTemporaries()
    breakCycles()
    for name in objects.keys.sorted() { release(name) }
    for cls in classes.reversed() { try? cls.dispose() }
    KeyValueSettings.wrapping = .automatic
  }

  /// Objects that hold each other would stay for ever, and their classes with them.
  private func breakCycles() {
    let living = names.namedObjects.map { RuntimeObject(unsafeAddress: $0.address) }
    for object in living { letGo(of: object) }
  }

  /// Empties what the object holds others with.
  private func letGo(of object: RuntimeObject) {
    try? ChangeableCollection(object).removeAll()
    releaseIvars(of: object)
  }

  /// Lets go of what the ivars of an object with a name own.
  func releaseIvars(of object: RuntimeObject) {
    guard let className = symbols.objects[names.name(of: object)]?.className else { return }
    for property in symbols.properties(of: className)
    where property.ownership == .retain {
      try? object.poke(ivar: property.declaration.ivarName!, .nilObject)
    }
  }
}

extension Symbols.Property {
  var ownership: RuntimeOwnership {
    guard type.isObject, !declaration.isComputed else { return .none }
    return declaration.isWeak ? .weak : .retain
  }
}

extension ObserveStatement {
  private static let known: [(Option, ObservationOptions)] = [
    (.old, .old), (.new, .new), (.initial, .initial), (.prior, .prior), (.retain, .retainObserver),
  ]

  /// The options as the runtime has them.
  var wanted: ObservationOptions {
    ObservationOptions(ObserveStatement.known.filter { options.contains($0.0) }.map(\.1))
  }

  /// The options of a registration, in the order in which they are listed.
  static func options(in options: ObservationOptions) -> [String] {
    known.filter { options.contains($0.1) }.map(\.0.rawValue)
  }
}
