import KVOTrace
import Testing

@Suite("Questions to a trace")
struct QuestionTests {
  private let order: UInt64 = 0x1000, item: UInt64 = 0x2000

  /// An order whose total is observed at Cart.swift:7, and set twice; an item that is seen later.
  private func story() -> Story {
    var story = Story()
    story.object(order, "Shop.Order")
    story.observe(order, "total", 1, line: 7)
    for value in 1...2 as ClosedRange<Int64> {
      let change = story.change(order, "total")
      story.notify(order, "total", 1, cause: change, takes: 1000, value, old: value - 1)
    }
    story.object(item, "Item")
    return story
  }

  @Test("the summary has keys, handlers with their places, and what never ended")
  func summary() throws {
    let trace = try story().trace()
    let summary = trace.summary()
    #expect(summary.eventCount == 7)
    #expect(summary.counts[.didChange] == 2)
    #expect(summary.keys.map { trace.name(of: $0.key) } == ["Shop.Order.total"])
    #expect((summary.keys[0].changes, summary.keys[0].notifications) == (2, 2))
    try #require(summary.handlers.count == 1)
    let handler = summary.handlers[0]
    #expect((handler.runs, handler.total, handler.longest) == (2, 2002, 1001))
    #expect((trace.text(handler.origin.file), handler.origin.line) == ("App/Cart.swift", 7))
    #expect(handler.longestEvent == 6)
    #expect(summary.open.map(\.count) == [1])
    #expect(summary.open[0].oldest.number == 1)
    #expect(summary.rings.isEmpty && summary.deaths.isEmpty && summary.problems.isEmpty)
  }

  @Test("a handler's own time is without the handlers inside it")
  func ownTime() throws {
    var story = story()
    story.observe(item, "count", 2, line: 9)
    let outer = story.change(item, "count")
    let handler = story.about(.notification, item, "count", 2, cause: outer)
    story.wait(100)
    let inner = story.change(order, "total", cause: handler)
    story.notify(order, "total", 1, cause: inner, takes: 5000)
    story.wait(50)
    story.about(.notificationEnded, item, "count", 2, cause: handler)
    let use = try #require(try story.trace().summary().handlers.first { $0.origin.line == 9 })
    #expect(use.total == 5000 + 100 + 50 + 4)
    #expect(use.own == use.total - 5001)
  }

