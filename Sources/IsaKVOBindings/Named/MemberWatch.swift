// The observation of a key path by name that leads through a list, or on from several selected objects.
//
// Owns:      the watch of the objects that the first part of the key path leads to.
// Lives:     as the registration of that part has it, at the object that the key path begins at.
// Locks:     `state`, for a moment: objects are read and watched without.
// Invariant: objects are watched before the change is told that they came with.
internal import IsaKVO
internal import IsaKeyValue

extension KVObject {
  /// Observes a key path by name, also through lists, and on from several selected objects.
  ///
  /// - Parameters:
  ///   - readsValue: Whether a value that is set is to be told.
  ///   - tell: Told of each change.
  /// - Throws: As `observe(keyPath:options:changeHandler:)`.
  final func observe(
    named path: String, readsValue: Bool, _ notify: @escaping (NamedValue) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    if path.hasPrefix("@"), let controller = (self as? SelectionProxy)?.source {
      return try controller.observe(
        named: "selectedObjects.\(path)", readsValue: readsValue, notify)
    }
    guard let parts = MemberPath(path, from: self) else {
      return try register(named: path, readsValue: readsValue, telling: notify)
    }
    let watch = MemberWatch(parts, from: self) { notify(.changed) }
    let head = try register(named: parts.head, readsValue: false) { _ in
      watch.update()
      notify(.changed)
    }
    return watch.start(head)
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
    weak var control: RegistrationGroup?
  }

  private let head: String
  /// What is watched of each object; nil if nothing is.
  private let key: ElementKey?
  private let notify: () -> Void
  private weak var object: KVObject?
  private let state = Locked(State())
  private var members: [KVObject] = []
  private var watch: ElementWatch?
  /// The observation of the object that the key path begins at, where that is among the objects: it is
  /// not to be kept.
  private var own: KeyValueObservation?

  init(_ path: MemberPath, from object: KVObject, _ notify: @escaping () -> Void) {
    head = path.head
    key = path.rest.map { .name($0, isOptional: true) }
    self.object = object
    self.notify = notify
    watch = key.map { key in ElementWatch([key]) { [weak self] _ in self?.memberChanged() } }
  }

  /// Watches the objects that there are.
  ///
  /// - Returns: The registration for the key path, of which `head` is a part.
  func start(_ head: any RegistrationControl) -> any RegistrationControl {
    let control = RegistrationGroup()
    control.add(head)
    state.withLock { $0.control = control }
    update()
    return control
  }

  // MARK: The objects

  /// Watches the objects that there are now. Where another thread is doing so, it does it once more.
  func update() {
    guard watch != nil, let object, !isOthers() else { return }
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
    if others.count == all.count { return own = nil }
    own = own ?? key?.observe(object) { [weak self] _ in self?.memberChanged() }
  }

  /// The objects that the first part leads to; from several selected objects, the objects of each.
  private func objects(from object: KVObject) -> [KVObject] {
    let dot = head.lastIndex(of: ".")
    let owner =
      dot.map { try? object.value(forKeyPath: String(head[..<$0])) } ?? object
    let proxy = owner as? SelectionProxy
    state.withLock { $0.proxy = proxy }
    guard let proxy else { return list(try? object.value(forKeyPath: head)) }
    let key = dot.map { String(head[head.index(after: $0)...]) } ?? head
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
    guard let home = object as? Controller else { return notifyOnce() }
    home.atHome { [weak self] in self?.notifyOnce() }
  }

  private func notifyOnce() {
    guard let control = state.withLock({ $0.control }) else { return }
    DeliveriesUnderWay.with(control) { if control.isValid { notify() } }
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
