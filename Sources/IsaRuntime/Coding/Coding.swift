// Values by key, between RuntimeValue and the C core's values in place and boxes.
package import CIsa

extension RuntimeObject {
  /// The value for `key`, read without boxing it.
  func read(_ key: String) throws(KeyValueError) -> RuntimeValue {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.usualRoom, alignment: 16)
    defer { buffer.deallocate() }
    var types: UnsafePointer<CChar>?
    let outcome = answered(key) { kvc_read(id, key, buffer, Self.usualRoom, &types) }
    // A value that takes more room says so by this status; a box has any.
    if outcome.status == KVC_ERR_TYPE { return try value(forKey: key) }
    try check(outcome, key)
    return RuntimeValue(adopting: kvc_value(types: types, address: buffer))
  }

  /// Room for any value that methods usually pass.
  private static var usualRoom: Int { 1024 }

  /// Writes the value for `key`: in place, but text as a string object unless the key says that it
  /// wants something else.
  func write(_ value: RuntimeValue, _ key: String) throws(KeyValueError) {
    if case .text = value.content, wantsObject(key) { return try setValue(value, forKey: key) }
    try ask(key) { withInPlace(value) { kvc_write(id, key, $0) } }
  }

  /// Reads what `copy` makes, which is about a key: a value as a box.
  func takeValue(_ key: String, _ copy: CopyObject) throws(KeyValueError) -> RuntimeValue {
    try IsaRuntime.takeValue(key, className: isa.original.name, copy)
  }

  /// Calls `set`, which is about a key, with the value's box.
  func setBoxed(
    _ value: RuntimeValue, _ key: String, _ set: (isa_id?) -> isa_status
  ) throws(KeyValueError) {
    var box: isa_id?
    let made = makeBox(value, &box)
    defer { isa_object_release(box) }
    try check(made == ISA_OK ? answered(key) { set(box) } : Outcome(made), key)
  }

  /// Whether a text set for `key` has to be an object: the setter or ivar takes one, or there is
  /// none, so that a method of the class decides.
  private func wantsObject(_ key: String) -> Bool {
    if key.isEmpty || key.hasZero { return true }
    return findWay(isa.cls, key, sets: true).types.map { typeLetter($0) == 0x40 } ?? true
  }
}

/// A function that writes an object to its argument, with a +1.
package typealias CopyObject = (UnsafeMutablePointer<isa_id?>) -> isa_status

/// Reads what `copy` makes, which is about a key: a value as a box.
func takeValue(
  _ key: String, className: @autoclosure () -> String, _ copy: CopyObject
) throws(KeyValueError) -> RuntimeValue {
  var box: isa_id?
  defer { isa_object_release(box) }
  try KeyValueError.check(answered(key) { copy(&box) }, key: key, className: className())
  return RuntimeValue(unboxing: box)
}

extension RuntimeObject {
  /// Asks `validate` about a value for a key, which it may replace, and throws the cause of a refusal.
  func askValidator(
    _ value: inout RuntimeValue, _ key: String,
    _ validate: (UnsafeMutablePointer<isa_id?>, UnsafeMutablePointer<isa_id?>, inout Bool)
      -> isa_status
  ) throws(KeyValueError) {
    var given: isa_id?
    try check(Outcome(makeBox(value, &given)), key)
    defer { isa_object_release(given) }
    var current = given
    var cause: isa_id?
    var isValid = false
    let outcome = answered(key) { validate(&current, &cause, &isValid) }
    if current != given {
      value = RuntimeValue(unboxing: current)
      isa_object_release(current)
    }
    defer { isa_object_release(cause) }
    try check(outcome, key)
    if !isValid { throw KeyValueError(refusing: key, of: isa.original.name, content(of: cause)) }
  }
}

/// A Swift value that is in a box, a text, or anything else as it is; nil for nil.
func content(of id: isa_id?) -> Any? {
  guard let id else { return nil }
  return SwiftBox.find(id)?.any ?? text(of: id) ?? RuntimeValue(inside: id)
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
