// Sends messages with RuntimeValues: lays the arguments out in memory and reads the result.
internal import CIsa

/// Calls `imp`, or what the receiver answers `selector` with, by its type encoding.
func call(
  _ imp: isa_imp?, _ encoding: RuntimeTypeEncoding, _ receiver: RuntimeObject,
  _ selector: RuntimeSelector,
  _ arguments: [RuntimeValue]
) throws(KeyValueError) -> RuntimeValue {
  let types = try encoding.types()
  guard types.count == arguments.count + 3 else {
    let expected = types.count - 3
    throw KeyValueError(
      .invalidArgument, key: selector.name, className: receiver.isa.original.name,
      reason: "\(selector) takes \(expected) arguments, not \(arguments.count)")
  }
  var values = [RuntimeValue(receiver), RuntimeValue(selector)]
  for (value, type) in zip(arguments, types[3...]) {
    values.append(try value.converted(to: type.asArgument))
  }
  let frame = try Frame(values, result: types[0])
  let (outcome, result) = withAnswers {
    let outcome = Outcome(frame.call(imp, encoding.text, receiver.id, selector.sel))
    let isMade = outcome.status == ISA_OK
    return (outcome, isMade ? frame.takeResult(retained: returnsRetained(selector)) : .void)
  }
  withExtendedLifetime(values) {}
  try receiver.check(outcome, selector.name)
  return result
}

/// The answer to the message `class`, for which none is sent: looking leaves no event. Nil where there
/// is no such method, or one of another type.
func claimedClass(of id: isa_id) -> isa_class? {
  typealias Implementation = @convention(c) (isa_id, isa_sel) -> isa_class?
  let selector = RuntimeSelector("class").sel
  guard let method = isa_class_find_method(isa_object_get_class(id), selector),
    typeLetter(isa_method_types(method)) == UInt8(ascii: "#")
  else { return nil }
  return unsafeBitCast(isa_method_imp(method), to: Implementation.self)(id, selector)
}

/// The memory of one call: argument values, their addresses, and the result.
private final class Frame {
  private let result: RuntimeTypeEncoding
  private let memory: UnsafeMutableRawPointer
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init(_ values: [RuntimeValue], result: RuntimeTypeEncoding) throws(KeyValueError) {
    self.result = result
    var offsets: [Int] = []
    var size = try Self.room(for: result)
    for value in values {
      offsets.append(size)
      size += try Self.room(for: value.encoding)
    }
    memory = .allocate(byteCount: size, alignment: Self.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    addresses = .allocate(capacity: values.count)
    for (index, value) in values.enumerated() {
      addresses[index] = memory + offsets[index]
      value.store(at: memory + offsets[index])
    }
  }

  deinit {
    memory.deallocate()
    addresses.deallocate()
  }

  /// No C type of this runtime needs more.
  private static let alignment = 16

  private static func room(for type: RuntimeTypeEncoding) throws(KeyValueError) -> Int {
    if case .void = TypeLayout(type) { return alignment }
    return (try type.measure().size / alignment + 1) * alignment
  }

  func call(_ imp: isa_imp?, _ types: String, _ id: isa_id, _ sel: isa_sel) -> isa_status {
    let addresses = UnsafePointer(addresses)
    if let imp { return isa_invoke(imp, types, addresses, memory) }
    return isa_invoke_message(id, sel, addresses + 2, memory)
  }

  func takeResult(retained: Bool) -> RuntimeValue {
    let value = RuntimeValue(result, at: memory)
    // Reading the value retained the object: the method's own +1 is one too many.
    if retained, case .object(let object?) = value.content { isa_object_release(object.id) }
    return value
  }
}
