import CIsa
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("BLK: bulk access and validation", .serialized, .leavesNothing)
struct BulkAccess {
  @Test("BLK-01 nil to null")
  func nilToNull() throws {
    try onStage { stage in
      let object = try stage.keyed(), keys = try Sample.array(["key1", "key2"]).make()
      try object.made.set("key1", "v")
      let values = try answered { kvc_copy_values(object.id, keys.id, $0) }
      #expect(values?.kind == KVC_KIND_DICTIONARY)
      #expect(values?.description == "{key1 = v; key2 = <null>}")
    }
  }

  @Test("BLK-03 unknown key in bulk set")
  func unknownKey() throws {
    try onStage { stage in
      let object = try stage.keyed()
      let values = try Sample.dictionary([("key1", "v"), ("zzz", "w")]).make()
      #expect(
        try raised { try Raised.check(kvc_set_values(object.id, values.id)) }
          == "NSUnknownKeyException")
      #expect(try object.made.get("key1")?.description == "v")  // the order is that of insertion
    }
  }

  @Test("BLK-04 validate present")
  func validatePresent() throws {
    try onStage { stage in
      let validator: Validator = { _, _, value, _ in
        guard let value else { return false }
        _ = kvc_string_make("valid", value)
        return true
      }
      let object = try stage.validated(["validateObj:error:": ("B@:^@^@", validator)]).allocate()
      var isValid = true
      try Raised.check(kvc_validate_value(object.id, "obj", nil, nil, &isValid))
      #expect(!isValid)
      var value: isa_id?, error: isa_id?
      try Raised.check(kvc_validate_value(object.id, "obj", &value, &error, &isValid))
      #expect(isValid)
      #expect(Made(adopting: value).description == "valid")
      #expect(error == nil)
    }
  }

  @Test("BLK-06 validate by path")
  func validateByPath() throws {
    try onStage { stage in
      let no: Validator = { _, _, _, _ in false }
      let validated = try stage.validated([
        "validateValid1:error:": ("B@:^@^@", no), "validateinvalid1:error:": ("B@:^@^@", no),
      ])
      let holder = try stage.define("Holder") { try $0.property("obj", .object) }.allocate()
      try holder.assign("obj", RuntimeValue(validated.allocate()))
      func validate(_ path: String) throws -> Bool {
        var value: isa_id?, isValid = false
        try Raised.check(kvc_validate_value_for_path(holder.id, path, &value, nil, &isValid))
        return isValid
      }
      #expect(try !validate("obj.valid1"))
      #expect(try validate("obj.invalid1"))
      #expect(try validate("obj.nonexistent"))
      #expect(try raised { try validate("nonexistent.valid1") } == "NSUnknownKeyException")
    }
  }

  @Test("BLK-07 validation not automatic")
  func notAutomatic() throws {
    try onStage { stage in
      let never: Validator = { _, _, _, _ in
        Issue.record("setting a value asked the validator")
        return false
      }
      let object = try stage.validated(["validateObj:error:": ("B@:^@^@", never)]).allocate().made
      try object.set("obj", "x")
      #expect(try object.get("obj")?.description == "x")
    }
  }
}

typealias Validator =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?, UnsafeMutablePointer<isa_id?>?
  ) -> Bool

extension Stage {
  /// An object of two keys.
  func keyed() throws -> RuntimeObject {
    try fixture("Keyed") { try $0.property("key1", .object).property("key2", .object) }.allocate()
  }

  /// A class with the key `obj` and these validators.
  func validated(_ validators: [String: (types: String, validator: Validator)]) throws
    -> RuntimeClass
  {
    let made = try define("Validated") { try $0.property("obj", .object) }
    for (name, method) in validators {
      let imp = unsafeBitCast(method.validator, to: isa_imp.self)
      try Raised.check(
        isa_class_add_method(
          isa_class_find(made.name), isa_sel_register(name), imp, method.types))
    }
    return made
  }
}
