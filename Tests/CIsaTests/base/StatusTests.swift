import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import Testing

@Suite(.serialized, .balancedCounts)
struct StatusTests {
  @Test("every status has a text of its own")
  func texts() {
    let values = Array(0...14) + Array(32...34) + Array(64...70)
    let texts = values.map { String(cString: isa_status_text(isa_status(UInt32($0)))) }
    #expect(!texts.contains("unknown status"))
    #expect(Set(texts).count == texts.count)
    #expect(String(cString: isa_status_text(isa_status(1000))) == "unknown status")
  }

  @Test("the last error names status, exception and reason, and stays until the next failure")
  func lastError() {
    var made: isa_class?
    #expect(isa_class_pair_allocate(nil, "", &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_sel_register("length") != nil)
    let error = isa_last_error().pointee
    #expect(error.status == ISA_ERR_INVALID_ARGUMENT)
    #expect(String(cString: error.exception) == "NSInvalidArgumentException")
    #expect(String(cString: error.reason) == "a class needs a name")
  }

  @Test("a thread has a last error of its own")
  func lastErrorPerThread() {
    _ = isa_sel_register("")
    onThreads(1) { _ in
      #expect(isa_last_error().pointee.status == ISA_OK)
      #expect(lastReason() == "")
      #expect(String(cString: isa_last_error().pointee.exception) == "")
    }
    #expect(isa_last_error().pointee.status == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("a misuse is told to the handler, which may fail itself, and is the last error otherwise")
  func misuse() {
    let told = MisuseLog()
    told.isFailing = true
    #expect(isa_test_report_misuse(KVO_ERR_UNHANDLED, "nobody handles it") == KVO_ERR_UNHANDLED)
    #expect(told.lines == ["NSInternalInconsistencyException: nobody handles it"])
    #expect(isa_last_error().pointee.status == ISA_ERR_INVALID_ARGUMENT)
    told.isFailing = false
    _ = isa_test_report_misuse(KVO_ERR_NOT_REGISTERED, lastReason() + ", again")
    #expect(told.lines.last == "NSRangeException: isa_sel_register: a selector needs a name, again")
    #expect(isa_last_error().pointee.status == KVO_ERR_NOT_REGISTERED)
    told.end()
  }

  @Test("without a handler a misuse is one line on standard error")
  func misuseByDefault() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      _ = isa_test_report_misuse(KVO_ERR_NOT_REGISTERED, "not an observer")
    }
    let line = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(line?.contains("isakvo: NSRangeException: not an observer\n") == true)
  }

  @Test("a callout hands out the function and its context, and nothing when there is none")
  func entering() {
    let callout = Callout()
    #expect(callout.enter() == nil)
    callout.set(number: 7)
    #expect(callout.call() == 7)
    callout.set(number: 8)
    #expect(callout.call() == 8)
    callout.clear()
    #expect(callout.enter() == nil)
  }

  @Test("a function may replace itself from inside, and be replaced again before it is left")
  func replacingFromInside() throws {
    let callout = Callout()
    callout.set(number: 1)
    let outer = try #require(callout.enter())
    callout.set(number: 2)
    let inner = try #require(callout.enter())
    callout.set(number: 3)
    inner.leave()
    outer.leave()
    #expect(callout.call() == 3)
  }

  @Test("threads that are inside together may each replace the function", arguments: [2, 5])
  func replacingTogether(count: Int) {
    let callout = Callout(), inside = Gate(count)
    callout.set(number: 1)
    onThreads(count) { thread in
      let stay = callout.enter()!
      inside.pass()
      callout.set(number: 10 + thread)
      stay.leave()
    }
    #expect(callout.call().map { $0 >= 10 } == true)
  }

  @Test("nobody is inside a function any more when its replacement returns")
  func waiting() {
    let callout = Callout(), valid = UnsafeMutablePointer<Bool>.allocate(capacity: 500)
    nonisolated(unsafe) let flags = valid
    defer { flags.deallocate() }
    flags.initialize(repeating: true, count: 500)
    callout.set(number: 0)
    whileThreads(
      2,
      repeat: {
        guard let stay = callout.enter() else { return }
        #expect(flags[stay.number])
        stay.leave()
      },
      {
        for next in 1..<500 {
          callout.set(number: next)
          flags[next - 1] = false
        }
      })
    callout.clear()
  }

  @Test("the stop prints its sentence and ends the process")
  func stop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = isa_class_name(nil)
    }
    let line = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(line?.contains("isakvo: isa_class_name: cls is NULL\n") == true)
  }
}

/// Collects misuses until `end`, failing while it is told if asked to.
private final class MisuseLog {
  private(set) var lines: [String] = []
  var isFailing = false

  init() {
    let handler: isa_misuse_handler = { error, context in
      Unmanaged<MisuseLog>.fromOpaque(context!).takeUnretainedValue().receive(error!)
    }
    isa_set_misuse_handler(handler, Unmanaged.passUnretained(self).toOpaque())
  }

  private func receive(_ error: UnsafePointer<isa_error>) {
    if isFailing { _ = isa_sel_register("") }
    let exception = String(cString: error.pointee.exception)
    lines.append("\(exception): \(String(cString: error.pointee.reason))")
  }

  func end() { isa_set_misuse_handler(nil, nil) }
}

/// A callout whose contexts are numbers. It is never freed, as those of the core are not.
private final class Callout: @unchecked Sendable {
  private let callout = immortal(isa__callout())

  func set(number: Int) {
    isa__callout_set(callout, {}, UnsafeMutableRawPointer(bitPattern: number))
  }

  func clear() { isa__callout_set(callout, nil, nil) }

  /// Enters the function, if there is one.
  func enter() -> Stay? { Stay(in: callout) }

  /// Enters, leaves, and answers with the context.
  func call() -> Int? {
    guard let stay = enter() else { return nil }
    stay.leave()
    return stay.number
  }
}

/// A thread's call of a callout, until it leaves.
private final class Stay {
  private let call = UnsafeMutablePointer<isa__callout_call>.allocate(capacity: 1)

  init?(in callout: UnsafeMutablePointer<isa__callout>) {
    guard isa__callout_enter(callout, call) else { return nil }
  }

  deinit { call.deallocate() }

  /// The number of the function that the thread is inside.
  var number: Int { Int(bitPattern: call.pointee.context) }

  func leave() { isa__callout_leave(call) }
}

/// Lets threads pass once all of them have come.
private final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  init(_ count: Int) { missing = count }

  func pass() {
    condition.lock()
    missing -= 1
    condition.broadcast()
    while missing > 0 { condition.wait() }
    condition.unlock()
  }
}
