import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private class Replaced: KVObject {
  @Dynamic var age = 30
}

private final class Below: Replaced {
  @Dynamic var size = 1
}

private final class Added: KVObject {
  @Dynamic var age = 30
}

private final class Untouched: KVObject {
  @Dynamic var age = 30
}

/// Methods that are put into the runtime's class of a Swift class, for good.
@Suite(.serialized, .oneAtATime)
struct ChangedSwiftClassTests {
  /// The value as either face and as a key path's end has it.
  private func values(_ key: String, of object: KVObject) throws -> [Int?] {
    let values = [
      try object.value(forKey: key), try object.value(forKeyPath: key),
    ]
    return values.map { $0 as? Int }
  }

  @Test("a getter or a setter that was replaced is called by key, in classes below too")
  func replaced() throws {
    let object = Replaced(), below = Below()
    #expect(try values("age", of: object) == [30, 30])
    let cls = try RuntimeObject(object).isa
    try cls.replaceMethod("age", "q@:") { _ in 7 }
    #expect(try values("age", of: object) == [7, 7])
    #expect(try values("age", of: below) == [7, 7])
    #expect(try values("size", of: below) == [1, 1])
    let told = Recorder<String>()
    try cls.replaceMethod("setAge:", "v@:q") { call in told.add("\(call.arguments[0])") }
    try object.setValue(5, forKey: "age")
    #expect(told.all.count == 1 && object.age == 30)
  }

  @Test("a getter of another form that was added comes first")
  func added() throws {
    let object = Added()
    #expect(try values("age", of: object) == [30, 30])
    try RuntimeObject(object).isa.addMethod("getAge", "q@:") { _ in 8 }
    #expect(try values("age", of: object) == [8, 8])
  }

  @Test("a class that nobody has changed is as it was")
  func untouched() throws {
    let object = Untouched()
    try object.setValue(4, forKey: "age")
    #expect(try values("age", of: object) == [4, 4])
  }
}
