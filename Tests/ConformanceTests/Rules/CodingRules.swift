import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 9: key-value coding along paths and of collections", .serialized, .leavesNothing)
struct CodingRules {
  @Test("rule 9.1.8 without a key nothing is read or written, and a path needs one too")
  func noKey() throws {
    try onStage { stage in
      let object = try stage.item().object.made
      for body in [
        { _ = try object.get(key: nil) }, { _ = try object.get(nil) },
        { try object.set(key: nil, 1) }, { try object.set(nil, 1) },
      ] { #expect(try raised(body) == "NSInvalidArgumentException") }
    }
  }

  @Test("rule 9.2.3 nil at the end of a path is nil for its type", arguments: Kind.allCases)
  func nilAtTheEnd(kind: Kind) throws {
    try onStage(kind) { stage in
      let node = try stage.make("Parent", Parent()) { try $0.property("child", .object) }
      let item = try stage.item()
      try node.assign("child", item)
      try node.setValue("n", forKeyPath: "child.name")
      #expect(try item.get("name").string == "n")
      try node.setValue(nil, forKeyPath: "child.name")
      #expect(try item.get("name").isNil)
      let exception = try raised { try node.setValue(nil, forKeyPath: "child.count") }
      #expect(exception == "NSInvalidArgumentException")
      #expect(LastError.current.reason.contains("setNilValueForKey:"))
    }
  }

  @Test("rule 9.2.4 a struct takes a boxed struct, and no number or text")
  func structs() throws {
    try onStage { stage in
      let made = try stage.define("Shape") { try $0.property("size", "{Size=dd}") }
      let object = try made.allocate()
      try object.setValue(RuntimeValue("{Size=dd}", members: [1.0, 2.0]), forKey: "size")
      #expect(try object.get("size").description == "{1.0, 2.0}")
      for value in [Sample.integer(1), "1 2"] {
        #expect(
          try raised { try object.made.set("size", value) } == "NSInvalidArgumentException")
      }
    }
  }

  @Test("rule 9.2.5 nil on the way swallows what is set, and answers nil", arguments: Kind.allCases)
  func nilOnTheWay(kind: Kind) throws {
    try onStage(kind) { stage in
      let node = try stage.make("Parent", Parent()) { try $0.property("child", .object) }
      try node.setValue(1, forKeyPath: "child.no.such.key")
      #expect(try node.value(forKeyPath: "child.no.such.key").isNil)
      let path = "stranger.child"
      #expect(try raised { try node.value(forKeyPath: path) } == "NSUnknownKeyException")
      #expect(try raised { try node.setValue(1, forKeyPath: path) } == "NSUnknownKeyException")
    }
  }

  @Test(
    "rule 9.3.2 null answers itself along any path, an empty one too", arguments: Kind.allCases)
  func nullPaths(kind: Kind) throws {
    let null = try Sample.null.receiver(kind)
    for path in ["", ".", "a..b", "@count", "@sum.x"] {
      #expect(try null.get(path)?.id == kvc_null())
    }
    #expect(try raised { try null.set("", nil) } == "NSUnknownKeyException")
  }

  @Test(
    "rule 9.4.1 an array keeps its length; sets drop what is nil and what is double",
    arguments: Kind.allCases)
  func mapping(kind: Kind) throws {
    let entries: [Sample] = [["v": 1], [:], ["v": 1, "w": 0], ["v": 2]]
    for sample in Sample.of(kind, [.array(entries), .set(entries), .orderedSet(entries)]) {
      let receiver = try sample.receiver(kind), mapped = try #require(try receiver.get(key: "v"))
      if case .array = sample {
        #expect(mapped.description == "(1, <null>, 1, 2)")
      } else {
        #expect(mapped.digits == "12")
      }
      #expect(try mapped.kind == sample.make().kind)
      #expect(!kvc_is_mutable(mapped.id))
    }
  }

