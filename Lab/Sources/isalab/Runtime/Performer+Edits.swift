import IsaRuntime

// Collections changed by their elements: through a proxy, by accessors, in the ivar.

extension Performer {
  func edit(_ edit: Edit) throws(KeyValueError) {
    switch edit.way {
    case .accessor: try sendAccessor(edit)
    case .proxy: try proxy(edit.target)?.perform(try change(by: edit))
    case .ivar: try ChangeableCollection(try stored(edit.target)).perform(try change(by: edit))
    }
  }

  // MARK: Where

  /// A proxy for the property; a collection that is an object itself needs none. Nil if something
  /// on the way is nil.
  private func proxy(_ target: PropertyReference) throws(KeyValueError) -> ChangeableCollection? {
    let object = try world.object(target.object)
    guard !target.keys.isEmpty else { return ChangeableCollection(object) }
    let kind = try kind(of: target)
    if target.keys.count > 1, try parent(of: target) == nil { return nil }
    return try ChangeableCollection(kind, ofKeyPath: target.path, of: object)
  }

  /// The kind of collection that the property holds, as it is declared or else at this moment.
  private func kind(of target: PropertyReference) throws(KeyValueError) -> RuntimeBoxKind? {
    if let property = property(target), let type = CollectionType.named[property.type.name] {
      return type.kind.boxKind
    }
    return try world.object(target.object).value(forKeyPath: target.path).object?.boxKind
  }

  /// The collection in the ivar itself.
  private func stored(_ target: PropertyReference) throws(KeyValueError) -> RuntimeObject {
    guard !target.keys.isEmpty else { return try world.object(target.object) }
    if let object = try parent(of: target),
      let property = property(target.keys.last!.text, of: object), property.type.isObject,
      let ivar = property.declaration.ivarName, let collection = object.ivar(named: ivar)?.object
    {
      return collection
    }
    throw KeyValueError(.invalidArgument, reason: "there is no collection in \(target)")
  }

  // MARK: Edits

  private func change(by edit: Edit) throws(KeyValueError) -> ChangeableCollection.Change {
    let objects = try objects(of: edit)
    let elements = objects.elements ?? []
    let indexes = edit.indexes?.places ?? []
    let isList = edit.indexes?.isList ?? false
    return switch edit.kind {
    case .insert:
      isList ? .insertMany(elements, at: indexes) : .insert(objects, at: indexes[0])
    case .remove: isList ? .removeMany(at: indexes) : .remove(at: indexes[0])
    case .replace:
      isList ? .replaceMany(at: indexes, with: elements) : .replace(at: indexes[0], with: objects)
    case .add: .add(objects)
    case .removeObject: .removeObject(objects)
    case .union: .union(elements)
    case .minus: .minus(elements)
    case .intersect: .intersect(elements)
    case .fill: .fill(elements)
    }
  }

  private func objects(of edit: Edit) throws(KeyValueError) -> RuntimeValue {
    guard let literal = edit.objects else { return .nilObject }
    return try world.value(of: literal)
  }

  /// Sends the accessor's message, as code outside the class would.
  private func sendAccessor(_ edit: Edit) throws(KeyValueError) {
    guard let object = try parent(of: edit.target) else { return }
    let key = edit.target.keys.last!.text
    let accessor = edit.accessor!
    let selector = RuntimeSelector(
      accessor.pattern.split(separator: "<Key>", omittingEmptySubsequences: false)
        .joined(separator: key.capitalisedFirst))
    let objects = try objects(of: edit)
    let index = RuntimeValue(edit.indexes?.indexes.first ?? 0)
    try Indexes.withSet(edit.indexes?.places ?? []) { set throws(KeyValueError) in
      let arguments =
        switch accessor {
        case .insert: [objects, index]
        case .remove: [index]
        case .replace: [index, objects]
        case .insertMany: [objects, set]
        case .removeMany: [set]
        case .replaceMany: [set, objects]
        default: [objects]
        }
      try object.send(selector, arguments: arguments)
    }
  }

  // MARK: By hand

  func announce(_ edit: Edit, isWill: Bool) throws(KeyValueError) {
    let object = try world.object(edit.target.object)
    let key = edit.target.path
    if let kind = edit.kind.changeKind {
      let indexes = edit.indexes?.places ?? []
      return try isWill
        ? object.willChange(kind, valuesAt: indexes, forKey: key)
        : object.didChange(kind, valuesAt: indexes, forKey: key)
    }
    let mutation = edit.kind.setMutation
    let objects = try objects(of: edit)
    guard let elements = objects.elements else {
      throw KeyValueError(.invalidArgument, reason: "a set of objects was expected")
    }
    try isWill
      ? object.willChangeValue(forKey: key, withSetMutation: mutation, using: elements)
      : object.didChangeValue(forKey: key, withSetMutation: mutation, using: elements)
  }
}

extension Edit.Kind {
  /// The kind of an ordered change.
  fileprivate var changeKind: ChangeKind? {
    switch self {
    case .insert: .insertion
    case .remove: .removal
    case .replace: .replacement
    default: nil
    }
  }

  fileprivate var setMutation: SetMutation {
    switch self {
    case .minus: .minus
    case .intersect: .intersect
    case .fill: .set
    default: .union
    }
  }
}
