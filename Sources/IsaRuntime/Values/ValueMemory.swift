// Values in memory: reads a RuntimeValue from an address and stores one at an address.
package import CIsa

extension TypeLayout {
  /// The layout of the first type of an encoding.
  init(_ encoding: RuntimeTypeEncoding) { self = encoding.text.withCString { layout(of: $0) } }
}

private func layout(of text: EncodingText) -> TypeLayout {
  let layout = TypeLayout(letter: typeLetter(text))
  guard case .aggregate = layout, typeLetter(text) == 0x7B else { return layout }
  let members = try? aggregateMembers(String(cString: text))
  return members == nil ? .opaque : .aggregate
}

/// Whether values of the type lead to objects, classes, selectors or C strings.
func holdsReferences(_ encoding: RuntimeTypeEncoding) -> Bool {
  switch TypeLayout(encoding) {
  case .object, .runtimeClass, .selector, .text: true
  case .aggregate: encoding.memberTypes.contains { holdsReferences($0) }
  case .opaque: encoding.text.contains { "@#:*".contains($0) }
  default: false
  }
}

// MARK: - Reading

extension RuntimeValue {
  /// The value of type `types` at `address`; an object is retained.
  package init(types: EncodingText, at address: UnsafeRawPointer) {
    let encoding = firstType(types)
    self.init(encoding, Content(encoding, layout(of: types), at: address))
  }

  /// The value of type `encoding` at `address`; an object is retained.
  init(_ encoding: RuntimeTypeEncoding, at address: UnsafeRawPointer) {
    self.init(encoding, Content(encoding, TypeLayout(encoding), at: address))
  }

  /// The value in place, or nil if there is none.
  package init?(_ value: kvc_value) {
    guard let address = value.address, let types = value.types else { return nil }
    self.init(types: types, at: address)
  }

  /// The value that a box or object of the C core stands for. A number of a class of its own stays in
  /// its box, which has more digits, or another type, than what it could be read as.
  package init(unboxing id: isa_id?) {
    if let id, kvc_kind_of(id) == KVC_KIND_NUMBER,
      isa_object_get_class(id) != kvc_class_of_kind(KVC_KIND_NUMBER, false)
    {
      self.init(RuntimeObject(retaining: id))
      return
    }
    self.init(inside: id)
  }

  /// The value in a box, any other object itself.
  package init(inside id: isa_id?) {
    var id = id
    self = withUnsafePointer(to: &id) { pointer -> RuntimeValue in
      guard pointer.pointee != nil else { return .nilObject }
      return RuntimeValue(kvc_unbox(pointer)) ?? .nilObject
    }
  }
}

extension RuntimeValue.Content {
  fileprivate init(
    _ encoding: RuntimeTypeEncoding, _ layout: TypeLayout, at address: UnsafeRawPointer
  ) {
    self =
      switch layout {
      case .void: .void
      case .bool: .bool(address.loadUnaligned(as: UInt8.self) != 0)
      case .float: .float(address.loadUnaligned(as: Float.self))
      case .double: .double(address.loadUnaligned(as: Double.self))
      case .longDouble: .longDouble(address.loadUnaligned(as: LongDouble.self))
      case .signed(let size): .signed(loadSigned(address, size))
      case .unsigned(let size): .unsigned(loadUnsigned(address, size))
      case .aggregate: .members(loadMembers(encoding, at: address))
      case .opaque: .bytes(loadBytes(encoding, at: address))
      default: Self(reference: layout, at: address)
      }
  }

  private init(reference layout: TypeLayout, at address: UnsafeRawPointer) {
    let pointer = address.loadUnaligned(as: UInt.self)
    let handle = OpaquePointer(bitPattern: pointer)
    self =
      switch layout {
      case .object: .object(handle.map { RuntimeObject(retaining: $0) })
      case .runtimeClass: .runtimeClass(handle.map { RuntimeClass($0) })
      case .selector: .selector(handle.map { RuntimeSelector($0) })
      case .text: .text(EncodingText(bitPattern: pointer).map { String(cString: $0) })
      default: .pointer(pointer)
      }
  }
}

