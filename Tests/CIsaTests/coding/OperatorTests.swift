import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct OperatorTests {
  static let receivers = [CollectionType.array, .mutableArray, .set, .orderedSet]

  @Test("sums and averages are decimal, extremes the numbers themselves", arguments: receivers)
  func arithmetic(type: CollectionType) throws {
    let numbers = try type(4, 1, 3)
    let answers = try ["@sum.self", "@count", "@min.self", "@max.self"].map {
      try value(numbers.id, at: $0)?.description
    }
    #expect(answers == ["8", "3", "1", "4"])
    #expect(
      try value(numbers.id, at: "@avg.intValue")?.description.hasPrefix("2.6666666666") == true)
  }

  @Test("an operator is a method of the receiver's class, by either name", arguments: ["", "_"])
  func customOperators(prefix: String) throws {
    let pair = try subclass(of: KVC_KIND_ARRAY)
    try addMethod(pair.cls, prefix + "echoForKeyPath:", "i@:*^@") { call in
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      call.answer(kvc_string_make(call.argument(2, as: UnsafePointer<CChar>.self), out))
    }
    let array = try Boxed { isa_object_allocate(pair.cls, $0) }
    for (path, answer) in [("@echo.a.b", "a.b"), ("@echo.", ""), ("@echo.@echo.x", "@echo.x")] {
      #expect(try value(array.id, at: path)?.description == answer)
    }
    #expect(try status { try value(array.id, at: "@echo") } == KVC_ERR_UNDEFINED_KEY)
    let plain = try CollectionType.array(1)
    #expect(try status { try value(plain.id, at: "@echo.a") } == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("dictionaries have no operators, but may be given some")
  func dictionaryOperators() throws {
    let pair = try subclass(of: KVC_KIND_DICTIONARY)
    try addMethod(pair.cls, "fixedForKeyPath:", "i@:*^@") { $0.answer(ISA_OK) }
    let dictionary = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(try value(dictionary.id, at: "@fixed.a") == nil)
    #expect(try status { try value(dictionary.id, at: "@sum.a") } == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("a method of another shape is no operator", arguments: ["@@:*", "v@:*^@", "i@:*"])
  func otherShapes(types: String) throws {
    let pair = try subclass(of: KVC_KIND_ARRAY)
    try addMethod(pair.cls, "oddForKeyPath:", types) { _ in Issue.record("called") }
    let array = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(try status { try value(array.id, at: "@odd.a") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastReason().hasSuffix("this class does not implement the odd operation."))
  }

  @Test("a subclass's own operator takes the place of the one that it inherits")
  func overriding() throws {
    let pair = try subclass(of: KVC_KIND_SET)
    try addMethod(pair.cls, "_countForKeyPath:", "i@:*^@") { call in
      call.answer(kvc_number_make_integer(42, call.argument(3)))
    }
    let set = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(try value(set.id, at: "@count.x")?.description == "42")
    #expect(try value(set.id, at: "@count")?.description == "0")
  }

  @Test("the members are asked for the path by message, each once, in order")
  func messages() throws {
    let nodes = try NodeClass("Asked"), notes = Notes()
    try addMethod(nodes.cls, "valueForKeyPath:", "i@:*^@") { call in
      notes.add(String(cString: call.argument(2, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    let array = try CollectionType.array([try nodes.make(), try nodes.make()])
    #expect(try value(array.id, at: "@sum.a.b")?.description == "0")
    #expect(notes.lines == ["a.b", "a.b"])
  }

  @Test("a member that refuses ends the computation, and nothing is left of it")
  func failingMembers() throws {
    let nodes = try NodeClass(), node = try nodes.make(),
      array = try CollectionType.array([.number(1), node])
    for name in ["sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects"] {
      #expect(try status { try value(array.id, at: "@\(name).intValue") } == KVC_ERR_UNDEFINED_KEY)
    }
    #expect(try status { try value(array.id, at: "@max.self") } == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("an operator's name may be a megabyte long, and is quoted in part")
  func longName() throws {
    let array = try CollectionType.array(1), name = String(repeating: "x", count: 1 << 20)
    #expect(try status { try value(array.id, at: "@\(name).self") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastReason().contains("does not implement the xxxx"))
  }

  @Test("without memory nothing is computed", arguments: receivers)
  func allocationFailure(type: CollectionType) throws {
    let entries = try (0..<3).map { try makeDictionary(["l": CollectionType.array($0, 9)]) }
    let sets = try (0..<3).map { try makeDictionary(["l": CollectionType.set($0, 9)]) }
    let arrays = try type(entries), other = try type(sets)
    _ = try value(arrays.id, at: "@sum.l.@max.self")  // fills the cache
    for path in ["@sum.l.@count", "@avg.l.@max.self", "@max.l.@count", "@distinctUnionOfArrays.l"] {
      try withEachAllocationFailing { _ = try value(arrays.id, at: path) }
    }
    try withEachAllocationFailing { _ = try value(other.id, at: "@distinctUnionOfSets.l") }
    try withEachAllocationFailing { _ = try value(other.id, at: "@distinctUnionOfObjects.l") }
  }

  private func subclass(of kind: kvc_kind) throws -> ClassPair {
    try ClassPair("Special", of: kvc_class_of_kind(kind, true))
  }
}
