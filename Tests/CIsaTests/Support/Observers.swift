import CIsa
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

struct ObservingOptions: OptionSet, CustomTestStringConvertible {
  let rawValue: UInt32
  static let new = Self(rawValue: UInt32(KVO_OPTION_NEW))
  static let old = Self(rawValue: UInt32(KVO_OPTION_OLD))
  static let initial = Self(rawValue: UInt32(KVO_OPTION_INITIAL))
  static let prior = Self(rawValue: UInt32(KVO_OPTION_PRIOR))
  static let retainObserver = Self(rawValue: UInt32(KVO_OPTION_RETAIN_OBSERVER))
  static let foreign = Self(rawValue: UInt32(KVO_OPTION_FOREIGN))

  /// Every combination of new, old, initial and prior.
  static let combinations = (0..<16).map { Self(rawValue: $0) }

  var testDescription: String {
    let names = [(Self.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: "+")
  }
}

/// The notifications of an observer, as lines such as `prior old 1`, `old 1 new 2`,
/// `initial new 3`, `insertion {0 2} new (8, 9)`; any thread may add one.
final class Notes: @unchecked Sendable {
  typealias Reaction = (kvo_change) -> Void

  private let lock = NSLock()
  private var noted: [String] = []
  private var releaseCount = 0
  private let reaction: Reaction?

  init(_ reaction: Reaction? = nil) { self.reaction = reaction }

  var lines: [String] { lock.withLock { noted } }
  var releases: Int { lock.withLock { releaseCount } }

  /// The lines so far, which are forgotten.
  func take() -> [String] {
    lock.withLock {
      defer { noted = [] }
      return noted
    }
  }

  func add(_ line: String) { lock.withLock { noted.append(line) } }

  fileprivate func receive(_ change: kvo_change) {
    add(text(of: change))
    reaction?(change)
  }

  fileprivate func noteRelease() { lock.withLock { releaseCount += 1 } }
}

/// A change as one line.
func text(of change: kvo_change) -> String {
  var words: [String] = []
  if change.is_prior { words.append("prior") }
  if change.is_initial { words.append("initial") }
  if change.is_foreign { words.append("foreign") }
  if change.kind != KVO_CHANGE_SETTING { words.append(name(of: change.kind)) }
  if let indexes = change.indexes { words.append(text(of: indexes.pointee)) }
  if let old = text(of: change.old_value) { words += ["old", old] }
  if let new = text(of: change.new_value) { words += ["new", new] }
  return words.isEmpty ? "change" : words.joined(separator: " ")
}

private func name(of kind: kvo_change_kind) -> String {
  switch kind {
  case KVO_CHANGE_INSERTION: "insertion"
  case KVO_CHANGE_REMOVAL: "removal"
  case KVO_CHANGE_REPLACEMENT: "replacement"
  default: "setting"
  }
}

private func text(of indexes: kvc_index_set) -> String {
  let ranges = (0..<indexes.range_count).map { indexes.ranges[$0] }
  let numbers = ranges.flatMap { $0.start..<($0.start + $0.count) }
  return "{\(numbers.map(String.init).joined(separator: " "))}"
}

/// A collection as `(1, 2)`, a set as `{1, 2}` with its objects sorted; nil for any other object.
private func text(ofCollection object: isa_id?) -> String? {
  let kind = kvc_kind_of(object)
  guard kind == KVC_KIND_ARRAY || kind == KVC_KIND_ORDERED_SET || kind == KVC_KIND_SET,
    let objects = try? Boxed({ kvc_collection_copy_objects(object, $0) })
  else { return nil }
  let texts = (0..<objects.count).map { index in
    (try? Boxed { kvc_ordered_copy_object(objects.id, index, $0) })?.description ?? "nothing"
  }
  return kind == KVC_KIND_SET
    ? "{\(texts.sorted().joined(separator: ", "))}" : "(\(texts.joined(separator: ", ")))"
}

/// A value as text: numbers by value, collections by their objects, other objects as `object` or
/// `nil`, anything else by its bytes' count; nil where there is none.
func text(of value: kvc_value) -> String? {
  guard let address = value.address else { return nil }
  switch String(cString: value.types) {
  case "q": return "\(address.load(as: Int64.self))"
  case "d": return "\(address.load(as: Double.self))"
  case "@":
    guard let object = address.load(as: isa_id?.self) else { return "nil" }
    return text(ofCollection: object) ?? "object"
  case let types:
    var size = 0
    guard isa_encoding_measure(types, &size, nil, nil) == ISA_OK else { return "unmeasurable" }
    return "\(size) bytes"
  }
}

private let receiveChange: kvo_callback = { change, info in
  Unmanaged<Notes>.fromOpaque(info!).takeUnretainedValue().receive(change!.pointee)
}

private let releaseNotes: @convention(c) (UnsafeMutableRawPointer?) -> Void = { info in
  let notes = Unmanaged<Notes>.fromOpaque(info!).takeRetainedValue()
  notes.noteRelease()
}

/// A function observer's registration, ended when the last reference to this goes.
final class Observation: @unchecked Sendable {
  let token: kvo_token
  let notes: Notes

  /// Registers on `object`, telling `notes`.
  init(
    _ object: isa_id, _ key: String, _ options: ObservingOptions = [], notes: Notes,
    context: UnsafeMutableRawPointer? = nil
  ) throws(StatusError) {
    var token: kvo_token?
    let status = observe(object, key, options, notes, context, &token)
    try check(status)
    self.token = token!
    self.notes = notes
  }

