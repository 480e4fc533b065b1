import CIsa
import CIsa.Testing
import Foundation
import Testing

@Suite(.serialized, .balancedCounts)
struct SelectorTests {
  @Test("equal names answer the same selector, different names different ones")
  func interning() {
    #expect(isa_sel_register("answer") == isa_sel_register("answer"))
    #expect(isa_sel_register("answer") != isa_sel_register("answer:"))
  }

  @Test(
    "a selector tells its name and the number of its colons",
    arguments: ["age", "setAge:", "a:b:", "::"])
  func nameAndColons(name: String) {
    let sel = isa_sel_register(name)
    #expect(String(cString: isa_sel_name(sel)) == name)
    #expect(isa_sel_argument_count(sel) == name.filter { $0 == ":" }.count)
  }

  @Test("finding interns nothing")
  func finding() {
    let selectors = isa_testing_live_counts().selectors
    #expect(isa_sel_find("nobody ever interned this") == nil)
    #expect(isa_sel_find(nil) == nil)
    #expect(isa_testing_live_counts().selectors == selectors)
    let sel = isa_sel_register("somebody interned this")
    #expect(isa_sel_find("somebody interned this") == sel)
  }

  @Test("a name that is missing or empty is refused")
  func emptyName() {
    #expect(isa_sel_register(nil) == nil)
    #expect(isa_last_error().pointee.status == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_sel_register("") == nil)
    #expect(lastReason().contains("needs a name"))
  }

  @Test("threads that intern the same new names agree on the selectors")
  func threads() {
    let results = SelectorLists(count: 4)
    onThreads(4) { thread in
      let order = thread.isMultiple(of: 2) ? Array(0..<100) : (0..<100).reversed()
      let selectors = order.map { ($0, Int(bitPattern: isa_sel_register("raced\($0):"))) }
      results.set(selectors.sorted { $0.0 < $1.0 }.map(\.1), at: thread)
    }
    #expect(Set(results.all).count == 1)
    #expect(Set(results.all[0]).count == 100)
  }

  @Test("without memory a new name is refused and nothing stays behind")
  func allocationFailure() throws {
    try withEachAllocationFailing {
      guard isa_sel_register("interned without memory") == nil else { return }
      throw StatusError(status: isa_last_error().pointee.status, reason: lastReason())
    }
    #expect(isa_sel_find("interned without memory") != nil)
  }
}

private final class SelectorLists: @unchecked Sendable {
  private(set) var all: [[Int]]
  private let lock = NSLock()

  init(count: Int) { all = Array(repeating: [], count: count) }

  func set(_ list: [Int], at index: Int) { lock.withLock { all[index] = list } }
}
