import CIsa

// Collections changed by their elements: through a proxy, by accessors, in the ivar.

extension Performer {
  func edit(_ edit: Edit) throws(Refusal) {
    switch edit.way {
    case .accessor: try sendAccessor(edit)
    case .proxy:
      if let proxy = try proxy(edit.target) { try perform(edit, on: proxy) }
    case .ivar: try perform(edit, on: try stored(edit.target))
    }
  }

  // MARK: Where

  /// A proxy for the property; a collection that is an object itself needs none. Nil if something
  /// on the way is nil.
  private func proxy(_ target: PropertyReference) throws(Refusal) -> isa_id? {
    let object = try world.object(target.object)
    guard !target.keys.isEmpty else { return object }
    var proxy: isa_id?
    let status =
      switch try kind(of: target) {
      case KVC_KIND_SET: kvc_proxy_make_set_for_path(object, target.path, &proxy)
      case KVC_KIND_ORDERED_SET: kvc_proxy_make_ordered_set_for_path(object, target.path, &proxy)
      default: kvc_proxy_make_array_for_path(object, target.path, &proxy)
      }
    try refusing(status)
    return world.releaseLater(proxy)
  }

  /// The kind of collection that the property holds, as it is declared or else at this moment.
  private func kind(of target: PropertyReference) throws(Refusal) -> kvc_kind {
    if let property = property(target), let type = CollectionType.named[property.type.name] {
      return type.kind.runtimeKind
    }
    var value: isa_id?
    try refusing(kvc_copy_value_for_path(try world.object(target.object), target.path, &value))
    return kvc_kind_of(world.releaseLater(value))
  }

  /// The collection in the ivar itself.
  private func stored(_ target: PropertyReference) throws(Refusal) -> isa_id {
    guard !target.keys.isEmpty else { return try world.object(target.object) }
    if let object = try parent(of: target),
      let property = property(target.keys.last!.text, of: object),
      property.declaration.ivarName != nil, property.type.isObject
    {
      let slot = world.ivarAddress(of: property, in: object).assumingMemoryBound(to: isa_id?.self)
      if let collection = slot.pointee { return collection }
    }
    throw Refusal(
      exception: "NSInvalidArgumentException", reason: "there is no collection in \(target)")
  }

  // MARK: Edits

  private func perform(_ edit: Edit, on collection: isa_id) throws(Refusal) {
    let objects = try objects(of: edit)
    guard edit.kind.hasIndexes else {
      return try refusing(perform(edit.kind, on: collection, objects))
    }
    let indexes = edit.indexes!
    guard indexes.isList else {
      let index = Int(bitPattern: indexes.indexes[0])
      let status =
        switch edit.kind {
        case .insert: kvc_ordered_insert(collection, objects, index)
        case .remove: kvc_ordered_remove(collection, index)
        default: kvc_ordered_replace(collection, index, objects)
        }
      return try refusing(status)
    }
    try Indexes.withSet(indexes.indexes) { set in
      switch edit.kind {
      case .insert: kvc_ordered_insert_many(collection, objects, set)
      case .remove: kvc_ordered_remove_many(collection, set)
      default: kvc_ordered_replace_many(collection, set, objects)
      }
    }
  }

  private func perform(
    _ kind: Edit.Kind, on collection: isa_id, _ objects: isa_id?
  ) -> isa_status {
    switch kind {
    case .add: kvc_collection_add(collection, objects)
    case .removeObject: kvc_collection_remove(collection, objects)
    case .union: kvc_set_unite(collection, objects)
    case .minus: kvc_set_subtract(collection, objects)
    case .intersect: kvc_set_intersect(collection, objects)
    default: kvc_collection_set_objects(collection, objects)
    }
  }

  private func objects(of edit: Edit) throws(Refusal) -> isa_id? {
    guard let literal = edit.objects else { return nil }
    return try world.object(for: literal)
  }

  /// Sends the accessor's message, as code outside the class would.
  private func sendAccessor(_ edit: Edit) throws(Refusal) {
    guard let object = try parent(of: edit.target) else { return }
    let key = edit.target.keys.last!.text
    let capitalised = key.prefix(1).uppercased() + key.dropFirst()
    let accessor = edit.accessor!
    let name = accessor.pattern.split(separator: "<Key>", omittingEmptySubsequences: false)
      .joined(separator: capitalised)
    let objects = try objects(of: edit)
    let index = edit.indexes?.indexes.first.map { Int(bitPattern: $0) } ?? 0
    try Indexes.withSet(edit.indexes?.indexes ?? []) { set in
      Arguments.with(objects, index, set) { object1, index, set in
        let arguments: [UnsafeMutableRawPointer?] =
          switch accessor {
          case .insert: [object1, index]
          case .remove: [index]
          case .replace: [index, object1]
          case .insertMany: [object1, set]
          case .removeMany: [set]
          case .replaceMany: [set, object1]
          default: [object1]
          }
        return isa_invoke_message(object, self.world.selector(name), arguments, nil)
      }
    }
  }

  // MARK: By hand

  func announce(_ edit: Edit, isWill: Bool) throws(Refusal) {
    let object = try world.object(edit.target.object)
    let key = edit.target.path
    if let kind = edit.kind.changeKind {
      return try Indexes.withSet(edit.indexes?.indexes ?? []) {
        isWill
          ? kvo_will_change_indexes(object, kind, $0, key)
          : kvo_did_change_indexes(object, kind, $0, key)
      }
    }
    let mutation = edit.kind.setMutation
    let objects = try objects(of: edit)
    try refusing(
      isWill
        ? kvo_will_change_set(object, key, mutation, objects)
        : kvo_did_change_set(object, key, mutation, objects))
  }
}

extension Edit.Kind {
  /// The kind of an ordered change.
  fileprivate var changeKind: kvo_change_kind? {
    switch self {
    case .insert: KVO_CHANGE_INSERTION
    case .remove: KVO_CHANGE_REMOVAL
    case .replace: KVO_CHANGE_REPLACEMENT
    default: nil
    }
  }

  fileprivate var setMutation: kvo_set_mutation {
    switch self {
    case .minus: KVO_SET_MINUS
    case .intersect: KVO_SET_INTERSECT
    case .fill: KVO_SET_SET
    default: KVO_SET_UNION
    }
  }
}

/// The places in which a message finds its arguments.
private enum Arguments {
  static func with(
    _ object: isa_id?, _ index: Int, _ set: UnsafePointer<kvc_index_set>,
    _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
      isa_status
  ) -> isa_status {
    var object = object
    var index = index
    var set = set
    return withUnsafeMutablePointer(to: &object) { object in
      withUnsafeMutablePointer(to: &index) { index in
        withUnsafeMutablePointer(to: &set) { body(object, index, $0) }
      }
    }
  }
}
