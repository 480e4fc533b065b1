import CIsa
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("OPS: collection operators", .serialized, .leavesNothing)
struct CollectionOperators {
  /// The values of the cases about mixed members: ten, of which nine are distinct.
  static var mixed: [Sample] {
    [
      3.14159, 127, -127, -6.62606957, .truth(true), "42", "42",
      "another constant NSString with a long description", "a mutable string", "",
    ]
  }

  @Test("OPS-01 coins sum/max/min/avg/count")
  func coins() throws {
    try onStage { stage in
      let coins = try stage.coins(Array(0..<10))
      for receiver in [try Sample.array(coins).make(), try Sample.set(coins).make()] {
        let answers = try ["@sum.v", "@count", "@max.v", "@min.v", "@avg.v"].map {
          try receiver.get($0)?.description
        }
        #expect(answers == ["45", "10", "9", "0", "4.5"])
      }
    }
  }

  @Test("OPS-02 distinct and union objects")
  func unions() throws {
    try onStage { stage in
      let coins = try Sample.array(stage.coins(Array(0..<10) + Array(0..<5))).make()
      #expect(try coins.get("@unionOfObjects.v")?.count == 15)
      #expect(try coins.get("@distinctUnionOfObjects.v")?.count == 10)
    }
  }

  @Test("OPS-04 union of sets")
  func setsOfCoins() throws {
    try onStage { stage in
      let sets = [try stage.coins(Array(0..<10)), try stage.coins(Array(5..<10))]
      let receiver = try Sample.set(sets.map(Sample.set)).make()
      let united = try receiver.get("@distinctUnionOfSets.v")
      #expect(united?.count == 10)
      #expect(united?.kind == KVC_KIND_SET)
    }
  }

  @Test("OPS-05 nil leaves")
  func nilLeaves() throws {
    try onStage { stage in
      let empty = try stage.define("Empty") { try $0.property("obj", .object) }
      let ten = try Sample.array((0..<10).map { _ in .object(try empty.allocate()) }).make()
      let answers = try ["@count.obj", "@avg.obj", "@sum.obj", "@max.obj", "@min.obj"].map {
        try ten.get($0)?.description
      }
      #expect(answers == ["10", "0", "0", nil, nil])
    }
  }

  // The core alone computes in double; the digits beyond are those of other decimal operations.
  @Test("OPS-07 avg precision")
  func precision() throws {
    let numbers = try Sample.array([1, 2, 2]).make()
    let average = try #require(try numbers.get("@avg.self"))
    #expect(average.double == 5.0 / 3)
    #expect(average.description.hasPrefix("1.66666666666666"))
  }

  @Test("OPS-08 missing key counts in avg")
  func missingKey() throws {
    let values = try Sample.array([["v": 1], [:], ["v": 3]]).make()
    #expect(try values.get("@sum.v")?.double == 4)
    #expect(try values.get("@avg.v")?.double == 4.0 / 3)
    #expect(try values.get("@max.v")?.double == 3)
  }

  @Test("OPS-10 empty receivers")
  func emptyReceivers() throws {
    for receiver in [Sample.array([]), .set([]), .orderedSet([])] {
      let empty = try receiver.make()
      let paths = ["@count", "@sum.self", "@avg.self", "@max.self", "@min.self"]
      #expect(try paths.map { try empty.get($0)?.description } == ["0", "0", nil, nil, nil])
    }
  }

  @Test("OPS-11 count with path")
  func countWithPath() throws {
    let ten = try Sample.array(Self.mixed).make()
    #expect(try ten.get("@count.should.ignore.path")?.double == 10)
    let two = try Sample.dictionary([("a", 1), ("b", 2)]).make()
    #expect(try raised { try two.get("@count.x") } == "NSInvalidArgumentException")
  }