  @Test("rule 9.4.1 behind @ stands a key of the collection's own", arguments: Kind.allCases)
  func ownKeys(kind: Kind) throws {
    let array = try Sample.array([[1], [2, 3]]).receiver(kind)
    #expect(try array.get(key: "@count")?.double == 2)
    #expect(try array.get("@self")?.description == "((1), (2, 3))")
    #expect(try array.get("@firstObject")?.description == "(1)")
    #expect(try array.get("@lastObject")?.description == "(2, 3)")
    #expect(try array.get("@description")?.description == "((1), (2, 3))")
    #expect(try array.get("@lastObject")?.get("@description")?.description == "(2, 3)")
    let dictionary = try Sample.dictionary([("a", 1)]).receiver(kind)
    #expect(try dictionary.get("@allKeys")?.description == "(a)")
    #expect(try dictionary.get("@allValues")?.description == "(1)")
  }

  @Test(
    "rule 9.4.2 a value set on a collection is set on each member, by path too",
    arguments: Kind.allCases)
  func settingMembers(kind: Kind) throws {
    try onStage(kind) { stage in
      let items = try (0..<3).map { _ in try stage.item() }
      let samples = items.map { Sample.object($0.object) }
      for receiver in Sample.of(kind, [.array(samples), .set(samples), .orderedSet(samples)]) {
        try receiver.receiver(kind).set(key: "count", 1)
        #expect(try items.map { try $0.get("count", as: Int.self) } == [1, 1, 1])
        try Sample.dictionary([("list", receiver)]).receiver(kind).set("list.count", 10)
        #expect(try items.map { try $0.get("count", as: Int.self) } == [10, 10, 10])
      }
      let array = try Sample.array(samples).receiver(kind)
      #expect(try raised { try array.set("no", 1) } == "NSUnknownKeyException")
    }
  }

  @Test("rule 9.4.3 nil removes from a dictionary; one that cannot change has no such key")
  func dictionaries() throws {
    let dictionary = try Sample.dictionary([("a", 1), ("", 2)]).make()
    #expect(try dictionary.get("")?.double == 2)
    try dictionary.set("a", nil)
    try dictionary.set("b", nil)
    #expect(dictionary.description == "{\"\" = 2}")
    let fixed = try Made { kvc_collection_copy(dictionary.id, $0) }
    #expect(try raised { try fixed.set("a", 1) } == "NSUnknownKeyException")
    #expect(try raised { try dictionary.get(key: "@") } == "NSUnknownKeyException")
    #expect(try dictionary.get(nil) == nil)
  }

  @Test(
    "rule 9.4.3 the whole path as a key comes before its first key, at each step",
    arguments: Kind.allCases)
  func literalFirst(kind: Kind) throws {
    let inner: Sample = ["c.d": 3, "c": ["d": 4, "e": 5]]
    let dictionary = try Sample.dictionary([("a.b", 1), ("a", ["b": 2, "x": 9]), ("i", inner)])
      .receiver(kind)
    #expect(try dictionary.get("a.b")?.double == 1)
    #expect(try dictionary.get("a.x")?.double == 9)
    #expect(try dictionary.get("i.c.d")?.double == 3)
    #expect(try dictionary.get("i.c.e")?.double == 5)
  }

  @Test("rule 9.4.5 setting behind a lone @ asks for a key that there is not")
  func loneAt() throws {
    let dictionary = try Sample.dictionary([("a", 1)]).make()
    #expect(try raised { try dictionary.set("@.", "x") } == "NSUnknownKeyException")
    #expect(try raised { try dictionary.set(nil, "x") } == "NSInvalidArgumentException")
    try dictionary.set("a@.@path@with.at@symbols@.", "x")
    #expect(dictionary.description == "{a = 1}")
  }

  @Test(
    "rule 9.4.6 odd paths are undefined keys of members, or of the collection behind @",
    arguments: ["", ".", "1", "@", "@1", "@@@@", "lastObject", "foo@count"], Kind.allCases)
  func oddPaths(path: String, kind: Kind) throws {
    for sample in Sample.of(kind, [.array([1, "x"]), .set([1, "x"]), .orderedSet([1, "x"])]) {
      let receiver = try sample.receiver(kind)
      #expect(try raised { try receiver.get(path) } == "NSUnknownKeyException")
    }
  }

