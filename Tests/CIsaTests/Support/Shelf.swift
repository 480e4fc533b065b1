import CIsa
import CIsaTestSupport
import IsaKVOTestSupport

/// The accessors of a fixture class, see `to_many.h` of the C fixtures.
struct Accessors: OptionSet, Sendable {
  let rawValue: Int
  init(rawValue: Int) { self.rawValue = rawValue }
  private init(_ flag: Int) { rawValue = flag }

  static let getter = Self(ISA_TEST_GETTER), setter = Self(ISA_TEST_SETTER)
  static let ivar = Self(ISA_TEST_IVAR)
  static let countOf = Self(ISA_TEST_COUNT_OF), objectsAt = Self(ISA_TEST_OBJECTS_AT)
  static let readArray = Self(ISA_TEST_READ_ARRAY), readSet = Self(ISA_TEST_READ_SET)
  static let readOrderedSet = Self(ISA_TEST_READ_ORDERED_SET)
  static let insert = Self(ISA_TEST_INSERT), insertMany = Self(ISA_TEST_INSERT_MANY)
  static let removeAt = Self(ISA_TEST_REMOVE_AT), removeMany = Self(ISA_TEST_REMOVE_MANY)
  static let replace = Self(ISA_TEST_REPLACE), replaceMany = Self(ISA_TEST_REPLACE_MANY)
  static let add = Self(ISA_TEST_ADD), addMany = Self(ISA_TEST_ADD_MANY)
  static let remove = Self(ISA_TEST_REMOVE), removeSet = Self(ISA_TEST_REMOVE_SET)
  static let intersect = Self(ISA_TEST_INTERSECT)
  static let hooks = Self(ISA_TEST_HOOKS), overrides = Self(ISA_TEST_OVERRIDES)

  static let oneByOne: Self = [.insert, .removeAt]
  static let atIndexes: Self = [.insertMany, .removeMany]
  static let each: Self = [.add, .remove]
  static let setWide: Self = [.addMany, .removeSet, .intersect]
}

/// An object with a to-many key `items`, of a class of its own that goes with it.
final class Shelf {
  let cls: isa_class
  let id: isa_id
  /// The code that `send` runs instead of what the isa leads to.
  var code: isa_imp?
  private let superclass: AnyObject?

  convenience init(
    _ accessors: Accessors, _ backing: Boxed? = nil, name: String = "Shelf",
    below superclass: Shelf? = nil
  ) throws {
    try self.init(accessors, backing, name, below: superclass?.cls, keeping: superclass)
  }

  convenience init(_ accessors: Accessors, _ backing: Boxed? = nil, below superclass: ClassPair)
    throws
  {
    try self.init(accessors, backing, "Shelf", below: superclass.cls, keeping: superclass)
  }

  private init(
    _ accessors: Accessors, _ backing: Boxed?, _ name: String, below superclass: isa_class?,
    keeping owner: AnyObject?
  ) throws {
    var cls: isa_class?, id: isa_id?
    try check(isa_test_to_many_make(name, superclass, UInt32(accessors.rawValue), &cls))
    try check(isa_object_allocate(cls, &id))
    self.cls = cls!
    self.id = id!
    self.superclass = owner
    isa_test_to_many_set_backing(id, backing?.id)
  }

  deinit {
    releaseObject(id)
    disposeOfClass(cls)
  }

  /// The collection behind the accessors, or in the ivar.
  var backing: Boxed? {
    get {
      let found = isa_test_to_many_backing(id)
      return found.map { Boxed(adopting: isa_object_retain($0)) }
    }
    set { isa_test_to_many_set_backing(id, newValue?.id) }
  }

  /// The accessors called so far, which are forgotten.
  func takeCalls() -> String {
    defer { isa_test_to_many_forget_calls(id) }
    return String(cString: isa_test_to_many_calls(id))
  }

  func add(_ accessors: Accessors) throws {
    try check(isa_test_to_many_add(cls, UInt32(accessors.rawValue)))
  }

  // The class must outlive its instances, and proxies keep theirs.
  func array() throws -> Boxed {
    try Boxed(keeping: self) { kvc_proxy_make_array(id, "items", $0) }
  }
  func orderedSet() throws -> Boxed {
    try Boxed(keeping: self) { kvc_proxy_make_ordered_set(id, "items", $0) }
  }
  func set() throws -> Boxed {
    try Boxed(keeping: self) { kvc_proxy_make_set(id, "items", $0) }
  }
  func value() throws -> Boxed { try Boxed(keeping: self) { kvc_copy_value(id, "items", $0) } }

  /// The proxy of a kind.
  func proxy(_ kind: kvc_kind) throws -> Boxed {
    switch kind {
    case KVC_KIND_ARRAY: try array()
    case KVC_KIND_ORDERED_SET: try orderedSet()
    default: try set()
    }
  }
}

extension Boxed {
  func unite(_ other: Boxed) throws { try check(kvc_set_unite(id, other.id)) }
  func subtract(_ other: Boxed) throws { try check(kvc_set_subtract(id, other.id)) }
  func setObjects(_ other: Boxed) throws { try check(kvc_collection_set_objects(id, other.id)) }
}
