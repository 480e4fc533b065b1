public import IsaKVO
internal import IsaKeyValue

/// A dictionary between a model and what shows it as a list: its keys and values, sorted, filtered,
/// and with a selection.
///
///     let headers = DictionaryController<String>()
///     headers.sort = [.ascending(\.key)]
///     headers.excludedKeys = ["Cookie"]
///     headers.bindContentDictionary(to: request, \.headers)
///     headers.arrangedObjects[0].value = "text/plain"   // sets request.headers["Accept"]
///     headers.add()                                     // sets request.headers["key"] = "value"
///
/// The elements are a ``DictionaryPair`` for each key, the same one as long as the key is there.
/// Pairs that come in one change are in the order of their keys. Adding and removing pairs changes
/// ``contentDictionary``; a pair whose key is there already gets it with a number, such as `key1`.
///
/// - Note: Source `NSDictionaryController`, AppKit.
open class DictionaryController<Value>: ArrayController<DictionaryPair<Value>> {
  /// The key of a pair that `add()` adds, as long as no pair has it; `key` at first.
  @Dynamic public var initialKey = "key"
  /// The value of a pair that `add()` adds; `value` at first if that is one, else nil, and then none
  /// is added.
  @Dynamic public var initialValue: Value? = "value" as? Value

  private var entries: [String: Value] = [:]
  private var included: [String] = []
  private var excluded: Set<String> = []
  /// The model to which the dictionary is bound.
  private var model: ModelValue<[String: Value]>?
  private var modelToken: KeyValueObservation?

