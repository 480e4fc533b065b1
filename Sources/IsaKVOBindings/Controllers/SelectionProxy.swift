public import IsaKVO
public import IsaKeyValue

/// An object with a selection, as a proxy asks it.
protocol SelectionSource: KVObject {
  /// The objects that observers know to be selected: in the middle of a change, those before it.
  var proxiedObjects: [KVObject] { get }
  /// Whether several objects have no common value even if their values are equal.
  var alwaysUsesMultipleValuesMarker: Bool { get }
  /// Whether a selection that was set is to be shown once there is something to select.
  var awaitsContent: Bool { get }
  /// Makes changes of objects that the controller follows together.
  func holding<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension SelectionSource {
  /// Makes changes of an object that the controller need not follow.
  func holding<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try body() }
}

/// The objects that a controller has selected, as if they were one: it has their keys.
///
///     try people.value(forKeyPath: "selection.name")          // a name, or a ``BindingMarker``
///     try people.setValue("Ann", forKeyPath: "selection.name") // names all that are selected
///     let token = try people.selection.observe("address.city", as: Any?.self) { … }
///
/// The value for a key is the selected object's value; of several objects, their common value. Else
/// it is a marker: `noSelection`, `multipleValues`, or `notApplicable` where one of them has no
/// such key. Nil is a value as any other.
///
/// A key is told when other objects are selected, and when it changes in a selected object. The
/// proxy is the same object as long as its controller lives; observe its keys, by
/// `"selection.name"` of the controller or by `"name"` of the proxy, and not `"selection"`, which
/// never changes. While several are selected, an observation of a longer key path, such as
/// `"selection.home.city"`, hears of its first key alone; a binding by name hears of each object's
/// whole key path.
///
/// - Note: Source `NSArrayController.selection`, AppKit.
public final class SelectionProxy: KVObject {
  private(set) weak var source: (any SelectionSource)?

  init(of source: any SelectionSource) {
    self.source = source
    super.init()
  }

  /// Declares the key on which all others depend.
  public override class var keys: [KeyDeclaration] {
    [.announced(rootKey, \SelectionProxy.root)]
  }