private func loadMembers(_ encoding: RuntimeTypeEncoding, at address: UnsafeRawPointer)
  -> [RuntimeValue]
{
  let members = (try? aggregateMembers(encoding.text)) ?? []
  return members.map { RuntimeValue($0.encoding, at: address + $0.offset) }
}

private func loadBytes(_ encoding: RuntimeTypeEncoding, at address: UnsafeRawPointer) -> [UInt8] {
  let size = (try? encoding.measure().size) ?? 0
  return Array(UnsafeRawBufferPointer(start: address, count: size))
}

/// The value that `bytes`, as many as the type has and without references, stand for.
func decodedContent(of bytes: [UInt8], as encoding: RuntimeTypeEncoding) -> RuntimeValue.Content {
  bytes.withUnsafeBytes { buffer in
    guard let address = buffer.baseAddress else { return .bytes([]) }
    return RuntimeValue.Content(encoding, TypeLayout(encoding), at: address)
  }
}

// MARK: - Storing

extension RuntimeValue {
  /// Stores the value, as its own encoding has it, at `address`. Nothing is retained.
  func store(at address: UnsafeMutableRawPointer) {
    switch content {
    case .void: break
    case .bool(let value): address.storeBytes(of: value ? 1 : 0, as: UInt8.self)
    case .signed(let value): storeInteger(UInt64(bitPattern: value), at: address)
    case .unsigned(let value): storeInteger(value, at: address)
    case .float(let value): address.storeBytes(of: value, as: Float.self)
    case .double(let value): address.storeBytes(of: value, as: Double.self)
    case .longDouble(let value): withUnsafeBytes(of: value) { copy($0, to: address) }
    case .members(let values): storeMembers(values, at: address)
    case .bytes(let bytes): bytes.withUnsafeBytes { copy($0, to: address) }
    default: address.storeBytes(of: referenceWord, as: UInt.self)
    }
  }

  private func storeInteger(_ value: UInt64, at address: UnsafeMutableRawPointer) {
    switch TypeLayout(encoding) {
    case .signed(1), .unsigned(1):
      address.storeBytes(of: .init(truncatingIfNeeded: value), as: UInt8.self)
    case .signed(2), .unsigned(2):
      address.storeBytes(of: .init(truncatingIfNeeded: value), as: UInt16.self)
    case .signed(4), .unsigned(4):
      address.storeBytes(of: .init(truncatingIfNeeded: value), as: UInt32.self)
    default: address.storeBytes(of: value, as: UInt64.self)
    }
  }

  private func storeMembers(_ values: [RuntimeValue], at address: UnsafeMutableRawPointer) {
    let members = (try? aggregateMembers(encoding.text)) ?? []
    for (member, value) in zip(members, values) { value.store(at: address + member.offset) }
  }

  /// The pointer that an object, a class, a selector, a C string or a pointer is.
  private var referenceWord: UInt {
    switch content {
    case .object(let value): UInt(bitPattern: value?.id)
    case .runtimeClass(let value): UInt(bitPattern: value?.cls)
    case .selector(let value): UInt(bitPattern: value?.sel)
    case .text(let value): value.map { UInt(bitPattern: internedText($0)) } ?? 0
    case .pointer(let address): address
    default: 0
    }
  }
}

private func copy(_ bytes: UnsafeRawBufferPointer, to address: UnsafeMutableRawPointer) {
  guard let start = bytes.baseAddress else { return }
  address.copyMemory(from: start, byteCount: bytes.count)
}

/// The bytes that a value has in memory.
func memoryBytes(of value: RuntimeValue) -> [UInt8] {
  guard let size = try? value.encoding.measure().size, size > 0 else { return [] }
  var bytes = [UInt8](repeating: 0, count: size)
  bytes.withUnsafeMutableBytes { buffer in
    if let address = buffer.baseAddress { value.store(at: address) }
  }
  return bytes
}
