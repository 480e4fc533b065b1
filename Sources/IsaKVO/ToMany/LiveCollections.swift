// The mutable collections that stand for a wrapped array or set by name: objects of the runtime
// whose messages read and change the Swift collection itself.
//
// Owns:      a reference to the object that has the property.
// Lives:     as any object of the runtime.
// Locks:     none.
// Invariant: an element of another type, or an index beyond the end, is refused before anything is
//            announced.
internal import CIsa
internal import IsaKeyValue

private final class LiveArray: BoxedValue {
  let object: KVObject
  let field: any OrderedField

  init(_ object: KVObject, _ field: any OrderedField) {
    self.object = object
    self.field = field
  }

  var any: Any {
    object.noteRead(of: field.key)
    return field.any(of: object)
  }
  var isSnapshot: Bool { false }
  func checkActor() throws(KeyValueError) { _ = try object.codedID(field.key) }
  func check(elementsOf collection: isa_id?) -> isa_status {
    withObjects(collection) { field.check($0) }
  }

  var count: Int { object.mayBeRead(field.key) ? field.count(of: object) : 0 }
  func copyElement(at index: Int) -> isa_id? {
    object.noteRead(of: field.key)
    return field.copyElement(of: object, at: index)
  }

  func change(_ kind: ChangeKind, _ places: Places, _ objects: [isa_id?] = []) -> isa_status {
    object.changing(field.key) { field.change(object, kind, places, objects) }
  }

  /// Gives the array these elements instead of its own.
  func setElements(_ objects: [isa_id?]) -> isa_status {
    let old = count
    let refusal = old < objects.count ? field.check(objects) : ISA_OK
    if refusal != ISA_OK { return refusal }
    return replaceRange(0..<old, with: objects, count: { count }) { change($0, .range($1), $2) }
  }
}

private final class LiveSet: BoxedValue {
  let object: KVObject
  let field: any UnorderedField

  init(_ object: KVObject, _ field: any UnorderedField) {
    self.object = object
    self.field = field
  }

  var any: Any {
    object.noteRead(of: field.key)
    return field.any(of: object)
  }
  var isSnapshot: Bool { false }
  func checkActor() throws(KeyValueError) { _ = try object.codedID(field.key) }
  var count: Int { object.mayBeRead(field.key) ? field.count(of: object) : 0 }
  func copyElements() -> [isa_id?] { now.map { $0.copyElements() } ?? [] }
  func copyMember(_ id: isa_id) -> isa_id? { now?.copyMember(id) }

  /// The set at this moment.
  private var now: (any BoxedValue)? {
    guard object.mayBeRead(field.key) else { return nil }
    let id = field.copyValue(of: object)
    defer { isa_object_release(id) }
    return SwiftBox.find(id)
  }

  func change(_ mutation: SetMutation, _ objects: isa_id?) -> isa_status {
    guard let objects, kvc_kind_of(objects).rawValue >= KVC_KIND_ARRAY.rawValue else {
      return isa_fail(ISA_ERR_INVALID_ARGUMENT, nil, "\(field.key): argument is not a collection")
    }
    return object.changing(field.key) { field.change(object, mutation, objects) }
  }

  func change(_ mutation: SetMutation, one object: isa_id?) -> isa_status {
    guard let object else {
      return isa_fail(ISA_ERR_INVALID_ARGUMENT, nil, "\(field.key): object cannot be nil")
    }
    var given: isa_id? = object
    var set: isa_id?
    let status = kvc_set_make(&given, 1, &set)
    defer { isa_object_release(set) }
    return status == ISA_OK ? change(mutation, set) : status
  }
}

extension KVObject {
  /// Whether the caller may read a key, of which a tracking that runs takes note; it is a misuse
  /// otherwise, since a count has no way to fail.
  fileprivate final func mayBeRead(_ key: String) -> Bool {
    do throws(KeyValueError) {
      _ = try codedID(key)
      noteRead(of: key)
      return true
    } catch {
      Misuse.end(error)
      return false
    }
  }

