import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

/// A function observer that nothing keeps but the test, and that is registered as one in C would be:
/// with a context or without, with a release function or without.
private final class Listener: @unchecked Sendable {
  let context: UnsafeMutableRawPointer?
  private let releases: Bool
  private(set) var released = 0
  private(set) var told = 0
  private(set) var wrong: [String] = []
  private var token: kvo_token?
  /// Done when it is told next.
  var once: (() -> Void)?

  init(context: Int = 0, releases: Bool = false) {
    self.context = UnsafeMutableRawPointer(bitPattern: context)
    self.releases = releases
  }

  deinit { kvo_token_release(token) }

  func observe(_ object: isa_id, _ key: String, _ options: ObservingOptions) throws {
    var function = kvo_function(
      callback: { change, info in
        Unmanaged<Listener>.fromOpaque(info!).takeUnretainedValue().hear(change!.pointee)
      }, info: Unmanaged.passUnretained(self).toOpaque(), release: nil)
    if releases {
      function.release = { info in
        Unmanaged<Listener>.fromOpaque(info!).takeUnretainedValue().released += 1
      }
    }
    try check(kvo_observe(object, key, options.rawValue, &function, context, &token))
  }

  func end() {
    #expect(kvo_token_invalidate(token))
    #expect(released == (releases ? 1 : 0))
  }

  private func hear(_ change: kvo_change) {
    told += 1
    if change.context != context { wrong.append("\(String(describing: change.context))") }
    let reaction = once
    once = nil
    reaction?()
  }

  func expect(told count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(told == count && wrong == [], sourceLocation: sourceLocation)
    told = 0
  }
}

// Registrations that have neither a context nor a release function are two words shorter.
@Suite(.serialized, .balancedCounts)
struct BareTests {
  @Test(
    "an object that is observed first pays for context and release only if they are there",
    arguments: [(0, false, 40), (1, false, 56), (0, true, 56), (1, true, 56)])
  func size(context: Int, releases: Bool, size: Int64) throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    let other = Listener(), listener = Listener(context: context, releases: releases)
    try other.observe(first.id, "age", [.old, .new])
    let before = isa_testing_live_counts().bytes
    try listener.observe(second.id, "age", [.old, .new])
    #expect(isa_testing_live_counts().bytes - before == 40 + size)
    second.age = 1
    listener.expect(told: 1)
    listener.end()
    other.end()
  }

  @Test(
    "observers with a context and without hear their own, however many and whatever they ask for",
    arguments: [[.old, .new], [.new], [], [.old, .new, .prior]] as [ObservingOptions], 1...5)
  func mixed(options: ObservingOptions, count: Int) throws {
    let each = options.contains(.prior) ? 2 : 1
    for pattern in 0..<(1 << count) {
      let person = try Person()
      let listeners = (0..<count).map { Listener(context: pattern >> $0 & 1 == 1 ? $0 + 1 : 0) }
      for listener in listeners { try listener.observe(person.id, "age", options) }
      person.age = 1
      for listener in listeners { listener.expect(told: each) }
      try check(kvo_will_change(person.id, "age"))
      try check(kvo_did_change(person.id, "age"))
      for listener in listeners { listener.expect(told: each) }
      listeners[count - 1].once = { person.age = 3 }
      person.age = 2
      for listener in listeners { listener.expect(told: 2 * each) }
      for (index, listener) in listeners.enumerated() where index % 2 == 0 { listener.end() }
      person.age = 4
      for (index, listener) in listeners.enumerated() {
        listener.expect(told: index % 2 == 0 ? 0 : each)
      }
    }
  }

  @Test("observers of a key path with a context and without hear their own")
  func keyPath() throws {
    let person = try Person(), friend = try person.people.make()
    let listeners = [Listener(), Listener(context: 1), Listener(releases: true)]
    for listener in listeners { try listener.observe(person.id, "name.age", .new) }
    person.set(name: friend.id)
    friend.age = 1
    person.set(name: nil)
    for listener in listeners {
      listener.expect(told: 3)
      listener.end()
    }
  }

  @Test("one whose value cannot be read leaves nothing behind", arguments: [0, 1], [false, true])
  func refused(context: Int, releases: Bool) throws {
    let person = try Person(), before = LiveCounts().registrations
    let listener = Listener(context: context, releases: releases)
    #expect(throws: StatusError.self) {
      try listener.observe(person.id, "nothing", [.initial, .new])
    }
    listener.expect(told: 0)
    #expect(LiveCounts().registrations == before && listener.released == 0)
  }
}
