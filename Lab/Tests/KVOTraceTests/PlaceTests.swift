import Foundation
import Testing

@testable import KVOTrace

/// A program in place of llvm-symbolizer or addr2line, in a folder of its own.
private final class FakeSymbolizer {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("kvotrace-test-\(UUID().uuidString)")
  let path: String

  init(_ name: String, _ script: String) throws {
    path = folder.appendingPathComponent(name).path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data(("#!/bin/sh\n" + script).utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the program has written into the file of that name beside it.
  func text(_ name: String) -> String {
    (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }
}

@Suite("Places in the sources")
struct PlaceTests {
  /// A trace whose stack 1 has calls of the library, and then one of the module's at 0x30.
  private func trace(_ module: String = "/bin/sh", build: [UInt8] = []) throws -> Trace {
    var builder = TraceBuilder()
    builder.module(module, 0x10000..<0x20000, bias: 0x10000, build: build)
    builder.module("/usr/lib/libisakvo.so.1", 0x30000..<0x40000, bias: 0x30000, build: [])
    _ = builder.stack([0x30009, 0x10021, 0x10031, 0x10041])
    return try builder.trace()
  }

  private func stack(_ number: UInt32 = 1) -> TraceOrigin {
    var origin = TraceOrigin()
    origin.stack = number
    return origin
  }

  private func place(_ trace: Trace, _ symbolizer: FakeSymbolizer?, timeout: Double = 60)
    -> TracePlace
  {
    let symbolizer = symbolizer.map { Symbolizer(path: $0.path, timeout: timeout) }
    return TracePlaces(trace, symbolizer: symbolizer).place(of: stack())
  }

  private func code(_ place: TracePlace) throws -> TracePlace.Code {
    guard case .code(let code) = place else {
      Issue.record("\(place) is no code")
      throw CancellationError()
    }
    return code
  }

  /// The addresses that are asked for ascend: 0x20, 0x30 and 0x40 of the module.
  private static let llvm = """
    cat > "$(dirname "$0")/asked"; echo "$@" > "$(dirname "$0")/arguments"
    echo '{"Symbol":[{"FunctionName":"kvo_observe","FileName":"/x/Sources/CIsa/kvo.c","Line":5}]}'
    echo '{"Symbol":[{"FunctionName":"$s6IsaKVO1f","FileName":"/y/F.swift","Line":6},
    """.replacingOccurrences(of: ",\n", with: ",")
      + """
      {"FunctionName":"main","FileName":"/app/Cart.swift","Line":12}]}'
      echo '{"Symbol":[{"FunctionName":"later","FileName":"/app/Later.swift","Line":1}]}'
      """

  @Test("the innermost call outside of the library is the place, inlined ones looked through")
  func innermost() throws {
    let symbolizer = try FakeSymbolizer("llvm-symbolizer", Self.llvm)
    let place = try place(trace(), symbolizer)
    #expect(
      place == .source(.init(file: "/app/Cart.swift", line: 12, function: "main")))
    #expect(symbolizer.text("asked") == "\"/bin/sh\" 0x20\n\"/bin/sh\" 0x30\n\"/bin/sh\" 0x40\n")
  }

  @Test("addr2line is understood too")
  func addr2line() throws {
    let symbolizer = try FakeSymbolizer(
      "addr2line",
      """
      cat > /dev/null
      printf '0x20\\nkvo_observe\\n??:0\\n0x30\\ninner\\n/app/Cart.c:12 (discriminator 3)\\n'
      printf 'main\\n/app/Cart.c:40\\n0x40\\n??\\n??:?\\n'
      """)
    let place = try place(trace(), symbolizer)
    #expect(place == .source(.init(file: "/app/Cart.c", line: 12, function: "inner")))
  }

  @Test("the line of an event says more than its calls, and needs no program")
  func line() throws {
    var builder = TraceBuilder()
    builder.event(BuiltEvent(kind: .observerAdded, id: 1, line: 3, file: "A.swift", stack: 1))
    let trace = try builder.trace()
    let origin = TraceOrigin(try #require(trace.event(1)))
    let place = TracePlaces(trace, symbolizer: nil as Symbolizer?).place(of: origin)
    #expect(place == .source(.init(file: "A.swift", line: 3, function: nil)))
  }

  @Test("what cannot be resolved is an address in a module, with the reason")
  func unresolved() throws {
    let silent = try FakeSymbolizer(
      "llvm-symbolizer", "cat > /dev/null; for i in 1 2 3; do echo '{}'; done")
    let failing = try FakeSymbolizer("llvm-symbolizer", "exit 1")
    let slow = try FakeSymbolizer("llvm-symbolizer", "exec sleep 600")
    let garbled = try FakeSymbolizer("llvm-symbolizer", "echo '{'")
    #expect(try code(place(trace(), nil)).reason == .noSymbolizer)
    #expect(try code(place(trace(), silent)).reason == .stripped)
    #expect(try code(place(trace(), failing)).reason == .symbolizerFailed)
    #expect(try code(place(trace(), slow, timeout: 0.05)).reason == .symbolizerFailed)
    #expect(try code(place(trace(), garbled)).reason == .symbolizerFailed)
    #expect(try code(place(trace("/no/such/file"), silent)).reason == .noFile)
    #expect(try code(place(trace(build: [1, 2, 3]), silent)).reason == .changedFile)
    let code = try code(place(trace(), silent))
    #expect((code.module, code.address) == ("/bin/sh", 0x20))
  }

  /// The address in the module of what is taken for the place among calls of these functions, the
  /// innermost first.
  private func place(ofCalls functions: String...) throws -> UInt64 {
    var builder = TraceBuilder()
    builder.module("/bin/sh", 0x10000..<0x20000, bias: 0x10000, build: [])
    _ = builder.stack(functions.indices.map { UInt64(0x10001 + $0) })
    let answers = functions.map {
      "echo '{\"Symbol\":[{\"FunctionName\":\"\($0)\",\"FileName\":\"a.c\",\"Line\":0}]}'"
    }
    let script = (["cat > /dev/null"] + answers).joined(separator: "\n")
    let symbolizer = try FakeSymbolizer("llvm-symbolizer", script)
    return try code(place(builder.trace(), symbolizer)).address
  }

  @Test(
    "without lines the place is the call behind the library's, whose functions are known by name")
  func named() throws {
    let core = ("static_one", "isa__event_report", "static_two")
    #expect(try place(ofCalls: core.0, core.1, core.2, "kvo_observe", "own", "main") == 4)
    #expect(try place(ofCalls: core.0, core.1, core.2, "kvo_observe", "$s6IsaKVO1f", "$s3App") == 5)
    // A handler that observes has been called by the library, too.
    #expect(try place(ofCalls: core.0, "kvo_observe", "own", "static_two", "isa__notify") == 2)
    #expect(try place(ofCalls: "$s6IsaKVO1f", "$s3App", "$s6IsaKVO1g", "main") == 1)
    #expect(
      try place(ofCalls: core.0, "kvo_observe", "$s6IsaKVO1f", "$sxTR", "$s6IsaKVO1g", "$s3App")
        == 5)
    #expect(try place(ofCalls: "one", "two", "main") == 0)
  }

  @Test("entries of one line are joined, whatever calls have led to it")
  func joined() throws {
    let symbolizer = try FakeSymbolizer(
      "llvm-symbolizer",
      """
      cat > /dev/null
      echo '{"Symbol":[{"FunctionName":"f","FileName":"A.swift","Line":5}]}'
      echo '{"Symbol":[{"FunctionName":"f","FileName":"A.swift","Line":5}]}'
      """)
    var story = Story()
    story.object(0x1000, "Order")
    story.builder.module("/bin/sh", 0x10000..<0x20000, bias: 0x10000, build: [])
    for number in 1...2 as ClosedRange<UInt64> {
      let stack = story.builder.stack([0x10000 + number])
      story.observe(0x1000, "total", number, stack: stack)
      let change = story.change(0x1000, "total")
      story.notify(0x1000, "total", number, cause: change, takes: number * 100)
    }
    let trace = try story.trace()
    let summary = trace.summary()
    #expect(summary.handlers.map(\.runs) == [1, 1])
    let joined = summary.joined(by: TracePlaces(trace, symbolizer: symbolizer.path))
    #expect(joined.handlers.map(\.runs) == [2])
    #expect((joined.handlers[0].total, joined.handlers[0].longest) == (302, 201))
    #expect(joined.handlers[0].longestEvent == 7)
    #expect(joined.open.map(\.count) == [2])
    #expect(joined.open[0].oldest.number == 1)
  }

  @Test("an address in no module, and an event without any, are told so")
  func nowhere() throws {
    var builder = TraceBuilder()
    _ = builder.stack([0x99])
    let places = TracePlaces(try builder.trace(), symbolizer: nil as Symbolizer?)
    #expect(
      places.place(of: stack()) == .code(.init(module: nil, address: 0x98, reason: .noModule)))
    #expect(places.place(of: stack(7)) == .unknown)
    #expect(places.place(of: TraceOrigin()) == .unknown)
  }

  @Test("the symbolizer of this machine finds this line, or none in a program without lines")
  func real() throws {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard Symbolizer.find(timeout: 60) != nil, let program else { return }
    let (line, calls) = (UInt32(#line), Thread.callStackReturnAddresses.map(\.uint64Value))
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let parts = maps.split(separator: "\n").filter { $0.hasSuffix(program) }
    let ends = parts.flatMap { $0.prefix { $0 != " " }.split(separator: "-") }
      .compactMap { UInt64($0, radix: 16) }
    let (base, end) = (try #require(ends.min()), try #require(ends.max()))
    var builder = TraceBuilder()
    builder.module(program, base..<end, bias: base, build: [])
    _ = builder.stack(calls)
    let place = TracePlaces(try builder.trace()).place(of: stack())
    guard case .source(let source) = place else {
      // Where the tests are built without debug information.
      guard case .code(let code) = place else { throw NoPlace() }
      #expect(code.reason == .stripped && code.module == program)
      return
    }
    #expect(source.file.hasSuffix("PlaceTests.swift"))
    #expect(source.line == line)
  }

  @Test("a file's build id is read of its notes, and a file that is none has none")
  func buildID() throws {
    var elf: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1] + [UInt8](repeating: 0, count: 250)
    func put(_ place: Int, _ bytes: [UInt8]) {
      elf.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
    put(32, [64])
    put(54, [56])
    put(56, [1])
    put(64, [4])
    put(64 + 8, [128])
    put(64 + 32, [20])
    put(128, [4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + [0xde, 0xad, 0x01])
    #expect(ELFNotes(Data(elf))?.buildID == "dead01")
    for length in elf.indices { _ = ELFNotes(Data(elf[..<length]))?.buildID }
    for place in 0..<160 {
      var flipped = elf
      flipped[place] = 0xff
      _ = ELFNotes(Data(flipped))?.buildID
    }
    #expect(ELFNotes(Data("#!/bin/sh".utf8)) == nil)
    #expect(ModuleFile(path: "/tmp") == nil)
  }
}

private struct NoPlace: Error {}
