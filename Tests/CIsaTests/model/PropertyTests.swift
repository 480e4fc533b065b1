import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct PropertyTests {
  @Test(
    "getter and setter are named after the property",
    arguments: [("age", "setAge:"), ("URL", "setURL:"), ("_x", "set_x:"), ("élan", "setélan:")])
  func defaults(name: String, setter: String) throws {
    let animal = try ClassPair("Animal")
    try animal.addProperty(name, "q")
    let info = isa_property_get_info(isa_class_find_property(animal.cls, name)).pointee
    #expect(String(cString: info.name) == name)
    #expect(String(cString: info.types) == "q")
    #expect(String(cString: info.getter) == name)
    #expect(String(cString: info.setter) == setter)
    #expect(info.ivar == nil)
  }

  @Test("what is given replaces the defaults")
  func givenNames() throws {
    let animal = try ClassPair("Animal")
    try animal.addProperty("tame", "B", getter: "isTame", setter: "makeTame:", ivar: "_isTame")
    let info = isa_property_get_info(isa_class_find_property(animal.cls, "tame")).pointee
    #expect(String(cString: info.getter) == "isTame")
    #expect(String(cString: info.setter) == "makeTame:")
    #expect(String(cString: info.ivar) == "_isTame")
  }

  @Test("a read-only property has no setter")
  func readOnly() throws {
    let animal = try ClassPair("Animal")
    try animal.addProperty("age", "q", isReadOnly: true)
    let info = isa_property_get_info(isa_class_find_property(animal.cls, "age")).pointee
    #expect(info.setter == nil)
    #expect(info.readonly)
  }

  @Test("properties are inherited, listed by the class that declares them, in order")
  func inheritance() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try animal.addProperty("age", "q")
    for name in ["tail", "ears"] { try dog.addProperty(name, "q") }
    #expect(isa_class_find_property(dog.cls, "age") == isa_class_find_property(animal.cls, "age"))
    #expect(isa_class_find_property(animal.cls, "tail") == nil)
    #expect(isa_class_find_property(dog.cls, nil) == nil)
    var list: UnsafeMutablePointer<isa_property?>?, count = 0
    try check(isa_class_copy_properties(dog.cls, &list, &count))
    defer { isa_free(list) }
    let names = (0..<count).map { String(cString: isa_property_get_info(list![$0]).pointee.name) }
    #expect(names == ["tail", "ears"])
  }

  @Test("a name twice, a wrong encoding, ownership or accessor name is refused")
  func refusals() throws {
    let animal = try ClassPair("Animal")
    try animal.addProperty("age", "q")
    #expect(isa_class_add_property(animal.cls, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(refusal { try animal.addProperty("age", "i") } == ISA_ERR_EXISTS)
    #expect(refusal { try animal.addProperty("", "q") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(refusal { try animal.addProperty("x", "qq") } == ISA_ERR_BAD_ENCODING)
    #expect(refusal { try animal.addProperty("x", "q", getter: "") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(refusal { try animal.addProperty("x", "q", getter: "x:") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      refusal { try animal.addProperty("x", "q", setter: "setX") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      refusal { try animal.addProperty("x", "q", setter: "a:b:") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(refusal { try animal.addProperty("x", "q", ivar: "") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      refusal { try animal.addProperty("x", "q", setter: "setX:", isReadOnly: true) }
        == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      refusal { try animal.addProperty("x", "q", ownership: ISA_OWNERSHIP_COPY) }
        == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_find_property(animal.cls, "x") == nil)
  }

  @Test("a declaration taken back is not found any more")
  func removing() throws {
    let animal = try ClassPair("Animal")
    try animal.addProperty("age", "q")
    isa__property_remove(animal.cls, isa_class_find_property(animal.cls, "age"))
    #expect(isa_class_find_property(animal.cls, "age") == nil)
    try animal.addProperty("age", "q")
  }

  @Test("without memory a property is not declared")
  func allocationFailure() throws {
    let animal = try ClassPair("Animal")
    let points = try withEachAllocationFailing {
      do {
        try animal.addProperty("age", "q", ivar: "_age")
      } catch {
        #expect(isa_class_find_property(animal.cls, "age") == nil)
        throw error
      }
    }
    #expect(points == 8)
    #expect(isa_class_find_property(animal.cls, "age") != nil)
  }

  private func refusal(_ call: () throws -> Void) -> isa_status {
    do {
      try call()
      return ISA_OK
    } catch {
      return (error as? StatusError)?.status ?? ISA_OK
    }
  }
}

extension ClassPair {
  fileprivate func addProperty(
    _ name: String, _ types: String, getter: String? = nil, setter: String? = nil,
    ivar: String? = nil, ownership: isa_ownership = ISA_OWNERSHIP_NONE, isReadOnly: Bool = false
  ) throws {
    try withTexts([name, types, getter, setter, ivar]) { texts in
      var info = isa_property_info(
        name: texts[0], types: texts[1], getter: texts[2], setter: texts[3], ivar: texts[4],
        ownership: ownership, readonly: isReadOnly)
      try check(isa_class_add_property(cls, &info))
    }
  }
}

/// Lends C texts to `body`.
private func withTexts<Result>(
  _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) throws -> Result
) rethrows -> Result {
  let copies = texts.map { text in
    text.map { text in
      let characters = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
      for (index, character) in characters.enumerated() { copy[index] = character }
      return copy
    }
  }
  defer { for copy in copies { copy?.deallocate() } }
  return try body(copies.map { UnsafePointer($0) })
}
