import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ObjectCodingTests {
  // MARK: Key paths

  @Test("a key path leads through objects, and nil on the way is nil")
  func paths() throws {
    let human = Human()
    #expect(try human.value(forKeyPath: "place.city") == nil)
    #expect(try human.value(forKeyPath: "home.city") as? String == "Paris")
    #expect(try human.value(forKeyPath: "home.zip") as? Int == 75)
    human.home.owner = human
    #expect(try human.value(forKeyPath: "home.owner.home.owner.name") as? String == "Ann")
    #expect(try human.value(forKeyPath: "home.owner") as? Human === human)
    try human.setValue("Rome", forKeyPath: "home.city")
    try human.setValue("Oslo", forKeyPath: "place.city")
    try human.setValue(nil, forKeyPath: "home.owner.home.zip")
    #expect(human.home.city == "Rome" && human.home.zip == nil)
    human.home.owner = nil
  }

  @Test("a typed get converts numbers and names what does not fit")
  func typed() throws {
    let human = Human()
    human.ratio = 2.75
    #expect(try human.value(forKey: "age", as: Int.self) == 1)
    #expect(try human.value(forKey: "ratio", as: Int.self) == 2)
    #expect(try human.value(forKey: "age", as: Double.self) == 1)
    #expect(try human.value(forKey: "age", as: Bool.self))
    #expect(try human.value(forKey: "color", as: Color.self) == .red)
    #expect(try human.value(forKey: "size", as: Size.self) == .small)
    #expect(try human.value(forKey: "spot", as: Spot.self) == Spot())
    #expect(try human.value(forKey: "home", as: Place.self) === human.home)
    #expect(try human.value(forKey: "place", as: Place?.self) == nil)
    #expect(try human.value(forKey: "count", as: Int?.self) == nil)
    #expect(try human.value(forKey: "list", as: [Double].self) == [1])
    #expect(try human.value(forKeyPath: "home.city", as: String.self) == "Paris")
    let error = #expect(throws: KeyValueError.self) {
      try human.value(forKey: "name", as: Int.self)
    }
    #expect(error?.reason.contains("Int") == true && error?.reason.contains("Ann") == true)
    #expect(throws: KeyValueError.self) { try human.value(forKey: "count", as: Int.self) }
    #expect(throws: KeyValueError.self) { try human.value(forKey: "nothing", as: Int.self) }
  }

  @Test("an optional of an optional is nil at any depth, or its value")
  func nestedOptionals() throws {
    let human = Human()
    #expect(try human.value(forKey: "nested") == nil)
    try human.setValue(4, forKey: "nested")
    #expect(human.nested == .some(.some(4)))
    #expect(try human.value(forKey: "nested") as? Int == 4)
    try human.setValue(Int??.some(nil) as Any, forKey: "nested")
    #expect(try human.value(forKey: "nested") == nil)
    try human.setValue(Int?.none as Any, forKey: "count")
    #expect(human.count == nil)
    try human.setValue(Int?.some(3) as Any, forKey: "count")
    #expect(human.count == 3)
    human.nested = .some(nil)
    #expect(try human.value(forKey: "nested", as: Int??.self) == .some(nil))
  }

  // MARK: Wrong values

  @Test("a value of the wrong type is refused with both types, and nothing changes")
  func wrongType() throws {
    let human = Human()
    for (key, value, expected, given) in [
      ("name", 5 as Any, "String", "Int"), ("age", "five", "Int", "String"),
      ("home", Human(), "Place", "Human"), ("list", [1, "x"] as [Any], "[Int]", "Array"),
      ("tags", ["a": 1], "Set<String>", "Dictionary"), ("color", 9, "Color", "Int"),
      ("info", [1], "[String: Int]", "Array"), ("spot", 1, "Spot", "Int"),
      ("friends", [Place()], "[Human]", "Array"),
    ] {
      let error = #expect(throws: KeyValueError.self) { try human.setValue(value, forKey: key) }
      #expect(error?.code == .incompatible && error?.key == key)
      let reason = error?.reason ?? ""
      #expect(reason.contains(expected) && reason.contains(given), "\(reason)")
    }
    #expect(human.name == "Ann" && human.age == 1 && human.list == [1] && human.color == .red)
    #expect(human.tags.isEmpty && human.info.isEmpty && human.friends.isEmpty)
  }

  @Test("so it is at the end of a key path, and with many keys at once")
  func wrongTypeFarther() throws {
    let human = Human()
    let error = #expect(throws: KeyValueError.self) {
      try human.setValue(5, forKeyPath: "home.city")
    }
    #expect(error?.code == .incompatible && error?.key == "city")
    let reason = error?.reason ?? ""
    #expect(reason.contains("String") && reason.contains("Int"))
    let nilError = #expect(throws: KeyValueError.self) {
      try human.setValue(nil, forKeyPath: "home.city")
    }
    #expect(nilError?.code == .nilValue)
    #expect(throws: KeyValueError.self) { try human.setValue(5, forKeyPath: "home.nothing") }
    #expect(human.home.city == "Paris")
    #expect(throws: KeyValueError.self) {
      try human.setValuesForKeys(["age": 7, "name": 5, "ratio": 1.5])
    }
    #expect(human.age == 7 && human.name == "Ann" && human.ratio == 0.5)
  }

  @Test("observers hear nothing of a value that is refused")
  func refusedInSilence() throws {
    let human = Human(), told = Recorder<Void>()
    let token = human.observe(\.name, options: [.old, .new, .prior]) { _, _ in told.add(()) }
    #expect(throws: KeyValueError.self) { try human.setValue(5, forKey: "name") }
    #expect(told.count == 0)
    token.invalidate()
  }

  @Test("numbers are converted as NSNumber does")
  func numbers() throws {
    let human = Human()
    try human.setValue(300, forKey: "small")
    #expect(human.small == 44)
    try human.setValue(-1, forKey: "wide")
    #expect(human.wide == .max)
    try human.setValue(7.9, forKey: "age")
    #expect(human.age == 7)
    try human.setValue(-7.9 as Float, forKey: "small")
    #expect(human.small == -7)
    try human.setValue(2, forKey: "isGood")
    #expect(human.isGood)
    try human.setValue(0, forKey: "isGood")
    #expect(!human.isGood)
    try human.setValue(true, forKey: "ratio")
    #expect(human.ratio == 1)
    try human.setValue(UInt8(200), forKey: "count")
    #expect(human.count == 200)
    try human.setValue("41", forKey: "age")
    #expect(human.age == 41)
    try human.setValue([1.5, 2, true] as [Any], forKey: "list")
    #expect(human.list == [1, 2, 1])
    try human.setValue(2 as UInt64, forKey: "color")
    #expect(human.color == .blue)
  }

  @Test("a declared key of a number type runs didSet, whatever the number's type")
  func declaredNumber() throws {
    final class Meter: KVObject {
      @Dynamic var level: Int8 = 0 { didSet { sets += 1 } }
      var sets = 0
      override class var keys: [KeyDeclaration] { [.key("level", \Meter.level)] }
    }
    let meter = Meter()
    try meter.setValue(5, forKey: "level")
    try meter.setValue(6.5, forKey: "level")
    #expect(meter.level == 6 && meter.sets == 2)
  }

  @Test("a Swift dictionary takes no entry by name, and the error names the property and its type")
  func entries() throws {
    final class Shop: KVObject {
      @Dynamic var prices = ["pear": 1]
      @Dynamic var nested: [String: [String: Int?]] = ["a": [:]]
      @Dynamic var next: Shop?
    }
    let shop = Shop(), next = Shop()
    shop.next = next
    for (path, owner, key, type) in [
      ("prices.pear", shop, "prices", "[String: Int]"),
      ("nested.a.b", shop, "nested", "[String: [String: Int?]]"),
      ("next.prices.pear", next, "prices", "[String: Int]"),
    ] {
      let error = expectError(.undefinedKey, key: key) {
        try shop.setValue(2, forKeyPath: path)
      }
      #expect(error?.object == ObjectIdentifier(owner) && error?.keyPath == path)
      #expect(error?.className.hasSuffix("Shop") == true)
      let text = error?.description ?? ""
      #expect(text.contains("“\(key)”") && text.contains("is a \(type)"))
      #expect(!text.contains("IsaSwift"))
      #expect(error?.cure?.contains("set “\(key)” to a dictionary") == true)
    }
    #expect(shop.prices == ["pear": 1] && next.prices == ["pear": 1])
  }

  // MARK: Many keys

  @Test("many values are got and set at once, null for nil")
  func many() throws {
    let human = Human()
    let values = try human.dictionaryWithValues(forKeys: ["name", "age", "place"])
    #expect(values["name"] as? String == "Ann" && values["age"] as? Int == 1)
    #expect(values["place"] is KeyValueNull && values.count == 3)
    try human.setValuesForKeys(["name": "Bob", "age": 7, "count": 3])
    #expect(human.name == "Bob" && human.age == 7 && human.count == 3)
    try human.setValuesForKeys(["count": KeyValueNull()])
    #expect(human.count == nil)
    try Human().setValuesForKeys(human.dictionaryWithValues(forKeys: ["name", "place", "list"]))
    #expect(throws: KeyValueError.self) { try human.dictionaryWithValues(forKeys: ["nothing"]) }
    #expect(throws: KeyValueError.self) { try human.setValuesForKeys(["nothing": 1]) }
  }

  @Test("null set by name is null where a property can hold it, and nil in any other optional")
  func null() throws {
    final class Bag: KVObject {
      @Dynamic var any: Any? = 1
      @Dynamic var whole: Any = 1
      @Dynamic var hashable: AnyHashable? = 1
      @Dynamic var name: String? = "a"
      @Dynamic var list: [Any] = []
      @Dynamic var maybes: [Any?] = []
    }
    let bag = Bag(), told = Recorder<Bool>()
    let token = bag.observe(\.any, options: .new) { told.add($1.newValue is KeyValueNull) }
    for key in ["any", "whole", "hashable"] {
      try bag.setValue(KeyValueNull(), forKey: key)
      #expect(try bag.value(forKey: key) is KeyValueNull, "\(key)")
    }
    try bag.setValue(nil, forKey: "any")
    #expect(told.all == [true, false] && bag.any == nil)
    token.invalidate()
    try bag.setValue(KeyValueNull(), forKey: "name")
    #expect(bag.name == nil)
    for key in ["list", "maybes"] {
      try bag.setValue(RuntimeValue.array([1, .null]).object, forKey: key)
    }
    #expect(bag.list.last is KeyValueNull && bag.maybes.count == 2 && bag.maybes[1] == nil)
    expectError(.incompatible, key: "count") {
      try Human().setValue([KeyValueNull()], forKey: "count")
    }
  }

  // MARK: Collections

  private func crowd() -> Human {
    let human = Human()
    human.friends = ["Ann", "Bob", "Cid"].enumerated().map { at, name in
      let friend = Human()
      friend.name = name
      friend.age = at * 10
      friend.home.city = at == 0 ? "Paris" : "Rome"
      friend.list = [at, 7]
      return friend
    }
    return human
  }

  @Test("a key of an array's elements gives an array of their values")
  func mapped() throws {
    let human = crowd()
    #expect(try human.value(forKeyPath: "friends.name") as? [String] == ["Ann", "Bob", "Cid"])
    #expect(try human.value(forKeyPath: "friends.age", as: [Int].self) == [0, 10, 20])
    #expect(
      try human.value(forKeyPath: "friends.home.city", as: [String].self)
        == ["Paris", "Rome", "Rome"])
    #expect(
      try human.value(forKeyPath: "friends.list", as: [[Int]].self) == [[0, 7], [1, 7], [2, 7]])
    #expect(
      try human.value(forKeyPath: "friends.place.city", as: [String?].self) == [nil, nil, nil])
    let homes = try human.value(forKeyPath: "friends.home", as: [Place].self)
    #expect(homes[2] === human.friends[2].home)
    #expect((try human.value(forKey: "friends") as? [Human])?[1] === human.friends[1])
    try human.setValue("Oslo", forKeyPath: "friends.home.city")
    #expect(human.friends.allSatisfy { $0.home.city == "Oslo" })
  }

  @Test("operators compute over arrays of objects")
  func operators() throws {
    let human = crowd()
    #expect(try human.value(forKeyPath: "friends.@count", as: Int.self) == 3)
    #expect(try human.value(forKeyPath: "friends.@sum.age", as: Int.self) == 30)
    #expect(try human.value(forKeyPath: "friends.@avg.age", as: Double.self) == 10)
    #expect(try human.value(forKeyPath: "friends.@max.age") as? Int == 20)
    #expect(try human.value(forKeyPath: "friends.@min.name") as? String == "Ann")
    #expect(
      try human.value(forKeyPath: "friends.@distinctUnionOfObjects.home.city", as: [String].self)
        == ["Paris", "Rome"])
    #expect(
      try human.value(forKeyPath: "friends.@distinctUnionOfArrays.list", as: [Int].self)
        == [0, 7, 1, 2])
    #expect(
      try human.value(forKeyPath: "friends.@unionOfObjects.isGood", as: [Bool].self)
        == [true, true, true])
    #expect(throws: KeyValueError.self) { try human.value(forKeyPath: "friends.@nothing.age") }
    #expect(throws: KeyValueError.self) { try human.value(forKeyPath: "friends.nothing") }
  }

  @Test("operators compute over collections of other values")
  func otherOperators() throws {
    final class Data: KVObject {
      @Dynamic var small: [Int8] = [100, 100]
      @Dynamic var doubles = [0.1, 0.2]
      @Dynamic var words = ["b", "a", "b"]
      @Dynamic var maybe: [Int?] = [1, nil, 3]
      @Dynamic var days: Set<Int> = [1, 2, 3]
      @Dynamic var prices: [String: Double] = ["a": 1.5, "b": 2.5]
      @Dynamic var mixed: [Any] = [1, 2.5, UInt8(3)]
      @Dynamic var colors: [Color] = [.red, .blue]
      @Dynamic var spots: [Spot] = [Spot(), Spot()]
      @Dynamic var optional: [Int]? = [4, 5]
      @Dynamic var lookup: [Int: String] = [7: "seven"]
    }
    let data = Data()
    #expect(try data.value(forKeyPath: "small.@sum.self", as: Int.self) == 200)
    #expect(try data.value(forKeyPath: "doubles.@sum.self", as: Double.self) == 0.3)
    #expect(try data.value(forKeyPath: "words.@max.self", as: String.self) == "b")
    #expect(
      try data.value(forKeyPath: "words.@distinctUnionOfObjects.self", as: [String].self)
        == ["b", "a"])
    #expect(try data.value(forKeyPath: "words.length", as: [Int].self) == [1, 1, 1])
    #expect(try data.value(forKeyPath: "maybe.@count", as: Int.self) == 3)
    #expect(try data.value(forKeyPath: "days.@avg.self", as: Int.self) == 2)
    #expect(try data.value(forKeyPath: "days.@count", as: Int.self) == 3)
    #expect(try data.value(forKeyPath: "prices.a", as: Double.self) == 1.5)
    #expect(try data.value(forKeyPath: "prices.c") == nil)
    #expect(try data.value(forKeyPath: "prices.@count", as: Int.self) == 2)
    #expect(try data.value(forKeyPath: "mixed.@sum.self", as: Double.self) == 6.5)
    #expect(try data.value(forKeyPath: "colors.@sum.self", as: Int.self) == 2)
    #expect(try data.value(forKeyPath: "spots.@count", as: Int.self) == 2)
    #expect(
      try data.value(forKeyPath: "spots.@distinctUnionOfObjects.self", as: [Spot].self) == [Spot()])
    #expect(try data.value(forKeyPath: "optional.@sum.self", as: Int.self) == 9)
    data.optional = nil
    #expect(try data.value(forKeyPath: "optional.@count") == nil)
    #expect(try data.value(forKey: "lookup", as: [Int: String].self) == [7: "seven"])
    #expect(throws: KeyValueError.self) { try data.value(forKeyPath: "spots.@sum.self") }
    try data.setValue(["a": 9], forKey: "prices")
    #expect(data.prices == ["a": 9])
    try data.setValue(["x", 1] as [Any], forKey: "mixed")
    #expect(data.mixed[0] as? String == "x" && data.mixed[1] as? Int == 1)
    try data.setValue(["y"] as [Any], forKey: "words")
    #expect(data.words == ["y"])
  }

  @Test("nested collections and dictionaries are followed by key")
  func nestedCollections() throws {
    final class Tree: KVObject {
      @Dynamic var info: [String: [String: Int]] = ["a": ["b": 5]]
      @Dynamic var people: [String: Human] = ["ann": Human()]
      @Dynamic var rows: [[Int]] = [[1, 2], [3]]
      @Dynamic var any: Any = ["k": [1, 2]]
      @Dynamic var thing: Any = Human()
      @Dynamic var narrow: Any = Int8(3)
    }
    let tree = Tree()
    #expect(try tree.value(forKeyPath: "info.a.b", as: Int.self) == 5)
    #expect(try tree.value(forKeyPath: "people.ann.home.city", as: String.self) == "Paris")
    #expect(try tree.value(forKeyPath: "rows.@unionOfArrays.self", as: [Int].self) == [1, 2, 3])
    #expect(try tree.value(forKeyPath: "rows.@max.@count", as: Int.self) == 2)
    #expect(try tree.value(forKeyPath: "any.k.@sum.self", as: Int.self) == 3)
    #expect(try tree.value(forKeyPath: "thing.home.city", as: String.self) == "Paris")
    try tree.setValue("Rome", forKeyPath: "people.ann.home.city")
    #expect(tree.people["ann"]?.home.city == "Rome")
    let token = tree.observe(\.narrow, options: [.old, .new]) { _, _ in }
    tree.narrow = UInt16(4)
    #expect(tree.narrow is UInt16)
    token.invalidate()
  }

  // MARK: Overrides

  @Test("overrides of the key path methods are called, also by the runtime")
  func overrides() throws {
    final class Own: KVObject {
      @Dynamic var next: Own?
      var paths: [String] = []
      override func value(forKeyPath keyPath: String) throws(KeyValueError) -> Any? {
        paths.append(keyPath)
        return try super.value(forKeyPath: keyPath)
      }
      override func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueError) {
        paths.append("set " + keyPath)
        try super.setValue(value, forKeyPath: keyPath)
      }
    }
    let own = Own(), next = Own()
    own.next = next
    _ = try RuntimeObject(own).value(forKeyPath: "next.next")
    #expect(own.paths == ["next.next"] && next.paths == ["next"])
    try RuntimeObject(own).setValue(.nilObject, forKeyPath: "next.next")
    #expect(own.paths.last == "set next.next" && next.paths.last == "set next")
  }

  // MARK: Validation

  @Test("validation reaches the object at the end of a key path, with the error that it threw")
  func validation() throws {
    struct Wrong: Error, Equatable { var age: Int }
    final class Young: KVObject {
      @Dynamic var age = 1
      @Dynamic var friend: Young?
      override class var keys: [KeyDeclaration] {
        [
          .key(
            "age", \Young.age,
            validate: { _, age in
              if age < 0 { throw Wrong(age: age) }
              age = min(age, 30)
            })
        ]
      }
    }
    let young = Young(), friend = Young()
    young.friend = friend
    var value: Any? = 40
    try young.validateValue(&value, forKey: "age")
    #expect(value as? Int == 30)
    value = 50.5
    try young.validateValue(&value, forKeyPath: "friend.age")
    #expect(value as? Int == 30)
    #expect(try young.validated(31, forKey: "age") as? Int == 30)
    value = -1
    #expect(throws: Wrong(age: -1)) { try young.validateValue(&value, forKey: "age") }
    #expect(throws: Wrong(age: -1)) { try young.validateValue(&value, forKeyPath: "friend.age") }
    #expect(value as? Int == -1)
    value = "x"
    #expect(throws: KeyValueError.self) {
      try young.validateValue(&value, forKeyPath: "friend.age")
    }
    #expect(throws: KeyValueError.self) {
      try young.validateValue(&value, forKeyPath: "nothing.age")
    }
    value = 3
    try young.validateValue(&value, forKeyPath: "friend.friend")
  }
}
