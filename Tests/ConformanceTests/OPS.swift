import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
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

  @Test("OPS-01 coins sum/max/min/avg/count", arguments: Kind.allCases)
  func coins(kind: Kind) throws {
    try onStage(kind) { stage in
      let coins = try stage.coins(Array(0..<10))
      for receiver in [
        try Sample.array(coins).receiver(kind), try Sample.set(coins).receiver(kind),
      ] {
        let answers = try ["@sum.v", "@count", "@max.v", "@min.v", "@avg.v"].map {
          try receiver.get($0)?.description
        }
        #expect(answers == ["45", "10", "9", "0", "4.5"])
      }
    }
  }

  @Test("OPS-02 distinct and union objects", arguments: Kind.allCases)
  func unions(kind: Kind) throws {
    try onStage(kind) { stage in
      let coins = try Sample.array(stage.coins(Array(0..<10) + Array(0..<5))).receiver(kind)
      #expect(try coins.get("@unionOfObjects.v")?.count == 15)
      #expect(try coins.get("@distinctUnionOfObjects.v")?.count == 10)
    }
  }

  @Test("OPS-04 union of sets", arguments: Kind.allCases)
  func setsOfCoins(kind: Kind) throws {
    try onStage(kind) { stage in
      let sets = [try stage.coins(Array(0..<10)), try stage.coins(Array(5..<10))]
      let receiver = try Sample.set(sets.map(Sample.set)).receiver(kind)
      let united = try receiver.get("@distinctUnionOfSets.v")
      #expect(united?.count == 10)
      #expect(united?.kind == KVC_KIND_SET)
    }
  }

  @Test("OPS-05 nil leaves", arguments: Kind.allCases)
  func nilLeaves(kind: Kind) throws {
    try onStage(kind) { stage in
      let ten = try Sample.array((0..<10).map { _ in .object(try stage.empty().object) })
        .receiver(kind)
      let answers = try ["@count.obj", "@avg.obj", "@sum.obj", "@max.obj", "@min.obj"].map {
        try ten.get($0)?.description
      }
      #expect(answers == ["10", "0", "0", nil, nil])
    }
  }

  // The core alone computes in double; the digits beyond are those of other decimal operations.
  @Test("OPS-07 avg precision", arguments: Kind.allCases)
  func precision(kind: Kind) throws {
    let numbers = try Sample.array([1, 2, 2]).receiver(kind)
    let average = try #require(try numbers.get("@avg.self"))
    #expect(average.double == 5.0 / 3)
    #expect(average.description.hasPrefix("1.66666666666666"))
  }

  @Test("OPS-08 missing key counts in avg", arguments: Kind.allCases)
  func missingKey(kind: Kind) throws {
    let values = try Sample.array([["v": 1], [:], ["v": 3]]).receiver(kind)
    #expect(try values.get("@sum.v")?.double == 4)
    #expect(try values.get("@avg.v")?.double == 4.0 / 3)
    #expect(try values.get("@max.v")?.double == 3)
  }

  @Test("OPS-10 empty receivers", arguments: Kind.allCases)
  func emptyReceivers(kind: Kind) throws {
    let receivers = [Sample.array([]), .set([]), .orderedSet([])]
    for receiver in Sample.of(kind, receivers) {
      let empty = try receiver.receiver(kind)
      let paths = ["@count", "@sum.self", "@avg.self", "@max.self", "@min.self"]
      #expect(try paths.map { try empty.get($0)?.description } == ["0", "0", nil, nil, nil])
    }
  }

  @Test("OPS-11 count with path", arguments: Kind.allCases)
  func countWithPath(kind: Kind) throws {
    let ten = try Sample.array(Self.mixed).receiver(kind)
    #expect(try ten.get("@count.should.ignore.path")?.double == 10)
    let two = try Sample.dictionary([("a", 1), ("b", 2)]).receiver(kind)
    #expect(try raised { try two.get("@count.x") } == "NSInvalidArgumentException")
  }

  @Test("OPS-13 unknown operator", arguments: Kind.allCases)
  func unknownOperator(kind: Kind) throws {
    try onStage(kind) { stage in
      let coins = try Sample.array(stage.coins(Array(0..<10))).receiver(kind)
      #expect(try raised { try coins.get("@foobar.coinValue") } == "NSInvalidArgumentException")
      #expect(
        LastError.current.reason.hasSuffix("this class does not implement the foobar operation."))
      #expect(try raised { try coins.get("@unknown") } == "NSUnknownKeyException")
    }
  }

  @Test("OPS-14 operator after text", arguments: Kind.allCases)
  func operatorAfterText(kind: Kind) throws {
    let mixed = try Sample.array(Self.mixed).receiver(kind)
    #expect(try raised { try mixed.get("foo@max.description") } == "NSUnknownKeyException")
  }

  @Test("OPS-16 avg of non-numeric", arguments: Kind.allCases)
  func averageOfTexts(kind: Kind) throws {
    for receiver in [Sample.array(Self.mixed), .set(Self.mixed), ["a text"]] {
      let texts = try receiver.receiver(kind)
      #expect(
        try raised { try texts.get("@avg.description") } == "NSDecimalNumberOverflowException")
    }
  }

  // How it prints is a matter of the decimal operations; the core's own are doubles.
  @Test("OPS-17 sum of non-numeric", arguments: Kind.allCases)
  func sumOfTexts(kind: Kind) throws {
    for receiver in [Sample.array(Self.mixed), .set(Self.mixed)] {
      let sum = try receiver.receiver(kind).get("@sum.description")
      #expect(sum?.kind == KVC_KIND_NUMBER)
      #expect(sum?.double.isNaN == true)
      #expect(sum?.description.lowercased() == "nan")
    }
  }

  @Test("OPS-19 nine-element set", arguments: Kind.allCases)
  func nineElements(kind: Kind) throws {
    let nine = try Sample.set(Self.mixed).receiver(kind)
    #expect(try nine.get("@count")?.double == 9)
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
    arguments: ["@unionOfArrays", "@distinctUnionOfArrays", "@distinctUnionOfSets"], Kind.allCases)
  func wrongElementClass(name: String, kind: Kind) throws {
    let mixed = try Sample.array(Self.mixed).receiver(kind)
    #expect(try raised { try mixed.get(name + ".description") } == "NSInvalidArgumentException")
  }

  @Test("OPS-22 sum over dict+number", arguments: Kind.allCases)
  func dictionaryAndNumber(kind: Kind) throws {
    let members: [Sample] = [["fooKey": "fooVal", "101Key": 101], 42, -10]
    let paths = ["@max.intValue", "@min.intValue", "@avg.intValue", "@sum.intValue"]
    func answers(_ count: Int) throws -> [Double?] {
      let receiver = try Sample.set(Array(members[..<count])).receiver(kind)
      return try paths.map { try receiver.get($0)?.double }
    }
    #expect(try answers(1) == [nil, nil, 0, 0])
    #expect(try answers(2) == [42, 42, 21, 42])
    #expect(try answers(3)[2].map { Int($0) } == 10)
  }

  @Test("OPS-23 distinct union class", arguments: Kind.allCases)
  func distinctUnionClass(kind: Kind) throws {
    let receiver = try Sample.set([
      .set(["hello", "world", "-23", .set(["subsetobj", .set(["subsubsetobj"])])]),
      .set(["helloset", "worldset", "-22"]),
      [["helloset", "helloset"], "helloset", "helloset", "arrayobj"],
    ]).receiver(kind)
    let united = try #require(try receiver.get("@distinctUnionOfArrays.intValue"))
    #expect(united.kind == KVC_KIND_SET)
    #expect(united.count == 5)
    // The order is that of insertion; a Swift set has none.
    if kind == .runtime {
      #expect(united.description == "{(0, -23, {(0, {(0)})}, -22, (0, 0))}")
    }
    #expect(
      try raised { try receiver.get("@unionOfArrays.intValue") } == "NSInvalidArgumentException")
  }
}

extension Stage {
  /// Coins of these values under the key `v`.
  fileprivate func coins(_ values: [Int]) throws -> [Sample] {
    try values.map { value in
      let coin = try shared("Coin", Coin()) { try $0.property("v", .int64) }
      try coin.assign("v", RuntimeValue(value))
      return .object(coin.object)
    }
  }

  /// An object whose `obj` is nil.
  fileprivate func empty() throws -> Subject {
    try shared("Empty", Empty()) { try $0.property("obj", .object) }
  }
}

// MARK: - Swift classes

private final class Coin: KVObject, TypedObject {
  @Dynamic var v = 0

  var properties: [String: TypedProperty] { ["v": .at(\Coin.v)] }
}

private final class Empty: KVObject, TypedObject {
  @Dynamic var obj: KVObject?

  var properties: [String: TypedProperty] { [:] }
}
