import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Child: KVObject {
  @Dynamic var name: String?
}

private final class Family: KVObject {
  @Dynamic var kids = [Child(), Child()]
  @Dynamic var ages: [Int?] = [nil, 1]
  @Dynamic var any: [Any] = [Int?.none as Any, 1]
  @Dynamic var nested: [[Int?]] = [[nil], []]
  @Dynamic var byName: [String: Int?] = ["a": nil]
  @Dynamic var set: Set<Int?> = [1]
  @Dynamic var twice: Int?? = .some(.none)
  @Dynamic var anything: Any? = .some(Int?.none as Any)
}

@Suite("Nil under Apple's names", .serialized, .leavesNoObjects)
struct NullTests {
  @Test(
    "nil in an array is NSNull, whatever the array's type is",
    arguments: ["kids.name", "ages", "any", "nested.@unionOfArrays.self"])
  func elements(_ keyPath: String) throws {
    let family = Family()
    let elements = try #require(family.value(forKeyPath: keyPath) as? [Any])
    #expect(elements.first is NSNull)
  }

  @Test("nil deeper in collections is NSNull")
  func deeper() throws {
    let family = Family()
    #expect((family.value(forKey: "nested") as? [[Any]])?.first?.first is NSNull)
    #expect((family.value(forKey: "byName") as? [String: Any])?["a"] is NSNull)
    let values = family.dictionaryWithValues(forKeys: ["ages", "byName"])
    #expect((values["ages"] as? [Any])?.first is NSNull)
    #expect((values["byName"] as? [String: Any])?["a"] is NSNull)
  }

  @Test("nil in an optional of an optional is nil, in a dictionary of values NSNull")
  func values() {
    let family = Family(), keys = ["twice", "anything"]
    for key in keys {
      #expect(family.value(forKey: key) == nil && family.value(forKeyPath: key) == nil)
    }
    #expect(family.dictionaryWithValues(forKeys: keys).values.map { $0 is NSNull } == [true, true])
  }

  @Test("changes tell nil in arrays as NSNull")
  func changes() {
    let family = Family(), watcher = Watcher()
    for key in ["ages", "any", "twice"] {
      family.addObserver(watcher, forKeyPath: key, options: [.old, .new], context: nil)
    }
    family.mutableArrayValue(forKey: "ages").add(NSNull())
    family.ages = [nil]
    family.any = [Int?.none as Any]
    family.twice = .some(.none)
    for key in ["ages", "any", "twice"] { family.removeObserver(watcher, forKeyPath: key) }
    let told = watcher.changes.map { $0[.newKey] }
    #expect(told.count == 4)
    #expect(told.prefix(3).map { ($0 as? [Any])?.first is NSNull } == [true, true, true])
    #expect(told.last.map { $0 is NSNull } == true)
  }

  @Test("an array with NSNull for nil is set as one of optionals")
  func settingBack() {
    let family = Family()
    family.ages = [nil, 1, nil]
    let elements = family.value(forKey: "ages")
    family.ages = []
    family.setValue(elements, forKey: "ages")
    #expect(family.ages == [nil, 1, nil])
  }

  @Test("changes tell nil in sets as NSNull")
  func sets() {
    let family = Family(), watcher = Watcher()
    family.addObserver(watcher, forKeyPath: "set", options: [.old, .new], context: nil)
    family.mutableSetValue(forKey: "set").add(NSNull())
    #expect(family.set == [nil, 1])
    family.removeObserver(watcher, forKeyPath: "set")
    let told = watcher.changes[0][.newKey] as? Set<AnyHashable>
    #expect(told?.count == 1 && told?.first?.base is NSNull)
  }
}