  /// Changes a key, unless the caller may not.
  fileprivate final func changing(_ key: String, _ change: () -> isa_status) -> isa_status {
    do throws(KeyValueError) {
      _ = try codedID(key)
      return change()
    } catch {
      return error.fail()
    }
  }
}

extension Field {
  /// The value itself.
  fileprivate final func any(of object: KVObject) -> Any {
    let id = copyValue(of: object)
    defer { isa_object_release(id) }
    return anyValue(id) as Any
  }
}

// MARK: - Classes

nonisolated(unsafe) private let liveArrayClass: isa_class = SwiftBox.makeClass(
  "IsaSwiftMutableArray", kvc_class_of_kind(KVC_KIND_ARRAY, true)!,
  SwiftBox.arrayMethods + [
    ("insertObject:atIndex:", code(insert), "i@:@Q"),
    ("removeObjectAtIndex:", code(removeAt), "i@:Q"),
    ("replaceObjectAtIndex:withObject:", code(replace), "i@:Q@"),
    ("insertObjects:atIndexes:", code(insertMany), "i@:@^v"),
    ("removeObjectsAtIndexes:", code(removeMany), "i@:^v"),
    ("replaceObjectsAtIndexes:withObjects:", code(replaceMany), "i@:^v@"),
    ("setArray:", code(setArray), "i@:@"), ("removeAllObjects", code(removeAll), "i@:"),
  ])

nonisolated(unsafe) private let liveSetClass: isa_class = SwiftBox.makeClass(
  "IsaSwiftMutableSet", kvc_class_of_kind(KVC_KIND_SET, true)!,
  SwiftBox.setMethods + [
    ("addObject:", code(add), "i@:@"), ("removeObject:", code(remove), "i@:@"),
    ("removeAllObjects", code(empty), "i@:"), ("setSet:", code(setSet), "i@:@"),
    ("unionSet:", code(unite), "i@:@"), ("minusSet:", code(subtract), "i@:@"),
    ("intersectSet:", code(intersect), "i@:@"),
  ])

private typealias Act = @convention(c) (isa_id?, isa_sel?) -> isa_status
private typealias ActOn = @convention(c) (isa_id?, isa_sel?, isa_id?) -> isa_status
private typealias Insert = @convention(c) (isa_id?, isa_sel?, isa_id?, UInt) -> isa_status
private typealias RemoveAt = @convention(c) (isa_id?, isa_sel?, UInt) -> isa_status
private typealias Replace = @convention(c) (isa_id?, isa_sel?, UInt, isa_id?) -> isa_status
private typealias Indexes = UnsafePointer<kvc_index_set>
private typealias InsertMany = @convention(c) (isa_id?, isa_sel?, isa_id?, Indexes?) -> isa_status
private typealias RemoveMany = @convention(c) (isa_id?, isa_sel?, Indexes?) -> isa_status
private typealias ReplaceMany = @convention(c) (isa_id?, isa_sel?, Indexes?, isa_id?) -> isa_status

// MARK: - Messages to arrays

private func array(_ id: isa_id?) -> LiveArray {
  unsafeDowncast(SwiftBox.value(of: id) as AnyObject, to: LiveArray.self)
}

/// The objects that a collection has at this moment. They last as long as `body`.
private func withObjects(
  _ collection: isa_id?, _ body: ([isa_id?]) -> isa_status
) -> isa_status {
  var objects: [isa_id?] = []
  visitElements(of: collection) { objects.append(isa_object_retain($0)) }
  defer { objects.forEach(isa_object_release) }
  return body(objects)
}

/// Changes one place; an index that no array can have was negative where it was given.
private func change(
  _ id: isa_id?, _ kind: ChangeKind, _ index: UInt, _ objects: [isa_id?] = []
) -> isa_status {
  let index = Int(bitPattern: index)
  guard index >= 0, index < .max else {
    let field = array(id).field
    return isa_fail(
      KVC_ERR_RANGE, nil, "\(kind) in \(field.owner).\(field.key): no index \(index)")
  }
  if kind != .removal, objects == [nil] {
    return isa_fail(
      ISA_ERR_INVALID_ARGUMENT, nil, "\(array(id).field.key): object cannot be nil")
  }
  return array(id).change(kind, .range(index..<(index + 1)), objects)
}

