import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

/// A value type of the C table: what the matrix tests run over.
struct TestType: CustomTestStringConvertible, Sendable {
  let index: Int

  static let all: [TestType] = {
    var count = 0
    _ = isa_test_types(&count)
    return (0..<count).map(TestType.init)
  }()

  var c: isa_test_type {
    var count = 0
    return isa_test_types(&count)![index]
  }

  var encoding: String { String(cString: c.encoding) }
  var testDescription: String { String(cString: c.name) }

  var getterTypes: String { encoding + "@:" }
  var setterTypes: String { "v@:" + encoding }
  var echoTypes: String { encoding + "@:" + encoding }
  var mixTypes: String { "\(encoding)@:c\(encoding)d\(encoding)f" }

  func value(seed: UInt32) -> Cell {
    let cell = Cell(size: c.size)
    c.fill(cell.address, seed)
    return cell
  }

  func equal(_ first: Cell, _ second: Cell) -> Bool {
    withExtendedLifetime((first, second)) { c.equal(first.address, second.address) }
  }

  /// Whether the bytes at `address` are the value with that seed.
  func isValue(_ address: UnsafeMutableRawPointer?, seed: UInt32) -> Bool {
    let expected = value(seed: seed)
    return withExtendedLifetime(expected) { c.equal(address, expected.address) }
  }
}

/// Memory for one value, with bytes behind it that must stay as they are.
final class Cell {
  let address: UnsafeMutableRawPointer
  private let size: Int
  private static let fence = 32

  init(size: Int) {
    self.size = size
    address = .allocate(byteCount: size + Self.fence, alignment: 16)
    address.initializeMemory(as: UInt8.self, repeating: 0xAA, count: size + Self.fence)
  }

  convenience init<Value>(_ value: Value) {
    self.init(size: MemoryLayout<Value>.size)
    address.storeBytes(of: value, as: Value.self)
  }

  deinit { address.deallocate() }

  /// Whether nobody wrote behind the value.
  var isIntact: Bool {
    (address + size).loadBytes(count: Self.fence).allSatisfy { $0 == 0xAA }
  }

  func load<Value>(as type: Value.Type = Value.self) -> Value { address.load(as: type) }
}

extension UnsafeMutableRawPointer {
  fileprivate func loadBytes(count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self, count: count)
  }
}

/// Runs `body` with a fresh class below the root class, which is disposed of at the end.
func withClass(_ name: String, _ body: (isa_class) throws -> Void) throws {
  var cls: isa_class?
  try check(isa_class_pair_allocate(isa_root_class(), name, &cls))
  defer { #expect(isa_class_pair_dispose(cls) == ISA_OK) }
  try body(cls!)
}

/// Runs `body` with an instance of `cls`, which is released at the end.
func withInstance(of cls: isa_class, _ body: (isa_id) throws -> Void) throws {
  var object: isa_id?
  try check(isa_object_allocate(cls, &object))
  defer { isa_object_release(object) }
  try body(object!)
}

/// An argument list for isa_invoke: the addresses of cells, receiver and selector first.
func withArguments<Result>(
  _ cells: [Cell], _ body: (UnsafePointer<UnsafeMutableRawPointer?>) throws -> Result
) rethrows -> Result {
  let addresses: [UnsafeMutableRawPointer?] = cells.map(\.address)
  return try withExtendedLifetime(cells) {
    try addresses.withUnsafeBufferPointer { try body($0.baseAddress!) }
  }
}
