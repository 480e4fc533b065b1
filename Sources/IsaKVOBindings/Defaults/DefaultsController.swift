public import IsaKVO

/// A program's settings between the store that keeps them and what shows them.
///
///     let defaults = DefaultsController(store, initialValues: ["size": 12, "name": "nobody"])
///     defaults.appliesImmediately = false
///     try sizeField.bind(.value, to: defaults, withKeyPath: "values.size")
///     // …
///     try defaults.save()     // or defaults.revert()
///
/// ``values`` has a key for each setting, whose value is the initial one as long as nothing is stored.
/// A change that somebody else makes in the store is told through it.
///
/// The keys for key-value coding are the names of the properties: `values`, `hasUnappliedChanges`,
/// `appliesImmediately` and `initialValues`.
///
/// - Note: Source `NSUserDefaultsController`, AppKit.
open class DefaultsController: Controller {
  /// Whether a value that is set is stored at once; true at first. Values that were set before it
  /// becomes true are stored by ``save()``.
  @Dynamic public var appliesImmediately = true

  /// The store, which is kept.
  public final let store: any DefaultsStore

  private var initial: [String: Any]
  /// The values that are set and not stored; nil for a value that is to be removed.
  private var unapplied: [String: Any?] = [:]
  /// The values that are shown instead of the present ones, while their changes are announced.
  private var past: [String: Any?] = [:]
  private lazy var proxy = DefaultsValues(of: self)

  /// Makes a controller of a store's values.
  ///
  /// - Parameters:
  ///   - store: Keeps the values; it is kept.
  ///   - initialValues: Shown for keys for which nothing is stored; they are not stored by that.
  public init(_ store: any DefaultsStore, initialValues: [String: Any] = [:]) {
    self.store = store
    initial = initialValues
    super.init()
    store.changes.add(self)
  }

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("values", \DefaultsController.values),
      .announced("initialValues", \DefaultsController.initialValues),
      .announced("hasUnappliedChanges", \DefaultsController.hasUnappliedChanges),
    ]
  }

  // MARK: Values

  /// The settings by their keys: an object that has any key, and stays the same.
  public var values: DefaultsValues { proxy }

  /// The values for keys for which nothing is stored, and nothing is set. Setting this tells the keys
  /// whose values are others then.
  public var initialValues: [String: Any] {
    get { reading("initialValues") { initial } }
    set {
      let keys = Set(initial.keys).union(newValue.keys).filter { key in
        unapplied[key] == nil && store.defaultsValue(forKey: key) == nil
          && !areEqual(initial[key], newValue[key])
      }
      announcing("initialValues") { announcing(keys.sorted()) { initial = newValue } }
    }
  }

  /// Whether values are set that are not stored; told to observers.
  ///
  /// A value that is set back to the stored one is no change.
  public var hasUnappliedChanges: Bool {
    reading("hasUnappliedChanges") { !unapplied.isEmpty }
  }

  /// The value that is shown for a key.
  final func shown(_ key: String) -> Any? {
    if let value = past[key] { return value }
    if let value = unapplied[key] { return value ?? initial[key] }
    return stored(key)
  }

  /// The value for a key if nothing is set.
  private func stored(_ key: String) -> Any? { store.defaultsValue(forKey: key) ?? initial[key] }

  // MARK: Setting

  /// Sets a value, or removes it if nil.
  final func set(_ value: Any?, _ key: String) throws(KeyValueError) {
    if appliesImmediately { return try apply(value, key) }
    let isOther = !areEqual(value ?? initial[key], shown(key)), isKept = isStored(value, key)
    change(isOther ? [key] : []) { $0[key] = isKept ? nil : .some(value) }
  }

  /// Whether storing a value, or removing it if nil, would change nothing.
  private func isStored(_ value: Any?, _ key: String) -> Bool {
    value == nil ? store.defaultsValue(forKey: key) == nil : areEqual(value, stored(key))
  }

  /// Puts a value into the store, which tells ``storeDidChange(_:old:)``.
  private func apply(_ value: Any?, _ key: String) throws(KeyValueError) {
    let before = shown(key)
    try store.setDefaultsValue(value, forKey: key)
    guard unapplied[key] != nil else { return }
    change([]) { $0[key] = nil }
    notify(key, before: before)
  }

  /// Changes the values that are not stored, between the announcement and the end of the change.
  private func change(_ keys: [String], _ change: (inout [String: Any?]) -> Void) {
    var next = unapplied
    change(&next)
    if next.isEmpty == unapplied.isEmpty {
      announcing(keys) { change(&unapplied) }
    } else {
      announcing("hasUnappliedChanges") { announcing(keys) { change(&unapplied) } }
    }
  }

  // MARK: Saving

  /// Has the editors commit, and puts all values into the store that are set and not stored.
  ///
  /// - Throws: An editor's refusal, and nothing is stored; or the store's, of the first key in their
  ///   order: the values before it are stored, that one and those behind it are not.
  /// - Note: Source `save:`, NSUserDefaultsController.
  open func save() throws(KeyValueError) {
    try commitEditing()
    for key in unapplied.keys.sorted() {
      guard let value = unapplied[key] else { continue }
      try apply(value, key)
    }
  }

  /// Has the editors discard, and drops the values that are set and not stored: the stored ones are
  /// shown again.
  ///
  /// - Note: Source `revert:`, NSUserDefaultsController.
  open func revert() {
    discardEditing()
    let keys = unapplied.keys.filter { !areEqual(shown($0), stored($0)) }
    change(keys.sorted()) { $0 = [:] }
  }

  /// Has the editors discard, and sets each key that has an initial value to that: in the store at once
  /// if the controller applies immediately, else when it saves.
  ///
  /// - Throws: The store's reason for not keeping a value; the keys before it, in their order, are set.
  /// - Note: Source `revertToInitialValues:`, NSUserDefaultsController.
  open func revertToInitialValues() throws(KeyValueError) {
    discardEditing()
    for key in initial.keys.sorted() {
      if let value = initial[key], !areEqual(value, shown(key)) { try set(value, key) }
    }
  }

  // MARK: Telling

  /// Tells that the store has another value for a key.
  final func storeDidChange(_ key: String, old: Any?) {
    atHome { [weak self] in
      guard let self else { return }
      guard let value = unapplied[key] else { return notify(key, before: old ?? initial[key]) }
      // A value that is set and not stored is shown as it was, and is no change once it is stored.
      if isStored(value, key) { change([]) { $0[key] = nil } }
    }
  }

  /// Announces a change that has been made already; the value is shown as it was until that is told.
  private func notify(_ key: String, before: Any?) {
    if areEqual(before, shown(key)) { return }
    let outer = past[key]
    past[key] = .some(before)
    proxy.willChangeValue(forKey: key)
    past[key] = outer
    proxy.didChangeValue(forKey: key)
  }

  /// Makes a change of values between its announcement and its end.
  private func announcing(_ keys: [String], _ change: () -> Void) {
    for key in keys { proxy.willChangeValue(forKey: key) }
    change()
    for key in keys.reversed() { proxy.didChangeValue(forKey: key) }
  }
}
