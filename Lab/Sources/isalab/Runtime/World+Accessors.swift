import CIsa

// Accessors of elements: methods that change the collection in an ivar.

extension World {
  func addAccessors(
    _ names: [Name], of property: Symbols.Property, to cls: isa_class
  ) throws(Refusal) {
    let type = CollectionType.named[property.type.name]!
    let all = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
    let chosen =
      names.isEmpty ? all : all.filter { kind in names.contains { $0.text == kind.rawValue } }
    for accessor in chosen {
      let selector = property.declaration.selector(accessor.pattern)
      try Method.add(selector, accessor.types, to: cls) { [unowned self] object, _, arguments in
        do throws(Refusal) {
          let collection = try self.changeableCollection(of: property, type, in: object)
          try refusing(accessor.perform(on: collection, arguments))
        } catch {
          self.recorder.record(error)
        }
      }
    }
  }

  /// The collection in the property's ivar, made if there is none, copied if it cannot change.
  func changeableCollection(
    of property: Symbols.Property, _ type: CollectionType, in object: isa_id
  ) throws(Refusal) -> isa_id {
    let slot = ivarAddress(of: property, in: object).assumingMemoryBound(to: isa_id?.self)
    if let collection = slot.pointee, kvc_is_mutable(collection) { return collection }
    var made: isa_id?
    if let collection = slot.pointee {
      try refusing(kvc_collection_mutable_copy(collection, &made))
    } else {
      var empty: isa_id?
      try refusing(kvc_array_make(nil, 0, &empty))
      defer { isa_object_release(empty) }
      try refusing(kvc_collection_make(type.kind.runtimeKind, true, empty, &made))
    }
    isa_object_release(slot.pointee)
    slot.pointee = made
    return made!
  }
}

extension Accessor {
  private static let indexes = "^{kvc_index_set=}"

  fileprivate var types: String {
    switch self {
    case .insert: "v@:@Q"
    case .remove: "v@:Q"
    case .replace: "v@:Q@"
    case .insertMany: "v@:@" + Accessor.indexes
    case .removeMany: "v@:" + Accessor.indexes
    case .replaceMany: "v@:" + Accessor.indexes + "@"
    case .add, .removeObject, .union, .minus, .intersect: "v@:@"
    }
  }

  /// Does to a collection what the method is called with.
  fileprivate func perform(
    on collection: isa_id, _ arguments: UnsafePointer<UnsafeMutableRawPointer?>
  ) -> isa_status {
    typealias IndexSet = UnsafePointer<kvc_index_set>
    func object(_ index: Int) -> isa_id? { arguments.argument(index, as: isa_id?.self) }
    func number(_ index: Int) -> Int { arguments.argument(index, as: Int.self) }
    func indexes(_ index: Int) -> IndexSet? { arguments.argument(index, as: IndexSet?.self) }
    return switch self {
    case .insert: kvc_ordered_insert(collection, object(0), number(1))
    case .remove: kvc_ordered_remove(collection, number(0))
    case .replace: kvc_ordered_replace(collection, number(0), object(1))
    case .insertMany: kvc_ordered_insert_many(collection, object(0), indexes(1))
    case .removeMany: kvc_ordered_remove_many(collection, indexes(0))
    case .replaceMany: kvc_ordered_replace_many(collection, indexes(0), object(1))
    case .add: kvc_collection_add(collection, object(0))
    case .removeObject: kvc_collection_remove(collection, object(0))
    case .union: kvc_set_unite(collection, object(0))
    case .minus: kvc_set_subtract(collection, object(0))
    case .intersect: kvc_set_intersect(collection, object(0))
    }
  }
}
