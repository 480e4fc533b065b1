import IsaKVO
public import IsaKVOBindings

/// What a context tells its lists.
protocol AnyLiveList: AnyObject {
  func lists(_ type: Managed.Type) -> Bool
  func enter(_ object: Managed)
  func leave(_ object: Managed)
  func reorder()
  func flush(_ changed: Set<Managed>)
}

/// The objects of a class that a filter shows, in order, as they are at each moment.
///
///     let adults = try context.objects(of: Person.self, .where(\.age, >=, 18), [.inSQLOrder(\.name)])
///     let rows = adults.observe(\.objects, options: [.old, .new]) { adults, change in … }
///
/// ``objects`` tells by index which objects come and which go. One that moves goes and comes; one of which
/// something else has changed is told as a replacement by itself. Within ``Context/performChanges(_:)``
/// each object is told once, at the end. The list ends when it is let go of.
public final class LiveList<Element: Managed>: KVObject, AnyLiveList {
  /// What is listed, in order.
  @Dynamic public private(set) var objects: [Element] = []
  private let controller = ArrayController<Element>()
  private var arrangement: KeyValueObservation?
  /// What has come or moved since the last flush.
  private var moved: Set<Managed> = []
  /// What the controller has, shown or not.
  private var listed: Set<Element>

  init(_ all: [Element], _ filter: Filter<Element>?, _ order: [SortKey<Element>]) {
    listed = Set(all)
    super.init()
    controller.automaticallyRearranges = true
    controller.selectsInsertedObjects = false
    controller.clearsFilterOnInsertion = false
    controller.filter = filter
    controller.sort = order + [.by { $0.row < $1.row }]
    controller.content = all
    objects = controller.arrangedObjects
    arrangement = controller.observe(\.arrangedObjects, options: [.old, .new]) {
      [unowned self] _, change in follow(change)
    }
  }

  private func follow(_ change: ValueChange<[Element]>) {
    let indexes = change.indexes ?? [], old = change.oldValue ?? [], new = change.newValue ?? []
    switch change.kind {
    case .removal: remove(old, at: indexes)
    case .insertion: insert(new, at: indexes)
    case .replacement: move(indexes, old, new)
    case .setting: objects = new
    }
  }

  /// Elements have changed places: of those between the places of one that moves, only that one goes and
  /// comes.
  private func move(_ indexes: [Int], _ old: [Element], _ new: [Element]) {
    let isOneStretch = indexes.last! - indexes[0] + 1 == indexes.count
    if isOneStretch, old.dropFirst() == new.dropLast() {
      remove([old[0]], at: [indexes[0]])
      insert([old[0]], at: [indexes.last!])
    } else if isOneStretch, old.dropLast() == new.dropFirst() {
      remove([new[0]], at: [indexes.last!])
      insert([new[0]], at: [indexes[0]])
    } else {
      remove(old, at: indexes)
      insert(new, at: indexes)
    }
  }

  private func remove(_ old: [Element], at indexes: [Int]) {
    let list = mutableArrayValue(for: \.objects), gone = Set(old)
    if indexes.count == 1 {
      list.remove(at: indexes[0])
    } else {
      list.removeAll(where: gone.contains)
    }
  }

  private func insert(_ new: [Element], at indexes: [Int]) {
    moved.formUnion(new)
    if indexes.count == 1 {
      return mutableArrayValue(for: \.objects).insert(new[0], at: indexes[0])
    }
    var all: [Element] = [], rest = objects[...]
    for (index, element) in zip(indexes, new) {
      let kept = index - all.count
      all += rest.prefix(kept) + [element]
      rest.removeFirst(kept)
    }
    withChange(of: \.objects, .insertion, at: indexes) {
      setPrimitiveValue(all + rest, for: \.objects, following: false)
    }
  }

  // MARK: What the context tells

  func lists(_ type: Managed.Type) -> Bool { type == Element.self }

  func enter(_ object: Managed) {
    guard let object = object as? Element else { return }
    if listed.insert(object).inserted {
      controller.add(object)
    } else {
      // It may have been found again, elsewhere.
      controller.rearrange()
    }
  }

  func leave(_ object: Managed) {
    guard let object = object as? Element else { return }
    if listed.remove(object) != nil { controller.remove(object) }
  }

  func reorder() { controller.rearrange() }

  func flush(_ changed: Set<Managed>) {
    let indexes = changed.subtracting(moved).compactMap { object in
      object is Element ? objects.firstIndex { $0 === object } : nil
    }
    for index in indexes.sorted() {
      willChange(.replacement, valuesAt: [index], for: \.objects)
      didChange(.replacement, valuesAt: [index], for: \.objects)
    }
    moved = []
  }
}

extension SortKey {
  /// Texts in the order in which SQLite has them: by the bytes of UTF-8.
  public static func inSQLOrder(_ property: KeyPath<Element, String>) -> SortKey {
    .by(property) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension Context {
  /// A list of the objects of a class; all of them are read for it.
  ///
  /// - Parameters:
  ///   - filter: Which are listed; all without one.
  ///   - order: Objects that no key tells apart stand in the order of their rows.
  public func objects<Element: Managed>(
    of type: Element.Type, _ filter: Filter<Element>? = nil, _ order: [SortKey<Element>] = []
  ) throws(StoreError) -> LiveList<Element> {
    let fetched = try fetch(type, isLoaded: true).filter { !$0.isGone }
    let unsaved = dirty.values.filter { $0.kind == .inserted }.compactMap { $0.object as? Element }
    let list = LiveList(fetched + unsaved, filter, order)
    lists.append { [weak list] in list }
    return list
  }
}
