internal import IsaKVO
internal import IsaKeyValue

/// A property of a model to which a controller's content is bound. The model is not kept.
struct ModelValue<Value> {
  /// The value that is there now; nil once the model has gone.
  let read: () -> Value?
  /// Takes another value.
  let set: (Value) -> Void
}

extension ModelValue {
  /// A property by its key path.
  init<Model: KVObject>(of model: Model, _ property: ReferenceWritableKeyPath<Model, Value>) {
    read = { [weak model] in model?[keyPath: property] }
    set = { [weak model] in model?[keyPath: property] = $0 }
  }
}

/// The list of a model to which a controller's content is bound.
struct ContentSource<Element: AnyObject> {
  /// Inserts objects at an index, or at the end if that is nil.
  let insert: ([Element], Int?) -> Void
  /// Removes objects that are at indexes, which are upwards.
  let remove: ([Element], [Int]) -> Void
  /// Takes other objects.
  let set: ([Element]) -> Void
  /// The objects that are there now; nil once the model has gone.
  let read: () -> [Element]?
  /// Whether these may be others each time, which are told apart by their indexes.
  var isMadeAnew = false
}

extension ContentSource {
  /// A property of a model.
  init<Model: KVObject>(
    of model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>
  ) {
    let whole = ModelValue(of: model, property)
    self.init(
      insert: { [weak model] objects, index in
        guard let list = model?.mutableArrayValue(for: property) else { return }
        Self.insert(objects, at: index, into: list)
      },
      remove: { [weak model] objects, indexes in
        guard let list = model?.mutableArrayValue(for: property) else { return }
        Self.remove(objects, at: indexes, from: list)
      }, set: whole.set, read: whole.read)
  }

  /// A list that is set as a whole.
  ///
  /// - Parameter isMadeAnew: Whether its objects may be others each time, which are told apart by their
  ///   indexes.
  init(_ whole: ModelValue<[Element]>, isMadeAnew: Bool = false) {
    self.init(
      insert: { objects, index in
        guard var list = whole.read() else { return }
        list.insert(contentsOf: objects, at: min(index ?? list.count, list.count))
        whole.set(list)
      },
      remove: { objects, indexes in
        guard var list = whole.read() else { return }
        let places =
          isMadeAnew
          ? indexes.filter(list.indices.contains) : Self.places(of: objects, at: indexes, in: list)
        list.remove(at: places)
        whole.set(list)
      }, set: whole.set, read: whole.read, isMadeAnew: isMadeAnew)
  }

  // An observer of a model's list that is told before a change may change it. Then objects are
  // inserted at its end, and removed as far as they are still there.

  /// Inserts objects into a model's list, in one change.
  static func insert(_ objects: [Element], at index: Int?, into list: ArrayProxy<Element>) {
    func insert(at index: Int) throws(KeyValueError) {
      try list.attempt(.insertion, .range(index..<(index + objects.count)), objects)
    }
    do { try insert(at: min(index ?? .max, list.count)) } catch {
      endingMisuse(()) { () throws(KeyValueError) in try insert(at: list.count) }
    }
  }

  /// Removes objects from a model's list, in one change.
  static func remove(_ objects: [Element], at indexes: [Int], from list: ArrayProxy<Element>) {
    func remove() throws(KeyValueError) {
      try list.attempt(.removal, .each(places(of: objects, at: indexes, in: list)), [])
    }
    do { try remove() } catch { endingMisuse(()) { () throws(KeyValueError) in try remove() } }
  }

  /// The places of objects in a list: their indexes, or where else they are.
  static func places(
    of objects: [Element], at indexes: [Int], in list: some RandomAccessCollection<Element>
  ) -> [Int] {
    let now = Array(list)
    if zip(objects, indexes).allSatisfy({ $1 < now.count && now[$1] === $0 }) { return indexes }
    var finder = OccurrenceFinder(identities(of: now))
    return objects.compactMap { finder.take(ObjectIdentifier($0)) }.sorted()
  }
}