  @Test("OPS-13 unknown operator")
  func unknownOperator() throws {
    try onStage { stage in
      let coins = try Sample.array(stage.coins(Array(0..<10))).make()
      #expect(try raised { try coins.get("@foobar.coinValue") } == "NSInvalidArgumentException")
      #expect(
        LastError.current.reason.hasSuffix("this class does not implement the foobar operation."))
      #expect(try raised { try coins.get("@unknown") } == "NSUnknownKeyException")
    }
  }

  @Test("OPS-14 operator after text")
  func operatorAfterText() throws {
    let mixed = try Sample.array(Self.mixed).make()
    #expect(try raised { try mixed.get("foo@max.description") } == "NSUnknownKeyException")
  }

  @Test("OPS-16 avg of non-numeric")
  func averageOfTexts() throws {
    for receiver in [Sample.array(Self.mixed), .set(Self.mixed), ["a text"]] {
      let texts = try receiver.make()
      #expect(
        try raised { try texts.get("@avg.description") } == "NSDecimalNumberOverflowException")
    }
  }

  // How it prints is a matter of the decimal operations; the core's own are doubles.
  @Test("OPS-17 sum of non-numeric")
  func sumOfTexts() throws {
    for receiver in [Sample.array(Self.mixed), .set(Self.mixed)] {
      let sum = try receiver.make().get("@sum.description")
      #expect(sum?.kind == KVC_KIND_NUMBER)
      #expect(sum?.double.isNaN == true)
      #expect(sum?.description.lowercased() == "nan")
    }
  }

  @Test("OPS-19 nine-element set")
  func nineElements() throws {
    let nine = try Sample.set(Self.mixed).make()
    #expect(nine.count == 9)
    #expect(try nine.get("@sum.intValue")?.double == 40)
    #expect(try nine.get("@avg.intValue").map { Int($0.double) } == 4)
    #expect(try nine.get("@max.intValue")?.double == 127)
    #expect(try nine.get("@min.intValue")?.double == -127)
    #expect(
      try raised { try nine.get("@unionOfObjects.intValue") } == "NSInvalidArgumentException")
    let distinct = try nine.get("@distinctUnionOfObjects.intValue")
    #expect(distinct?.kind == KVC_KIND_SET)
    #expect(distinct?.count == 7)
  }

  @Test(
    "OPS-20 wrong element class",
    arguments: ["@unionOfArrays", "@distinctUnionOfArrays", "@distinctUnionOfSets"])
  func wrongElementClass(name: String) throws {
    let mixed = try Sample.array(Self.mixed).make()
    #expect(try raised { try mixed.get(name + ".description") } == "NSInvalidArgumentException")
  }

  @Test("OPS-22 sum over dict+number")
  func dictionaryAndNumber() throws {
    let receiver = try Sample.set([["fooKey": "fooVal", "101Key": 101]]).make()
    let paths = ["@max.intValue", "@min.intValue", "@avg.intValue", "@sum.intValue"]
    func answers() throws -> [Double?] { try paths.map { try receiver.get($0)?.double } }
    #expect(try answers() == [nil, nil, 0, 0])
    let added = try Sample.integer(42).make()
    try Raised.check(kvc_collection_add(receiver.id, added.id))
    #expect(try answers() == [42, 42, 21, 42])
    let more = try Sample.integer(-10).make()
    try Raised.check(kvc_collection_add(receiver.id, more.id))
    #expect(try receiver.get("@avg.intValue").map { Int($0.double) } == 10)
  }

  @Test("OPS-23 distinct union class")
  func distinctUnionClass() throws {
    let receiver = try Sample.set([
      .set(["hello", "world", "-23", .set(["subsetobj", .set(["subsubsetobj"])])]),
      .set(["helloset", "worldset", "-22"]),
      [["helloset", "helloset"], "helloset", "helloset", "arrayobj"],
    ]).make()
    let united = try #require(try receiver.get("@distinctUnionOfArrays.intValue"))
    #expect(united.kind == KVC_KIND_SET)
    #expect(united.description == "{(0, -23, {(0, {(0)})}, -22, (0, 0))}")
    #expect(
      try raised { try receiver.get("@unionOfArrays.intValue") } == "NSInvalidArgumentException")
  }
}

extension Stage {
  /// Coins of these values under the key `v`.
  fileprivate func coins(_ values: [Int]) throws -> [Sample] {
    let coinClass = try fixture("Coin") { try $0.property("v", .int64) }
    return try values.map { value in
      let coin = try coinClass.allocate()
      try coin.assign("v", RuntimeValue(value))
      return .object(coin)
    }
  }
}
