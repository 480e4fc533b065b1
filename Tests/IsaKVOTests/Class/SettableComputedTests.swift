import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Settable computed properties over properties that have no wrapper.
private class Oven: KVObject {
  private var _degrees = 20
  private var _trays: [String] = ["top"]
  private var _mode = "off"
  private var _silent = 0
  @Dynamic var lamp = false

  var degrees: Int {
    get { _degrees }
    set { withChange(of: \.degrees) { _degrees = newValue } }
  }

  var trays: [String] {
    get { _trays }
    set {
      willChangeValue(forKey: "trays")
      _trays = newValue
      didChangeValue(forKey: "trays")
    }
  }

  /// Notifies by hand alone, also of what it changes besides.
  var mode: String {
    get { _mode }
    set {
      withChange(of: \.mode) { _mode = newValue }
      degrees += 1
      lamp = true
    }
  }

  var silent: Int {
    get { _silent }
    set { _silent = newValue }
  }

  var fahrenheit: Int { degrees * 9 / 5 + 32 }

  override class var keys: [KeyDeclaration] {
    [
      .key("degrees", \Oven.degrees), .key("trays", \Oven.trays), .key("silent", \Oven.silent),
      .key("mode", \Oven.mode, notifiesAutomatically: false),
      .key("fahrenheit", \Oven.fahrenheit, affectedBy: [\Oven.degrees]),
    ]
  }
}

private final class SteamOven: Oven {
  override var degrees: Int {
    get { super.degrees }
    set { super.degrees = newValue + 1 }
  }
}

@Suite(.serialized, .leavesNoObjects)
struct SettableComputedTests {
  private func watch(
    _ oven: Oven, _ keys: String...
  ) throws -> (told: Recorder<String>, tokens: [KeyValueObservation]) {
    let told = Recorder<String>(), object = try RuntimeObject(oven)
    let tokens = try keys.map { key in
      try object.observe(key, options: [.old, .new, .prior]) { change in
        let new = change.isPrior ? "" : "\(change.newValue!)"
        told.add("\(key) \(change.oldValue!) → \(new)".filter { $0 != "\"" })
      }
    }
    return (told, tokens)
  }