  @Test("rule 9.4.6 no path at all is an undefined key of members")
  func noPath() throws {
    for receiver in [Sample.array([1, "x"]), .set([1, "x"]), .orderedSet([1, "x"])] {
      let made = try receiver.make()
      #expect(try raised { try made.get(nil) } == "NSUnknownKeyException")
    }
  }

  @Test(
    "rule 9.4.6 an empty set answers any plain path with an empty set", arguments: Kind.allCases)
  func emptySet(kind: Kind) throws {
    let empty = try Sample.set([]).receiver(kind)
    for path in ["max.intValue", "a", ""] {
      let answer = try empty.get(path)
      #expect(answer?.kind == KVC_KIND_SET)
      #expect(answer?.count == 0)
    }
  }

  @Test(
    "rule 9.5.1 what stands before the operator is walked first, what stands behind for each",
    arguments: Kind.allCases)
  func aroundTheOperator(kind: Kind) throws {
    let root = try Sample.dictionary([
      ("a", ["list": [["v": ["w": 2]], ["v": ["w": 5]]]])
    ]).receiver(kind)
    #expect(try root.get("a.list.@sum.v.w")?.double == 7)
    #expect(try root.get("a.list.v.@max.w")?.double == 5)
    #expect(try root.get("a.@count")?.double == 1)
    #expect(try root.get("a.list.@count")?.double == 2)
  }

  @Test(
    "rule 9.5.3 a null leaf has no number, and a text that begins with one has it",
    arguments: Kind.allCases)
  func sumLeaves(kind: Kind) throws {
    let nulls = try Sample.array([["v": .null], ["v": 1]]).receiver(kind)
    for path in ["@sum.v", "@avg.v"] {
      #expect(try raised { try nulls.get(path) } == "NSInvalidArgumentException")
      #expect(LastError.current.reason.contains("unrecognized selector"))
    }
    let mixed = try Sample.array(["2.5", 1, .truth(true)]).receiver(kind)
    #expect(try mixed.get("@sum.self")?.double == 4.5)
  }

  @Test(
    "rule 9.5.4 the least and the greatest are those of compare:, nil left out",
    arguments: Kind.allCases)
  func extremes(kind: Kind) throws {
    let texts = try Sample.array([["v": "b"], [:], ["v": "a"], ["v": "c"]]).receiver(kind)
    #expect(try texts.get("@min.v")?.description == "a")
    #expect(try texts.get("@max.v")?.description == "c")
    let mixed = try Sample.array([["v": "b"], ["v": 1]]).receiver(kind)
    #expect(try raised { try mixed.get("@max.v") } == "NSInvalidArgumentException")
    try onStage(kind) { stage in
      let items = try Sample.array([.object(stage.item().object), .object(stage.item().object)])
        .receiver(kind)
      #expect(try raised { try items.get("@max.self") } == "NSInvalidArgumentException")
    }
  }

  @Test(
    "rule 9.5.5 unions of objects leave nil out, and the plain one is for arrays alone",
    arguments: Kind.allCases)
  func unionsOfObjects(kind: Kind) throws {
    let entries: [Sample] = [["v": 1], [:], ["v": 1, "w": 1], ["v": .null]]
    let array = try Sample.array(entries).receiver(kind)
    #expect(try array.get("@unionOfObjects.v")?.description == "(1, 1, <null>)")
    #expect(try array.get("@distinctUnionOfObjects.v")?.description == "(1, <null>)")
    for sample in Sample.of(kind, [.set(entries), .orderedSet(entries)]) {
      let receiver = try sample.receiver(kind)
      for name in ["@unionOfObjects.v", "@unionOfArrays.v", "@unionOfSets.v"] {
        #expect(try raised { try receiver.get(name) } == "NSInvalidArgumentException")
      }
      let distinct = try receiver.get("@distinctUnionOfObjects.v")
      #expect(try distinct?.kind == sample.make().kind)
      #expect(distinct?.count == 2)
    }
  }