  @Test("a handler that runs elsewhere has its run and its latency there")
  func latency() throws {
    var story = story()
    let change = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: change)
    let sent = story.about(.handlerSent, order, "total", 1, cause: told)
    story.about(.notificationEnded, order, "total", 1, cause: told)
    story.thread = 2
    story.wait(4000)
    let arrived = story.about(.handlerArrived, order, "total", 1, cause: sent)
    story.wait(300)
    story.about(.handlerEnded, order, "total", 1, cause: arrived)
    let use = try #require(try story.trace().summary().handlers.first)
    #expect((use.sent, use.arrived, use.runs) == (1, 1, 3))
    #expect((use.latency, use.longestLatencyEvent) == (4002, arrived))
    #expect(use.total == 2002 + 301)
  }

  @Test("a value of a sequence has its latency, and a run only if something happens in its course")
  func sequence() throws {
    var story = story()
    for isUsed in [false, true] {
      let change = story.change(order, "total")
      let told = story.about(.notification, order, "total", 1, cause: change)
      let sent = story.about(.handlerSent, order, "total", 1, cause: told)
      story.about(.notificationEnded, order, "total", 1, cause: told)
      let arrived = story.about(.handlerArrived, order, "total", 1, cause: sent)
      story.wait(300)
      if isUsed { story.change(item, "count", cause: arrived) }
    }
    let uses = try story.trace().summary().handlers
    let use = try #require(uses.first { $0.sent > 0 })
    #expect((use.sent, use.arrived) == (2, 2))
    let before = try self.story().trace().summary().handlers.first { $0.key == use.key }?.runs ?? 0
    #expect(use.runs == before + 1)
  }

  @Test("a change in the course of its own notification is a ring, also over another thread")
  func rings() throws {
    var story = story()
    story.observe(item, "count", 2)
    let first = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: first)
    let second = story.change(item, "count", cause: told)
    let sender = story.about(.notification, item, "count", 2, cause: second)
    let sent = story.about(.handlerSent, item, "count", 2, cause: sender)
    story.thread = 2
    let arrived = story.about(.handlerArrived, item, "count", 2, cause: sent)
    story.change(order, "total", cause: arrived)
    let trace = try story.trace()
    let ring = try #require(trace.summary().rings.first)
    #expect(ring.keys.map(trace.name) == ["Shop.Order.total", "Item.count"])
    #expect((ring.count, ring.changes) == (1, [first, second]))
  }

  @Test("handlers whose surroundings were lost do not lie one inside the other")
  func lostSurroundings() throws {
    var story = story()
    story.tell(.mark) { $0.name = "here the surroundings begin" }
    let lost = story.lastID + 5
    story.lastID += 10
    for _ in 0..<3 {
      let change = story.change(order, "total", cause: lost)
      story.notify(order, "total", 1, cause: change, takes: 10)
      story.wait(5000)
    }
    var course = TraceCourse()
    var deepest = 0
    for event in try story.trace().events {
      course.take(event)
      deepest = max(deepest, course.frames.count)
    }
    #expect(deepest == 2)
    course.finish()
    #expect(course.frames.isEmpty && course.ended.count == 1)
  }

  @Test("a handler that arrives does not lie in the change that its thread made before")
  func arrivalAfterChange() throws {
    var story = story()
    let change = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: change)
    let sent = story.about(.handlerSent, order, "total", 1, cause: told)
    story.about(.notificationEnded, order, "total", 1, cause: told)
    for _ in 0..<2 { story.about(.handlerArrived, order, "total", 1, cause: sent) }
    var course = TraceCourse()
    for event in try story.trace().events { course.take(event) }
    #expect(course.frames.map(\.event.id) == [story.lastID])
  }

  @Test("a frame without an event of its end ends with the last event in it")
  func unsaidEnd() throws {
    var story = story()
    let change = story.change(order, "total")
    story.notify(order, "total", 1, cause: change, takes: 10)
    let end = story.time
    story.wait(5000)
    story.change(order, "total")
    var course = TraceCourse()
    for event in try story.trace().events { course.take(event) }
    #expect(course.ended.map(\.frame.event.id) == [change])
    #expect((course.ended[0].time, course.ended[0].isSaid) == (end, false))
  }

  @Test("the same key of another object is no ring")
  func noRing() throws {
    var story = story()
    story.object(0x3000, "Shop.Order")
    let first = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: first)
    story.change(0x3000, "total", cause: told)
    #expect(try story.trace().summary().rings.isEmpty)
  }

  @Test("refusals, misuses and deaths are counted with their first event")
  func mistakes() throws {
    var story = story()
    for _ in 0..<2 {
      story.tell(.observerRefused) { ($0.object, $0.name, $0.status) = (order, "nope", 32) }
      story.tell(.misuse) { ($0.name, $0.status) = ("it is not registered", 64) }
    }
    story.end(order, "total", 1, .objectDied)
    let trace = try story.trace()
    let summary = trace.summary()
    #expect(summary.refusals.map(\.count) == [2])
    #expect((summary.refusals[0].status, summary.refusals[0].first) == (32, 8))
    #expect(summary.misuses.map { trace.text($0.sentence) } == ["it is not registered"])
    #expect((summary.misuses[0].count, summary.misuses[0].first) == (2, 9))
    #expect(summary.deaths.map(\.reason) == [.objectDied])
    #expect(summary.deaths[0].origin.line == 7)
    #expect(summary.open.isEmpty)
  }

  @Test("why leads from an event to what the program did by itself, with values and places")
  func why() throws {
    var story = story()
    let change = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: change, 3, old: 2)
    let inner = story.change(item, "count", cause: told)
    let why = try #require(try story.trace().why(inner))
    #expect(why.steps.map(\.event.id) == [inner, told, change])
    #expect(why.end == .program)
    #expect(why.steps[1].registration?.number == 1)
    #expect(why.steps[1].origin.line == 7)
    #expect((why.steps[2].value, why.steps[2].oldValue) == (.integer(3), .integer(2)))
  }

  @Test("why says where the chain is lost, and that a damaged one does not go round for ever")
  func whyLost() throws {
    var story = story()
    let lost = story.change(order, "total", cause: 1_000)
    let trace = try story.trace()
    #expect(trace.why(lost)?.end == .lost(1_000))
    #expect(trace.why(999) == nil)
    #expect(trace.effects(of: 2).map(\.kind) == [.notification])
  }

  @Test("who set a key: each change with values, and grouped by the handler that made it")
  func sets() throws {
    var story = story()
    story.observe(item, "count", 2)
    let outer = story.change(item, "count")
    let handler = story.about(.notification, item, "count", 2, cause: outer)
    story.change(order, "total", cause: handler)
    let trace = try story.trace()
    let sets = trace.sets(of: try #require(TraceProperty("Order.total")))
    #expect((sets.count, sets.threads) == (3, [1]))
    #expect(sets.changes.map(\.value) == [.integer(1), .integer(2), nil])
    #expect(sets.changes.map(\.within?.id) == [nil, nil, handler])
    #expect(sets.groups.map(\.registration) == [0, 2])
    #expect(sets.groups.map(\.count) == [2, 1])
    #expect(
      trace.sets(of: TraceProperty("Order.total")!, limit: 1).changes.map(\.within?.id) == [handler]
    )
    #expect(trace.sets(of: TraceProperty("der.total")!).count == 0)
    #expect(trace.sets(of: TraceProperty("Shop.Order.total")!).count == 3)
  }

  @Test(
    "a property is a class and a key, whose class may be named by its last part",
    arguments: [
      ("Order.total", "Order", "total", true), ("Order.total", "Shop.Order", "total", true),
      ("Shop.Order.total", "Shop.Order", "total", true), ("total", "Order", "total", false),
      ("Order.address.city", "Order", "address.city", true),
      ("address.city", "Order", "address.city", false),
      ("rder.total", "Order", "total", false), ("Order.tot", "Order", "total", false),
    ])
  func property(_ text: String, _ className: String, _ key: String, _ matches: Bool) {
    #expect(TraceProperty(text)?.matches(className: className, key: key) ?? false == matches)
  }

  @Test("observers are all registrations of a property with their ends; open are those without")
  func observers() throws {
    var story = story()
    story.builder.registration(
      object: item, number: 0, keyPath: "count", options: 0, observer: 0x88)
    story.observe(order, "total", 3, line: 12)
    story.end(order, "total", 1)
    let trace = try story.trace()
    let total = try #require(TraceProperty("Order.total"))
    #expect(trace.observers(of: total).map(\.number) == [1, 3])
    #expect(trace.observers(of: total).map(\.end?.reason) == [.byCall, nil])
    #expect(trace.open(of: total).map(\.number) == [3])
    #expect(trace.open().map(\.number).sorted() == [0, 3])
    #expect(trace.open().map(\.origin.line).sorted() == [0, 12])
  }

  @Test("a registration that was there before belongs to the object that was seen then")
  func earlier() throws {
    var story = story()
    story.tell(.deallocated) { $0.object = item }
    story.object(item, "Late")
    story.builder.registration(
      object: item, number: 0, keyPath: "count", options: 0, observer: 0x88)
    story.tell(.mark) { $0.object = item }
    let trace = try story.trace()
    #expect(
      trace.open().map { trace.name(of: trace.key(of: $0)) } == ["Shop.Order.total", "Late.count"])
    #expect(trace.moment(at: story.lastID - 1).registrations.map(\.number) == [1])
    #expect(trace.moment(at: story.lastID).registrations.map(\.number).sorted() == [0, 1])
  }

  @Test("a moment has the objects and registrations that are alive then")
  func moment() throws {
    var story = story()
    story.tell(.isaSwapped) { ($0.object, $0.className) = (item, "KVO_Item") }
    let middle = story.lastID
    story.end(order, "total", 1)
    story.tell(.deallocated) { $0.object = order }
    let trace = try story.trace()
    let moment = trace.moment(at: middle)
    #expect(moment.objects.map(\.object.address) == [order, item])
    #expect(moment.objects.map { $0.isa.map(trace.text) } == [nil, "KVO_Item"])
    #expect(moment.registrations.map(\.number) == [1])
    let end = trace.moment(at: story.lastID)
    #expect(end.objects.map(\.object.address) == [item])
    #expect(end.registrations.isEmpty)
  }

  @Test("a selection is a window's last events, and counts what it leaves out")
  func selection() throws {
    let trace = try story().trace()
    #expect(trace.select(.all, limit: 3).events.map(\.id) == [5, 6, 7])
    #expect(trace.select(.all, limit: 3).before == 4)
    let middle = trace.select(.ids(3...5))
    #expect((middle.events.map(\.id), middle.before, middle.behind) == ([3, 4, 5], 2, 2))
    #expect(trace.select(.times(0...1)).behind == 7)
    #expect(trace.select(.all, limit: 0).before == 7)
  }

  @Test("an object's history is its own, though another object had its address before")
  func history() throws {
    var story = story()
    story.tell(.deallocated) { $0.object = order }
    story.object(order, "Late")
    story.change(order, "name")
    let trace = try story.trace()
    let first = try #require(trace.object(order, at: 1))
    let second = try #require(trace.object(order, at: story.lastID))
    #expect(trace.history(of: first).events.map(\.id) == Array(1...8))
    #expect(trace.history(of: second).events.map(\.id) == [9])
    #expect(trace.history(of: first, limit: 2).before == 6)
  }

  @Test("what the library observes anew in a handler has the place of the observation")
  func remade() throws {
    var story = story()
    let change = story.change(order, "total")
    let told = story.about(.notification, order, "total", 1, cause: change)
    story.observe(item, "count", 2, cause: told)
    story.about(.notificationEnded, order, "total", 1, cause: told)
    let next = story.change(item, "count")
    let again = story.about(.notification, item, "count", 2, cause: next)
    story.observe(item, "name", 3, cause: again)
    story.tell(.observerAdded) {
      ($0.object, $0.registration, $0.callback, $0.cause) = (item, 4, 0x6000, again)
    }
    let trace = try story.trace()
    #expect([1, 2, 3, 4].map { trace.registration($0)?.origin.line } == [7, 7, 7, 0])
    #expect(trace.observers().map(\.origin.line) == [7, 7, 7, 0])
    #expect(trace.summary().open.map(\.origin.line) == [7, 7, 7, 0])
  }
}