  convenience init(
    _ object: Instance, _ key: String, _ options: ObservingOptions = [],
    _ reaction: Notes.Reaction? = nil
  ) throws(StatusError) {
    try self.init(object.id, key, options, notes: Notes(reaction))
  }

  deinit { kvo_token_release(token) }

  var lines: [String] { notes.lines }
  var isValid: Bool { kvo_token_is_valid(token) }

  @discardableResult
  func invalidate() -> Bool { kvo_token_invalidate(token) }

  @discardableResult
  func invalidateAndWait() -> Bool { kvo_token_invalidate_and_wait(token) }
}

/// Registers `notes` as a function observer; they are kept until the registration lets go of them.
func observe(
  _ object: isa_id?, _ key: String?, _ options: ObservingOptions, _ notes: Notes,
  _ context: UnsafeMutableRawPointer?, _ token: inout kvo_token?
) -> isa_status {
  let info = Unmanaged.passRetained(notes)
  var function = kvo_function(
    callback: receiveChange, info: info.toOpaque(), release: releaseNotes)
  let status = kvo_observe(object, key, options.rawValue, &function, context, &token)
  if status != ISA_OK { info.release() }
  return status
}

/// Observers shared by objects, as a collection that the last reference to this releases.
final class Sharing: @unchecked Sendable {
  let shared: kvo_shared_observers

  init(_ cls: isa_class) throws {
    var made: kvo_shared_observers?
    try check(kvo_shared_observers_make(cls, &made))
    shared = made!
  }

  deinit { kvo_shared_observers_release(shared) }

  /// Adds `notes` as a function, which keeps them until the last registration of it has gone.
  func add(
    _ key: String, _ options: ObservingOptions = [], _ notes: Notes,
    context: UnsafeMutableRawPointer? = nil
  ) -> isa_status {
    let info = Unmanaged.passRetained(notes)
    var function = kvo_function(
      callback: receiveChange, info: info.toOpaque(), release: releaseNotes)
    let status = kvo_shared_observers_add_function(
      shared, &function, key, options.rawValue, context)
    if status != ISA_OK { info.release() }
    return status
  }

  /// Adds a function of its own, and answers with what it will be told.
  func observe(
    _ key: String, _ options: ObservingOptions = [], _ reaction: Notes.Reaction? = nil
  ) throws -> Notes {
    let notes = Notes(reaction)
    try check(add(key, options, notes))
    return notes
  }

  func assign(to object: isa_id) throws { try check(kvo_set_shared_observers(object, shared)) }
}

/// A class of observers that are objects, below the one of the C fixtures.
final class ObserverClass: @unchecked Sendable {
  let cls: isa_class
  private let base: isa_class

  init(_ name: String = "Observer") throws {
    var base: isa_class?, cls: isa_class?
    try check(isa_test_observer_make("TestObserver", &base))
    try check(isa_class_pair_allocate(base, name, &cls))
    try check(isa_class_pair_register(cls))
    self.base = base!
    self.cls = cls!
  }

  deinit {
    disposeOfClass(cls)
    disposeOfClass(base)
  }

  func make(_ reaction: Notes.Reaction? = nil) throws -> ObserverObject {
    try ObserverObject(self, Notes(reaction))
  }
}

/// An observer that is an object; the last reference to this releases it. The notes live as long as
/// either.
final class ObserverObject: Instance, @unchecked Sendable {
  let notes: Notes

  fileprivate init(_ observers: ObserverClass, _ notes: Notes) throws {
    self.notes = notes
    try super.init(of: observers.cls, keeping: observers)
    var function = kvo_function(
      callback: receiveChange, info: Unmanaged.passRetained(notes).toOpaque(),
      release: releaseNotes)
    isa_test_observer_set(id, &function)
  }

  var lines: [String] { notes.lines }

  func observe(
    _ object: Instance, _ key: String, _ options: ObservingOptions = [],
    context: UnsafeMutableRawPointer? = nil
  ) -> isa_status {
    kvo_add_observer(object.id, id, key, options.rawValue, context)
  }

  func stop(_ object: Instance, _ key: String) -> isa_status {
    kvo_remove_observer(object.id, id, key)
  }

  func stop(_ object: Instance, _ key: String, context: UnsafeMutableRawPointer?) -> isa_status {
    kvo_remove_observer_context(object.id, id, key, context)
  }
}

/// A function observer in C that counts, on any thread, without a lock.
final class Tally: @unchecked Sendable {
  private let tally = UnsafeMutablePointer<isa_test_tally>.allocate(capacity: 1)

  init() { tally.initialize(to: isa_test_tally()) }
  deinit { tally.deallocate() }

  var value: isa_test_tally { isa_test_tally_read(tally) }

  /// The info that a function observer takes.
  var info: UnsafeMutableRawPointer { UnsafeMutableRawPointer(tally) }

  /// From now on a notification counts as late.
  func close() { isa_test_tally_close(tally) }

  /// Registers on `object`; the caller frees the token, and keeps the tally until it is released.
  func observe(_ object: isa_id, _ key: String, _ options: ObservingOptions = []) -> kvo_token? {
    var function = kvo_function(
      callback: isa_test_tally_change, info: tally, release: isa_test_tally_release)
    var token: kvo_token?
    _ = kvo_observe(object, key, options.rawValue, &function, nil, &token)
    return token
  }
}