/// Changes many places by as many objects.
private func change(
  _ id: isa_id?, _ kind: ChangeKind, _ indexes: Indexes?, _ collection: isa_id?
) -> isa_status {
  withObjects(collection) { objects in
    let places = IsaKeyValue.indexes(in: indexes) ?? []
    guard places.count == objects.count else {
      return isa_fail(
        ISA_ERR_INVALID_ARGUMENT, nil,
        "\(array(id).field.key): \(objects.count) objects for \(places.count) indexes")
    }
    return array(id).change(kind, .each(places), objects)
  }
}

private let insert: Insert = { id, _, object, index in change(id, .insertion, index, [object]) }
private let removeAt: RemoveAt = { id, _, index in change(id, .removal, index) }
private let replace: Replace = { id, _, index, object in
  change(id, .replacement, index, [object])
}
private let insertMany: InsertMany = { id, _, objects, indexes in
  change(id, .insertion, indexes, objects)
}
private let removeMany: RemoveMany = { id, _, indexes in
  array(id).change(.removal, .each(IsaKeyValue.indexes(in: indexes) ?? []))
}
private let replaceMany: ReplaceMany = { id, _, indexes, objects in
  change(id, .replacement, indexes, objects)
}
private let setArray: ActOn = { id, _, other in
  withObjects(other) { array(id).setElements($0) }
}
private let removeAll: Act = { id, _ in
  array(id).change(.removal, .range(0..<array(id).count))
}

// MARK: - Messages to sets

private func set(_ id: isa_id?) -> LiveSet {
  unsafeDowncast(SwiftBox.value(of: id) as AnyObject, to: LiveSet.self)
}

private let add: ActOn = { id, _, object in set(id).change(.union, one: object) }
private let remove: ActOn = { id, _, object in
  object == nil ? ISA_OK : set(id).change(.minus, one: object)
}
private let unite: ActOn = { id, _, other in set(id).change(.union, other) }
private let subtract: ActOn = { id, _, other in set(id).change(.minus, other) }
private let intersect: ActOn = { id, _, other in set(id).change(.intersect, other) }
private let setSet: ActOn = { id, _, other in set(id).change(.set, other) }

private let empty: Act = { id, _ in
  var none: isa_id?
  let status = kvc_set_make(nil, 0, &none)
  defer { isa_object_release(none) }
  return status == ISA_OK ? set(id).change(.intersect, none) : status
}

// MARK: - Asking an object for one

/// Adds, to the class of KVObject itself, the messages that answer such collections.
func addLiveCollections(to cls: isa_class) throws(KeyValueError) {
  try add([rootArray.added(code(copyMutableArray)), rootSet.added(code(copyMutableSet))], to: cls)
}

private let rootArray = RootMethod<kvc_get_imp>("mutableArrayValueForKey:", "i@:*^@")
private let rootSet = RootMethod<kvc_get_imp>("mutableSetValueForKey:", "i@:*^@")

private let copyMutableArray: kvc_get_imp = { id, sel, key, out in
  let field = ClassRegistration.of(id!).plainField(String(cString: key!), of: id!)
  guard let field = field as? any OrderedField else { return rootArray.imp(id, sel, key, out) }
  out!.pointee = SwiftBox.make(LiveArray(KVObject.at(id!), field), liveArrayClass)
  return ISA_OK
}

private let copyMutableSet: kvc_get_imp = { id, sel, key, out in
  let field = ClassRegistration.of(id!).plainField(String(cString: key!), of: id!)
  guard let field = field as? any UnorderedField else { return rootSet.imp(id, sel, key, out) }
  out!.pointee = SwiftBox.make(LiveSet(KVObject.at(id!), field), liveSetClass)
  return ISA_OK
}
