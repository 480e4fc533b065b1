import BenchModels
import CPaired
import IsaKVO
import IsaKVOBindings
import Paired

/// Controllers that tell of their selection, and of rows that are shown elsewhere or not at all.
let controllerWorkloads: [Workload] = [
  Workload(
    "select-per-bound-key", of: isakvo, goal: 15, beside: ROW_SET_ONE_OBSERVER,
    operations: Selected.keys.count
  ) { try Selected(Selected.keys) },
  Workload("ladder-select-of-one-key", of: isakvo, group: .ladder) { try Selected(["age"]) },
  Workload("filter-10000", of: isakvo, goal: 2, unit: "ms") { Arranged(by: Arranged.filter) },
  Workload("reverse-10000", of: isakvo, goal: 2, unit: "ms") { Arranged(by: Arranged.reverse) },
  Workload("move-one-of-10000", of: isakvo, goal: 20, unit: "µs") { Moved(by: 10) },
  Workload("ladder-move-one-of-10000-to-the-middle", of: isakvo, group: .ladder) {
    Moved(by: rows / 2)
  },
]

/// How many rows a controller has.
private let rows = 10_000

/// One of two persons is selected, and then a view read whose properties are bound to the selection.
private final class Selected: Work {
  static let keys = ["age", "first", "second", "score"]
  private let people = ArrayController<Person>()
  private let view = Person()
  private let bindings: [Binding]
  private var next = 1
  private var sum = 0

  init(_ keys: [String]) throws {
    let persons = [Person(), Person()]
    for key in keys { persons[1].setValue(1, forKey: key) }
    people.content = persons
    bindings = try keys.map { [view, people] key in
      try view.bind(BindingName(rawValue: key), to: people, withKeyPath: "selection.\(key)")
    }
  }

  func run(_ count: Int) {
    for number in next..<next + count {
      people.select(number & 1)
      sum &+= getAge(view)
    }
    next += count
  }

  func check(_ count: Int) -> Bool {
    people.select(1)
    return sum == (count + 1) / 2 && bindings.allSatisfy(\.isValid)
      && Selected.keys.prefix(bindings.count).allSatisfy { key in
        view.value(forKey: key) as? Int == 1
      }
  }
}

/// A list of rows of which an observer is told with values, and which it follows once the row is checked.
private final class Told {
  let controller = ArrayController<Inner>()
  private let shadow: Shadow
  private let observation: KeyValueObservation

  private final class Shadow {
    var isFollowing = false
    var rows: [Inner] = []
    var heard = 0
  }

  init() {
    controller.content = (0..<rows).map { number in
      let row = Inner()
      setLeaf(row, 2 * number)
      return row
    }
    let shadow = Shadow()
    self.shadow = shadow
    observation = controller.observe(\.arrangedObjects, options: [.old, .new]) { _, change in
      shadow.heard &+= change.oldValue?.count ?? 0
      shadow.heard &+= change.newValue?.count ?? 0
      if shadow.isFollowing { shadow.rows.apply(change) }
    }
  }

  /// How many values were told.
  var heard: Int { shadow.heard }

  /// Whether what is told of a change makes of the old list the new.
  func isRight(_ change: () -> Void) -> Bool {
    shadow.rows = controller.arrangedObjects
    shadow.isFollowing = true
    change()
    return shadow.rows.elementsEqual(controller.arrangedObjects, by: ===)
  }
}

extension [Inner] {
  /// Makes a change that was told.
  fileprivate mutating func apply(_ change: ValueChange<[Inner]>) {
    let places = change.indexes ?? []
    switch change.kind {
    case .removal: for place in places.reversed() { remove(at: place) }
    case .insertion:
      for (place, row) in zip(places, change.newValue ?? []) { insert(row, at: place) }
    case .replacement:
      for (place, row) in zip(places, change.newValue ?? []) { self[place] = row }
    case .setting: self = change.newValue ?? []
    }
  }
}

/// A controller arranges its rows in two ways in turn.
private final class Arranged: Work {
  private let told = Told()
  private let arrange: (ArrayController<Inner>, Bool) -> Int
  private var next = 0
  private var expected = 0

  /// - Parameter arrange: Arranges the rows in one way or the other; returns how many values that tells.
  init(by arrange: @escaping (ArrayController<Inner>, Bool) -> Int) { self.arrange = arrange }

  /// Every second row is shown, or all are: half of the rows go or come.
  static func filter(_ controller: ArrayController<Inner>, _ isFiltered: Bool) -> Int {
    controller.filter = isFiltered ? Filter { getLeaf($0) & 2 == 0 } : nil
    return rows / 2
  }

  /// The rows are sorted upwards or downwards: each is where another was.
  static func reverse(_ controller: ArrayController<Inner>, _ isReversed: Bool) -> Int {
    controller.sort = [isReversed ? .descending(Inner.numberPath) : .ascending(Inner.numberPath)]
    return 2 * rows
  }

  func run(_ count: Int) {
    for number in next..<next + count { expected += arrange(told.controller, number & 1 == 0) }
    next += count
  }

  func figure() -> Double { milliseconds(of: 2, run) }

  func check(_ count: Int) -> Bool {
    told.heard == expected && told.isRight { run(1) } && told.isRight { run(1) }
  }
}

/// One row of a sorted list is set so that it belongs elsewhere, and back.
private final class Moved: Work {
  private let told = Told()
  private let row: Inner
  private let distance: Int
  private var next = 0

  init(by distance: Int) {
    self.distance = distance
    told.controller.sort = [.ascending(Inner.numberPath)]
    told.controller.automaticallyRearranges = true
    row = told.controller.arrangedObjects[rows / 4]
  }

  func run(_ count: Int) {
    let (here, there) = (rows / 2, rows / 2 + 2 * distance + 1)
    for number in next..<next + count { setLeaf(row, number & 1 == 0 ? there : here) }
    next += count
  }

  func figure() -> Double { milliseconds(of: 100, run) * 1000 }

  func check(_ count: Int) -> Bool {
    told.heard == next * 2 * (distance + 1) && told.isRight { run(1) } && told.isRight { run(1) }
  }
}

/// The time of one of `count` passes.
private func milliseconds(of count: Int, _ run: (Int) -> Void) -> Double {
  let start = paired_now()
  run(count)
  return Double(paired_now() - start) / Double(count) / 1e6
}
