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

  func equal(_ first: Cell, _ second: Cell) -> Bool { c.equal(first.address, second.address) }
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

/// What must be as many after a test as before; selectors, call interfaces and spare trampolines are
/// permanent.
struct TransientCounts: Equatable {
  let objects, classes, sideRecords, trampolines: Int64

  static var now: TransientCounts {
    let counts = isa_testing_live_counts()
    return TransientCounts(
      objects: counts.objects, classes: counts.classes, sideRecords: counts.side_records,
      trampolines: counts.trampolines)
  }
}

func expectBalanced(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  let before = TransientCounts.now
  try body()
  #expect(TransientCounts.now == before, sourceLocation: sourceLocation)
}

/// Calls `body` with its first, second, … allocation failing until none does, and expects each
/// failed call to report want of memory and to leave as many blocks as there were.
///
/// The first, undisturbed call makes what is permanent.
func withEachAllocationFailing(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> isa_status
) {
  for after: Int64 in 0..<1000 {
    let before = isa_testing_live_counts().blocks
    _ = isa_testing_fail_allocation(after)
    let status = body()
    guard isa_testing_fail_allocation(-1) else { return }
    #expect(status == ISA_ERR_NO_MEMORY, sourceLocation: sourceLocation)
    let left = isa_testing_live_counts().blocks - before
    #expect(left == 0, "allocation \(after) failing leaves blocks", sourceLocation: sourceLocation)
  }
  Issue.record("more than 1000 allocations", sourceLocation: sourceLocation)
}

/// The reason of the latest failure on this thread.
var lastReason: String { String(cString: isa_last_error().pointee.reason) }

func selector(_ name: String) -> isa_sel { isa_sel_register(name)! }

/// Runs `body` with a fresh class below the root class, which is disposed of at the end.
func withClass(_ name: String, _ body: (isa_class) throws -> Void) throws {
  var cls: isa_class?
  try #require(isa_class_pair_allocate(isa_root_class(), name, &cls) == ISA_OK)
  let made = try #require(cls)
  defer { #expect(isa_class_pair_dispose(made) == ISA_OK) }
  try body(made)
}

/// Runs `body` with an instance of `cls`, which is released at the end.
func withInstance(of cls: isa_class, _ body: (isa_id) throws -> Void) throws {
  var object: isa_id?
  try #require(isa_object_allocate(cls, &object) == ISA_OK)
  let made = try #require(object)
  defer { isa_object_release(made) }
  try body(made)
}

/// An argument list for isa_invoke: the addresses of cells, receiver and selector first.
func withArguments<Result>(
  _ cells: [Cell], _ body: (UnsafePointer<UnsafeMutableRawPointer?>) throws -> Result
) rethrows -> Result {
  let addresses: [UnsafeMutableRawPointer?] = cells.map(\.address)
  return try addresses.withUnsafeBufferPointer { try body($0.baseAddress!) }
}
