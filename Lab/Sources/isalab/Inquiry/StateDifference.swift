/// The differences between two moments of one run.
struct StateDifference: Hashable, Sendable {
  struct Change<Part: Hashable & Sendable>: Hashable, Sendable {
    var from: Part
    var to: Part
  }

  struct ObjectChange: Hashable, Sendable {
    struct IvarChange: Hashable, Sendable {
      var name: String
      var value: Change<Value>
    }

    var name: String
    var isa: Change<String>?
    /// Its answer to `class`.
    var claim: Change<String>?
    var record: Change<ObjectState.Record>?
    var retainCount: Change<Int>?
    /// Whether the scenario gave up its own reference.
    var isReleased = false
    var ivars: [IvarChange] = []
    var contents: Change<Value>?
    var registered: [RegistrationView] = []
    var ended: [RegistrationView] = []
    var announced: [PendingView] = []
    var settled: [PendingView] = []
  }

  struct ClassChange: Hashable, Sendable {
    var name: String
    var gained: [ImplementationView] = []
    var lost: [ImplementationView] = []
    var replaced: [Change<ImplementationView>] = []
  }

  var born: [ObjectState] = []
  var died: [ObjectState] = []
  var objects: [ObjectChange] = []
  var made: [ClassState] = []
  var disposed: [ClassState] = []
  var classes: [ClassChange] = []

  var isEmpty: Bool { self == StateDifference() }

  private init() {}

  init(from before: WorldState, to after: WorldState) {
    let objects = after.objects.differences(from: before.objects)
    (born, died) = (objects.came, objects.gone)
    self.objects = objects.altered.compactMap(StateDifference.change)
    let classes = after.classes.differences(from: before.classes)
    (made, disposed) = (classes.came, classes.gone)
    self.classes = classes.altered.compactMap(StateDifference.change)
  }

  private static func change(from old: ObjectState, to new: ObjectState) -> ObjectChange? {
    var change = ObjectChange(name: old.name)
    change.isa = difference(old.isa, new.isa)
    change.claim = difference(old.claim, new.claim)
    change.record = difference(old.record, new.record)
    change.retainCount = difference(old.retainCount, new.retainCount)
    change.isReleased = old.isHeld && !new.isHeld
    change.ivars = old.ivars.compactMap { ivar in
      guard let later = new.ivars.first(where: { $0.name == ivar.name && $0.owner == ivar.owner })
      else { return nil }
      return difference(ivar.value, later.value).map { .init(name: ivar.name, value: $0) }
    }
    if let from = old.contents, let to = new.contents { change.contents = difference(from, to) }
    change.registered = new.registrations.without(old.registrations)
    change.ended = old.registrations.without(new.registrations)
    change.announced = new.pending.without(old.pending)
    change.settled = old.pending.without(new.pending)
    return change == ObjectChange(name: old.name) ? nil : change
  }

  private static func change(from old: ClassState, to new: ClassState) -> ClassChange? {
    let (before, after) = (
      old.methods + old.metaclass.methods, new.methods + new.metaclass.methods
    )
    func same(_ method: ImplementationView, in list: [ImplementationView]) -> ImplementationView? {
      list.first { $0.selector == method.selector && $0.owner == method.owner }
    }
    var change = ClassChange(name: old.name)
    change.gained = after.filter { same($0, in: before) == nil }
    change.lost = before.filter { same($0, in: after) == nil }
    change.replaced = before.compactMap { method in
      same(method, in: after).flatMap { difference(method, $0) }
    }
    return change == ClassChange(name: old.name) ? nil : change
  }

  private static func difference<Part>(_ old: Part, _ new: Part) -> Change<Part>? {
    old == new ? nil : Change(from: old, to: new)
  }
}

extension Array where Element: Hashable {
  /// The elements that are not in another list; an equal one there takes away one here.
  fileprivate func without(_ other: [Element]) -> [Element] {
    var rest = other
    return filter { element in
      guard let index = rest.firstIndex(of: element) else { return true }
      rest.remove(at: index)
      return false
    }
  }
}
