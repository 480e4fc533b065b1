import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct KeyPathCodingTests {
  @Test("a key path is read and set through the objects that it leads to")
  func nested() throws {
    try withPerson { person in
      let friend = try person.isa.allocate()
      try person.set("friend", friend)
      try person.setValue(41, forKeyPath: "friend.age")
      #expect(try person.value(forKeyPath: "friend.age") == 41)
      #expect(try person.get(keyPath: "friend.age", as: Int.self) == 41)
      try person.set(keyPath: "friend.height", Float(1.5))
      let height: Double = try person.get(keyPath: "friend.height")
      #expect(height == 1.5)
    }
  }

  @Test("nil on the way reads as nil and swallows what is set")
  func nilOnTheWay() throws {
    try withPerson { person in
      #expect(try person.value(forKeyPath: "friend.age").isNil)
      try person.setValue(41, forKeyPath: "friend.age")
      #expect(try person.get(keyPath: "friend.friend", as: RuntimeObject?.self) == nil)
    }
  }

  @Test("an unknown key of a path throws with Foundation's exception")
  func unknown() throws {
    try withPerson { person in
      try person.set("friend", person.isa.allocate())
      let error = #expect(throws: KeyValueError.self) {
        try person.value(forKeyPath: "friend.wings")
      }
      #expect(error?.code == .undefinedKey && error?.key == "wings")
      #expect(error?.exceptionName == "NSUnknownKeyException")
      #expect(error?.reason.contains("not key value coding-compliant for the key") == true)
    }
  }

  @Test("a type that KVC does not box is read and set by the typed forms")
  func unboxable() throws {
    try withPerson { person in
      try person.set("friend", person.isa.allocate())
      try person.set(keyPath: "friend.name", "Bob")
      #expect(try person.get(keyPath: "friend.name", as: String.self) == "Bob")
      try person.set(keyPath: "name", "Ann")
      #expect(try person.get(keyPath: "name", as: String.self) == "Ann")
      let error = #expect(throws: KeyValueError.self) {
        try person.value(forKeyPath: "friend.name")
      }
      #expect(error?.exceptionName == "NSUnknownKeyException")
      #expect(throws: KeyValueError.self) {
        try person.set(keyPath: "friend.age", "old" as RuntimeSelector)
      }
    }
  }

  @Test("operators compute over the members of a collection")
  func operators() throws {
    try withTeam { team in
      let count = try team.value(forKeyPath: "members.@count")
      #expect(count.int == 3)
      #expect(try team.value(forKeyPath: "members.@sum.age") == 60)
      #expect(try team.value(forKeyPath: "members.@max.age") == 30)
      #expect(try team.get(keyPath: "members.@avg.age", as: Int.self) == 20)
      #expect(try team.get(keyPath: "members.age", as: [Int].self) == [10, 20, 30])
    }
  }

  @Test("sums and averages are computed in decimals")
  func decimals() throws {
    let tenths = try #require(RuntimeValue.array([0.1, 0.2]).object)
    #expect(try tenths.value(forKeyPath: "@sum.self") == 0.3)
    let thirds = try #require(RuntimeValue.array([1, 2, 2]).object)
    let average = try thirds.value(forKeyPath: "@avg.self")
    #expect(average.description.hasPrefix("1.6666666666666666666666666666666666666"))
    #expect(average.double == 5.0 / 3)
    #expect(average.object?.boxKind == .number)
    let again = try #require(RuntimeValue.array([average, average, average]).object)
    #expect(try again.value(forKeyPath: "@sum.self").description.hasPrefix("4.99999999999999999"))
  }

  @Test("text without a number sums to NaN, and has no average")
  func notANumber() throws {
    let texts = try #require(RuntimeValue.array(["apples", 2]).object)
    #expect(try texts.value(forKeyPath: "@sum.self").description == "NaN")
    let error = #expect(throws: KeyValueError.self) { try texts.value(forKeyPath: "@avg.self") }
    #expect(error?.exceptionName == "NSDecimalNumberOverflowException")
    #expect(error?.code == .overflow && error?.className == "Array")
    let numbers = try #require(RuntimeValue.array(["32 apples", "2.5"]).object)
    #expect(try numbers.value(forKeyPath: "@sum.self") == 34.5)
  }

  @Test("an operator that does not exist is refused")
  func unknownOperator() throws {
    let array = try #require(RuntimeValue.array([1]).object)
    let error = #expect(throws: KeyValueError.self) { try array.value(forKeyPath: "@mode.self") }
    #expect(error?.exceptionName == "NSInvalidArgumentException")
  }

  @Test("values for several keys come as a dictionary, nil as nil, and are set by one")
  func manyKeys() throws {
    try withPerson { person in
      try person.setValuesForKeys(["age": 40, "height": 1.5])
      let values = try person.dictionaryWithValues(forKeys: ["age", "height", "friend"])
      #expect(values == ["age": 40, "height": 1.5, "friend": nil])
      try person.set("friend", person)
      try person.setValuesForKeys(["friend": .null])
      #expect(try person.value(forKey: "friend").isNil)
      #expect(throws: KeyValueError.self) { try person.setValuesForKeys(["wings": 2]) }
      #expect(throws: KeyValueError.self) { try person.dictionaryWithValues(forKeys: ["wings"]) }
    }
  }

  @Test("a dictionary object sets its keys in its own order; any other value is refused")
  func dictionaryObject() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let tokens = try ["age", "height"].map { key in
        try person.observe(key) { told.add($0.keyPath) }
      }
      try person.setValuesForKeys(.dictionary(entries: [("height", 1.5), ("age", 40)]))
      #expect(told.all == ["height", "age"])
      #expect(throws: KeyValueError.self) { try person.setValuesForKeys(RuntimeValue(1)) }
      for token in tokens { token.invalidate() }
    }
  }
}

/// Runs `body` with a team of three members of 10, 20 and 30 years.
private func withTeam(_ body: (RuntimeObject) throws -> Void) throws {
  try withClass("Member", { try $0.property("age", .int64) }) { members in
    try withClass("Team", { try $0.property("members", .object) }) { teams in
      let team = try teams.allocate()
      let all = try [10, 20, 30].map { age in
        let member = try members.allocate()
        try member.set("age", age)
        return RuntimeValue(member)
      }
      try team.setValue(.array(all), forKey: "members")
      try body(team)
    }
  }
}