  @Test("observers are told once, whether the property is set in Swift or by name")
  func once() throws {
    let oven = Oven()
    let (told, tokens) = try watch(oven, "degrees")
    oven.degrees = 30
    #expect(told.all == ["degrees 20 → ", "degrees 20 → 30"])
    try oven.setValue(40, forKey: "degrees")
    #expect(told.all.dropFirst(2) == ["degrees 30 → ", "degrees 30 → 40"])
    #expect(oven.degrees == 40)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a dependent key is told once with it")
  func dependent() throws {
    let oven = Oven()
    let (told, tokens) = try watch(oven, "fahrenheit")
    try oven.setValue(30, forKey: "degrees")
    oven.degrees = 40
    #expect(
      told.all == [
        "fahrenheit 68 → ", "fahrenheit 68 → 86", "fahrenheit 86 → ", "fahrenheit 86 → 104",
      ])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a setter with a pair of announcements by name is told once too")
  func pair() throws {
    let oven = Oven()
    let (told, tokens) = try watch(oven, "trays")
    oven.trays = ["low"]
    try oven.setValue(["a", "b"], forKey: "trays")
    #expect(told.all.count == 4 && oven.trays == ["a", "b"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("by name a typed observer and a key path in between hear it once")
  func typed() throws {
    final class Kitchen: KVObject { @Dynamic var oven = Oven() }
    let kitchen = Kitchen()
    var told: [Int] = []
    let tokens = [
      kitchen.oven.observe(\.degrees, options: .new) { told.append($1.newValue!) },
      kitchen.observe(\.oven.degrees, options: .new) { told.append($1.newValue!) },
    ]
    try kitchen.setValue(7, forKeyPath: "oven.degrees")
    kitchen.oven.degrees = 8
    #expect(told == [7, 7, 8, 8])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a key that notifies by hand is told by its setter, and so are others that it sets")
  func byHand() throws {
    let oven = Oven()
    let (told, tokens) = try watch(oven, "mode", "degrees", "lamp")
    try oven.setValue("bake", forKey: "mode")
    #expect(
      told.all == [
        "mode off → ", "mode off → bake", "degrees 20 → ", "degrees 20 → 21", "lamp false → ",
        "lamp false → true",
      ])
    oven.mode = "off"
    #expect(told.all.count == 12)
    tokens.forEach { $0.invalidate() }
  }

  @Test("another object of the class that the setter changes is told")
  func otherObject() throws {
    final class Twin: KVObject {
      private var _level = 0
      weak var twin: Twin?
      var level: Int {
        get { _level }
        set {
          withChange(of: \.level) { _level = newValue }
          if let twin, twin.level != newValue { twin.level = newValue }
        }
      }
      override class var keys: [KeyDeclaration] { [.key("level", \Twin.level)] }
    }
    let first = Twin(), second = Twin()
    (first.twin, second.twin) = (second, first)
    var told: [String] = []
    let tokens = [
      first.observe(\.level, options: .new) { told.append("first \($1.newValue!)") },
      second.observe(\.level, options: .new) { told.append("second \($1.newValue!)") },
    ]
    try first.setValue(5, forKey: "level")
    #expect(told == ["second 5", "first 5"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("an override of the setter runs by name, and tells once")
  func subclass() throws {
    let oven = SteamOven()
    let (told, tokens) = try watch(oven, "degrees")
    try oven.setValue(40, forKey: "degrees")
    oven.degrees = 50
    #expect(
      told.all == [
        "degrees 20 → ", "degrees 20 → 41", "degrees 41 → ", "degrees 41 → 51",
      ])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a setter that announces nothing is told by name alone")
  func silent() throws {
    let oven = Oven()
    let (told, tokens) = try watch(oven, "silent")
    oven.silent = 1
    #expect(told.all.isEmpty)
    try oven.setValue(2, forKey: "silent")
    #expect(told.all == ["silent 1 → ", "silent 1 → 2"])
    tokens.forEach { $0.invalidate() }
  }

  @Test(
    "a property whose setter sets what it depends on is told once, declared as told by that alone",
    arguments: [true, false])
  func overWrapped(_ isProperty: Bool) throws {
    class Gauge: KVObject {
      @Dynamic fileprivate var storedLevel = 1
      @Dynamic var limit = 10
      var level: Int {
        get { storedLevel }
        set { storedLevel = min(newValue, limit) }
      }
    }
    final class PropertyGauge: Gauge {
      override class var keys: [KeyDeclaration] {
        [.property("level", \PropertyGauge.level, affectedBy: ["storedLevel"])]
      }
    }
    final class ManualGauge: Gauge {
      override class var keys: [KeyDeclaration] {
        [
          .key(
            "level", \ManualGauge.level, affectedBy: [\ManualGauge.storedLevel],
            notifiesAutomatically: false)
        ]
      }
    }
    let gauge = isProperty ? PropertyGauge() : ManualGauge()
    var told: [String] = []
    let tokens = [
      gauge.observe(\.level, options: [.old, .new]) { _, change in
        told.append("\(change.oldValue!) \(change.newValue!)")
      },
      try gauge.observe("level", as: Int.self, options: [.old, .new]) { _, change in
        told.append("\(change.oldValue!) \(change.newValue!)")
      },
    ]
    gauge.level = 12
    #expect(told == ["1 10", "1 10"])
    try gauge.setValue(4, forKey: "level")
    #expect(told.dropFirst(2) == ["10 4", "10 4"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("elements that a proxy changes are told once, with their indexes")
  func proxy() throws {
    let oven = Oven()
    let told = Recorder<String>()
    let token = try RuntimeObject(oven).observe("trays", options: [.old, .new]) { change in
      told.add("\(change.kind) \(change.indexes ?? [])")
    }
    try oven.mutableArrayValue(forKey: "trays").append("low")
    #expect(told.all == ["insertion [1]"] && oven.trays == ["top", "low"])
    token.invalidate()
  }
}
