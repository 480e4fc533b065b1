// The keys that key paths were found to be made of.
//
// Owns:  the answers, which last as long as the process: readers take no lock.
// Locks: `known` has its own, for key paths other than those asked for lately.
internal import IsaKeyValue

/// A known key path: the keys that it is made of, or that it is more than keys.
struct KnownPath: @unchecked Sendable {
  // Sendable because an entry lasts, and the words that change are reached by atomic calls.
  fileprivate struct Entry {
    var path: AnyKeyPath
    let keys: String?
    let text: LastingText?
    let isOneKey: Bool
    /// The key path for people.
    let name: String
    let wrapping: ((Sink) -> Sink)?
    let mayStop: Bool
    /// What observations have found out, shared with the entries of equal key paths.
    let notes: UnsafeMutablePointer<UInt64>
  }

  private enum Note: Int {
    /// 0 until observations have a tracking from the start.
    case tracking
    /// 1 once an observation is noting, or has noted, what it has read.
    case claim
    /// The address of the ``UsualReads``; 0 until they are known.
    case reads
    /// 1 once other ones were read.
    case differs

    static let count = 4
  }

  fileprivate let entry: UnsafePointer<Entry>

  /// Whether it is a property of the object itself.
  var isOneKey: Bool { entry.pointee.isOneKey }
  var isMadeOfKeys: Bool { entry.pointee.keys != nil }
  /// The keys, joined by dots, of a path that is made of keys.
  var keys: String { entry.pointee.keys! }
  /// The keys; of a path that is more than keys, its text for people.
  var name: String { entry.pointee.name }
  /// Makes a handler of the last key's values out of one of the key path's own, where these are
  /// optionals of them.
  var wrapping: ((Sink) -> Sink)? { entry.pointee.wrapping }
  /// The name for the C core; nil where that would take it to end at a zero.
  var text: LastingText? { entry.pointee.text }
  /// Whether it may lead to nil that it unwraps by force, or to no element of an array.
  var mayStop: Bool { entry.pointee.mayStop }
  /// Whether it leads, or may lead, to what Observation tracks.
  var isTracked: Bool { loadWord(note(.tracking)) != 0 }

  func noteTracked() { storeWord(note(.tracking), 1) }

  /// The properties of the object itself that evaluating it was found to read, in order, where it
  /// reads no others.
  var usualReads: [Field]? {
    if loadWord(note(.differs)) != 0 { return nil }
    return UnsafeRawPointer(bitPattern: UInt(loadWord(note(.reads)))).map {
      Unmanaged<UsualReads>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.fields }
    }
  }

  /// Whether nothing is known of what it reads yet.
  var isNew: Bool { loadWord(note(.claim)) == 0 }

  /// Notes what it was found to read first; nil: not of the object alone.
  func note(usualReads: [Field]?) {
    guard claimWord(note(.claim)), let usualReads else { return }
    // They last, as the entry does.
    let reads = Unmanaged.passRetained(UsualReads(usualReads)).toOpaque()
    storeWord(note(.reads), UInt64(UInt(bitPattern: reads)))
  }

  /// Notes that other ones were read.
  func noteOtherReads() { storeWord(note(.differs), 1) }

  private func note(_ note: Note) -> UnsafeMutablePointer<UInt64> {
    entry.pointee.notes + note.rawValue
  }

  private final class UsualReads {
    let fields: [Field]

    init(_ fields: [Field]) { self.fields = fields }
  }

  fileprivate static func makeNotes() -> UnsafeMutablePointer<UInt64> {
    let notes = UnsafeMutablePointer<UInt64>.allocate(capacity: Note.count)
    notes.initialize(repeating: 0, count: Note.count)
    return notes
  }
}

/// The keys that a class's key paths are made of.
struct KnownPaths: @unchecked Sendable {
  // Sendable because the words are reached by atomic calls.
  private struct Known {
    var paths: [AnyKeyPath: KnownPath] = [:]
    /// All entries, since a place among the recent ones keeps only the latest.
    var made: [KnownPath] = []
  }

  private let known = Locked(Known())
  /// Addresses of entries, each at the place of its key path or beside it.
  private let recent: UnsafeMutablePointer<UInt64>

  init() {
    recent = .allocate(capacity: recentCount)
    recent.initialize(repeating: 0, count: recentCount)
  }

  /// The facts of a key path.
  func find(_ path: AnyKeyPath) -> KnownPath? {
    // A caller that asks again mostly asks for the same one: its identity is less than its hash.
    let place = place(of: path)
    return recall(path, place) ?? recall(path, place ^ 1) ?? look(for: path)
  }

  private func recall(_ path: AnyKeyPath, _ place: Int) -> KnownPath? {
    let entry = UnsafePointer<KnownPath.Entry>(bitPattern: UInt(loadWord(recent + place)))
    guard let entry, entry.pointee.path === path else { return nil }
    return KnownPath(entry: entry)
  }

  @inline(never)
  private func look(for path: AnyKeyPath) -> KnownPath? {
    known.withLock { known in
      guard let found = known.paths[path] else { return nil }
      if found.entry.pointee.path === path { return remember(found) }
      // An equal path that is written elsewhere. Some are made anew each time that they are asked
      // for.
      guard known.made.count < mostEqualPaths else { return found }
      var facts = found.entry.pointee
      facts.path = path
      return remember(make(facts, &known))
    }
  }

  /// Adds what a key path was found to be made of; nil if it is more than keys.
  ///
  /// - Parameter type: The type of the last key's values, if the key path may have optionals of
  ///   this type.
  func add(_ path: AnyKeyPath, _ keys: String?, of type: Any.Type? = nil) -> KnownPath {
    let wrapped = wrappedType(of: Swift.type(of: path).valueType).flatMap { $0 == type ? $0 : nil }
    let name = keys ?? path.text
    return known.withLock { known in
      if let found = known.paths[path] { return found }
      let made = make(
        KnownPath.Entry(
          path: path, keys: keys, text: name.hasZero ? nil : LastingText(name),
          isOneKey: keys.map { !$0.contains(".") } ?? false, name: name,
          wrapping: wrapped.map(Sink.wrapping),
          mayStop: path.steps.contains(where: \.mayStop),
          notes: KnownPath.makeNotes()),
        &known)
      known.paths[path] = made
      return remember(made)
    }
  }

  private func make(_ facts: KnownPath.Entry, _ known: inout Known) -> KnownPath {
    let entry = UnsafeMutablePointer<KnownPath.Entry>.allocate(capacity: 1)
    entry.initialize(to: facts)
    let made = KnownPath(entry: UnsafePointer(entry))
    known.made.append(made)
    return made
  }

  private func remember(_ path: KnownPath) -> KnownPath {
    // Two key paths that have one place stay: the earlier one goes to the place beside it.
    let place = place(of: path.entry.pointee.path)
    storeWord(recent + (place ^ 1), loadWord(recent + place))
    storeWord(recent + place, UInt64(UInt(bitPattern: path.entry)))
    return path
  }

  private func place(of path: AnyKeyPath) -> Int {
    Int(bitPattern: ObjectIdentifier(path)) >> 4 & (recentCount - 1)
  }

  func free() { recent.deallocate() }
}

private let recentCount = 16

/// How many entries a class has for key paths that are equal to others.
private let mostEqualPaths = 256
