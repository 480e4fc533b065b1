import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct InvokeTests {
  private let receiver = [Cell(0), Cell(0)]

  @Test("a value passed by encoding comes back unchanged", arguments: TestType.all)
  func echo(type: TestType) {
    let value = type.value(seed: 5)
    let result = Cell(size: type.c.size)
    let status = withArguments(receiver + [value]) {
      isa_invoke(type.c.echo, type.echoTypes, $0, result.address)
    }
    #expect(status == ISA_OK)
    #expect(type.equal(result, value))
    #expect(result.isIntact)
  }

  @Test(
    "a value keeps its place among others in registers and on the stack", arguments: TestType.all)
  func mix(type: TestType) {
    let second = type.value(seed: 2)
    let result = Cell(size: type.c.size)
    let cells = [Cell(Int8(1)), type.value(seed: 1), Cell(2.5), second, Cell(Float(3.5))]
    let status = withArguments(receiver + cells) {
      isa_invoke(type.c.mix, type.mixTypes, $0, result.address)
    }
    #expect(status == ISA_OK)
    #expect(type.equal(result, second))
    #expect(result.isIntact)
  }

  @Test("the list of arguments and the values are left as they were", arguments: TestType.all)
  func leavesArguments(type: TestType) {
    let value = type.value(seed: 3), result = Cell(size: type.c.size)
    withArguments(receiver + [value]) { arguments in
      #expect(isa_invoke(type.c.echo, type.echoTypes, arguments, result.address) == ISA_OK)
      #expect(arguments[2] == value.address)
    }
    #expect(type.isValue(value.address, seed: 3))
  }

  @Test("a result that nobody asked for is dropped", arguments: TestType.all)
  func dropsResult(type: TestType) {
    let status = withArguments(receiver + [type.value(seed: 3)]) {
      isa_invoke(type.c.echo, type.echoTypes, $0, nil)
    }
    #expect(status == ISA_OK)
  }

  @Test(
    "dropping long doubles, which come back on a stack of eight registers, leaves it empty",
    arguments: TestType.all.filter { ["D", "jD", "{?=D}", "{?=jD}"].contains($0.encoding) })
  func dropsFloatingPointStack(type: TestType) {
    let value = type.value(seed: 8), result = Cell(size: type.c.size)
    withArguments(receiver + [value]) { arguments in
      for _ in 0..<20 { #expect(isa_invoke(type.c.echo, type.echoTypes, arguments, nil) == ISA_OK) }
      #expect(isa_invoke(type.c.echo, type.echoTypes, arguments, result.address) == ISA_OK)
    }
    #expect(type.equal(result, value))
  }

  @Test("a signature that cannot be passed is refused before the call")
  func refuses() {
    var calls = 0
    withUnsafeMutablePointer(to: &calls) { calls in
      var imp: isa_imp?
      let count: isa_callback = { _, _, context in
        context!.assumingMemoryBound(to: Int.self).pointee += 1
      }
      #expect(isa_imp_make("v@:q", count, calls, nil, &imp) == ISA_OK)
      withArguments(receiver + [Cell(1)]) {
        #expect(isa_invoke(imp, "v@:(u=qd)", $0, nil) == ISA_ERR_NOT_PASSABLE)
        #expect(isa_invoke(imp, "v@:", $0, nil) == ISA_OK)
      }
      #expect(isa_imp_dispose(imp) == ISA_OK)
    }
    #expect(calls == 1)
  }

  @Test("a message is sent by the encoding of the method that the object's class has")
  func message() throws {
    let type = try #require(TestType.all.first { $0.encoding == "s" })
    try withBalancedCounts {
      try withClass("InvokeMessage") { cls in
        let sel = selector("echo:")
        #expect(isa_class_add_method(cls, sel, type.c.echo, "s20@0:8s16") == ISA_OK)
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { object in
          let result = Cell(size: 2)
          let status = withArguments([Cell(Int16(-7))]) {
            isa_invoke_message(object, sel, $0, result.address)
          }
          #expect(status == ISA_OK)
          #expect(result.load(as: Int16.self) == -7)
          #expect(result.isIntact)
        }
      }
    }
  }

  @Test("a message with more arguments than fit the usual list arrives whole")
  func manyArguments() throws {
    let sel = selector("sum" + String(repeating: ":", count: 40))
    let types = "q@:" + String(repeating: "q", count: 40)
    try withBalancedCounts {
      try withClass("InvokeMany") { cls in
        let sum: isa_callback = { result, arguments, _ in
          let values = (2..<42).map { arguments![$0]!.load(as: Int64.self) }
          result!.storeBytes(of: values.reduce(0, +), as: Int64.self)
        }
        #expect(isa_class_add_callback(cls, sel, types, sum, nil, nil) == ISA_OK)
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { object in
          let result = Cell(size: 8)
          try withArguments((1...40).map { Cell(Int64($0)) }) { arguments in
            let allocations = try withEachAllocationFailing {
              try check(isa_invoke_message(object, sel, arguments, result.address))
            }
            #expect(allocations > 0)
            #expect(result.load(as: Int64.self) == 820)
          }
        }
      }
    }
  }

  @Test("a message that the object does not respond to is refused by name")
  func unrecognized() throws {
    try withBalancedCounts {
      try withClass("InvokeDeaf") { cls in
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { object in
          let status = isa_invoke_message(object, selector("neverHeardOf"), nil, nil)
          #expect(status == ISA_ERR_UNRECOGNIZED_SELECTOR)
          #expect(lastReason().contains("InvokeDeaf") && lastReason().contains("neverHeardOf"))
        }
      }
    }
  }

  private struct Seen {
    var messages: [(id: UInt64, cause: UInt64, selector: isa_sel?)] = []
  }

  @Test("a message is reported, and is the cause of the messages that it leads to")
  func reportsMessages() throws {
    let outer = selector("outer"), inner = selector("inner")
    try withClass("InvokeEvents") { cls in
      let callInner: isa_callback = { _, arguments, _ in
        let object = arguments![0]!.load(as: isa_id.self)
        #expect(isa_invoke_message(object, selector("inner"), nil, nil) == ISA_OK)
      }
      let nothing: isa_callback = { _, _, _ in }
      #expect(isa_class_add_callback(cls, outer, "v@:", callInner, nil, nil) == ISA_OK)
      #expect(isa_class_add_callback(cls, inner, "v@:", nothing, nil, nil) == ISA_OK)
      #expect(isa_class_pair_register(cls) == ISA_OK)
      try withInstance(of: cls) { object in
        let messages = recordMessages {
          #expect(isa_invoke_message(object, outer, nil, nil) == ISA_OK)
        }
        try #require(messages.count == 2)
        #expect(messages[0].selector == outer && messages[0].cause == 0)
        #expect(messages[1].selector == inner && messages[1].cause == messages[0].id)
      }
    }
  }

  private func recordMessages(
    _ body: () -> Void
  ) -> [(id: UInt64, cause: UInt64, selector: isa_sel?)] {
    var seen = Seen()
    withUnsafeMutablePointer(to: &seen) { seen in
      let listener = listen(
        { event, context in
          guard let event, event.pointee.kind == ISA_EVENT_MESSAGE else { return }
          context!.assumingMemoryBound(to: Seen.self).pointee.messages.append(
            (event.pointee.id, event.pointee.cause, event.pointee.selector))
        }, seen)
      body()
      isa_event_remove_listener(listener)
    }
    return seen.messages
  }
}
