import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite("Key-value coding by Apple's names", .serialized, .leavesNoObjects)
struct CodingTests {
  @Test("values come in types that cast as on Apple systems")
  func reading() {
    let person = Person()
    #expect(person.value(forKey: "age") as? Int == 1)
    #expect(person.value(forKey: "age") as? Double == 1)
    #expect(person.value(forKey: "small") as? Int32 == 1)
    #expect(person.value(forKey: "isGood") as? Bool == true)
    #expect(person.value(forKey: "name") as? String == "Ann")
    #expect(person.value(forKey: "nick") == nil)
    #expect(person.value(forKey: "mood") as? Int == 0)
    #expect(person.value(forKey: "home") as? Place === person.home)
    #expect(person.value(forKey: "items") as? [String] == ["a", "b"])
    #expect(person.value(forKeyPath: "home.city") as? String == "Paris")
    #expect(person.value(forKeyPath: "items.@count") as? Int == 2)
  }

  @Test("Foundation's objects can be set")
  func writing() {
    let person = Person()
    person.setValue(NSNumber(value: 7), forKey: "age")
    person.setValue(NSNumber(value: 2.5), forKey: "ratio")
    person.setValue(NSNumber(value: false), forKey: "isGood")
    person.setValue(NSString(string: "Bob"), forKey: "name")
    person.setValue(NSArray(array: ["x"]), forKey: "items")
    person.setValue("Rome", forKeyPath: "home.city")
    person.setValue(1, forKey: "mood")
    #expect(person.age == 7 && person.ratio == 2.5 && !person.isGood && person.name == "Bob")
    #expect(person.items == ["x"] && person.home.city == "Rome" && person.mood == .glad)
  }

  @Test("NSNull stands for nil in dictionaries, both ways")
  func dictionaries() {
    let person = Person()
    let values = person.dictionaryWithValues(forKeys: ["age", "nick"])
    #expect(values["age"] as? Int == 1 && values["nick"] is NSNull)
    person.nick = "x"
    person.setValuesForKeys(["nick": NSNull(), "age": 4])
    #expect(person.nick == nil && person.age == 4)
  }

  @Test("mistakes are reported with the exception's name, and the value stays")
  func mistakes() {
    let person = Person()
    let misuses = reports {
      #expect(person.value(forKey: "nope") == nil)
      person.setValue(1, forKey: "nope")
      person.setValue(nil, forKey: "age")
      person.setValue("text", forKey: "age")
      #expect(person.value(forKeyPath: "home.nope") == nil)
    }
    #expect(
      misuses.map(\.exception) == [
        "NSUnknownKeyException", "NSUnknownKeyException", "NSInvalidArgumentException",
        "NSInvalidArgumentException", "NSUnknownKeyException",
      ])
    #expect(misuses[0].reason.contains("not key value coding-compliant for the key nope"))
    #expect(person.age == 1)
  }

  @Test("a mutable array changes the object, several elements at one go")
  func mutableArray() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.items) { notes.add("\($1.kind) \(Array($1.indexes ?? []))") }
    let items = person.mutableArrayValue(forKey: "items")
    items.add("c")
    items.insert(["d", "e"], at: [0, 1])
    items.replaceObject(at: 0, with: "f")
    items.removeObjects(at: [1, 2])
    #expect(items.count == 3 && items[0] as? String == "f" && items.contains("c"))
    #expect(items.index(of: "c") == 2 && items.componentsJoined(by: " ") == "f b c")
    #expect(person.items == ["f", "b", "c"])
    items.removeLastObject()
    items.remove("f")
    #expect(person.items == ["b"])
    items.removeAllObjects()
    #expect(person.items == [] && items.count == 0)
    token.invalidate()
    #expect(
      notes.all.prefix(4) == [
        "insertion [2]", "insertion [0, 1]", "replacement [0]", "removal [1, 2]",
      ])
  }

  @Test("a mutable set changes the object")
  func mutableSet() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.tags) { notes.add("\($1.kind)") }
    let tags = person.mutableSetValue(forKey: "tags")
    tags.add("x")
    tags.union(["y", "z"])
    tags.minus(["x"])
    #expect(person.tags == ["y", "z"] && tags.count == 2 && tags.contains("y"))
    #expect(Set(tags.allObjects.compactMap { $0 as? String }) == ["y", "z"])
    tags.remove("y")
    tags.intersect(["q"])
    #expect(person.tags.isEmpty)
    token.invalidate()
    #expect(notes.all == ["insertion", "insertion", "removal", "removal", "removal"])
  }

  @Test("an error's localized description is what it prints, with the cure")
  func localizedDescription() {
    let error = KeyValueError(.undefinedKey, key: "agee", className: "Person")
    let shown: any Error = error
    #expect(shown.localizedDescription == "\(error)")
    #expect((shown as NSError).localizedFailureReason == error.reason)
    let mistake: any Error = KeyValueError(.wrongThread, key: "name", cure: "use the main actor")
    #expect((mistake as NSError).localizedRecoverySuggestion?.contains("main actor") == true)
  }
}
