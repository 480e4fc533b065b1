import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime

/// The contents of a case's receiver, written as a literal.
indirect enum Sample: Sendable {
  case integer(Int)
  case real(Double)
  case truth(Bool)
  case text(String)
  case null
  case array([Sample])
  case orderedSet([Sample])
  case set([Sample])
  case dictionary([(key: String, value: Sample)])
  case object(RuntimeObject)

  /// Makes it.
  ///
  /// - Parameter isMutable: Whether its arrays and dictionaries can change; sets can.
  func make(isMutable: Bool = true) throws -> Made {
    switch self {
    case .integer(let value): try Made { kvc_number_make_integer(Int64(value), $0) }
    case .real(let value): try Made { kvc_number_make_double(value, $0) }
    case .truth(let value): try truth(value)
    case .text(let text): try Made { kvc_string_make(text, $0) }
    case .null: Made(adopting: kvc_null())
    case .array(let samples):
      try collect(samples, isMutable, isMutable ? kvc_mutable_array_make : kvc_array_make)
    case .orderedSet(let samples):
      try collect(samples, isMutable, kvc_mutable_ordered_set_make)
    case .set(let samples): try collect(samples, isMutable, kvc_mutable_set_make)
    case .dictionary(let entries): try dictionary(entries, isMutable)
    case .object(let object): Made(adopting: isa_object_retain(object.id))
    }
  }

  private func truth(_ value: Bool) throws -> Made {
    try withUnsafePointer(to: value) { address in
      try "B".withCString { types in
        try Made { kvc_box(kvc_value(types: types, address: address), $0) }
      }
    }
  }

  private func collect(
    _ samples: [Sample], _ isMutable: Bool,
    _ make: (UnsafePointer<isa_id?>?, Int, UnsafeMutablePointer<isa_id?>?) -> isa_status
  ) throws -> Made {
    let members = try samples.map { try $0.make(isMutable: isMutable) }
    let ids: [isa_id?] = members.map(\.id)
    return try withExtendedLifetime(members) { try Made { make(ids, ids.count, $0) } }
  }

  private func dictionary(
    _ entries: [(key: String, value: Sample)], _ isMutable: Bool
  ) throws -> Made {
    let made = try Made { kvc_mutable_dictionary_make(nil, nil, 0, $0) }
    for (key, value) in entries { try made.put(value.make(isMutable: isMutable), at: key) }
    return isMutable ? made : try Made { kvc_collection_copy(made.id, $0) }
  }
}

extension Sample: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(integerLiteral value: Int) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .real(value) }
  init(stringLiteral text: String) { self = .text(text) }
  init(arrayLiteral samples: Sample...) { self = .array(samples) }
  init(dictionaryLiteral entries: (String, Sample)...) {
    self = .dictionary(entries.map { (key: $0.0, value: $0.1) })
  }
}

/// The exception that Foundation would raise: the name and reason of a call that failed.
struct Raised: Error, CustomStringConvertible {
  let status: isa_status
  let exception: String
  let reason: String

  var description: String { "\(exception): \(reason)" }

  static func check(_ status: isa_status) throws(Raised) {
    guard status != ISA_OK else { return }
    let error = LastError.current
    throw Raised(status: status, exception: error.exception, reason: error.reason)
  }
}

/// The name of the exception that `body` raises; nil if it raises none.
func raised<Value>(_ body: () throws -> Value) throws -> String? {
  do {
    _ = try body()
    return nil
  } catch let error as Raised {
    return error.exception
  } catch let error as CoreFailure {
    return error.exception
  } catch let error as KeyValueError {
    return error.exceptionName
  }
}

/// An object of any class with the one reference that a test holds.
final class Made: CustomStringConvertible {
  let id: isa_id

  init(adopting id: isa_id?) { self.id = id! }

  /// Takes over what `make` answers in its out-parameter.
  init(_ make: (UnsafeMutablePointer<isa_id?>) -> isa_status) throws {
    var id: isa_id?
    try Raised.check(make(&id))
    self.id = id!
  }

  deinit { releaseObject(id) }

  var kind: kvc_kind { kvc_kind_of(id) }
  var count: Int { kvc_collection_count(id) }
  var className: String { String(cString: isa_class_name(isa_object_get_class(id))) }

  var description: String {
    guard let text = try? Made({ kvc_copy_description(id, $0) }) else { return "no description" }
    return String(cString: kvc_string_text(text.id))
  }

  var double: Double {
    var value = Double.nan
    kvc_number_read(id, CChar(UInt8(ascii: "d")), &value)
    return value
  }

  /// Puts a value into a dictionary, without key-value coding.
  func put(_ value: Made, at key: String) throws {
    let text = try Sample.text(key).make()
    try Raised.check(kvc_dictionary_set(id, text.id, value.id))
  }

  /// A dictionary's value, without key-value coding.
  func entry(_ key: String) throws -> String? {
    let text = try Sample.text(key).make()
    return try answered { kvc_dictionary_copy_value(id, text.id, $0) }?.description
  }

  func get(_ path: String?) throws -> Made? { try value(of: id, at: path) }

  func get(key: String?) throws -> Made? { try answered { kvc_copy_value(id, key, $0) } }

  func set(_ path: String?, _ value: Sample?) throws {
    let made = try value?.make()
    try withExtendedLifetime(made) {
      try Raised.check(kvc_set_value_for_path(id, path, made?.id))
    }
  }

  func set(key: String?, _ value: Sample?) throws {
    let made = try value?.make()
    try withExtendedLifetime(made) { try Raised.check(kvc_set_value(id, key, made?.id)) }
  }
}

extension RuntimeObject {
  /// The object with one more reference.
  var made: Made { Made(adopting: isa_object_retain(id)) }
}

/// The value at the end of `path`; nil for nil.
func value(of object: isa_id?, at path: String?) throws -> Made? {
  try answered { kvc_copy_value_for_path(object, path, $0) }
}

/// The answer of `call` in its out-parameter; nil for nil.
func answered(_ call: (UnsafeMutablePointer<isa_id?>) -> isa_status) throws -> Made? {
  var id: isa_id?
  try Raised.check(call(&id))
  return id.map(Made.init(adopting:))
}