  /// Makes a controller of an empty dictionary.
  public override init() {
    super.init()
    makeObject = { [unowned self] in
      initialValue.map { DictionaryPair(unique(initialKey), $0) }
    }
    source = ContentSource(
      insert: { [unowned self] pairs, index in insertPairs(pairs, index) },
      remove: { [unowned self] pairs, _ in removePairs(pairs) },
      set: { [unowned self] pairs in setPairs(pairs) },
      read: { [unowned self] in items })
  }

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("contentDictionary", \DictionaryController.contentDictionary)
    ]
  }

  // MARK: Content

  /// The dictionary; observers are told of each change, made by anybody. Setting it keeps the pairs
  /// of keys that stay.
  public var contentDictionary: [String: Value] {
    get { reading("contentDictionary") { entries } }
    set { change(to: newValue) }
  }

  /// Keys that are always shown, whether or not the dictionary has them.
  public var includedKeys: [String] {
    get { included }
    set {
      let others = items.filter { included.contains($0.name) != newValue.contains($0.name) }
      for pair in others { pair.willChangeValue(forKey: "explicitlyIncluded") }
      included = newValue
      for pair in others { pair.didChangeValue(forKey: "explicitlyIncluded") }
      showPairs()
    }
  }

  /// Keys that are not shown, unless they are ``includedKeys``; the dictionary keeps their values.
  public var excludedKeys: Set<String> {
    get { excluded }
    set {
      excluded = newValue
      showPairs()
    }
  }

  private func isShown(_ key: String) -> Bool {
    included.contains(key) || entries[key] != nil && !excluded.contains(key)
  }

  /// The key, or the key with the first number behind it that neither the dictionary nor a pair
  /// has.
  private func unique(_ key: String, besides pair: DictionaryPair<Value>? = nil) -> String {
    let shown = Set(items.lazy.filter { $0 !== pair }.map(\.name))
    var unique = key, number = 0
    while shown.contains(unique) || entries[unique] != nil && unique != pair?.name {
      number += 1
      unique = "\(key)\(number)"
    }
    return unique
  }

  // MARK: Changing

  /// Takes another dictionary, and puts it into the model.
  private func change(to next: [String: Value]) {
    take(next)
    guard let model else { return }
    model.set(next)
    if let now = model.read() { take(now) }
  }

  /// Takes the model's dictionary, of which the model tells later in a transaction.
  private func takeModelDictionary() {
    if DeliveryScope.mayWait, let now = model?.read(), !areEqual(now, entries) { take(now) }
  }

  /// Takes another dictionary, and shows its pairs.
  private func take(_ next: [String: Value]) {
    if areEqual(next, entries) { return showPairs() }
    let others = items.filter { !areEqual($0.content, next[$0.name]) }
    willChangeValue(forKey: "contentDictionary")
    entries = next
    for pair in others where next[pair.name] != nil || included.contains(pair.name) {
      pair.take(value: next[pair.name]) {}
    }
    didChangeValue(forKey: "contentDictionary")
    showPairs()
  }

  /// Shows a pair for each key that is to be shown.
  private func showPairs() {
    let left = items.indices.filter { !isShown(items[$0].name) }
    let known = Set(items.map(\.name))
    let keys = Set(entries.keys).union(included).filter { isShown($0) && !known.contains($0) }
    for index in left { items[index].owner = nil }
    let come = keys.sorted().map { DictionaryPair($0, entries[$0]) }
    for pair in come { pair.owner = self }
    var next = items
    next.remove(at: left)
    if come.isEmpty, !left.isEmpty { return follow(.removal, left, [], now: next) }
    setItems(next + come)
  }

  // MARK: By pairs

  /// Sets the value for a key, or takes it away if nil.
  final func write(_ value: Value?, for key: String) {
    takeModelDictionary()
    var next = entries
    next[key] = value
    change(to: next)
  }

  /// Gives a pair another key.
  final func rename(_ pair: DictionaryPair<Value>, _ key: String) {
    takeModelDictionary()
    let old = pair.name
    if key == old || included.contains(old) { return }
    let key = unique(key, besides: pair)
    pair.take(key: key) {
      var next = entries
      next[key] = next.removeValue(forKey: old)
      change(to: next)
    }
  }

  private func insertPairs(_ pairs: [DictionaryPair<Value>], _ index: Int?) {
    takeModelDictionary()
    var known = Set(items.map { ObjectIdentifier($0) })
    let pairs = pairs.filter { known.insert(ObjectIdentifier($0)).inserted }
    if pairs.isEmpty { return }
    for pair in pairs { pair.owner?.giveAway(pair) }
    var next = entries, all = items
    for pair in pairs { adopt(pair, into: &next) }
    let come = pairs.filter { next[$0.name] != nil && !excluded.contains($0.name) }
    let start = min(index ?? all.count, all.count)
    all.insert(contentsOf: come, at: start)
    willChangeValue(forKey: "contentDictionary")
    entries = next
    follow(.insertion, Array(start..<(start + come.count)), come, now: all)
    didChangeValue(forKey: "contentDictionary")
    change(to: next)
  }

  /// Shows another pair in the place of a pair that another controller takes.
  private func giveAway(_ pair: DictionaryPair<Value>) {
    guard let index = items.firstIndex(where: { $0 === pair }) else { return }
    var next = items
    next[index] = DictionaryPair(pair.name, pair.content)
    next[index].owner = self
    follow(.replacement, [index], [next[index]], now: next)
  }

  /// Takes a pair of nobody's under a key that is free.
  private func adopt(_ pair: DictionaryPair<Value>, into next: inout [String: Value]) {
    let (outer, value) = (entries, pair.content)
    // Those before it have their keys.
    entries = next
    let key = unique(pair.name)
    entries = outer
    pair.owner = self
    if key != pair.name { pair.take(key: key) {} }
    next[key] = value
  }

  private func removePairs(_ pairs: [DictionaryPair<Value>]) {
    takeModelDictionary()
    var next = entries
    for pair in pairs { next[pair.name] = nil }
    change(to: next)
  }

  /// Takes pairs in place of the shown ones; pairs that are not shown stay.
  private func setPairs(_ pairs: [DictionaryPair<Value>]) {
    let gone = items.filter { pair in !pairs.contains { $0 === pair } }
    removePairs(gone)
    insertPairs(pairs, nil)
  }

  // MARK: Binding

  /// Keeps the dictionary what a property of a model is, and changes of pairs change that.
  ///
  /// A binding that there was ends, and so does this one with either end; the dictionary stays then.
  ///
  /// - Parameters:
  ///   - model: Neither end retains the other.
  ///   - property: A wrapped property, or a property that announces its changes. Any other is a
  ///     misuse, and nothing is bound.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source the binding `contentDictionary`, AppKit.
  public func bindContentDictionary<Model: KVObject>(
    to model: Model, _ property: ReferenceWritableKeyPath<Model, [String: Value]>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let token = model.observe(
      property,
      changeHandler: { [weak self] model, _ in self?.take(model[keyPath: property]) },
      file: file, line: line)
    bind(ModelValue(of: model, property), token)
  }

  /// Keeps the dictionary what one by name is, such as that of the object that another controller has
  /// selected. It is empty where there is none: nil on the way, or a ``BindingMarker``.
  ///
  /// As the form for a property. A model that refuses a dictionary is a misuse, and what it has is
  /// shown.
  ///
  /// - Throws: `KeyValueError.Code.notObservable` for a key that nothing answers to; nothing is bound,
  ///   and the binding that there was stays.
  public func bindContentDictionary(
    to model: KVObject, withKeyPath keyPath: String,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) {
    func read(_ model: KVObject) -> [String: Value] {
      // Nothing answers to the key path in an object of another class.
      do { return try model.value(forKeyPath: keyPath) as? [String: Value] ?? [:] } catch {
        return [:]
      }
    }
    try model.checkSettings(on: keyPath)
    let token = try model.observe(
      keyPath, as: Any?.self,
      changeHandler: { [weak self] model, _ in
        self?.updatePlace()
        self?.take(read(model))
      }, file: file, line: line)
    bind(
      ModelValue(
        read: { [weak model] in model.map(read) },
        set: { [weak model] dictionary in
          guard let model else { return }
          endingMisuse(()) { () throws(KeyValueError) in
            try model.setValue(dictionary, forKeyPath: keyPath)
          }
        }), token)
    contentPath = ContentPath(model: model, keyPath: keyPath)
  }

  /// Ends the binding of the dictionary, which stays as it is.
  public func unbindContentDictionary() { (model, modelToken, contentPath) = (nil, nil, nil) }

  private func bind(_ model: ModelValue<[String: Value]>, _ token: KeyValueObservation) {
    if !token.isValid { return }
    (self.model, modelToken, contentPath) = (model, token, nil)
    if let now = model.read() { take(now) }
  }
}
