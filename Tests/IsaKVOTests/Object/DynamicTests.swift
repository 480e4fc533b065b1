import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct DynamicTests {
  @Test("a class with wrapped properties is coded as one without wrappers")
  func codable() throws {
    let settings = Settings()
    settings.name = "Ann"
    settings.level = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(settings)
    #expect(String(decoding: data, as: UTF8.self) == #"{"count":1,"name":"Ann"}"#)
    let same = try JSONDecoder().decode(Settings.self, from: data)
    #expect(same.name == "Ann" && same.count == 1 && same.level == nil)
    let full = try JSONDecoder().decode(
      Settings.self, from: Data(#"{"count":2,"name":"Bob","level":3}"#.utf8))
    #expect(full.level == 3)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Settings.self, from: Data(#"{"count":2}"#.utf8))
    }
  }

  @Test("a coder's own ways with a type hold for wrapped properties: dates, data, decimals")
  func codersOwnWays() throws {
    let text = #"{"due":"1970-01-01T00:00:10Z","key":"AQI=","price":12345678901234567.89}"#
    let decoder = JSONDecoder(), encoder = JSONEncoder()
    decoder.dateDecodingStrategy = .iso8601
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let bill = try decoder.decode(Bill.self, from: Data(text.utf8))
    #expect(bill.price == Decimal(string: "12345678901234567.89"))
    #expect(bill.due == Date(timeIntervalSince1970: 10) && bill.key == Data([1, 2]))
    #expect(String(decoding: try encoder.encode(bill), as: UTF8.self) == text)
  }

  @Test("what was decoded is observed as anything else")
  func decodedIsObserved() throws {
    let settings = try JSONDecoder().decode(
      Settings.self, from: Data(#"{"count":2,"name":"Bob"}"#.utf8))
    var seen: Int?
    let token = settings.observe(\.count, options: .new) { seen = $1.newValue }
    settings.count = 5
    #expect(seen == 5)
    withExtendedLifetime(token) {}
  }

  @Test("properties are compared and hashed by their values")
  func hashable() {
    #expect(DynamicValue(wrappedValue: 1) == DynamicValue(wrappedValue: 1))
    #expect(DynamicValue(wrappedValue: 1) != DynamicValue(wrappedValue: 2))
    #expect(Set([DynamicValue(wrappedValue: "a"), DynamicValue(wrappedValue: "a")]).count == 1)
  }

  @Test("a property is Sendable where its value is")
  func sendable() {
    func take(_ value: some Sendable) -> Bool { true }
    #expect(take(DynamicValue(wrappedValue: 1)))
  }

  @Test("a class that overrides the announcements is asked by them, others are not")
  func announcements() throws {
    let announcer = Announcer()
    var told: [String] = []
    let token = announcer.observe(\.number, options: [.old, .new]) { announcer, change in
      told.append("\(change.oldValue!) → \(change.newValue!)")
      announcer.log.append("told")
    }
    announcer.number = 1
    announcer.number += 1
    #expect(told == ["0 → 1", "1 → 2"])
    let once = ["will number", "told", "did number"]
    #expect(announcer.log == once + once)
    withExtendedLifetime(token) {}
  }

  @Test("a class whose keys use an object of the class itself is refused")
  func circularKeys() {
    let told = reports { _ = Circular().observe(\.number) { _, _ in } }
    #expect(told.count == 1 && told.first?.reason.contains("Circular") == true)
  }

  @Test("class methods say what depends on what, what notifies, and what is valid")
  func classMethods() throws {
    let ruled = Ruled()
    var told: [String] = []
    let area = try ruled.observe("area", as: Int.self, options: [.old, .new]) { _, change in
      told.append("area \(change.oldValue!) → \(change.newValue!)")
    }
    let silent = ruled.observe(\.silent) { _, _ in told.append("silent") }
    ruled.width = 3
    ruled.silent = 1
    #expect(told == ["area 1 → 3"])
    ruled.willChangeValue(forKey: "silent")
    ruled.silent = 2
    ruled.didChangeValue(forKey: "silent")
    #expect(told == ["area 1 → 3", "silent"])
    var value: Any? = -1
    #expect(throws: Ruled.Negative.self) { try ruled.validateValue(&value, forKey: "width") }
    value = 1_000
    try ruled.validateValue(&value, forKey: "width")
    #expect(value as? Int == 100)
    withExtendedLifetime((area, silent)) {}
  }
}

private final class Bill: KVObject, Codable {
  @Dynamic var due = Date()
  @Dynamic var key = Data()
  @Dynamic var price = Decimal()
  @Dynamic var seen: Date?
}

private final class Settings: KVObject, Codable {
  @Dynamic var name = ""
  @Dynamic var count = 1
  @Dynamic var level: Int?
}

private final class Announcer: KVObject {
  @Dynamic var number = 0
  var log: [String] = []

  override func willChangeValue(forKey key: String) {
    log.append("will \(key)")
    super.willChangeValue(forKey: key)
  }

  override func didChangeValue(forKey key: String) {
    super.didChangeValue(forKey: key)
    log.append("did \(key)")
  }
}

private final class Ruled: KVObject {
  struct Negative: Error {}

  @Dynamic var width = 1
  @Dynamic var height = 1
  @Dynamic var silent = 0
  var area: Int { width * height }

  override class var keys: [KeyDeclaration] { [.key("area", \Ruled.area)] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let inherited = super.keyPathsForValuesAffectingValue(forKey: key)
    return key == "area" ? inherited.union(["width", "height"]) : inherited
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "silent" ? false : super.automaticallyNotifiesObservers(forKey: key)
  }

  override func validateValue(_ value: inout Any?, forKey key: String) throws {
    guard key == "width", let width = value as? Int else {
      return try super.validateValue(&value, forKey: key)
    }
    if width < 0 { throw Negative() }
    value = min(width, 100)
  }
}

private final class Circular: KVObject {
  @Dynamic var number = 0

  override class var keys: [KeyDeclaration] {
    _ = Circular().observe(\.number) { _, _ in }
    return []
  }
}
