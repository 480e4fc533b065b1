/// The things that one event changed, as they are now.
struct StateChange: Hashable, Sendable, Codable {
  var objects: [ObjectState] = []
  var classes: [ClassState] = []
  /// The objects that are gone, as they were last, and the names of classes.
  var deadObjects: [ObjectState] = []
  var disposedClasses: [String] = []
  /// The observers that were told, with what they were told of.
  var told: [Delivery] = []
}

/// The notifications that one observer has got.
struct Hearings: Named {
  static let shown = 3

  /// The observer's.
  var name: String
  var symbol: String { name }
  var count = 0
  /// The last ones.
  private(set) var last: [Delivery] = []

  mutating func add(_ delivery: Delivery) {
    count += 1
    last = last.suffix(Hearings.shown - 1) + [delivery]
  }
}

/// A moment of a run: after a step, or after some of the events in its course.
struct Moment: Hashable, Comparable, Sendable {
  var step: Int
  /// How many events of the step have happened; nil once it is over.
  var events: Int?

  static func < (first: Moment, second: Moment) -> Bool {
    (first.step, first.events ?? .max) < (second.step, second.events ?? .max)
  }
}

extension NamedList<Hearings> {
  mutating func add(_ delivery: Delivery) {
    var hearings = self[delivery.observer] ?? Hearings(name: delivery.observer)
    hearings.add(delivery)
    put(hearings)
  }
}

extension WorldState {
  /// An object that has no name is left out: the process ended before its statement was over.
  mutating func apply(_ change: StateChange) {
    for object in change.objects where !object.name.isEmpty { objects.put(object) }
    for object in change.deadObjects { objects.remove(object) }
    for cls in change.classes { classes.put(cls) }
    for name in change.disposedClasses { cls(name).map { classes.remove($0) } }
    for delivery in change.told { told.add(delivery) }
  }
}

extension Run {
  /// How all stood at a moment: after the events of the step until then.
  func state(at moment: Moment) -> WorldState {
    guard let count = moment.events, moment.step > 0 else { return state(at: moment.step) }
    return steps[moment.step - 1].events.prefix(count)
      .reduce(into: state(at: moment.step - 1)) { $0.apply($1.change) }
  }

  /// How all stands at each moment of a step, its end last.
  func states(ofStep number: Int) -> [WorldState] {
    guard number > 0 else { return [start] }
    var state = self.state(at: number - 1)
    return steps[number - 1].events.map {
      state.apply($0.change)
      return state
    } + [steps[number - 1].state]
  }

  /// The moment at which an event of a step has just happened.
  func moment(ofEvent id: UInt64, in number: Int) -> Moment {
    let place = number == 0 ? nil : steps[number - 1].events.firstIndex { $0.id == id }
    return Moment(step: number, events: place.map { $0 + 1 })
  }
}
