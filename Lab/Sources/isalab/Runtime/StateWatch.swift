import IsaRuntime

/// Follows how all stands, from event to event, by a look at it while the runtime tells the event.
///
/// Of a class the events of a step are enough: what it has once the step is over, it has from the event
/// on that tells it. The runtime tells of a class that it makes, and of what it adds to it, when all of
/// this is there.
final class StateWatch {
  private unowned let world: World
  private let inspector: Inspector
  private var last = WorldState()
  /// The methods that were told of classes that were made meanwhile, by the class's name.
  private var added: [String: Set<String>] = [:]
  /// Of more objects than these, an event's look is at those that it is about.
  private static let few = 32

  init(_ world: World, _ inspector: Inspector) {
    self.world = world
    self.inspector = inspector
  }

  /// How all stands between two steps.
  func look(told: [String: Hearings]) -> WorldState {
    last = world.state(inspector)
    last.told = told
    return last
  }

  // MARK: Objects

  /// The objects that are other than when anybody last looked.
  func change(by event: RuntimeEvent) -> StateChange {
    var change = StateChange()
    let living = world.names.namedObjects
    let old = Dictionary(last.objects.map { ($0.symbol, $0) }) { $1 }
    let about = living.count > StateWatch.few ? addresses(in: event) : nil
    for (address, name, symbol) in living where about?.contains(address) ?? true {
      guard isAlive(objectAt: address) else { continue }
      let now = world.state(of: RuntimeObject(unsafeAddress: address), name, symbol, inspector)
      if now != old[symbol] { change.objects.append(now) }
    }
    let symbols = Set(living.map(\.symbol))
    change.deadObjects = last.objects.map(\.symbol).filter { !symbols.contains($0) }
    last.apply(change)
    if event.kind == .objectAllocated, let object = event.object { noteNew(object, &change) }
    return change
  }

  private func addresses(in event: RuntimeEvent) -> Set<UInt> {
    Set([event.object, event.observer, event.valueObject].compactMap(\.self))
  }

  /// What a statement makes is named when it is over.
  private func noteNew(_ address: UInt, _ change: inout StateChange) {
    guard !world.names.isNamed(address) else { return }
    let symbol = StateWatch.symbol(ofUnnamed: address)
    change.objects.append(
      world.state(of: RuntimeObject(unsafeAddress: address), "", symbol, inspector))
  }

  private static func symbol(ofUnnamed address: UInt) -> String { "at \(address)" }

  // MARK: Afterwards

  /// Gives the changes of a step's events what is known once it is over: the names of new objects, and
  /// its classes.
  func complete(_ events: inout [Event], _ end: WorldState) {
    let named = Dictionary(
      end.objects.map { (StateWatch.symbol(ofUnnamed: $0.address), $0) }
    ) { $1 }
    for place in events.indices {
      events[place].change.objects = events[place].change.objects.compactMap { object in
        guard object.name.isEmpty else { return object }
        guard let now = named[object.symbol] else { return nil }
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
