// The observation of a key path by name that leads through a list, or on from several selected objects.
//
// Owns:      the watch of the objects that the first part of the key path leads to.
// Lives:     as the registration of that part has it, at the object that the key path begins at.
// Locks:     `state`, for a moment: objects are read and watched without.
// Invariant: objects are watched before the change is told that they came with.
internal import IsaKVO
internal import IsaRuntime

extension KVObject {
  /// Observes a key path by name, also through lists, and on from several selected objects.
  ///
  /// - Parameter tell: Told of each change, and nil where an object on the way has changed: the value is
  ///   to be read then.
  /// - Throws: As `observe(keyPath:options:changeHandler:)`.
  final func observe(
    named path: String, options: ObservationOptions,
    _ tell: @escaping (ValueChange<Any?>?) -> Void
  ) throws(KeyValueError) -> KeyValueObservation {
    if path.hasPrefix("@"), let controller = (self as? SelectionProxy)?.source {
      return try controller.observe(named: "selectedObjects.\(path)", options: options, tell)
    }
    guard let parts = MemberPath(path, from: self) else {
      return try observe(keyPath: path, options: options) { _, change in tell(change) }
    }
    let watch = MemberWatch(parts, home: self as? Controller) { tell(nil) }
    let token = try observe(keyPath: parts.head) { object, _ in
      watch.update(from: object)
      tell(nil)
    }
    return watch.start(on: self, token)
  }
}

/// Watches the objects that the first part of a key path leads to.
private final class MemberWatch: @unchecked Sendable {
  // Sendable because objects are watched by one thread at a time, and `state` is reached under its lock.
  private struct State {
    var isUpdating = false
    var isOutdated = false
    /// The selection that the objects are of.
    weak var proxy: SelectionProxy?
    /// The observation that this serves.
    weak var control: ObservationControl?
  }

  private let path: MemberPath
  private let tell: () -> Void
  private weak var home: Controller?
  private let state = Locked(State())
  private var members: [KVObject] = []
  private var watch: ElementWatch?
  /// The observation of the object that the key path begins at, where that is among the objects: it is
  /// not to be kept.
  private var own: KeyValueObservation?

  init(_ path: MemberPath, home: Controller?, _ tell: @escaping () -> Void) {
    self.path = path
    self.home = home
    self.tell = tell
    watch = path.rest.map { rest in
      ElementWatch([.name(rest, isOptional: true)]) { [weak self] _ in self?.memberChanged() }
    }
  }

  /// Watches the objects that there are.
  ///
  /// - Returns: The observation of the key path, of which `token` is a part.
  func start(on object: KVObject, _ token: KeyValueObservation) -> KeyValueObservation {
    let control = ObservationControl(token)
    state.withLock { $0.control = control }
    update(from: object)
    return KeyValueObservation(control)
  }

  // MARK: The objects

  /// Watches the objects that there are now. Where another thread is doing so, it does it once more.
  func update(from object: KVObject) {
    if watch == nil || isOthers() { return }
    repeat { take(from: object) } while isToBeRepeated()
  }

  private func isOthers() -> Bool {
    state.withLock { state in
      defer { (state.isOutdated, state.isUpdating) = (state.isUpdating, true) }
      return state.isUpdating
    }
  }

  private func isToBeRepeated() -> Bool {
    state.withLock { state in
      defer { (state.isUpdating, state.isOutdated) = (state.isOutdated, false) }
      return state.isOutdated
    }
  }

  private func take(from object: KVObject) {
    let all = objects(from: object), others = all.filter { $0 !== object }
    let old = members
    members = others
    let (come, gone) = others.difference(to: old)
    watch?.add(come)
    watch?.remove(gone)
    if others.count == all.count { own = nil } else if own == nil { own = observeOwn(object) }
  }

  private func observeOwn(_ object: KVObject) -> KeyValueObservation? {
    try? object.observe(named: path.rest!, options: []) { [weak self] _ in self?.memberChanged() }
  }

  /// The objects that the first part leads to; from several that are selected, those of each of them.
  private func objects(from object: KVObject) -> [KVObject] {
    let dot = path.head.lastIndex(of: ".")
    let owner =
      dot.map { try? object.value(forKeyPath: String(path.head[..<$0])) } ?? object
    let proxy = owner as? SelectionProxy
    state.withLock { $0.proxy = proxy }
    guard let proxy else { return list(try? object.value(forKeyPath: path.head)) }
    let key = dot.map { String(path.head[path.head.index(after: $0)...]) } ?? path.head
    return proxy.objects.flatMap { list(try? $0.value(forKey: key)) }
  }

  private func list(_ value: Any?) -> [KVObject] {
    if let object = value as? KVObject { return [object] }
    return NamedList<KVObject>.elements(in: value)
  }

  // MARK: Telling

  /// Tells that one of the objects has changed: a controller's, where the controller belongs.
  private func memberChanged() {
    // The selection tells of what is set through it, at the end.
    if state.withLock({ $0.proxy })?.isSetting == true { return }
    if let home { home.atHome { [weak self] in self?.tellOnce() } } else { tellOnce() }
  }

  private func tellOnce() {
    guard let control = state.withLock({ $0.control }) else { return }
    DeliveriesUnderWay.with(control) { if control.isValid { tell() } }
  }
}

extension [KVObject] {
  /// The objects that this list has and another has not, and the other way round; and perhaps some that
  /// are between those in both.
  ///
  /// - Complexity: O(*n*), in comparisons of addresses.
  fileprivate func difference(to old: [KVObject]) -> (come: [KVObject], gone: [KVObject]) {
    var start = 0, end = 0
    let shorter = Swift.min(count, old.count)
    while start < shorter, self[start] === old[start] { start += 1 }
    while end < shorter - start, self[count - 1 - end] === old[old.count - 1 - end] { end += 1 }
    return (Array(self[start..<(count - end)]), Array(old[start..<(old.count - end)]))
  }
}
