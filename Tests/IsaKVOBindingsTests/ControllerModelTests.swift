import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// Random programs, after every notification of which a controller has to be consistent.
@Suite(.serialized, .oneAtATime) struct ControllerModelTests {
  /// How many programs are run; `ISA_ROUNDS` says otherwise.
  private var rounds: Int {
    ProcessInfo.processInfo.environment["ISA_ROUNDS"].flatMap { Int($0) } ?? 300
  }

  @Test(
    "BND-61, BND-62, BND-122: whatever is done to a controller, list and field show what it has"
  )
  func programs() {
    // An observer that is told before a change may take away the elements that are to be told.
    KeyValueSettings.misuseHandler = { misuse in #expect(misuse.code == .outOfRange) }
    defer { KeyValueSettings.misuseHandler = nil }
    for seed in 0..<rounds {
      let program = Program(seed: UInt64(seed))
      for _ in 0..<12 { program.step() }
      program.end()
    }
  }
}

/// A controller to which random things are done.
private final class Program {
  private let controller = ArrayController<Person>()
  /// The model to which the content is bound in every other program.
  private let model = Team()
  private var random: Generator
  private var told: Told<Person>!
  private var kept: KeyValueObservation?
  private var nested: KeyValueObservation?
  private var stays: [Person] = []
  private let isBound: Bool
  /// A view that is bound to the selection by name, in half of the programs.
  private var entry: Entry?
  private var made: [Person] = []
  private var limit = ""
  private var order = 0

  init(seed: UInt64) {
    random = Generator(state: seed)
    isBound = seed % 2 == 0
    if isBound { controller.bindContent(to: model, \.members) }
    told = Told(controller, [])
    if seed % 4 > 1 { entry = Entry(for: controller) }
    kept = controller.observe(\.arrangedObjects) { [unowned self] controller, _ in
      // Rule 62: of those that were selected and are to stay, none is missing in between.
      #expect(stays.allSatisfy { one in controller.selectedObjects.contains { $0 === one } })
    }
  }

  func step() {
    act(inTransactions: 0)
    stays = []
    check()
  }

  /// Does something at random.
  ///
  /// - Parameter depth: How many transactions it is in.
  private func act(inTransactions depth: Int) {
    let number = Int.random(in: 0..<20, using: &random)
    if depth == 0 { expectToStay(after: number) }
    switch number {
    case 0: controller.add(contentsOf: some())
    case 1: controller.insert(make(name), atArranged: place)
    case 2: controller.remove(atArranged: IndexList([place, place]))
    case 3: controller.removeSelected()
    case 4: controller.content.randomElement(using: &random)?.name = name
    case 5: sort(1)
    case 6: sort(-1)
    case 7: sort(0)
    case 8: filter(below: name)
    case 9: controller.filter = nil
    case 10: controller.select([place, place])
    case 11: controller.content = (controller.content + some()).shuffled(using: &random)
    case 12: controller.content = Array(controller.content.dropFirst().reversed())
    case 13: setFlags()
    case 14: nest()
    case 15: changeModel()
    case 16: changeMuted()
    case 17: addAndRemove()
    case 18: if depth < 3 { transact(depth) }
    default: controller.rearrange()
    }
  }

  /// Does several things in a transaction.
  private func transact(_ depth: Int) {
    told.inTransaction {
      for _ in 0..<Int.random(in: 1..<5, using: &random) { act(inTransactions: depth + 1) }
    }
  }

  /// Adds what it then removes.
  private func addAndRemove() {
    let one = make(name)
    controller.add(one)
    controller.remove(one)
    #expect(!(isBound ? model.members : controller.content).contains { $0 === one })
  }

  /// Changes something untold, and then sets it anew, which is told.
  private func changeMuted() {
    model.muting { changeModel() }
    model.members = model.members
    guard let one = controller.content.randomElement(using: &random) else { return }
    one.muting { one.name = name }
    one.name = "\(one.name)"
  }

  /// Takes everything away.
  func end() {
    (kept, nested, entry) = (nil, nil, nil)
    controller.filter = nil
    controller.content = []
    #expect(controller.arrangedObjects.isEmpty && controller.selectionIndexes.isEmpty)
    controller.unbindContent()
    told = nil
    let all = made + [controller, controller.selection, model]
    #expect(all.allSatisfy { registrations(of: $0) == 0 && $0.observationInfo == nil })
  }

  /// Changes the model's list.
  private func changeModel() {
    let members = model.mutableArrayValue(for: \.members), count = members.count
    let place = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: members.insert(contentsOf: some(), at: place)
    case 1: if count > 0 { members.removeSubrange((place / 2)..<place) }
    case 2: if count > 0 { members[place % count] = make(name) }
    case 3: members.reverse()
    default: model.members = members.filter { _ in Bool.random(using: &random) }
    }
  }

