import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("BLK: bulk access and validation", .serialized, .leavesNothing)
struct BulkAccess {
  @Test("BLK-01 nil to null", arguments: Kind.allCases)
  func nilToNull(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.keyed()
      try object.setValue("v", forKey: "key1")
      switch object {
      case .made(let object):
        let keys = try Sample.array(["key1", "key2"]).make()
        let values = try answered { kvc_copy_values(object.id, keys.id, $0) }
        #expect(values?.kind == KVC_KIND_DICTIONARY)
        #expect(values?.description == "{key1 = v; key2 = <null>}")
      case .swift(let object):
        let values = try object.dictionaryWithValues(forKeys: ["key1", "key2"])
        #expect(values["key1"] as? String == "v")
        #expect(values["key2"] is KeyValueNull && values.count == 2)
      }
    }
  }

  @Test("BLK-03 unknown key in bulk set", arguments: Kind.allCases)
  func unknownKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.keyed()
      let values = try Sample.dictionary([("key1", "v"), ("zzz", "w")]).make()
      let exception = try raised {
        switch object {
        case .made(let object): try Raised.check(kvc_set_values(object.id, values.id))
        case .swift(let object): try object.setValuesForKeys(["key1": "v", "zzz": "w"])
        }
      }
      #expect(exception == "NSUnknownKeyException")
      // The order is that of insertion, in Swift that of the names.
      #expect(try object.value(forKey: "key1").string == "v")
    }
  }

  @Test("BLK-04 validate present", arguments: Kind.allCases)
  func validatePresent(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Valid", Valid()) {
        try $0.property("obj", .object).validator("obj") { _, value in value = "valid" }
      }
      let value: RuntimeValue =
        switch object {
        case .made(let object): try object.validated(nil, forKey: "obj")
        case .swift(let object): RuntimeValue(any: try object.validated(nil, forKey: "obj"))
        }
      #expect(value.string == "valid")
    }
  }

  @Test("BLK-04 a validator may be asked without a place for the value")
  func validateWithoutPlace() throws {
    try onStage { stage in
      let validator: Validator = { _, _, value, _ in value != nil }
      let object = try stage.validated(["validateObj:error:": ("B@:^@^@", validator)]).allocate()
      var isValid = true, value: isa_id?, error: isa_id?
      try Raised.check(kvc_validate_value(object.id, "obj", nil, nil, &isValid))
      #expect(!isValid)
      try Raised.check(kvc_validate_value(object.id, "obj", &value, &error, &isValid))
      #expect(isValid && error == nil)
    }
  }

  @Test("BLK-06 validate by path", arguments: Kind.allCases)
  func validateByPath(kind: Kind) throws {
    try onStage(kind) { stage in
      let no: Validator = { _, _, _, _ in false }
      let validated = try stage.validated([
        "validateValid1:error:": ("B@:^@^@", no), "validateinvalid1:error:": ("B@:^@^@", no),
      ])
      let holder = try stage.make("Holder", Holder()) { try $0.property("obj", .object) }
      if kind == .runtime { try holder.assign("obj", RuntimeValue(validated.allocate())) }
      func validate(_ path: String) throws -> Bool {
        var isValid = false
        switch holder {
        case .made(let holder):
          var value: isa_id?
          try Raised.check(kvc_validate_value_for_path(holder.id, path, &value, nil, &isValid))
        case .swift(let holder):
          var value: Any?
          do {
            try holder.validateValue(&value, forKeyPath: path)
            isValid = true
          } catch is Refused {}
        }
        return isValid
      }
      #expect(try !validate("obj.valid1"))
      #expect(try validate("obj.invalid1"))
      #expect(try validate("obj.nonexistent"))
      #expect(try raised { try validate("nonexistent.valid1") } == "NSUnknownKeyException")
    }
  }

  @Test("BLK-07 validation not automatic", arguments: Kind.allCases)
  func notAutomatic(kind: Kind) throws {
    try onStage(kind) { stage in
      let never: Validator = { _, _, _, _ in
        Issue.record("setting a value asked the validator")
        return false
      }
      let object =
        try kind == .swift
        ? Subject.swift(NeverAsked())
        : .made(stage.validated(["validateObj:error:": ("B@:^@^@", never)]).allocate())
      try object.setValue("x", forKey: "obj")
      #expect(try object.value(forKey: "obj").string == "x")
    }
  }
}

typealias Validator =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?, UnsafeMutablePointer<isa_id?>?
  ) -> Bool

extension Stage {
  /// An object of two keys.
  func keyed() throws -> Subject {
    try shared("Keyed", Keyed()) { try $0.property("key1", .object).property("key2", .object) }
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

// MARK: - Swift classes

private final class Keyed: KVObject, TypedObject {
  @Dynamic var key1: String?
  @Dynamic var key2: String?

  var properties: [String: TypedProperty] { [:] }
}

private struct Refused: Error {}

private final class Valid: KVObject, TypedObject {
  @Dynamic var obj: String?
  var properties: [String: TypedProperty] { [:] }

  override class var keys: [KeyDeclaration] {
    [.key("obj", \Valid.obj, validate: { _, value in value = "valid" })]
  }
}

/// A class with a validator for one of two keys.
private final class Validated: KVObject {
  @Dynamic var valid1: String?
  @Dynamic var invalid1: String?

  override class var keys: [KeyDeclaration] {
    [.key("valid1", \Validated.valid1, validate: { _, _ in throw Refused() })]
  }
}

private final class Holder: KVObject, TypedObject {
  @Dynamic var obj: Validated? = Validated()

  var properties: [String: TypedProperty] { [:] }
}

private final class NeverAsked: KVObject, TypedObject {
  @Dynamic var obj: String?

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "obj", \NeverAsked.obj,
        validate: { _, _ in Issue.record("setting a value asked the validator") })
    ]
  }
  var properties: [String: TypedProperty] { [:] }
}