  /// Every key depends on the same key of the selected objects.
  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == rootKey ? [] : ["\(rootKey).\(key)"]
  }

  var objects: [KVObject] { source?.proxiedObjects ?? [] }

  /// The object to observe for any key: the selected object, or an object that stands for all of
  /// them.
  private var root: KVObject? {
    if isSetting { return nil }
    if let known { return known }
    known = SelectionNode.node(of: objects[...])
    return known
  }

  /// The root, if anybody has asked for it.
  private var known: KVObject?
  /// Whether a key is being set, which is told at the end.
  private(set) var isSetting = false

  // MARK: Reading

  /// The value for a key of the selected objects, or a marker.
  ///
  /// - Complexity: O(*n*) in the number of selected objects.
  public override func value(forUndefinedKey key: String) -> Any? {
    common { object throws(KeyValueError) in try object.value(forKey: key) }
  }

  /// The value at the end of a key path of the selected objects, or a marker; an operator at its start
  /// is asked of all of them.
  public override func value(forKeyPath keyPath: String) throws(KeyValueError) -> Any? {
    if keyPath.hasPrefix("@"), let source {
      return try source.value(forKeyPath: "selectedObjects.\(keyPath)")
    }
    if !isOfSelected(keyPath) { return try super.value(forKeyPath: keyPath) }
    return common { object throws(KeyValueError) in try object.value(forKeyPath: keyPath) }
  }

  /// Whether a key path leads through the selected objects, and not to a key of theirs.
  private func isOfSelected(_ keyPath: String) -> Bool {
    keyPath.contains(".") && !keyPath.hasPrefix("\(Self.rootKey).")
  }

  /// The value that the selected objects have in common, or a marker.
  private func common(_ read: (KVObject) throws(KeyValueError) -> Any?) -> Any? {
    let objects = objects
    // An object of which nothing can be read has no such key.
    func find(in object: KVObject) -> (value: Any?, Void)? {
      do { return (try read(object), ()) } catch { return nil }
    }
    guard let first = objects.first else { return BindingMarker.noSelection }
    guard let value = find(in: first) else { return BindingMarker.notApplicable }
    if objects.count == 1 { return value.value }
    var isCommon = source?.alwaysUsesMultipleValuesMarker != true
    for object in objects.dropFirst() {
      guard let other = find(in: object) else { return BindingMarker.notApplicable }
      isCommon = isCommon && areEqual(value.value, other.value)
    }
    return isCommon ? value.value : BindingMarker.multipleValues
  }

  // MARK: Setting

  /// Sets a key of each selected object, in the order in which they are shown; observers of the proxy
  /// are told once.
  ///
  /// - Throws: The error of the first object that does not take the value; those before it have.
  public override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    try set(key) { object throws(KeyValueError) in try object.setValue(value, forKey: key) }
  }

  /// Sets what a key path leads to from each selected object, as ``setValue(_:forKey:)``; once if it
  /// leads to the same object from several.
  public override func setValue(
    _ value: Any?, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    if !isOfSelected(keyPath) { return try super.setValue(value, forKeyPath: keyPath) }
    try set(keyPath) { object throws(KeyValueError) in
      try object.setValue(value, forKeyPath: keyPath)
    }
  }

  /// Sets each selected object, between the announcement of the first key and its end.
  private func set(
    _ keyPath: String, _ set: (KVObject) throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    let objects = objects(settingOnce: keyPath)
    if objects.isEmpty { return }
    let key = String(keyPath.prefix { $0 != "." })
    willChangeValue(forKey: key)
    let outer = isSetting
    listen(isSetting: true)
    defer {
      listen(isSetting: outer)
      didChangeValue(forKey: key)
    }
    guard let source else { return }
    try source.holding { () throws(KeyValueError) in
      for object in objects { try set(object) }
    }
  }

  /// The selected objects by which a key path leads to the objects whose property it is, to each once;
  /// none from which it leads to nil.
  private func objects(settingOnce keyPath: String) -> [KVObject] {
    var known: Set<ObjectIdentifier> = []
    return objects.filter { object in
      do throws(KeyValueError) {
        guard let owner = try object.owner(of: keyPath) else { return false }
        return (owner as? KVObject).map { known.insert(ObjectIdentifier($0)).inserted } ?? true
      } catch { return true }
    }
  }

  /// Has the proxy's observers leave the selected objects, or come back to them, and tells nobody.
  private func listen(isSetting: Bool) {
    muting {
      willChangeSelection()
      self.isSetting = isSetting
      didChangeSelection()
    }
  }

  /// Asks each selected object. Where one replaces the value, all are asked again, until it is a value
  /// that each of them accepts.
  ///
  /// - Throws: The first refusal; `KeyValueError.Code.invalid` if one object replaces each value that
  ///   another accepts.
  public override func validateValue(_ value: inout Any?, forKey key: String) throws {
    try judge(&value, key) { try $0.validateValue(&$1, forKey: key) }
  }

  /// Asks what a key path leads to from each selected object, as ``validateValue(_:forKey:)``.
  public override func validateValue(_ value: inout Any?, forKeyPath keyPath: String) throws {
    if !isOfSelected(keyPath) { return try super.validateValue(&value, forKeyPath: keyPath) }
    try judge(&value, keyPath) { try $0.validateValue(&$1, forKeyPath: keyPath) }
  }

  private func judge(
    _ value: inout Any?, _ keyPath: String, _ judge: (KVObject, inout Any?) throws -> Void
  ) throws {
    let judges = objects(settingOnce: keyPath)
    for _ in 0...judges.count {
      var isReplaced = false
      for object in judges {
        let given = value
        try judge(object, &value)
        isReplaced = isReplaced || !areEqual(given, value)
      }
      if judges.count < 2 || !isReplaced { return }
    }
    throw KeyValueError(
      .invalid, key: keyPath, className: className,
      reason: "no value of “\(keyPath)” suits all \(judges.count) selected objects: "
        + "each that one accepts another replaces",
      cure: "enter a value within the limits of all of them, or select fewer objects")
  }

  // MARK: Telling

  private static let rootKey = "_selectedRoot"

  /// Announces that other objects are going to be selected, or other values set.
  func willChangeSelection() { willChangeValue(forKey: Self.rootKey) }

  func didChangeSelection() {
    // Observers leave the old one while they are told of the new.
    let old = known
    known = nil
    didChangeValue(forKey: Self.rootKey)
    withExtendedLifetime(old) {}
  }
}
