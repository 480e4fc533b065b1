import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct KVObjectTests {
  /// The changes of a property as they are told: old → new.
  private func changes<Object: KVObject, Value>(
    of keyPath: KeyPath<Object, Value>, on object: Object, _ change: (Object) -> Void
  ) throws -> [String] {
    let notes = Recorder<String>()
    let token = object.observe(keyPath, options: [.old, .new]) { _, change in
      notes.add("\(show(change.oldValue)) → \(show(change.newValue))")
    }
    change(object)
    token.invalidate()
    change(object)
    return notes.all
  }

  @Test("numbers notify with old and new")
  func numbers() throws {
    let human = Human()
    #expect(try changes(of: \.age, on: human) { $0.age = 5 } == ["1 → 5"])
    #expect(try changes(of: \.small, on: human) { $0.small = -3 } == ["1 → -3"])
    #expect(try changes(of: \.ratio, on: human) { $0.ratio = 2.25 } == ["0.5 → 2.25"])
    #expect(try changes(of: \.single, on: human) { $0.single = 3 } == ["0.5 → 3.0"])
    #expect(try changes(of: \.isGood, on: human) { $0.isGood = false } == ["true → false"])
    #expect(try changes(of: \.wide, on: human) { $0.wide = .max } == ["1 → \(UInt64.max)"])
    #expect(human.age == 5 && human.small == -3 && human.ratio == 2.25 && human.wide == .max)
  }

  @Test("values of every other type notify with old and new")
  func others() throws {
    let human = Human()
    #expect(try changes(of: \.name, on: human) { $0.name = "Bob" } == ["Ann → Bob"])
    #expect(try changes(of: \.color, on: human) { $0.color = .blue } == ["red → blue"])
    #expect(try changes(of: \.size, on: human) { $0.size = .large } == ["small → large"])
    #expect(
      try changes(of: \.spot, on: human) { $0.spot = Spot(x: 3, y: 4) }
        == ["Spot(x: 1.0, y: 2.0) → Spot(x: 3.0, y: 4.0)"])
    #expect(
      try changes(of: \.shape, on: human) { $0.shape = Circle(radius: 2) }
        == ["Circle(radius: 1.0) → Circle(radius: 2.0)"])
    #expect(try changes(of: \.list, on: human) { $0.list = [2, 3] } == ["[1] → [2, 3]"])
    #expect(try changes(of: \.tags, on: human) { $0.tags = ["a"] } == ["[] → [\"a\"]"])
    #expect(try changes(of: \.info, on: human) { $0.info = ["a": 1] } == ["[:] → [\"a\": 1]"])
  }

  @Test("objects of any class and functions notify with the very same")
  func references() throws {
    let human = Human(), old = human.plain, new = Plain(), place = Place()
    var seen: [ObjectIdentifier] = []
    let plain = human.observe(\.plain, options: [.old, .new]) { _, change in
      seen = [change.oldValue, change.newValue].compactMap { $0.map(ObjectIdentifier.init) }
    }
    human.plain = new
    #expect(seen == [ObjectIdentifier(old), ObjectIdentifier(new)])
    let object = human.observe(\.place, options: .new) { _, change in
      #expect(change.newValue! === place)
      seen = []
    }
    human.place = place
    #expect(seen.isEmpty)
    let function = human.observe(\.work, options: .new) { _, change in
      seen = [ObjectIdentifier(change.newValue!() == 2 ? new : old)]
    }
    human.work = { 2 }
    #expect(seen == [ObjectIdentifier(new)])
    withExtendedLifetime((plain, object, function)) {}
  }

  @Test("in old and new of an optional, nil and absent are different")
  func optionals() throws {
    let human = Human()
    var seen: [ValueChange<Int?>] = []
    let both = human.observe(\.count, options: [.old, .new]) { seen.append($1) }
    human.count = 3
    #expect(seen.last?.oldValue == .some(.none))
    #expect(seen.last?.newValue == .some(.some(3)))
    human.count = nil
    #expect(seen.last?.oldValue == .some(.some(3)))
    #expect(seen.last?.newValue == .some(.none))
    both.invalidate()
    let none = human.observe(\.count) { seen.append($1) }
    human.count = 4
    #expect(seen.last?.oldValue == .none)
    #expect(seen.last?.newValue == .none)
    withExtendedLifetime(none) {}
  }

  @Test("an object that is observed keeps its Swift type, and its isa goes back")
  func isa() throws {
    let human = Human()
    let object = try RuntimeObject(human)
    #expect(object.isa.name == "IsaKVOTests.Human")
    let token = human.observe(\.age) { _, _ in }
    #expect(object.isa.name == "NSKVONotifying_IsaKVOTests.Human")
    #expect(object.class.name == "IsaKVOTests.Human")
    #expect(type(of: human) == Human.self)
    token.invalidate()
    #expect(object.isa.name == "IsaKVOTests.Human")
  }

  @Test("an observed object answers questions about its class as before, asked by message")
  func questions() throws {
    let worker = Worker(), object = try RuntimeObject(worker), own = object.isa
    let superclass = try object.send("superclass").runtimeClass
    let token = worker.observe(\.age) { _, _ in }
    #expect(object.isa != own)
    #expect(try object.send("superclass").runtimeClass == superclass && superclass != nil)
    for (cls, isKind, isMember) in [
      (own, true, true), (own.superclass!, true, false), (object.isa, false, false),
    ] {
      #expect(try object.send("isKindOfClass:", RuntimeValue(cls)).bool == isKind)
      #expect(try object.send("isMemberOfClass:", RuntimeValue(cls)).bool == isMember)
    }
    token.invalidate()
  }

  @Test("a class registers its properties with their encodings, and those of its superclass")
  func registration() throws {
    let worker = Worker()
    let cls = try RuntimeObject(worker).isa
    #expect(cls.name == "IsaKVOTests.Worker")
    #expect(cls.superclass?.name == "IsaKVOTests.Human")
    #expect(cls.properties.map(\.name) == ["wage"])
    #expect(cls.property(named: "age")?.encoding == .int64)
    #expect(cls.property(named: "small")?.encoding == .int8)
    #expect(cls.property(named: "single")?.encoding == .float)
    #expect(cls.property(named: "name")?.encoding == .object)
    #expect(cls.property(named: "unwrapped") == nil)
    #expect(cls.property(named: "office") == nil)
  }

  @Test("inherited, private and overridden properties are observed through a subclass")
  func inheritance() throws {
    let worker = Worker()
    #expect(try changes(of: \Worker.age, on: worker) { $0.age = 2 } == ["1 → 2"])
    #expect(try changes(of: \Human.age, on: worker) { $0.age = 3 } == ["2 → 3"])
    #expect(try changes(of: \.wage, on: worker) { $0.wage = 11 } == ["10.0 → 11.0"])
    #expect(try changes(of: \.code, on: worker) { $0.setCode(8) } == ["7 → 8"])
  }

  @Test("two classes in a line may have private properties of one name")
  func privateNames() throws {
    let twice = Twice()
    #expect(try changes(of: \.upper, on: twice) { $0.setUpper(5) } == ["1 → 5"])
    #expect(try changes(of: \.lower, on: twice) { $0.setLower(6) } == ["2 → 6"])
    #expect(twice.upper == 5 && twice.lower == 6)
  }

  @Test("generic classes register once for each of their types")
  func generic() throws {
    let number = Cell(1), text = Cell("a"), named = NamedCell("b")
    #expect(try changes(of: \.value, on: number) { $0.value = 2 } == ["1 → 2"])
    #expect(try changes(of: \.value, on: text) { $0.value = "z" } == ["a → z"])
    #expect(try changes(of: \.value, on: named) { $0.value = "y" } == ["b → y"])
    #expect(try changes(of: \.label, on: named) { $0.label = "x" } == ["cell → x"])
    #expect(try RuntimeObject(number).isa.property(named: "value")?.encoding == .int64)
    #expect(try RuntimeObject(text).isa.property(named: "value")?.encoding == .object)
  }

  @Test("didSet runs once for a set, after the observers")
  func didSet() throws {
    let watcher = Watcher()
    let token = watcher.observe(\.level, options: [.old, .new]) { watcher, change in
      watcher.log.append("told \(change.oldValue!) → \(change.newValue!)")
    }
    watcher.level = 4
    #expect(watcher.log == ["willSet 4", "told 0 → 4", "didSet 0"])
    withExtendedLifetime(token) {}
  }

  @Test("an override of a property is what is set, and its superclass's what notifies")
  func overridden() throws {
    let doubling = Doubling()
    #expect(try changes(of: \.level, on: doubling) { $0.level = 4 } == ["0 → 8"])
  }

  @Test("a lazy property is computed when it is first read, and notifies")
  func lazy() throws {
    let before = Human.renders
    let human = Human()
    #expect(Human.renders == before)
    #expect(human.report == "report")
    #expect(human.report == "report")
    #expect(Human.renders == before + 1)
    #expect(try changes(of: \.report, on: human) { $0.report = "new" } == ["report → new"])
    let unread = Human()
    unread.report = "set"
    #expect(unread.report == "set")
    #expect(Human.renders == before + 1)
  }

  @Test("a weak property refers to an object without keeping it, and notifies")
  func weak() throws {
    let human = Human()
    var boss: Human? = Human()
    var told = 0
    let token = human.observe(\.boss, options: [.old, .new]) { _, change in
      told += 1
      #expect(change.oldValue! == nil)
      #expect(change.newValue!?.name == "Boss")
    }
    boss?.name = "Boss"
    human.boss = boss
    #expect(told == 1)
    boss = nil
    #expect(human.boss == nil)
    withExtendedLifetime(token) {}
  }

  @Test("a change in place notifies once, with old and new")
  func inPlace() throws {
    let human = Human()
    #expect(try changes(of: \.age, on: human) { $0.age += 2 } == ["1 → 3"])
    #expect(try changes(of: \.list, on: human) { $0.list.append(2) } == ["[1] → [1, 2]"])
    #expect(
      try changes(of: \.spot.x, on: human) { $0.spot.x += 1 } == ["1.0 → 2.0"])
    #expect(try changes(of: \.name, on: human) { $0.name += "!" } == ["Ann → Ann!"])
  }

  @Test("a change in place that waits, and goes on on another thread, notifies once")
  func acrossThreads() async throws {
    let human = Human(), notes = Recorder<String>(), misuses = Recorder<String>()
    KeyValueSettings.misuseHandler = { misuses.add($0.reason) }
    defer { KeyValueSettings.misuseHandler = nil }
    let token = human.observe(\.age, options: [.old, .new]) { _, change in
      notes.add("\(change.oldValue!) → \(change.newValue!)")
    }
    let computed = Recorder<String>()
    let adult = human.observe(\.isAdult, options: [.old, .new]) { _, change in
      computed.add("\(change.oldValue!) → \(change.newValue!)")
    }
    for _ in 0..<20 { await increase(&human.age) }
    #expect(computed.count == 20)
    #expect(notes.all == (1...20).map { "\($0) → \($0 + 1)" })
    #expect(misuses.all.isEmpty)
    #expect(try RuntimeObject(human).pendingChanges.isEmpty)
    withExtendedLifetime((token, adult)) {}
  }

  @Test("the handler may read, set and stop observing the property that it is told of")
  func reentrant() throws {
    let human = Human()
    var told: [Int] = []
    let token = human.observe(\.age, options: .new) { human, change in
      told.append(change.newValue!)
      if human.age < 4 { human.age += 1 }
      if human.age == 4 { change.stopObserving() }
    }
    human.age = 2
    human.age = 9
    #expect(told == [2, 3, 4])
    #expect(!token.isValid)
  }

  @Test("an object that dies takes its registrations along, and a token may outlive it")
  func lifetimes() throws {
    var human: Human? = Human()
    weak let gone = human
    let token = human!.observe(\.age) { _, _ in }
    #expect(token.isValid)
    human = nil
    #expect(gone == nil)
    #expect(!token.isValid)
    token.invalidate()
  }

  @Test("values that an observed object held die with it")
  func heldValues() throws {
    weak var place: Place?
    do {
      let human = Human()
      human.place = Place()
      place = human.place
      let token = human.observe(\.place, options: [.old, .new]) { _, _ in }
      human.place = Place()
      #expect(place == nil)
      place = human.place
      token.invalidate()
    }
    #expect(place == nil)
  }

  @Test("recursion without end is stopped at the limit and names the changes")
  func endless() throws {
    let human = Human(), misuses = Recorder<String>()
    KeyValueSettings.misuseHandler = { misuses.add($0.reason) }
    defer { KeyValueSettings.misuseHandler = nil }
    let limit = KeyValueSettings.depthLimit
    KeyValueSettings.depthLimit = 30
    defer { KeyValueSettings.depthLimit = limit }
    var told = 0
    let age = human.observe(\.age) { human, _ in
      told += 1
      human.wide += 1
    }
    let wide = human.observe(\.wide) { human, _ in human.age += 1 }
    human.age = 2
    #expect(told == 15)
    #expect(misuses.count == 1)
    #expect(misuses.last?.contains("age of <IsaKVOTests.Human") == true)
    #expect(misuses.last?.contains("wide of <IsaKVOTests.Human") == true)
    human.age = 3
    #expect(told == 30)
    withExtendedLifetime((age, wide)) {}
  }
}

/// Changes a number after having waited.
private func increase(_ number: inout Int) async {
  try? await Task.sleep(for: .milliseconds(1))
  number += 1
}

/// A value as people write it.
private func show<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "absent" }

private class Once: KVObject {
  @Dynamic private var value = 1
  var upper: Int { value }
  func setUpper(_ new: Int) { value = new }
}

private final class Twice: Once {
  @Dynamic private var value = 2
  var lower: Int { value }
  func setLower(_ new: Int) { value = new }
}

private class Watcher: KVObject {
  var log: [String] = []
  @Dynamic var level = 0 {
    willSet { log.append("willSet \(newValue)") }
    didSet { log.append("didSet \(oldValue)") }
  }
}

private final class Doubling: Watcher {
  override var level: Int {
    get { super.level }
    set { super.level = newValue * 2 }
  }
}
