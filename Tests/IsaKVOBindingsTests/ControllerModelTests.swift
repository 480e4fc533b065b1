import Foundation
import IsaKVO
import IsaKVOBindings
import Testing

/// Random programs, after every notification of which a controller has to be consistent.
@Suite struct ControllerModelTests {
  /// How many programs are run; `ISA_ROUNDS` says otherwise.
  private var rounds: Int {
    ProcessInfo.processInfo.environment["ISA_ROUNDS"].flatMap { Int($0) } ?? 300
  }

  @Test("BND-61, BND-62: whatever is done to a controller, it is consistent whenever it is told")
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
  private let told: Told<Person>
  private var kept: KeyValueObservation?
  private var nested: KeyValueObservation?
  private var stays: [Person] = []
  private let isBound: Bool
  private var made: [Person] = []
  private var limit = ""
  private var order = 0

  init(seed: UInt64) {
    random = Generator(state: seed)
    isBound = seed % 2 == 0
    if isBound { controller.bindContent(to: model, \.members) }
    told = Told(controller, [])
    kept = controller.observe(\.arrangedObjects) { [unowned self] controller, _ in
      // Rule 62: of those that were selected and are to stay, none is missing in between.
      #expect(stays.allSatisfy { one in controller.selectedObjects.contains { $0 === one } })
    }
  }

  func step() {
    let number = Int.random(in: 0..<18, using: &random)
    expectToStay(after: number)
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
    case 16: KVObject.transaction { (0..<3).forEach { _ in changeModel() } }
    default: controller.rearrange()
    }
    stays = []
    check()
  }

  /// Takes everything away.
  func end() {
    (kept, nested) = (nil, nil)
    controller.filter = nil
    controller.content = []
    #expect(controller.arrangedObjects.isEmpty && controller.selectionIndexes.isEmpty)
    #expect(made.allSatisfy { $0.observationInfo == nil })
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
    let kind = Int.random(in: 0..<5, using: &random), name = name
    let isEarly = Bool.random(using: &random)
    func change(_ controller: ArrayController<Person>) {
      nested = nil
      switch kind {
      case 0: sort(1)
      case 1: controller.add(make(name))
      case 2: controller.select([0, 2])
      case 3: controller.content = Array(controller.content.dropLast())
      default: filter(below: name)
      }
    }
    let options: ObservationOptions = isEarly ? .prior : []
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      nested = controller.observe(\.arrangedObjects, options: options) { one, _ in change(one) }
    case 1:
      nested = controller.observe(\.selectionIndexes, options: options) { one, _ in change(one) }
    default: nested = controller.observe(\.content, options: options) { one, _ in change(one) }
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
    #expect(made.allSatisfy { ($0.observationInfo != nil) == watched.contains($0) })
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
