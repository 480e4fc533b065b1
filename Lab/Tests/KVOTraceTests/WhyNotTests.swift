import KVOTrace
import Testing

@Suite("Why an observation was not told")
struct WhyNotTests {
  private let order: UInt64 = 0x1000

  /// An order whose total is observed at Cart.swift:7.
  private func story() -> Story {
    var story = Story()
    story.object(order, "Order")
    return story
  }

  private func reasons(
    _ story: Story, file: String = "Cart.swift", key: String? = nil
  ) throws -> [TraceWhyNot.Reason] {
    let answers = try story.trace().whyNot(file: file, line: 7, key: key).answers
    try #require(answers.count == 1)
    return answers[0].findings.map(\.reason)
  }

  @Test("the key changed while nobody observed there")
  func notObservedThen() throws {
    var story = story()
    story.change(order, "total")
    story.observe(order, "total", 1, line: 7)
    story.notify(order, "total", 1, cause: story.change(order, "total"))
    story.end(order, "total", 1)
    story.change(order, "total")
    #expect(try reasons(story) == [.beforeItBegan, .afterItEnded])
    let answer = try story.trace().whyNot(file: "App/Cart.swift", line: 7).answers[0]
    #expect((answer.told, answer.lastTold) == (1, 4))
    #expect(answer.findings.map(\.event) == [1, 7])
  }

  @Test("changes were muted, held for ever, suppressed or on their way")
  func withheld() throws {
    var story = story()
    story.observe(order, "total", 1, line: 7)
    story.about(.changeMuted, order, "total", 1, cause: story.change(order, "total"))
    #expect(try reasons(story) == [.muted])
    story.about(.changeHeld, order, "total", 1, cause: story.change(order, "total"))
    #expect(try reasons(story) == [.muted, .heldAndNotReleased])
    story.change(order, "total")
    #expect(try reasons(story) == [.muted, .heldAndNotReleased, .suppressed])
    let told = story.about(
      .notification, order, "total", 1, cause: story.change(order, "total"))
    #expect(try reasons(story) == [.muted, .suppressed])
    let sent = story.about(.handlerSent, order, "total", 1, cause: told)
    #expect(try reasons(story) == [.muted, .suppressed, .neverArrived])
    story.about(.handlerArrived, order, "total", 1, cause: sent)
    #expect(try reasons(story) == [.muted, .suppressed])
  }

  @Test("another object or another key changed, or only the ivar")
  func elsewhere() throws {
    var story = story()
    story.observe(order, "total", 1, line: 7)
    #expect(try reasons(story) == [.noChange])
    story.tell(.ivarWritten) { ($0.object, $0.name) = (order, "_total") }
    #expect(try reasons(story) == [.setInIvar])
    story.object(0x2000, "Order")
    story.change(0x2000, "total")
    story.change(order, "count")
    #expect(try reasons(story) == [.setInIvar, .otherObject, .otherKey])
  }

  @Test("a notification before a change, or while registering, tells of none")
  func priorTellsNothing() throws {
    var story = story()
    story.observe(order, "total", 1, line: 7)
    story.tell(.notification) {
      ($0.object, $0.name, $0.registration, $0.flags) = (order, "total", 1, .initial)
    }
    #expect(try reasons(story) == [.noChange])
  }

  @Test("nobody observed at the line, but a registration was refused there")
  func refused() throws {
    var story = story()
    let id = story.tell(.observerRefused) {
      ($0.object, $0.name, $0.line, $0.file) = (order, "nope", 7, "App/Cart.swift")
    }
    let answer = try story.trace().whyNot(file: "Cart.swift", line: 7)
    #expect(answer.answers.isEmpty)
    #expect(answer.refused == [id])
    #expect(try story.trace().whyNot(file: "art.swift", line: 7).refused == [])
  }

  @Test("a key says which of the observations at a line is meant")
  func key() throws {
    var story = story()
    story.observe(order, "address.city", 1, line: 7)
    story.observe(order, "total", 2, line: 7)
    let trace = try story.trace()
    #expect(trace.whyNot(file: "Cart.swift", line: 7).answers.count == 2)
    let city = trace.whyNot(file: "Cart.swift", line: 7, key: "city").answers
    #expect(city.map { $0.registrations.map(\.number) } == [[1]])
  }

  @Test("parts of one observation are told of as one: what was held is released by any of them")
  func parts() throws {
    var story = story()
    let span = story.tell(.spanBegan) {
      ($0.name, $0.line, $0.file) = ("observe \\Order.cost", 7, "App/Cart.swift")
    }
    for (number, key) in [(1, "total"), (2, "count")] as [(UInt64, String)] {
      story.observe(order, key, number, cause: span)
    }
    story.tell(.spanEnded) { $0.cause = span }
    let first = story.change(order, "total")
    story.about(.changeHeld, order, "total", 1, cause: first)
    let second = story.change(order, "count")
    let held = story.about(.changeHeld, order, "count", 2, cause: second)
    #expect(try reasons(story) == [.heldAndNotReleased])
    story.about(.notification, order, "count", 2, cause: held)
    #expect(try reasons(story) == [])
    let answer = try #require(try story.trace().whyNot(file: "Cart.swift", line: 7).answers.first)
    #expect(answer.registrations.map(\.number) == [1, 2])
    #expect(answer.told == 1)
  }
}