  @Test(
    "rule 9.5.6 unions of collections flatten one level, into a collection like the receiver",
    arguments: Kind.allCases)
  func unionsOfCollections(kind: Kind) throws {
    let arrays = try Sample.array([[[1, 2], [1, 2], 3], [], [3, 4]]).receiver(kind)
    #expect(try arrays.get("@unionOfArrays.self")?.description == "((1, 2), (1, 2), 3, 3, 4)")
    #expect(try arrays.get("@distinctUnionOfArrays.self")?.description == "((1, 2), 3, 4)")
    let sets = try Sample.array([.set([1, 2]), .set([2, 3])]).receiver(kind)
    #expect(try sets.get("@unionOfSets.self")?.digits == "1223")
    #expect(try sets.get("@distinctUnionOfSets.self")?.digits == "123")
    for name in ["@unionOfArrays.self", "@distinctUnionOfArrays.self"] {
      #expect(try raised { try sets.get(name) } == "NSInvalidArgumentException")
    }
    #expect(
      try raised { try arrays.get("@distinctUnionOfSets.self") } == "NSInvalidArgumentException")
    for sample in Sample.of(kind, [.orderedSet([["l": [1, 2]], [:], ["l": [2]]])]) {
      let distinct = try sample.receiver(kind).get("@distinctUnionOfArrays.l")
      #expect(distinct?.kind == KVC_KIND_ORDERED_SET)
    }
  }

  @Test(
    "rule 9.5.7 an operator alone is an undefined key, except the count",
    arguments: [
      "@sum", "@avg", "@max", "@min", "@unionOfObjects", "@distinctUnionOfObjects",
      "@unionOfArrays", "@distinctUnionOfArrays", "@distinctUnionOfSets",
    ], Kind.allCases)
  func operatorsAlone(name: String, kind: Kind) throws {
    let samples = [Sample.array([[1]]), .set([[1]]), .orderedSet([[1]]), ["a": 1]]
    for sample in Sample.of(kind, samples) {
      let receiver = try sample.receiver(kind)
      #expect(try raised { try receiver.get(name) } == "NSUnknownKeyException")
      #expect(try raised { try receiver.get("@nonsense.x") } == "NSInvalidArgumentException")
      #expect(try receiver.get("@count")?.double == 1)
    }
  }

  @Test("rule 9.5.9 operators nest through lists", arguments: Kind.allCases)
  func nesting(kind: Kind) throws {
    let root = try Sample.dictionary([
      (
        "a",
        ["list": [["items": [["v": 2], ["v": 4]]], ["items": [["v": 9]]], ["items": []]]]
      )
    ]).receiver(kind)
    #expect(try root.get("a.list.@sum.items.@avg.v")?.double == 12)
    #expect(try root.get("a.list.@max.items.@count")?.double == 2)
  }

  @Test(
    "rule 9.5.10 dictionaries have no operators but their count",
    arguments: [
      "@sum", "@avg", "@max", "@min", "@unionOfArrays", "@distinctUnionOfSets", "@count",
    ], Kind.allCases)
  func dictionaryOperators(name: String, kind: Kind) throws {
    let dictionary = try Sample.dictionary([("sub", ["a": 1])]).receiver(kind)
    for path in ["\(name).a", "sub.\(name).a", "\(name)."] {
      #expect(try raised { try dictionary.get(path) } == "NSInvalidArgumentException")
    }
  }

  @Test(
    "rule 9.6.1 null is nil when many keys are set, and stays null under GNUstep's profile",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func nullInBulk(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.bulk(profile), p = try stage.watcher()
      try object.setValue("v", forKey: "any")
      try object.add(p, "any", .new)
      try object.setValues(["any": .null])
      try object.remove(p, "any")
      let value = try object.value(forKey: "any")
      #expect(value.isNil == (profile == .apple) && value.isNull == (profile == .gnustep))
      #expect(p.told.count == 1)
      let next = try object.value(forKeyPath: "any.x.y")
      #expect(next.isNil == (profile == .apple) && next.isNull == (profile == .gnustep))
    }
  }

  @Test(
    "rule 9.6.1 nil is null among the values of many keys, and null too",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func nilInBulk(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.bulk(profile), keys = try Sample.array(["any"]).make()
      for value in [nil, RuntimeValue.null] {
        try object.setValue(value, forKey: "any")
        let values = try answered { kvc_copy_values(object.id, keys.id, $0) }
        #expect(values?.description == "{any = <null>}")
      }
    }
  }

  @Test("rule 9.6.2 a validator counts by its name and arguments, and must answer something")
  func validators() throws {
    try onStage { stage in
      let no: Validator = { _, _, _, _ in false }
      let object = try stage.validated([
        "validateObj:error:": ("v@:^@^@", no), "validateBool:error:": ("B@:^@^@", no),
        "validateChar:error:": ("c@:^@^@", no), "validateShort:": ("B@:^@", no),
      ]).allocate()
      for (key, answer) in [
        ("obj", true), ("bool", false), ("char", false), ("short", true),
        ("nothing", true),
      ] {
        var value: isa_id? = object.id, isValid = !answer
        try Raised.check(kvc_validate_value(object.id, key, &value, nil, &isValid))
        #expect(isValid == answer, "\(key)")
        #expect(value == object.id)
      }
    }
  }

  @Test("rule 15 GNUstep knows _set<Key>:, but no setIs<Key>:")
  func gnustepSetters() throws {
    let ignore: @convention(c) (isa_id?, isa_sel?, Int64) -> Void = { _, _, _ in }
    for (name, answer) in [("_setX:", nil), ("setIsX:", "NSUnknownKeyException")] {
      let made = try GNUstepClass {
        let imp = unsafeBitCast(ignore, to: isa_imp.self)
        try Raised.check(isa_class_add_method($0, isa_sel_register(name), imp, "v@:q"))
      }
      let object = try made.allocate()
      #expect(try raised { try object.set("x", 1) } == answer)
    }
  }
}

