import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct ValidationTests {
  @Test("a key without a validator takes any value, and leaves it as it is")
  func absent() throws {
    let nodes = try NodeClass(), node = try nodes.make(), one = try Boxed.number(1)
    for key in ["name", "stranger", ""] {
      var value: isa_id? = one.id
      #expect(try validate(node, key, &value))
      #expect(value == one.id)
    }
  }

  @Test("a validator decides, and may put another value and an error in place")
  func deciding() throws {
    let pair = try NodeClass(), replacement = try Boxed.string("better")
    try addValidator(pair, "validateName:error:") { value, error in
      value?.pointee = isa_object_retain(replacement.id)
      error?.pointee = isa_object_retain(replacement.id)
      return false
    }
    let node = try pair.make()
    var value: isa_id?, error: isa_id?, isValid = true
    try check(kvc_validate_value(node.id, "name", &value, &error, &isValid))
    #expect(!isValid)
    #expect(value == replacement.id)
    #expect(error == replacement.id)
    isa_object_release(value)
    isa_object_release(error)
    try check(kvc_validate_value(node.id, "name", nil, nil, &isValid))
    #expect(!isValid)
  }

  @Test(
    "the answer may be of any number type", arguments: ["B", "c", "i", "q", "C", "Q", "d"])
  func answerTypes(letter: String) throws {
    for answer in [0.0, 1.0] {
      let pair = try NodeClass()
      try addMethod(pair.cls, "validateName:error:", letter + "@:^@^@") { call in
        var number = answer
        isa__number_convert(
          CChar(UInt8(ascii: "d")), &number, CChar(letter.utf8.first!), call.result)
      }
      var value: isa_id?
      #expect(try validate(pair.make(), "name", &value) == (answer == 1))
    }
  }

  @Test(
    "a method that answers nothing, or takes another number of arguments, is no validator",
    arguments: ["v@:^@^@", "B@:^@^@q"])
  func otherArities(types: String) throws {
    let pair = try NodeClass()
    try addMethod(pair.cls, "validateName:error:", types) { _ in Issue.record("called") }
    var value: isa_id?
    #expect(try validate(pair.make(), "name", &value))
  }

  @Test(
    "a validator that cannot be called fails, and says yes to nothing",
    arguments: ["@@:^@^@", "B@:@^@", "B@:q^@", "B@:^@q", "B@:qq", "{P=dd}@:^@^@"])
  func otherShapes(types: String) throws {
    let pair = try NodeClass(), node = try pair.make()
    try addMethod(pair.cls, "validateName:error:", types) { _ in Issue.record("called") }
    var value: isa_id?, isValid = false
    let status = kvc_validate_value(node.id, "name", &value, nil, &isValid)
    #expect(status == ISA_ERR_INVALID_ARGUMENT && !isValid)
    #expect(lastReason().contains("has encoding \"\(types)\", which cannot be called"))
  }

  @Test("by path the object that has the last key is asked; nil on the way says no")
  func paths() throws {
    let pair = try NodeClass(), nodes = try pair.chain(2)
    try addValidator(pair, "validateName:error:") { _, _ in false }
    for (path, answer) in [("next.name", false), ("next.number", true), ("next.next.x", false)] {
      var value: isa_id?, isValid = !answer
      try check(kvc_validate_value_for_path(nodes[0].id, path, &value, nil, &isValid))
      #expect(isValid == answer, "\(path)")
    }
    var value: isa_id?, isValid = false
    #expect(
      kvc_validate_value_for_path(nodes[0].id, "no.name", &value, nil, &isValid)
        == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("a class with validation of its own is asked by message")
  func overriding() throws {
    let base = try NodeClass(), own = try NodeClass("Own", below: base), notes = Notes()
    for name in ["validateValue:forKey:error:", "validateValue:forKeyPath:error:"] {
      try addMethod(own.cls, name, "i@:^@*^@^B") { call in
        notes.add(String(cString: call.argument(3, as: UnsafePointer<CChar>.self)))
        call.argument(5, as: UnsafeMutablePointer<Bool>.self).pointee = false
        call.answer(ISA_OK)
      }
    }
    let first = try base.make()
    try set(first.id, at: "next", own.make())
    var value: isa_id?, isValid = true
    try check(kvc_validate_value_for_path(first.id, "next.name.x", &value, nil, &isValid))
    #expect(!isValid)
    #expect(
      try !validate(Boxed(adopting: isa_object_retain(first.id)), "next.name", &value, byPath: true)
    )
    #expect(notes.lines == ["name.x", "name"])
  }

  @Test("no object, no key and text that is not UTF-8 are refused")
  func badInput() throws {
    let nodes = try NodeClass(), node = try nodes.make(), bad: [CChar] = [-1, 0]
    var value: isa_id?, isValid = true
    for call in [kvc_validate_value, kvc_validate_value_for_path] {
      #expect(call(nil, "name", &value, nil, &isValid) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(node.id, nil, &value, nil, &isValid) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(node.id, bad, &value, nil, &isValid) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(isValid)
  }

  @Test("without memory nothing is validated")
  func allocationFailure() throws {
    let pair = try NodeClass(), nodes = try pair.chain(2)
    try addValidator(pair, "validateName:error:") { _, _ in true }
    var value: isa_id?
    try withEachAllocationFailing { _ = try validate(nodes[0], "next.name", &value, byPath: true) }
  }

  private func validate(
    _ object: Boxed, _ key: String, _ value: inout isa_id?, byPath: Bool = false
  ) throws -> Bool {
    var isValid = false
    try check(
      (byPath ? kvc_validate_value_for_path : kvc_validate_value)(
        object.id, key, &value, nil, &isValid))
    return isValid
  }

  private typealias Out = UnsafeMutablePointer<isa_id?>

  private func addValidator(
    _ pair: NodeClass, _ name: String, _ body: @escaping (Out?, Out?) -> Bool
  ) throws {
    try addMethod(pair.cls, name, "B@:^@^@") { call in
      call.answer(body(call.argument(2, as: Out?.self), call.argument(3, as: Out?.self)))
    }
  }
}
