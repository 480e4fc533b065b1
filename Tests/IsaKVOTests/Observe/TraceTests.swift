import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

/// What the file has is tried in C, by `make test-core AREAS=tracing`.
@Suite(.serialized, .leavesNoObjects)
struct TraceTests {
  private final class TracedOrder: KVObject {
    @Dynamic var total = 1
    @Dynamic var note = "none"
  }

  /// A path of this process's own, where nothing is.
  private static func freshPath() -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("isakvo-trace-\(getpid()).kvotrace").path
    try? FileManager.default.removeItem(atPath: path)
    return path
  }

  /// Records a life of an order, and returns the bytes of the file.
  private func record(_ options: KeyValueTrace.Options) throws -> Data {
    let path = Self.freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try KeyValueTrace.start(to: path, options: options) == path)
    #expect(KeyValueTrace.path == path)
    let order = TracedOrder()
    var told = 0
    let token = order.observe(\.note, options: [.old, .new]) { _, _ in told += 1 }
    KeyValueTrace.mark("half past")
    KeyValueTrace.span("a span of work") { order.note = "a secret of theirs" }
    token.invalidate()
    #expect(told == 1)
    #expect(KeyValueTrace.stop())
    #expect(KeyValueTrace.path == nil && !KeyValueTrace.stop())
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func has(_ data: Data, _ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }

  @Test("a trace is a file with classes, keys, marks and spans, which ended as it says")
  func recorded() throws {
    let data = try record(.init())
    #expect(data.prefix(8) == Data("KVOTRACE".utf8))
    #expect(data[120] == 1)
    for text in ["TracedOrder", "note", "half past", "a span of work"] {
      #expect(has(data, text), "\(text)")
    }
    #expect(!has(data, "a secret of theirs"))
  }

  @Test("events of other classes are left out")
  func classes() throws {
    let data = try record(.init(keep: .latest, stacks: .all, classes: ["Nobody", "None*"]))
    #expect(!has(data, "TracedOrder"))
    #expect(has(data, "half past"))
  }

  @Test("one trace is recorded at a time")
  func twice() throws {
    let path = Self.freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try KeyValueTrace.start(to: path)
    defer { KeyValueTrace.stop() }
    #expect { try KeyValueTrace.start(to: path + ".other") } throws: {
      ($0 as? KeyValueError)?.code == .inUse
    }
  }

  @Test(
    "what cannot be recorded into is refused",
    arguments: [
      ("/no/such/folder/x.kvotrace", 1 << 20, KeyValueError.Code.fileFailed),
      ("/dev/null", 1 << 20, .exists), ("", 1 << 20, .invalidArgument),
      ("/dev/null", 10, .invalidArgument), ("/dev/null", -1, .invalidArgument),
    ])
  func refused(_ path: String, _ limit: Int, _ code: KeyValueError.Code) {
    #expect { try KeyValueTrace.start(to: path, options: .init(limit: limit)) } throws: {
      ($0 as? KeyValueError)?.code == code
    }
    #expect(KeyValueTrace.path == nil)
  }

  @Test(
    "a span passes on what its body returns and throws, traced or not", arguments: [true, false])
  func spans(_ isTraced: Bool) throws {
    struct Failure: Error {}
    let path = Self.freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    if isTraced { try KeyValueTrace.start(to: path) }
    #expect(KeyValueTrace.span("outer") { KeyValueTrace.span("inner") { 7 } } == 7)
    #expect(throws: Failure.self) { try KeyValueTrace.span("failing") { throw Failure() } }
    #expect(KeyValueTrace.stop() == isTraced)
  }
}
