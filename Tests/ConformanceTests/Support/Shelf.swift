import CIsa
import CIsaTestSupport
import IsaKVOTestSupport

/// An object of the core with the one reference that a test holds.
final class Kept: CustomStringConvertible {
  let id: isa_id
  private let owner: AnyObject?

  /// Takes over what `make` answers in its out-parameter; `owner` lives as long as this.
  init(
    keeping owner: AnyObject? = nil, _ make: (UnsafeMutablePointer<isa_id?>) -> isa_status
  ) throws {
    var id: isa_id?
    try succeed(make(&id))
    self.id = id!
    self.owner = owner
  }

  init(retaining id: isa_id) {
    self.id = isa_object_retain(id)
    owner = nil
  }

  deinit { releaseObject(id) }

  static func text(_ text: String) throws -> Kept { try Kept { kvc_string_make(text, $0) } }

  static func number(_ number: Int) throws -> Kept {
    try Kept { kvc_number_make_integer(Int64(number), $0) }
  }

  /// A collection of `objects`.
  static func collection(_ kind: kvc_kind, isMutable: Bool = true, _ objects: [Kept] = [])
    throws -> Kept
  {
    let ids: [isa_id?] = objects.map(\.id)
    let array = try withExtendedLifetime(objects) {
      try Kept { kvc_array_make(ids, ids.count, $0) }
    }
    return try Kept { kvc_collection_make(kind, isMutable, array.id, $0) }
  }

  var count: Int { kvc_collection_count(id) }
  var kind: kvc_kind { kvc_kind_of(id) }
  var isProxy: Bool {
    String(cString: isa_class_name(isa_object_get_class(id))).hasPrefix("IsaKeyValue")
  }

  var description: String {
    guard let box = try? Kept({ kvc_copy_description(id, $0) }) else { return "no description" }
    return String(cString: kvc_string_text(box.id))
  }

  func add(_ object: Kept) throws { try succeed(kvc_collection_add(id, object.id)) }
  func remove(_ object: Kept) throws { try succeed(kvc_collection_remove(id, object.id)) }
  func remove(at index: Int) throws { try succeed(kvc_ordered_remove(id, index)) }
  func contains(_ object: Kept) -> Bool { kvc_collection_contains(id, object.id) }

  func insert(_ object: Kept, at index: Int) throws {
    try succeed(kvc_ordered_insert(id, object.id, index))
  }

  func object(at index: Int) throws -> Kept {
    try Kept { kvc_ordered_copy_object(id, index, $0) }
  }
}

extension Kept: Equatable {
  static func == (first: Kept, second: Kept) -> Bool { kvc_is_equal(first.id, second.id) }
}

/// The core's answer to a failed call.
struct CoreFailure: Error, Equatable {
  let exception: String
}

/// Throws the last failure unless `status` is `ISA_OK`.
func succeed(_ status: isa_status) throws {
  guard status != ISA_OK else { return }
  throw CoreFailure(exception: String(cString: isa_last_error().pointee.exception))
}

/// An object with a to-many key `items`, of a class of its own that goes with it; see `to_many.h` of
/// the C fixtures.
final class Shelf {
  let id: isa_id
  private let shelfClass: isa_class

  init(_ accessors: Int, _ backing: Kept? = nil) throws {
    var made: isa_class?, id: isa_id?
    try succeed(isa_test_to_many_make(uniqueName("Shelf"), nil, UInt32(accessors), &made))
    try succeed(isa_object_allocate(made, &id))
    shelfClass = made!
    self.id = id!
    self.backing = backing
  }

  deinit {
    releaseObject(id)
    disposeOfClass(shelfClass)
  }

  /// The collection behind the accessors, or in the ivar.
  var backing: Kept? {
    get { isa_test_to_many_backing(id).map(Kept.init(retaining:)) }
    set { isa_test_to_many_set_backing(id, newValue?.id) }
  }

  /// The accessors called so far, which are forgotten.
  func takeCalls() -> String {
    defer { isa_test_to_many_forget_calls(id) }
    return String(cString: isa_test_to_many_calls(id))
  }

  // The class must outlive its instances, and proxies keep theirs.
  func value() throws -> Kept { try Kept(keeping: self) { kvc_copy_value(id, "items", $0) } }

  func mutableArray() throws -> Kept {
    try Kept(keeping: self) { kvc_proxy_make_array(id, "items", $0) }
  }

  func mutableSet() throws -> Kept {
    try Kept(keeping: self) { kvc_proxy_make_set(id, "items", $0) }
  }

  func mutableOrderedSet() throws -> Kept {
    try Kept(keeping: self) { kvc_proxy_make_ordered_set(id, "items", $0) }
  }
}
