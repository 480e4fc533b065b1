import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import Testing

/// A function observer that notes in words what it is told: `insertion {0} new (1)`,
/// `prior removal {1 2} old (2, 3)`, `setting initial new nil`. It ends with the last reference.
final class Listener {
  private let notes = Recorder<String>()
  private let react: (kvo_change) throws -> Void
  private var token: kvo_token?
  private var observation: KeyValueObservation?

  /// Observes `key` of `object` with options such as `KVO_OPTION_NEW`.
  init(
    _ object: isa_id, _ key: String, _ options: Int = KVO_OPTION_OLD | KVO_OPTION_NEW,
    react: @escaping (kvo_change) throws -> Void = { _ in }
  ) throws {
    self.react = react
    var function = kvo_function(
      callback: { change, info in
        Unmanaged<Listener>.fromOpaque(info!).takeUnretainedValue().receive(change!.pointee)
      },
      info: Unmanaged.passUnretained(self).toOpaque(), release: nil)
    try succeed(kvo_observe(object, key, UInt32(options), &function, nil, &token))
  }

  /// Notes what `observe` is told, by a Swift closure.
  init(_ observe: (@escaping (String) -> Void) throws -> KeyValueObservation) throws {
    react = { _ in }
    observation = try observe { [notes] in notes.add($0) }
  }

  /// Observes a property of a Swift object.
  convenience init<Root: TypedObject, Value>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, _ options: Int,
    words: @escaping (Value) -> String, react: @escaping () throws -> Void
  ) throws {
    let options = ObservationOptions(rawValue: UInt(options))
    try self.init { note in
      object.observe(keyPath, options: options) { _, change in
        note(ToldWords.line(change, words))
        attempt { try react() }
      }
    }
  }

  /// Observes the items of a shelf.
  convenience init(
    _ shelf: Shelf, _ options: Int = KVO_OPTION_OLD | KVO_OPTION_NEW,
    react: @escaping (kvo_change) throws -> Void = { _ in }
  ) throws {
    try self.init(shelf.id, "items", options, react: react)
  }

  deinit { if token != nil { kvo_token_release(token) } }

  /// The notifications so far, which are forgotten.
  func take() -> [String] {
    defer { notes.clear() }
    return notes.all
  }

  private func receive(_ change: kvo_change) {
    notes.add(words(for: change))
    attempt { try react(change) }
  }
}

/// A change in words.
func words(for change: kvo_change) -> String {
  var parts = change.is_prior ? ["prior"] : []
  parts.append(kinds[Int(change.kind.rawValue)])
  if change.is_initial { parts.append("initial") }
  if let indexes = change.indexes { parts.append(words(for: indexes.pointee)) }
  if change.old_value.address != nil { parts += ["old", words(for: change.old_value)] }
  if change.new_value.address != nil { parts += ["new", words(for: change.new_value)] }
  return parts.joined(separator: " ")
}

private let kinds = ["nothing", "setting", "insertion", "removal", "replacement"]

private func words(for indexes: kvc_index_set) -> String {
  let ranges = (0..<indexes.range_count).map { indexes.ranges[$0] }
  let numbers = ranges.flatMap { $0.start..<($0.start + $0.count) }
  return "{\(numbers.map(String.init).joined(separator: " "))}"
}

private func words(for value: kvc_value) -> String {
  var id: isa_id?
  guard kvc_box(value, &id) == ISA_OK, let id else { return "nil" }
  defer { isa_object_release(id) }
  return Kept(retaining: id).words
}

extension Kept {
  /// Arrays and ordered sets as `(1, 2)`, sets as `{1, 2}` with their objects sorted.
  var words: String {
    let isSet = kind == KVC_KIND_SET
    guard isSet || kind == KVC_KIND_ARRAY || kind == KVC_KIND_ORDERED_SET,
      let objects = try? Kept({ kvc_collection_copy_objects(id, $0) })
    else { return description }
    let texts = (0..<objects.count).map { (try? objects.object(at: $0))?.words ?? "nothing" }
    return isSet
      ? "{\(texts.sorted().joined(separator: ", "))}" : "(\(texts.joined(separator: ", ")))"
  }

  static func array(_ numbers: Int...) throws -> Kept { try array(numbers) }

  static func array(_ numbers: [Int]) throws -> Kept {
    try collection(KVC_KIND_ARRAY, numbers.map { try number($0) })
  }

  static func orderedSet(_ numbers: Int...) throws -> Kept {
    try collection(KVC_KIND_ORDERED_SET, numbers.map { try number($0) })
  }

  static func set(_ numbers: Int...) throws -> Kept { try set(numbers) }

  static func set(_ numbers: [Int]) throws -> Kept {
    try collection(KVC_KIND_SET, numbers.map { try number($0) })
  }
}

/// Runs `body` with a set of indexes.
func withIndexes<Result>(
  _ indexes: [Int], _ body: (UnsafePointer<kvc_index_set>) throws -> Result
) throws -> Result {
  var set = kvc_index_set()
  try succeed(kvc_index_set_make(indexes, indexes.count, &set))
  defer { kvc_index_set_destroy(&set) }
  return try body(&set)
}
