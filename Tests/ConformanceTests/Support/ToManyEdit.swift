import CIsa
import CIsaTestSupport
import Testing

/// A change of the objects of a to-many key.
enum ToManyEdit: Sendable {
  case insert([Int], at: [Int])
  case remove(at: [Int])
  case replace([Int], at: [Int])
  case union([Int])
  case minus([Int])
  case intersect([Int])
  case set([Int])
}

// MARK: - Through a collection

extension ToManyEdit {
  /// Changes a collection, or a proxy that stands for one.
  func apply(to collection: Kept) throws {
    switch self {
    case .insert(let numbers, let indexes): try insert(numbers, indexes, collection.id)
    case .remove(let indexes): try remove(indexes, collection.id)
    case .replace(let numbers, let indexes): try replace(numbers, indexes, collection.id)
    case .union(let numbers): try by(numbers) { kvc_set_unite(collection.id, $0) }
    case .minus(let numbers): try by(numbers) { kvc_set_subtract(collection.id, $0) }
    case .intersect(let numbers): try by(numbers) { kvc_set_intersect(collection.id, $0) }
    case .set(let numbers): try by(numbers) { kvc_collection_set_objects(collection.id, $0) }
    }
  }

  private func insert(_ numbers: [Int], _ indexes: [Int], _ id: isa_id) throws {
    guard numbers.count > 1 else {
      let object = try Kept.number(numbers[0])
      return try succeed(kvc_ordered_insert(id, object.id, indexes[0]))
    }
    let objects = try Kept.array(numbers)
    try withIndexes(indexes) { try succeed(kvc_ordered_insert_many(id, objects.id, $0)) }
  }

  private func remove(_ indexes: [Int], _ id: isa_id) throws {
    guard indexes.count > 1 else { return try succeed(kvc_ordered_remove(id, indexes[0])) }
    try withIndexes(indexes) { try succeed(kvc_ordered_remove_many(id, $0)) }
  }

  private func replace(_ numbers: [Int], _ indexes: [Int], _ id: isa_id) throws {
    guard numbers.count > 1 else {
      let object = try Kept.number(numbers[0])
      return try succeed(kvc_ordered_replace(id, indexes[0], object.id))
    }
    let objects = try Kept.array(numbers)
    try withIndexes(indexes) { try succeed(kvc_ordered_replace_many(id, $0, objects.id)) }
  }

  private func by(_ numbers: [Int], _ change: (isa_id) -> isa_status) throws {
    let objects = try Kept.set(numbers)
    try withExtendedLifetime(objects) { try succeed(change(objects.id)) }
  }
}

// MARK: - By accessors

extension ToManyEdit {
  /// Sends the object the accessor for this change.
  func callAccessor(of shelf: Shelf) throws {
    switch self {
    case .insert(let numbers, let indexes):
      if numbers.count == 1 {
        try shelf.insert(.number(numbers[0]), at: indexes[0])
      } else {
        try shelf.send("insertItems:atIndexes:", .array(numbers), indexes)
      }
    case .remove(let indexes):
      if indexes.count == 1 {
        try shelf.remove(at: indexes[0])
      } else {
        try withIndexes(indexes) { set in
          shelf.code("removeItemsAtIndexes:", as: IndexesAccessor.self)(
            shelf.id, isa_sel_register("removeItemsAtIndexes:"), set)
        }
      }
    case .replace(let numbers, let indexes):
      if numbers.count == 1 {
        try shelf.replace(.number(numbers[0]), at: indexes[0])
      } else {
        try shelf.replace(.array(numbers), at: indexes)
      }
    case .union(let numbers): try shelf.send("addItems:", .set(numbers))
    case .minus(let numbers): try shelf.send("removeItems:", .set(numbers))
    case .intersect(let numbers): try shelf.send("intersectItems:", .set(numbers))
    case .set(let numbers): try shelf.send("setItems:", .set(numbers))
    }
  }
}

