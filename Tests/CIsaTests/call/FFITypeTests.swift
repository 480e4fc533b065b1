import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct FFITypeTests {
  @Test("every type that C can pass is accepted", arguments: TestType.all)
  func accepts(type: TestType) {
    #expect(isa_call_check(type.mixTypes) == ISA_OK)
  }

  @Test(
    "what libffi cannot pass is refused with the reason",
    arguments: [
      ("v@:(u=iq)", "unions"), ("(u=iq)@:", "unions"), ("v@:{S=c(u=iq)}", "unions"),
      ("v@:{S=[2(u=iq)]}", "unions"), ("v@:b3", "bit-fields"), ("v@:{S=ib3}", "bit-fields"),
      ("v@:t", "128-bit"), ("T@:", "128-bit"), ("v@:{S=[3T]}", "128-bit"),
      ("v@:{Opaque}", "not known"), ("v@:{S=q{Opaque}}", "not known"), ("v@:?", "known"),
      ("v@:{E=}", "empty"), ("{E=}@:", "empty"), ("v@:{S={E=}[0c]}", "empty"),
      ("v@:{S=c[0q]}", "without size"), ("[3q]@:", "arrays"), ("v@:{S=[100000q]}", "256 KiB"),
      ("v@:{S=[20000q]}{S=[20000q]}", "256 KiB"),
    ])
  func refuses(types: String, reason: String) {
    let interfaces = isa_testing_live_counts().call_interfaces
    #expect(isa_call_check(types) == ISA_ERR_NOT_PASSABLE)
    #expect(lastReason().contains(reason), "\(lastReason())")
    #expect(isa_testing_live_counts().call_interfaces == interfaces)
  }

  @Test(
    "what only looks difficult is accepted",
    arguments: [
      "v@:^{Opaque}", "v@:^(u=iq)", "v@:^t", "v@:^^?", "v@:[4{Opaque}]", "v@:{S=q[0c]}",
      "v@:{S=c{E=}q}", "@?@:@?<v@?@\"NSString\">", "Vv24@0:8r*16", "v@:{S=\"a\"@\"b\"q}",
    ])
  func acceptsOdd(types: String) {
    #expect(isa_call_check(types) == ISA_OK, "\(lastReason())")
  }

  @Test(
    "an encoding that is no method's is refused", arguments: ["", "q", "v@", "v:@", "v@:v", "v@:{"])
  func refusesMalformed(types: String) {
    #expect(isa_call_check(types) == ISA_ERR_BAD_ENCODING)
  }

  @Test("spellings that pass alike share one call interface")
  func sharesInterfaces() {
    let spellings = [
      "{P=[7s]ic}@:l^i", "{Q=\"a\"[7s]\"b\"ic}24@0:8l16^{Z}20", "r{?=[7s]lc}@:in^v",
    ]
    let before = isa_testing_live_counts().call_interfaces
    for spelling in spellings { #expect(isa_call_check(spelling) == ISA_OK) }
    #expect(isa_testing_live_counts().call_interfaces == before + 1)
  }

  @Test("want of memory is reported, and the next attempt succeeds")
  func allocationFailure() {
    let types = "{?=[13s]{?=ff}}@:{?=[3{?=cs}]}D"
    var attempts = 0
    for after: Int64 in 0..<100 {
      _ = isa_testing_fail_allocation(after)
      let status = isa_call_check(types)
      guard isa_testing_fail_allocation(-1) else { break }
      #expect(status == ISA_ERR_NO_MEMORY)
      attempts += 1
    }
    #expect(attempts >= 2)
    #expect(isa_call_check(types) == ISA_OK)
  }

  @Test("an array argument is passed as a pointer to its first element")
  func arrayArgument() {
    let values: [Int64] = [3, 4, 5]
    let first: isa_callback = { result, arguments, _ in
      let array = arguments![2]!.load(as: UnsafePointer<Int64>.self)
      result!.storeBytes(of: array[0] + array[2], as: Int64.self)
    }
    var imp: isa_imp?
    #expect(isa_imp_make("q@:[3q]", first, nil, nil, &imp) == ISA_OK)
    values.withUnsafeBufferPointer { buffer in
      let result = Cell(size: 8)
      withArguments([Cell(0), Cell(0), Cell(buffer.baseAddress)]) {
        #expect(isa_invoke(imp, "q@:[3q]", $0, result.address) == ISA_OK)
      }
      #expect(result.load(as: Int64.self) == 8)
    }
    #expect(isa_imp_dispose(imp) == ISA_OK)
  }

  @Test("three hundred arguments are passed")
  func manyArguments() {
    let types = "q@:" + String(repeating: "q", count: 300)
    let sum: isa_callback = { result, arguments, _ in
      let values = (2..<302).map { arguments![$0]!.load(as: Int64.self) }
      result!.storeBytes(of: values.reduce(0, +), as: Int64.self)
    }
    var imp: isa_imp?
    #expect(isa_imp_make(types, sum, nil, nil, &imp) == ISA_OK)
    let result = Cell(size: 8)
    withArguments([Cell(0), Cell(0)] + (1...300).map { Cell(Int64($0)) }) {
      #expect(isa_invoke(imp, types, $0, result.address) == ISA_OK)
    }
    #expect(result.load(as: Int64.self) == 45150)
    #expect(isa_imp_dispose(imp) == ISA_OK)
  }
}