extension Made {
  /// The digits of a collection without order, sorted.
  fileprivate var digits: String { String(description.filter(\.isNumber).sorted()) }
}

/// A class with GNUstep's profile, disposed of with the last reference to this.
private final class GNUstepClass {
  private let cls: isa_class

  init(_ describe: (isa_class) throws -> Void) throws {
    var cls: isa_class?
    try Raised.check(isa_class_pair_allocate(isa_root_class(), uniqueName("GNUstep"), &cls))
    self.cls = cls!
    try Raised.check(isa_class_set_profile(self.cls, ISA_PROFILE_GNUSTEP))
    try describe(self.cls)
    try Raised.check(isa_class_pair_register(self.cls))
  }

  deinit { disposeOfClass(cls) }

  func allocate() throws -> Made { try Made { isa_object_allocate(cls, $0) } }
}

extension Stage {
  /// An object of a profile's with one key for any object.
  fileprivate func bulk(_ profile: KeyValueProfile) throws -> Subject {
    let swift = { profile == .apple ? Bulk() : GNUstepBulk() }
    return try make("Bulk", swift(), profile: profile) { try $0.property("any", .object) }
  }
}

extension Subject {
  fileprivate func setValues(_ values: [String: RuntimeValue]) throws {
    switch self {
    case .made(let object): try object.setValuesForKeys(values)
    case .swift(let object):
      try object.setValuesForKeys(values.mapValues { $0.any ?? KeyValueNull() })
    }
  }
}

private class Bulk: KVObject, TypedObject {
  @Dynamic var any: Any?

  var properties: [String: TypedProperty] { ["any": .at(\Bulk.any)] }
}

private final class GNUstepBulk: Bulk {
  override class var profile: KeyValueProfile { .gnustep }
}

private final class Parent: KVObject, TypedObject {
  @Dynamic var child: Item?

  var properties: [String: TypedProperty] { ["child": .at(\Parent.child)] }
}
