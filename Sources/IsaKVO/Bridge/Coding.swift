// Values by key, between RuntimeValue and the C core's values in place.
internal import CIsa

extension RuntimeObject {
  /// The value for `key`, read without boxing it.
  func read(_ key: String) throws(CodingError) -> RuntimeValue {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.usualRoom, alignment: 16)
    defer { buffer.deallocate() }
    var types: UnsafePointer<CChar>?
    let status = withAnswers { kvc_read(id, key, buffer, Self.usualRoom, &types) }
    // A value that takes more room says so by this status; a box has any.
    if status == KVC_ERR_TYPE { return try value(forKey: key) }
    try CodingError.check(status, key: key, isa.original.name)
    return RuntimeValue(adopting: kvc_value(types: types, address: buffer))
  }

  /// Room for any value that methods usually pass.
  private static var usualRoom: Int { 1024 }

  /// Writes the value for `key`.
  func write(_ value: RuntimeValue, _ key: String) -> isa_status {
    withAnswers { withInPlace(value) { kvc_write(id, key, $0) } }
  }

  /// The value as a box or object, with a +1.
  func boxed(_ value: RuntimeValue, for key: String) throws(CodingError) -> isa_id? {
    var box: isa_id?
    let status = withInPlace(value) { kvc_box($0, &box) }
    try CodingError.check(status, key: key, isa.original.name)
    return box
  }
}

/// Calls `body` with the value in memory.
func withInPlace<Result>(_ value: RuntimeValue, _ body: (kvc_value) -> Result) -> Result {
  let size = max((try? value.encoding.measure().size) ?? 0, MemoryLayout<UInt>.size)
  let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  defer { buffer.deallocate() }
  value.store(at: buffer)
  defer { withExtendedLifetime(value) {} }
  return value.encoding.text.withCString { body(kvc_value(types: $0, address: buffer)) }
}

extension RuntimeValue {
  /// The value in place, whose object comes with a +1.
  init(adopting value: kvc_value) {
    self = RuntimeValue(value) ?? .void
    if case .object(let object?) = content { isa_object_release(object.id) }
  }
}
