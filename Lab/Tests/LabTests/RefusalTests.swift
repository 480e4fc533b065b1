import Testing

@testable import isalab

@Suite("What the runtime refuses", .serialized, .oneAtATime)
struct RefusalTests {
  private static let preamble = """
    class K {
      x: int, any: object, next: K
      items: mutable-array accessors, fixed: array readonly
      tags: mutable-set
    }
    let k = K()
    k.items = [1, 2]
    k.tags = {1}
    let list = [k]
    let bag: mutable-array = [1]
    observer o
    observe k.x as t
    observe k.tags as v

    """

  @Test(
    "a line that the runtime refuses is answered with the exception and its reason",
    arguments: [
      ("get k.nonesuch", "NSUnknownKeyException", "for the key nonesuch"),
      ("set k.nonesuch = 1", "NSUnknownKeyException", "for the key nonesuch"),
      ("set k.x = nil", "NSInvalidArgumentException", "as the value for the key x"),
      ("set k {nonesuch: 1}", "NSUnknownKeyException", "for the key nonesuch"),
      ("get k (x, nonesuch)", "NSUnknownKeyException", "for the key nonesuch"),
      ("validate k.nonesuch.x 1", "NSUnknownKeyException", "for the key nonesuch"),
      ("get k.items.@median.self", "NSInvalidArgumentException", "the median operation"),
      ("get k.items.@sum", "NSUnknownKeyException", "for the key sum"),
      ("observe k.\"\" as u", "NSInvalidArgumentException", "no key path"),
      ("observe k.\"a..b\" as u", "NSInvalidArgumentException", "a..b"),
      ("observe k.nonesuch.x as u", "NSUnknownKeyException", "for the key nonesuch"),
      ("observe k.items.x as u", "NSInvalidArgumentException", "is not supported"),
      ("observe list.x by o", "NSInvalidArgumentException", "is not supported"),
      ("observe list.x by o at (0, 1)", "NSRangeException", "index 1"),
      ("observe k.x by o at 0", "NSInvalidArgumentException", "an array was expected"),
      ("remove o from list.x at 0", "NSRangeException", "not registered"),
      ("remove o from k.next.x", "NSRangeException", "not registered"),
      ("insert 3 into k.items at 4", "NSRangeException", "index 4"),
      ("insert 3 into k.items at 18446744073709551615", "NSRangeException", "beyond bounds"),
      ("insert [3] into k.items at (0, 1)", "NSInvalidArgumentException", "count"),
      ("remove from k.items at 2", "NSRangeException", "index 2"),
      ("remove from k.items at (0, 5)", "NSRangeException", "index 5"),
      ("replace in k.items at 2 with 3", "NSRangeException", "index 2"),
      ("insert 3 into k.items at 4 by ivar", "NSRangeException", "index 4"),
      ("add 3 to k.tags by accessor", "NSInvalidArgumentException", "addTagsObject:"),
      ("add 3 to k.any by ivar", "NSInvalidArgumentException", "no collection in k.any"),
      ("add 3 to k.\"nonesuch\"", "NSUnknownKeyException", "for the key nonesuch"),
      ("add 3 to list", "NSInvalidArgumentException", "unrecognized selector"),
      ("insert 3 into bag at 2", "NSRangeException", "index 2"),
      ("will union k.tags with k", "NSInvalidArgumentException", "set"),
    ])
  func refused(_ line: String, _ exception: String, _ reason: String) {
    let before = liveCounts()
    let (code, output) = runScenario(RefusalTests.preamble + line + "\n")
    #expect(code == 2)
    // A warning of the key may stand before it.
    let message = output.err.last ?? ""
    #expect(message.hasPrefix("test.kvo:14:1: \(exception): "))
    #expect(message.contains(reason))
    let expected = RefusalTests.preamble + line + "\nexpect error \(exception)\n"
    #expect(runScenario(expected).code == 0)
    #expect(liveCounts() == before)
  }

  @Test(
    "what has no caller to be refused is told as misuse, and the scenario goes on",
    arguments: [
      ("insert 3 into k.items at 9 by accessor", "NSRangeException"),
      ("when t hears: insert 3 into k.items at 9\nk.x = 1", "NSRangeException"),
      ("when t hears: set k.nonesuch = 1\nk.x = 1", "NSUnknownKeyException"),
      ("will k.x\non thread did k.x", "NSInternalInconsistencyException"),
    ])
  func misuse(_ lines: String, _ exception: String) {
    let before = liveCounts()
    let text =
      RefusalTests.preamble + lines + "\nexpect error \(exception)\nexpect k.items == [1, 2]\n"
    let (code, output) = runScenario(text)
    #expect(code == 0)
    #expect(output.text.contains("misuse \(exception): "))
    #expect(liveCounts() == before)
  }

  @Test("collections that hold each other do not outlive the scenario, and are shown with dots")
  func cycles() {
    let before = liveCounts()
    let doubled = (1...40).map { "let a\($0) = [a\($0 - 1), a\($0 - 1)]\n" }.joined()
    let lines = """
      class K { items: mutable-array, next: K }
      let k = K()
      let list: mutable-array = [k]
      add list to list
      k.items = list
      k.next = k
      k.items
      let map: mutable-dictionary = {one: 1}
      set map.self = map
      get map.self
      let a0 = [1]

      """
    let (code, output) = runScenario(lines + doubled)
    #expect(code == 0)
    #expect(output.text.contains("…"))
    #expect(output.text.count < 1_000_000)
    #expect(liveCounts() == before)
  }

  @Test("an object that is gone when an observer acts is told as misuse")
  func goneObject() {
    let lines = """
      class K { x: int }
      let a = K()
      let b = K()
      observe a.x as t
      when t hears: b.x = 1
      release b
      a.x = 1
      expect error NSInvalidArgumentException
      expect t count 1
      """
    #expect(runScenario(lines).code == 0)
  }

  @Test("a message on the way to nothing is no error")
  func nothing() {
    let lines = """
      class K { x: int, items: mutable-array, next: K }
      let k = K()
      k.next.x = 1
      set k.next.x = 1
      poke k.next.x = 1
      add 1 to k.next.items
      will k.next.x
      did k.next.x
      expect k.next.x == nil
      """
    #expect(runScenario(lines).code == 0)
  }
}
