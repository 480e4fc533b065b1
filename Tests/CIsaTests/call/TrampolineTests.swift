import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct TrampolineTests {
  /// The context of the callbacks below.
  private final class Box {
    let type: TestType
    let value: Cell
    var isRight = false

    init(_ type: TestType) {
      self.type = type
      value = type.value(seed: 9)
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ context: UnsafeMutableRawPointer?) -> Box {
      Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }
  }

  private func withIMP(
    _ types: String, _ callback: @escaping isa_callback, _ box: Box, _ body: (isa_imp) -> Void
  ) throws {
    var imp: isa_imp?
    try check(isa_imp_make(types, callback, box.context, nil, &imp))
    withExtendedLifetime(box) { body(imp!) }
    #expect(isa_imp_dispose(imp) == ISA_OK)
  }

  @Test("compiled code gets back the value that it passes to a callback", arguments: TestType.all)
  func echo(type: TestType) throws {
    let box = Box(type), value = type.value(seed: 6), result = Cell(size: type.c.size)
    let echo: isa_callback = { result, arguments, context in
      result!.copyMemory(from: arguments![2]!, byteCount: Box.of(context).type.c.size)
    }
    try withBalancedCounts {
      try withIMP(type.echoTypes, echo, box) {
        type.c.call_echo($0, nil, nil, value.address, result.address)
      }
    }
    #expect(type.equal(result, value))
    #expect(result.isIntact)
  }

  @Test("a callback finds each of many arguments in its place", arguments: TestType.all)
  func mix(type: TestType) throws {
    let box = Box(type), result = Cell(size: type.c.size)
    let mix: isa_callback = { result, arguments, context in
      let box = Box.of(context), arguments = arguments!
      box.isRight =
        arguments[2]!.load(as: Int8.self) == 1
        && box.type.isValue(arguments[3], seed: 1)
        && arguments[4]!.load(as: Double.self) == 2.5
        && box.type.isValue(arguments[5], seed: 2)
        && arguments[6]!.load(as: Float.self) == 3.5
      result!.copyMemory(from: arguments[5]!, byteCount: box.type.c.size)
    }
    try withIMP(type.mixTypes, mix, box) { type.c.call_mix($0, nil, nil, result.address) }
    #expect(box.isRight)
    #expect(type.equal(result, type.value(seed: 2)))
  }

  @Test("a getter's callback answers compiled code", arguments: TestType.all)
  func get(type: TestType) throws {
    let box = Box(type), result = Cell(size: type.c.size)
    let get: isa_callback = { result, _, context in
      let box = Box.of(context)
      result!.copyMemory(from: box.value.address, byteCount: box.type.c.size)
    }
    try withIMP(type.getterTypes, get, box) { type.c.call_get($0, nil, nil, result.address) }
    #expect(type.equal(result, box.value))
  }

  @Test("a setter's callback hears compiled code", arguments: TestType.all)
  func set(type: TestType) throws {
    let box = Box(type), value = type.value(seed: 4)
    let set: isa_callback = { _, arguments, context in
      let box = Box.of(context)
      box.value.address.copyMemory(from: arguments![2]!, byteCount: box.type.c.size)
    }
    try withIMP(type.setterTypes, set, box) { type.c.call_set($0, nil, nil, value.address) }
    #expect(type.equal(box.value, value))
  }

  @Test("five thousand trampolines at once keep their contexts apart, and are used again")
  func grows() throws {
    let count = 5000
    let square: isa_callback = { result, arguments, context in
      let index = Int64(Int(bitPattern: context))
      result!.storeBytes(of: index * arguments![2]!.load(as: Int64.self), as: Int64.self)
    }
    var spare: [Int64] = []
    for _ in 0..<3 {
      let imps = try (1...count).map { index in
        var imp: isa_imp?
        let context = UnsafeMutableRawPointer(bitPattern: index)
        try check(isa_imp_make("q@:q", square, context, nil, &imp))
        return imp!
      }
      for (index, imp) in imps.enumerated() {
        typealias Method = @convention(c) (isa_id?, isa_sel?, Int64) -> Int64
        let call = unsafeBitCast(imp, to: Method.self)
        if call(nil, nil, 3) != Int64(index + 1) * 3 { Issue.record("wrong context at \(index)") }
      }
      for imp in imps { #expect(isa_imp_dispose(imp) == ISA_OK) }
      spare.append(isa_testing_live_counts().spare_trampolines)
    }
    #expect(spare[0] >= count)
    #expect(spare[1] == spare[0] && spare[2] == spare[0])
  }

  @Test("disposing of an IMP releases its context once; its context is found until then")
  func releasesContext() throws {
    var releases = 0
    try withUnsafeMutablePointer(to: &releases) { releases in
      let nothing: isa_callback = { _, _, _ in }
      var imp: isa_imp?
      let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        $0!.assumingMemoryBound(to: Int.self).pointee += 1
      }
      try check(isa_imp_make("v@:", nothing, releases, release, &imp))
      #expect(isa_imp_find_context(imp) == UnsafeMutableRawPointer(releases))
      #expect(releases.pointee == 0)
      #expect(isa_imp_dispose(imp) == ISA_OK)
      #expect(releases.pointee == 1)
      #expect(isa_imp_find_context(imp) == nil)
      #expect(isa_imp_dispose(imp) == ISA_ERR_NOT_FOUND)
      #expect(releases.pointee == 1)
    }
  }

  @Test("an IMP that is compiled code has no context and cannot be disposed of")
  func foreignIMP() {
    let imp = TestType.all[0].c.echo
    #expect(isa_imp_find_context(imp) == nil)
    #expect(isa_imp_find_context(nil) == nil)
    #expect(isa_imp_dispose(imp) == ISA_ERR_NOT_FOUND)
    #expect(isa_imp_dispose(nil) == ISA_ERR_NOT_FOUND)
  }

  @Test("where closures are denied the status says so, and the context is not released")
  func denied() {
    isa_testing_deny_trampolines(true)
    defer { isa_testing_deny_trampolines(false) }
    let nothing: isa_callback = { _, _, _ in }
    var imp: isa_imp?
    withBalancedCounts {
      let status = isa_imp_make("v@:", nothing, nil, { _ in Issue.record("released") }, &imp)
      #expect(status == ISA_ERR_NO_TRAMPOLINE)
    }
    #expect(imp == nil)
  }

  @Test("a signature that cannot be passed makes no IMP and keeps no trampoline")
  func refusesSignature() {
    let nothing: isa_callback = { _, _, _ in }
    var imp: isa_imp?
    withBalancedCounts {
      #expect(isa_imp_make("v@:(u=i)", nothing, nil, nil, &imp) == ISA_ERR_NOT_PASSABLE)
      #expect(isa_imp_make("v@:{", nothing, nil, nil, &imp) == ISA_ERR_BAD_ENCODING)
    }
    #expect(imp == nil)
  }

  @Test("want of memory makes no IMP and leaks nothing")
  func allocationFailure() throws {
    let nothing: isa_callback = { _, _, _ in }
    var imps: [isa_imp] = []
    // The pool is emptied, so that the trampoline itself has to be made.
    let needed = isa_testing_live_counts().spare_trampolines
    for _ in 0..<needed + 1 {
      var imp: isa_imp?
      try check(isa_imp_make("v@:", nothing, nil, nil, &imp))
      imps.append(imp!)
    }
    try withEachAllocationFailing {
      var imp: isa_imp?
      try check(isa_imp_make("v@:", nothing, nil, nil, &imp))
      try check(isa_imp_dispose(imp))
    }
    for imp in imps { #expect(isa_imp_dispose(imp) == ISA_OK) }
  }

  @Test("a callback may call its own IMP again and make others")
  func reenters() throws {
    final class Recursion {
      var imp: isa_imp?
    }
    let recursion = Recursion()
    let factorial: isa_callback = { result, arguments, context in
      typealias Method = @convention(c) (isa_id?, isa_sel?, Int32) -> Int32
      let recursion = Unmanaged<Recursion>.fromOpaque(context!).takeUnretainedValue()
      let n = arguments![2]!.load(as: Int32.self)
      let call = unsafeBitCast(recursion.imp!, to: Method.self)
      result!.storeBytes(of: n <= 1 ? 1 : n * call(nil, nil, n - 1), as: Int32.self)
    }
    let context = Unmanaged.passUnretained(recursion).toOpaque()
    #expect(isa_imp_make("i@:i", factorial, context, nil, &recursion.imp) == ISA_OK)
    let result = Cell(size: 4)
    withArguments([Cell(0), Cell(0), Cell(Int32(10))]) {
      #expect(isa_invoke(recursion.imp, "i@:i", $0, result.address) == ISA_OK)
    }
    #expect(result.load(as: Int32.self) == 3_628_800)
    #expect(isa_imp_dispose(recursion.imp) == ISA_OK)
  }

  @Test("threads that make, call and dispose of IMPs do not disturb each other")
  func threads() async {
    let before = LiveCounts()
    let wrong = await withTaskGroup(of: Int.self, returning: Int.self) { group in
      for seed in 1...4 { group.addTask { Self.useTrampolines(seed: seed) } }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    #expect(LiveCounts() == before)
  }

  /// Returns how many calls went wrong.
  private static func useTrampolines(seed: Int) -> Int {
    let add: isa_callback = { result, arguments, context in
      let value = arguments![2]!.load(as: Int16.self) + Int16(Int(bitPattern: context))
      result!.storeBytes(of: value, as: Int16.self)
    }
    var wrong = 0
    for round in 0..<2000 {
      var imp: isa_imp?
      let context = UnsafeMutableRawPointer(bitPattern: seed)
      guard isa_imp_make("s@:s", add, context, nil, &imp) == ISA_OK else { return 2000 }
      typealias Method = @convention(c) (isa_id?, isa_sel?, Int16) -> Int16
      let call = unsafeBitCast(imp!, to: Method.self)
      if call(nil, nil, Int16(-round)) != Int16(seed - round) { wrong += 1 }
      if isa_imp_dispose(imp) != ISA_OK { wrong += 1 }
    }
    return wrong
  }
}
