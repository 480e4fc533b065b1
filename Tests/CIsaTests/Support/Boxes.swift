import CIsa
import IsaKVOTestSupport
import Testing

/// A boxed object with the one reference that a test holds.
///
/// Its `id` is good as long as a variable holds the box; that of `Boxed.number(1).id` in an
/// argument is not.
final class Boxed: CustomStringConvertible {
  let id: isa_id
  private let owner: AnyObject?

  init(adopting id: isa_id?) {
    self.id = id!
    owner = nil
  }

  /// Takes over what `make` answers in its out-parameter; `owner` lives as long as the box.
  init(
    keeping owner: AnyObject? = nil, _ make: (UnsafeMutablePointer<isa_id?>) -> isa_status
  ) throws {
    var id: isa_id?
    try check(make(&id))
    self.id = id!
    self.owner = owner
  }

  deinit { releaseObject(id) }

  var count: Int { kvc_collection_count(id) }
  var kind: kvc_kind { kvc_kind_of(id) }
  var className: String { String(cString: isa_class_name(isa_object_get_class(id))) }
  var retainCount: Int { isa_object_retain_count(id) }

  var description: String {
    guard let box = try? Boxed({ kvc_copy_description(id, $0) }) else { return "no description" }
    return String(cString: kvc_string_text(box.id))
  }

  func contains(_ other: Boxed) -> Bool { kvc_collection_contains(id, other.id) }
  func index(of other: Boxed) -> Int { kvc_ordered_index_of(id, other.id) }
  func add(_ other: Boxed) throws { try check(kvc_collection_add(id, other.id)) }
  func remove(_ other: Boxed) throws { try check(kvc_collection_remove(id, other.id)) }
  func intersect(_ other: Boxed) throws { try check(kvc_set_intersect(id, other.id)) }

  func insert(_ other: Boxed, at index: Int) throws {
    try check(kvc_ordered_insert(id, other.id, index))
  }

  func replace(at index: Int, with other: Boxed) throws {
    try check(kvc_ordered_replace(id, index, other.id))
  }

  static func number(_ value: Int) throws -> Boxed {
    try Boxed { kvc_number_make_integer(Int64(value), $0) }
  }

  static func number(_ value: Double) throws -> Boxed {
    try Boxed { kvc_number_make_double(value, $0) }
  }

  static func string(_ text: String) throws -> Boxed {
    try Boxed { kvc_string_make(text, $0) }
  }
}

func isEqual(_ first: Boxed, _ second: Boxed) -> Bool { kvc_is_equal(first.id, second.id) }

/// How one of the collections' classes is made from objects.
struct CollectionType: Sendable, CustomTestStringConvertible {
  typealias Make =
    @Sendable (UnsafePointer<isa_id?>?, Int, UnsafeMutablePointer<isa_id?>?) -> isa_status

  let kind: kvc_kind
  let isMutable: Bool
  let name: String
  let make: Make

  var testDescription: String { name }

  func callAsFunction(_ boxes: [Boxed]) throws -> Boxed {
    let ids: [isa_id?] = boxes.map(\.id)
    return try withExtendedLifetime(boxes) { try Boxed { make(ids, ids.count, $0) } }
  }

  func callAsFunction(_ numbers: Int...) throws -> Boxed {
    try self(numbers.map { try Boxed.number($0) })
  }

  static let array = CollectionType(
    kind: KVC_KIND_ARRAY, isMutable: false, name: "IsaArray", make: { kvc_array_make($0, $1, $2) })
  static let mutableArray = CollectionType(
    kind: KVC_KIND_ARRAY, isMutable: true, name: "IsaMutableArray",
    make: { kvc_mutable_array_make($0, $1, $2) })
  static let orderedSet = CollectionType(
    kind: KVC_KIND_ORDERED_SET, isMutable: false, name: "IsaOrderedSet",
    make: { kvc_ordered_set_make($0, $1, $2) })
  static let mutableOrderedSet = CollectionType(
    kind: KVC_KIND_ORDERED_SET, isMutable: true, name: "IsaMutableOrderedSet",
    make: { kvc_mutable_ordered_set_make($0, $1, $2) })
  static let set = CollectionType(
    kind: KVC_KIND_SET, isMutable: false, name: "IsaSet", make: { kvc_set_make($0, $1, $2) })
  static let mutableSet = CollectionType(
    kind: KVC_KIND_SET, isMutable: true, name: "IsaMutableSet",
    make: { kvc_mutable_set_make($0, $1, $2) })

  static let all = [array, mutableArray, orderedSet, mutableOrderedSet, set, mutableSet]
  static let ordered = [mutableArray, mutableOrderedSet]
  static let sets = [mutableSet, mutableOrderedSet]
  static let mutable = [mutableArray, mutableOrderedSet, mutableSet]
}

/// A dictionary with strings as keys, in the order given.
func makeDictionary(_ entries: KeyValuePairs<String, Boxed>, isMutable: Bool = false) throws
  -> Boxed
{
  let keys = try entries.map { try Boxed.string($0.key) }
  let keyIDs: [isa_id?] = keys.map(\.id), values: [isa_id?] = entries.map(\.value.id)
  return try withExtendedLifetime((keys, entries)) {
    try Boxed {
      isMutable
        ? kvc_mutable_dictionary_make(keyIDs, values, values.count, $0)
        : kvc_dictionary_make(keyIDs, values, values.count, $0)
    }
  }
}

/// Runs `body` with a set of indexes.
@discardableResult
func withIndexes<Result>(_ indexes: [Int], _ body: (UnsafePointer<kvc_index_set>) throws -> Result)
  throws -> Result
{
  var set = kvc_index_set()
  try check(kvc_index_set_make(indexes.map { $0 }, indexes.count, &set))
  defer { kvc_index_set_destroy(&set) }
  return try body(&set)
}

/// The last failure's exception name.
func lastException() -> String {
  String(cString: isa_last_error().pointee.exception)
}
