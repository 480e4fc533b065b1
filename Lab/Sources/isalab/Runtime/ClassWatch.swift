import IsaRuntime

/// Follows the classes of a scenario, of its objects, what is above these, and what the runtime makes
/// below them, by the events about classes.
struct ClassWatch {
  private unowned let world: World
  private let inspector: Inspector
  /// The classes that are followed, with their notifying classes.
  private var known: Set<RuntimeClass> = []
  /// The classes that were there at the first look; nil before it.
  private var foreign: Set<RuntimeClass>?
  /// How many of the scenario's classes there were when anybody last looked.
  private var madeCount = 0
  /// What the runtime calls the classes that the events of the step were about, and those that went.
  private var changed: [String] = []
  private var disposed: [String] = []
  /// By the superclass's name.
  private var subclasses: [String: [RuntimeClass]] = [:]
  /// Whether an object of Swift's was observed: its notifying class outlives the scenario, and there
  /// may have been one before it.
  private var hasObservedSwift = false

  init(_ world: World, _ inspector: Inspector) {
    self.world = world
    self.inspector = inspector
  }

  mutating func note(_ event: RuntimeEvent) {
    guard let name = event.className else { return }
    switch event.kind {
    case .classAllocated, .classRegistered, .methodAdded, .methodReplaced, .isaSwapped:
      changed.append(name)
    case .classDisposed: disposed.append(name)
    default: break
    }
  }

  /// Brings a list up to date.
  ///
  /// - Parameter objects: Those that may be of a class that is not in it yet.
  mutating func look(at objects: [Names.Living], _ list: inout NamedList<ClassState>) {
    let isas = objects.map { RuntimeObject(unsafeAddress: $0.address).isa }
    let isOfSwift = isas.contains { $0.isNotifying && isSwift($0) }
    let new = (world.classes.dropFirst(madeCount) + isas.map(\.original)).flatMap { learn($0) }
    if let foreign, hasObservedSwift || !isOfSwift, !new.contains(where: foreign.contains) {
      for name in disposed { list[shownName(name)].map { list.remove($0) } }
      for cls in new + changed.compactMap({ RuntimeClass.find(named: $0) }) { put(cls, &list) }
    } else {
      // A class that was there before the scenario has its place between others.
      hasObservedSwift = hasObservedSwift || isOfSwift
      (list, subclasses) = (NamedList(), [:])
      for cls in RuntimeClass.all { put(cls, &list) }
    }
    foreign = foreign ?? Set(RuntimeClass.all)
    madeCount = world.classes.count
    (changed, disposed) = ([], [])
  }

  /// Follows a class and those above it; answers those that were not followed, superclasses first.
  private mutating func learn(_ cls: RuntimeClass) -> [RuntimeClass] {
    var new: [RuntimeClass] = [], next: RuntimeClass? = cls
    while let cls = next, known.insert(cls).inserted {
      new.append(cls)
      next = cls.superclass
    }
    return new.reversed()
  }

  /// A wrapper's text names the method that it goes around, which may be a superclass's.
  private mutating func put(_ cls: RuntimeClass, _ list: inout NamedList<ClassState>) {
    guard known.contains(cls.original), hasObservedSwift || !cls.isNotifying || !isSwift(cls)
    else { return }
    let now = world.state(of: cls, inspector), old = list[now.name]
    list.put(now)
    if old == nil, let superclass = now.superclass {
      subclasses[superclass, default: []].append(cls)
    } else if let old, old.methods != now.methods {
      for subclass in subclasses[now.name] ?? [] { put(subclass, &list) }
    }
  }

  private func isSwift(_ cls: RuntimeClass) -> Bool {
    shownName(cls.original.name) == SwiftView.name
  }
  private func shownName(_ name: String) -> String {
    world.names.className(name, isMetaclass: false)
  }
}
