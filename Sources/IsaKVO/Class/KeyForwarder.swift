// Keys whose values depend on things that the core does not know: on the properties that an
// overridden getter reads, or on key paths that are more than keys.
//
// In the core such a key depends on a key path of one more object, its forwarder. The core asks for
// the forwarder when it begins to observe the key, and leaves it an observer object for each
// registration. So all observers of the key hear of a change alike, and a change that comes by
// several routes notifies once.
//
// Owns:  a forwarder its evaluated path, while anybody observes the key.
// Lives: with its object, which keeps it.
// Locks: a lock around each forwarder's observers; nobody's code runs under it.
internal import CIsa
internal import IsaKeyValue

/// The key that the core finds a forwarder by.
enum ForwarderKey {
  // No name of a property in the source has a parenthesis.
  private static let ending = " (forwarder)"

  /// The key path that affects a key.
  static func path(_ key: String) -> String { key + ending + ".change" }

  /// The key that a forwarder's key belongs to; nil for any other.
  static func forwarded(_ key: String) -> String? {
    key.hasSuffix(ending) ? String(key.dropLast(ending.count)) : nil
  }
}

extension KVObject {
  /// The forwarder that the core asks for by this key; nil for any other key.
  final func forwarder(_ name: String) -> KeyForwarder? {
    guard let key = ForwarderKey.forwarded(name), (try? KeyForwarder.takesObservers.get()) != nil
    else { return nil }
    return try? kept { KeyForwarders() }.forwarder(of: key, of: self)
  }
}

/// The forwarders of one object, which keeps this.
private final class KeyForwarders: Sendable {
  private let known = Locked<[String: Unchecked<KeyForwarder>]>([:])

  func forwarder(of key: String, of object: KVObject) -> KeyForwarder {
    let made = Unchecked(KeyForwarder(object, key))
    return known.withLock { known in
      defer { known[key] = known[key] ?? made }
      return known[key] ?? made
    }.value
  }
}

/// Tells the core's observers of a key what the core does not know to affect it.
final class KeyForwarder: KVObject {
  private struct State: @unchecked Sendable {
    var observers: [ForwardingObserver] = []
    var path: ForwardedPath?
  }

  private let state = Locked(State())
  private let root: Unmanaged<KVObject>
  private let key: String

  fileprivate init(_ root: KVObject, _ key: String) {
    self.root = keepMemory(of: root)
    self.key = key
  }

  deinit { dropMemory(of: root) }

  /// Has an observer told; the first one has the key's value followed.
  func add(_ observer: ForwardingObserver) throws(KeyValueError) {
    guard let root = livingObject(root), let registration = root.registration else { return }
    try registration.checkActor(key, of: ObjectIdentifier(root))
    let made = Unchecked(ForwardedPath(root, key, registration.forwardedPaths(key), self))
    let isFirst = state.withLock { state in
      state.observers.append(observer)
      defer { state.path = state.path ?? made.value }
      return state.path == nil
    }
    guard isFirst else { return state.withLock { Unchecked($0.path) }.value?.check() ?? () }
    do throws(KeyValueError) {
      try made.value.start()
    } catch {
      remove(observer)
      throw error
    }
  }

  /// Ends that; the last one's end is that of following.
  func remove(_ observer: ForwardingObserver) {
    let unneeded = state.withLock { state -> Unchecked<ForwardedPath?> in
      if let index = state.observers.lastIndex(of: observer) { state.observers.remove(at: index) }
      guard state.observers.isEmpty else { return Unchecked(nil) }
      defer { state.path = nil }
      return Unchecked(state.path)
    }
    unneeded.value?.stop()
  }

  /// Tells of a change, as the core does: before it in the order of registration, then the other way
  /// round.
  fileprivate func notify(isPrior: Bool) {
    let observers = state.withLock { $0.observers.map { $0.retain() } }
    for observer in isPrior ? observers : observers.reversed() {
      observer.notifyAndRelease(isPrior: isPrior)
    }
  }
}

/// The key paths that affect a key, evaluated to hear what they read.
private final class ForwardedPath: EvaluatedPath, @unchecked Sendable {
  override var name: String { key }

  private let key: String
  private let paths: Set<AnyKeyPath>
  private weak var forwarder: KeyForwarder?
  private let silence = Locked(Silence())
  /// Of a getter that reads nothing: it hears when the inherited property is set.
  private let setting = Locked<ClosureRegistration?>(nil)

  /// The facts of a getter that reads nothing that can be observed.
  private struct Silence {
    var isSilent = false
    /// The value by its hash, as it was when it was last told.
    var known: Int?
  }

  init(_ root: KVObject, _ key: String, _ paths: Set<AnyKeyPath>, _ forwarder: KeyForwarder) {
    self.key = key
    self.paths = paths
    self.forwarder = forwarder
    super.init(root, nil, .prior, isPart: true, layout: ValueLayout(of: Void.self))
  }

  /// No value is kept: the core reads what observers ask for.
  override func read(_ root: KVObject, to place: UnsafeMutableRawPointer) -> Bool {
    for path in paths { _ = (root as Any)[keyPath: path] }
    return false
  }

  // MARK: Changes that nobody can hear of

  func start() throws(KeyValueError) {
    try start { [silence] list in
      silence.withLock { $0.isSilent = list.keys.isEmpty }
      return false
    }
    guard silence.withLock({ $0.isSilent }), let id = root?.adoptedID else { return }
    note()
    let sink = Sink { [weak self] _, _, _, _ in self?.note() }
    let registration = ClosureRegistration.register(sink, on: id, name, .own).registration
    setting.withLock { $0 = registration }
  }

  func stop() {
    check()
    setting.withLock { $0 }?.invalidate()
    invalidate()
  }

  /// Reports, the first time, that the value is another one, and nobody was told.
  func check() {
    guard let root, let registration = root.registration,
      let known = silence.withLock({ $0.known }), let now = value(of: root), now != known,
      registration.getterAnswers.withLock({ $0.unheard.insert(name).inserted })
    else { return }
    isa_report_misuse(
      KVO_ERR_INCONSISTENT, nil,
      "\(name) of \(registration.type) has changed and its observers were not told: the class's own "
        + "getter reads no property that can be observed; wrap what it reads with @Dynamic, or have the "
        + "setter announce the change by withChange(of:)")
  }

  private func note() {
    guard let root, let value = value(of: root) else { return }
    silence.withLock { $0.known = value }
  }

  private func value(of root: KVObject) -> Int? {
    guard let path = paths.first, let value = (root as Any)[keyPath: path] else { return nil }
    return (value as? AnyHashable)?.hashValue
  }

  // MARK: Telling

  /// None: the core's observers heed the scopes.
  override func due(of root: KVObject) -> Due? { nil }

  override func deliver(_ notification: Notification, of root: KVObject) {
    guard let id = root.adoptedID, !DeclaredSetting.isUnderWay(id, name) else { return }
    // A change of the key itself is told by the core.
    if notification.cause?.key == name, kvo_find_changing() == id { return }
    forwarder?.notify(isPrior: notification.isPrior)
  }
}
