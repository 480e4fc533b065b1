import CIsa

/// Boxes a Swift value under an encoding; the caller releases the box.
func box<Value>(_ value: Value, _ types: String) throws -> isa_id? {
  var boxed: isa_id?
  try withUnsafePointer(to: value) { address in
    try types.withCString { text in
      try check(kvc_box(kvc_value(types: text, address: address), &boxed))
    }
  }
  return boxed
}

/// The value in a box or object and its encoding; nothing is released.
func unboxed<Value>(_ boxed: isa_id?, as type: Value.Type = Value.self) -> (
  types: String, value: Value
) {
  withUnsafePointer(to: boxed) { object in
    let value = kvc_unbox(object)
    return (String(cString: value.types), value.address.load(as: Value.self))
  }
}

/// The value for `key` as a Swift value, if it is boxed under `types`.
func value<Value>(
  _ object: isa_id?, _ key: String, _ types: String, as type: Value.Type = Value.self
) throws -> Value? {
  var boxed: isa_id?
  try check(kvc_copy_value(object, key, &boxed))
  defer { isa_object_release(boxed) }
  let unboxed = unboxed(boxed, as: Value.self)
  return unboxed.types == types ? unboxed.value : nil
}

/// Sets the value for `key` from a Swift value, boxed under `types`.
func set<Value>(_ object: isa_id?, _ key: String, _ value: Value, _ types: String) throws {
  let boxed = try box(value, types)
  defer { isa_object_release(boxed) }
  try check(kvc_set_value(object, key, boxed))
}