private typealias ObjectAccessor = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Void
private typealias InsertAccessor = @convention(c) (isa_id?, isa_sel?, isa_id?, UInt64) -> Void
private typealias IndexAccessor = @convention(c) (isa_id?, isa_sel?, UInt64) -> Void
private typealias ReplaceAccessor = @convention(c) (isa_id?, isa_sel?, UInt64, isa_id?) -> Void
private typealias ManyAccessor =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<kvc_index_set>?
  ) -> Void
private typealias IndexesAccessor =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<kvc_index_set>?
  ) -> Void
private typealias ReplaceManyAccessor =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<kvc_index_set>?, isa_id?
  ) -> Void

extension Shelf {
  /// The code that the isa leads to.
  fileprivate func code<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafeBitCast(isa_lookup(id, isa_sel_register(name)), to: type)
  }

  /// Sends an accessor that takes an object or a collection.
  func send(_ name: String, _ object: Kept) throws {
    code(name, as: ObjectAccessor.self)(id, isa_sel_register(name), object.id)
    withExtendedLifetime(object) {}
  }

  func insert(_ object: Kept, at index: Int) throws {
    let name = "insertObject:inItemsAtIndex:"
    code(name, as: InsertAccessor.self)(id, isa_sel_register(name), object.id, UInt64(index))
    withExtendedLifetime(object) {}
  }

  func remove(at index: Int) throws {
    let name = "removeObjectFromItemsAtIndex:"
    code(name, as: IndexAccessor.self)(id, isa_sel_register(name), UInt64(index))
  }

  func replace(_ object: Kept, at index: Int) throws {
    let name = "replaceObjectInItemsAtIndex:withObject:"
    code(name, as: ReplaceAccessor.self)(id, isa_sel_register(name), UInt64(index), object.id)
    withExtendedLifetime(object) {}
  }

  fileprivate func send(_ name: String, _ objects: Kept, _ indexes: [Int]) throws {
    try withIndexes(indexes) {
      code(name, as: ManyAccessor.self)(id, isa_sel_register(name), objects.id, $0)
    }
    withExtendedLifetime(objects) {}
  }

  fileprivate func replace(_ objects: Kept, at indexes: [Int]) throws {
    let name = "replaceItemsAtIndexes:withItems:"
    try withIndexes(indexes) {
      code(name, as: ReplaceManyAccessor.self)(id, isa_sel_register(name), $0, objects.id)
    }
    withExtendedLifetime(objects) {}
  }
}

// MARK: - By hand

extension ToManyEdit {
  /// Announces the change by hand, runs `body`, and ends it.
  func announce(_ object: isa_id, _ key: String = "items", _ body: () throws -> Void) throws {
    switch self {
    case .insert(_, let at): try announce(object, key, KVO_CHANGE_INSERTION, at, body)
    case .remove(let at): try announce(object, key, KVO_CHANGE_REMOVAL, at, body)
    case .replace(_, let at): try announce(object, key, KVO_CHANGE_REPLACEMENT, at, body)
    case .union(let numbers): try announce(object, key, KVO_SET_UNION, numbers, body)
    case .minus(let numbers): try announce(object, key, KVO_SET_MINUS, numbers, body)
    case .intersect(let numbers): try announce(object, key, KVO_SET_INTERSECT, numbers, body)
    case .set(let numbers): try announce(object, key, KVO_SET_SET, numbers, body)
    }
  }

  private func announce(
    _ object: isa_id, _ key: String, _ kind: kvo_change_kind, _ indexes: [Int],
    _ body: () throws -> Void
  ) throws {
    try withIndexes(indexes) {
      try succeed(kvo_will_change_indexes(object, kind, $0, key))
      try body()
      try succeed(kvo_did_change_indexes(object, kind, $0, key))
    }
  }

  private func announce(
    _ object: isa_id, _ key: String, _ mutation: kvo_set_mutation, _ numbers: [Int],
    _ body: () throws -> Void
  ) throws {
    let objects = try Kept.set(numbers)
    try succeed(kvo_will_change_set(object, key, mutation, objects.id))
    try body()
    try succeed(kvo_did_change_set(object, key, mutation, objects.id))
  }
}