  /// Sets the sort keys, and knows them.
  private func sort(_ order: Int) {
    self.order = order
    controller.sort = order == 0 ? [] : [order > 0 ? .ascending(\.name) : .descending(\.name)]
  }

  /// Sets a filter, and knows it.
  private func filter(below limit: String) {
    self.limit = limit
    controller.filter = .where(\.name, <, limit)
  }

  // MARK: Random parts

  private var name: String { "\(Int.random(in: 0..<10, using: &random))" }
  /// A person, whom the program knows.
  private func make(_ name: String) -> Person {
    made.append(Person(name))
    return made.last!
  }

  private var place: Int {
    Int.random(in: 0...controller.arrangedObjects.count + 1, using: &random)
  }

  /// New people, and some that are there already.
  private func some() -> [Person] {
    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Bool.random(using: &random)
        ? controller.content.randomElement(using: &random) ?? make(name) : make(name)
    }
  }

  private func setFlags() {
    controller.avoidsEmptySelection = .random(using: &random)
    controller.preservesSelection = .random(using: &random)
    controller.selectsInsertedObjects = .random(using: &random)
    controller.clearsFilterOnInsertion = .random(using: &random)
    controller.automaticallyRearranges = .random(using: &random)
  }

  /// Has an observer change the controller in the middle of its next change.
  private func nest() {
    let kind = Int.random(in: 0..<8, using: &random), name = name
    let isEarly = Bool.random(using: &random)
    func change() {
      nested = nil
      switch kind {
      case 0: sort(1)
      case 1: controller.add(make(name))
      case 2: controller.select([0, 2])
      case 3: controller.content = Array(controller.content.dropLast())
      case 4: controller.removeSelected()
      case 5: changeModel()
      case 6: controller.content.first?.name = name
      default: filter(below: name)
      }
    }
    let options: ObservationOptions = isEarly ? .prior : []
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      nested = controller.observe(\.arrangedObjects, options: options) { _, _ in change() }
    case 1:
      nested = controller.observe(\.selectionIndexes, options: options) { _, _ in change() }
    case 2: nested = controller.observe(\.content, options: options) { _, _ in change() }
    case 3: nested = model.observe(\.members) { _, _ in change() }
    default:
      nested = controller.content.randomElement(using: &random)?.observe(\.name) { _, _ in change()
      }
    }
  }

  // MARK: Checks

  /// Notes the objects that are selected and still are, after an order or a filter that keeps them.
  private func expectToStay(after number: Int) {
    guard (5...7).contains(number), nested == nil, controller.preservesSelection else { return }
    stays = controller.selectedObjects
  }

  private func check() {
    if isBound { #expect(isSame(controller.content, model.members)) }
    let rows = controller.arrangedObjects
    var rest = controller.content
    for row in rows {
      let place = rest.firstIndex { $0 === row }
      #expect(place != nil)
      if let place { rest.remove(at: place) }
    }
    let isWatched =
      controller.automaticallyRearranges && !(controller.sort.isEmpty && controller.filter == nil)
    let watched = Set(isWatched ? controller.content : [])
    if entry == nil, nested == nil {
      #expect(made.allSatisfy { ($0.observationInfo != nil) == watched.contains($0) })
    }
    #expect(isSame(told.rows, rows))
    entry?.check()
    controller.rearrange()
    // An observer may have renamed somebody behind that.
    controller.rearrange()
    var expected = controller.content
    if controller.filter != nil { expected.removeAll { $0.name >= limit } }
    let inOrder = expected.enumerated().sorted { first, second in
      let (a, b) = order < 0 ? (second, first) : (first, second)
      if order != 0, a.element.name != b.element.name { return a.element.name < b.element.name }
      return first.offset < second.offset
    }
    #expect(isSame(controller.arrangedObjects, inOrder.map(\.element)))
  }
}

/// A view that shows the selection by name.
final class Entry: KVObject {
  @Dynamic var text = ""
  @Dynamic var count = 0
  private weak var controller: KVObject?

  init(for controller: KVObject) {
    self.controller = controller
    super.init()
    bind("text", "selection.name")
    bind("count", "selectedObjects.@count")
  }

  private func bind(_ key: String, _ keyPath: String) {
    #expect(throws: Never.self) {
      try bind(BindingName(rawValue: key), to: controller!, withKeyPath: keyPath)
    }
  }

  /// Compares what is shown with what a new one shows.
  func check() {
    let other = Entry(for: controller!)
    #expect(text == other.text && count == other.count)
  }
}

/// Numbers that are the same for the same seed.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }
}
