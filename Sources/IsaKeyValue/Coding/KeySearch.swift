package import CIsa

/// Whether an object's class knows `key`: by an accessor, an ivar that may be accessed, or a method
/// of its own for any or for undefined keys.
package func knows(_ id: isa_id, key: String) -> Bool {
  if key.isEmpty || key.hasZero { return false }
  let cls = isa_object_get_class(id)!
  let way = findWay(cls, key, sets: false)
  if way.isMethod || findWay(cls, key, sets: true).isMethod { return true }
  if let swift = AdoptedClasses.adopter(of: cls) { return swift.answers(key, id) }
  return overrides("valueForKey:", cls) || overrides("valueForUndefinedKey:", cls) || way.isIvar
}

/// How instances of a class read a key, or set it.
package func findWay(
  _ cls: isa_class, _ key: String, sets: Bool
) -> (isMethod: Bool, isIvar: Bool, types: UnsafePointer<CChar>?) {
  var way = KVC_WAY_NONE
  var types: UnsafePointer<CChar>?
  _ = kvc_class_find_way(cls, key, sets, &way, &types)
  return (way == KVC_WAY_METHOD, way == KVC_WAY_IVAR, types)
}

private func overrides(_ name: String, _ cls: isa_class) -> Bool {
  let sel = isa_sel_register(name)!
  return isa_class_find_imp(cls, sel).map(codeAddress)
    != isa_class_find_imp(isa_root_class(), sel).map(codeAddress)
}

/// Checks that the keys of a key path are known, as far as there are objects to ask: not behind nil,
/// an operator, a number or a collection.
///
/// - Throws: ``KeyValueError/Code/notObservable``, of the first key that is not known.
package func checkKnown(_ keyPath: String, of id: isa_id) throws(KeyValueError) {
  let keys = keyPath.split(separator: ".", maxSplits: mostKeys, omittingEmptySubsequences: false)
  if keys.count > mostKeys { return }
  var object = isa_object_retain(id)!
  defer { isa_object_release(object) }
  for key in keys {
    if key.hasPrefix("@") { return }
    guard knows(object, key: String(key)) else {
      throw KeyValueError(unknown: String(key), of: object, in: keyPath)
    }
    var next: isa_id?
    guard key.endIndex != keyPath.endIndex,
      answered({ kvc_copy_value(object, String(key), &next) }).status == ISA_OK, let next
    else { return }
    isa_object_release(object)
    object = next
    if !hasKeys(next) { return }
  }
}

/// Whether the rest of a key path asks the object for its keys, and not its elements or its value.
private func hasKeys(_ id: isa_id) -> Bool {
  switch kvc_kind_of(id) {
  case KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET, KVC_KIND_DICTIONARY, KVC_KIND_VALUE:
    false
  case KVC_KIND_NUMBER: isa_object_get_class(id) != kvc_class_of_kind(KVC_KIND_NUMBER, false)
  default: true
  }
}

/// The most keys that the core follows; it refuses a path of more.
private let mostKeys = 1024
