import IsaRuntime

/// Follows how all stands, from event to event, by a look at it while the runtime tells the event.
///
/// Of many objects, an event's look is at those that it is about, and a step's look at those that its
/// line names or its events are about, and at what these refer to: no look grows with what there is.
/// Of a class the events of a step are enough: what it has once the step is over, it has from the event
/// on that tells it. The runtime tells of a class that it makes, and of what it adds to it, when all of
/// this is there.
final class StateWatch {
  private unowned let world: World
  private let inspector: Inspector
  private var last = WorldState()
  private var classes: ClassWatch
  /// The objects that the events of the step were about, or that it may have changed otherwise.
  private var about: Set<UInt> = []
  /// The names of the objects that refer to one, by its name.
  private var holders: [String: Set<String>] = [:]
  /// How many objects were named, and died, when anybody last looked; nil before the first look.
  private var namedCount: Int?
  private var deadCount = 0
  /// The methods that were told of classes that were made meanwhile, by the class's name.
  private var added: [String: Set<String>] = [:]
  /// How many objects were looked at.
  private(set) var looks = 0
  /// More objects than these are many.
  private static let few = 32

  init(_ world: World, _ inspector: Inspector) {
    self.world = world
    self.inspector = inspector
    classes = ClassWatch(world, inspector)
  }

  /// How all stands between two steps, of which one carried out a line.
  func look(after line: String, told: NamedList<Hearings>) -> WorldState {
    forgetDead()
    let isAll = namedCount == nil || !isMany
    var waiting = isAll ? Set(living.map(\.address)) : objects(in: line)
    var seen: Set<UInt> = []
    while let address = waiting.popFirst() {
      guard seen.insert(address).inserted, let object = world.names.living(at: address),
        let (old, now) = look(at: object)
      else { continue }
      waiting.formUnion(addresses(of: (old?.references ?? []).union(now.references)))
    }
    classes.look(at: world.names.living(at: seen), &last.classes)
    last.told = told
    about = []
    namedCount = world.names.named.count
    return last
  }

  // MARK: Objects

  /// The objects that are other than when anybody last looked.
  func change(by event: RuntimeEvent) -> StateChange {
    var change = StateChange()
    let addresses = Set([event.object, event.observer, event.valueObject].compactMap(\.self))
    about.formUnion(addresses)
    classes.note(event)
    for object in isMany ? world.names.living(at: addresses) : living
    where isAlive(objectAt: object.address) {
      if let (_, now) = look(at: object) { change.objects.append(now) }
    }
    change.deadObjects = forgetDead()
    if event.kind == .objectAllocated, let object = event.object { noteNew(object, &change) }
    return change
  }

  private var living: [Names.Living] { world.names.namedObjects }
  private var isMany: Bool { world.names.livingCount > StateWatch.few }

  private func objects(in line: String) -> Set<UInt> {
    about.union(world.names.named.dropFirst(namedCount ?? 0)).union(addresses(of: line.words))
  }

  private func addresses(of names: Set<String>) -> [UInt] {
    names.compactMap { last.objects.last($0)?.address }
  }

  /// How an object was, and is; nil if it is as it was.
  private func look(at object: Names.Living) -> (old: ObjectState?, now: ObjectState)? {
    looks += 1
    let old = last.objects[object.name, symbol: object.symbol]
    let now = world.state(
      of: RuntimeObject(unsafeAddress: object.address), object.name, object.symbol, inspector)
    if now == old { return nil }
    holders.move(object.name, from: old?.references ?? [], to: now.references)
    last.objects.put(now)
    return (old, now)
  }

  /// Forgets the objects that died. They may have held others, and others may have held them weakly.
  @discardableResult
  private func forgetDead() -> [ObjectState] {
    defer { deadCount = world.names.dead.count }
    return world.names.dead.dropFirst(deadCount).compactMap { dead in
      guard let object = last.objects[dead.name, symbol: dead.symbol] else { return nil }
      last.objects.remove(object)
      holders.move(dead.name, from: object.references, to: [])
      about.formUnion(addresses(of: object.references.union(holders[dead.name] ?? [])))
      return object
    }
  }

  /// What a statement makes is named when it is over.
  private func noteNew(_ address: UInt, _ change: inout StateChange) {
    guard !world.names.isNamed(address) else { return }
    change.objects.append(
      world.state(
        of: RuntimeObject(unsafeAddress: address), "", "at \(address)", inspector))
  }

  // MARK: Afterwards

  /// Gives the changes of a step's events what is known once it is over: the names of new objects, and
  /// its classes.
  func complete(_ events: inout [Event], _ end: WorldState) {
    for place in events.indices {
      events[place].change.objects = events[place].change.objects.compactMap { object in
        guard object.name.isEmpty else { return object }
        guard let living = world.names.living(at: object.address),
          let now = end.objects[living.name, symbol: living.symbol]
        else { return nil }
        var object = object
        (object.name, object.symbol, object.born) = (now.name, now.symbol, now.born)
        object.isHeld = now.isHeld
        return object
      }
      noteClass(of: events[place], end, &events[place].change)
    }
  }

  private func noteClass(of event: Event, _ end: WorldState, _ change: inout StateChange) {
    guard let name = event.className.map({ $0.classOfMetaclass.map(String.init) ?? $0 }) else {
      return
    }
    let isMeta = event.className != name
    switch event.kind {
    case .classAllocated:
      added[name] = []
      added[event.className!.metaclassName] = []
    case .methodAdded, .methodReplaced:
      added[isMeta ? name.metaclassName : name]?.insert(event.selector ?? "")
    case .classDisposed: change.disposedClasses = [name]
    case .classRegistered: break
    // A class of Swift's may have been made by an earlier run.
    case .isaSwapped: break
    default: return
    }
    guard var cls = end.cls(name) else { return }
    restrict(&cls.methods, &cls.ownPages, to: added[name])
    restrict(&cls.metaclass.methods, &cls.metaclass.ownPages, to: added[name.metaclassName])
    change.classes = [cls]
  }

  private func restrict(
    _ methods: inout [ImplementationView], _ pages: inout [Int], to known: Set<String>?
  ) {
    guard let known else { return }
    methods.removeAll { !known.contains($0.selector) }
    if methods.isEmpty { pages = [] }
  }
}
