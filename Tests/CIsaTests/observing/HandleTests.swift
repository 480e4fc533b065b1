import CIsa
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

/// An object that is observed while another thread changes it.
private struct Scene: @unchecked Sendable {
  let object: isa_id, keyPath: String
  var options: ObservingOptions = []
  /// Lives as long as the scene: whatever the object and the change need.
  let keeps: [AnyObject]
  let change: () -> Void
}

/// A way to come to a registration.
private struct Way: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let isNewEachTime: Bool
  let make: @Sendable () throws -> Scene

  init(_ name: String, isNewEachTime: Bool = false, _ make: @escaping @Sendable () throws -> Scene)
  {
    (testDescription, self.isNewEachTime, self.make) = (name, isNewEachTime, make)
  }

  private static func age(_ person: Person, _ options: ObservingOptions = []) -> Scene {
    Scene(
      object: person.id, keyPath: "age", options: options, keeps: [person],
      change: { person.age = 1 })
  }

  private static func beside(_ count: Int) throws -> Scene {
    let person = try Person()
    let others = try (0..<count).map { _ in try Observation(person.id, "age", notes: Notes()) }
    return Scene(
      object: person.id, keyPath: "age", keeps: [person] + others, change: { person.age = 1 })
  }

  private static func path(changing: @escaping (Person, Person) -> Void) throws -> Scene {
    let people = try PersonClass(), root = try people.make(), leaf = try people.make()
    root.set(name: leaf.id)
    return Scene(
      object: root.id, keyPath: "name.age", keeps: [root, leaf], change: { changing(root, leaf) })
  }

  static let all = [
    Way("the first of its class", isNewEachTime: true) { age(try Person()) },
    Way("the same again") { age(try Person()) },
    Way("with values") { age(try Person(), [.old, .new, .prior]) },
    Way("with an initial notification") { age(try Person(), .initial) },
    Way("beside another") { try beside(1) },
    Way("beside many") { try beside(40) },
    Way("a struct") {
      let person = try Person()
      return Scene(
        object: person.id, keyPath: "position", keeps: [person],
        change: { person.set(position: isa_test_point(x: 1, y: 2)) })
    },
    Way("announced by hand") {
      let person = try Person()
      return Scene(
        object: person.id, keyPath: "anything", keeps: [person],
        change: {
          _ = kvo_will_change(person.id, "anything")
          _ = kvo_did_change(person.id, "anything")
        })
    },
    Way("a key path, its end changed") { try path { $1.age = 1 } },
    Way("a key path, its middle replaced") { try path { $0.set(name: $1.id) } },
    Way("a dependent key") {
      let person = try Person()
      try declare(person.people.cls, "height", affectedBy: "age", "name.age")
      return Scene(
        object: person.id, keyPath: "height", keeps: [person], change: { person.age = 1 })
    },
    Way("a to-many key") {
      let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray())
      return Scene(
        object: shelf.id, keyPath: "items", keeps: [shelf],
        change: {
          try? shelf.insert(1, at: 0)
          try? shelf.remove(at: 0)
        })
    },
    Way("under GNUstep's profile") {
      let base = try ClassPair("Base", isRegistered: false)
      try check(isa_class_set_profile(base.cls, ISA_PROFILE_GNUSTEP))
      try base.register()
      let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(), below: base)
      return Scene(
        object: shelf.id, keyPath: "items", options: .initial, keeps: [shelf],
        change: {
          try? shelf.insert(1, at: 0)
          try? shelf.remove(at: 0)
        })
    },
  ]
}

/// A function observer that ends its registration by its token as soon as it is told.
private final class Handle: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<isa_test_handle>.allocate(capacity: 1)

  init() { handle.initialize(to: isa_test_handle()) }
  deinit {
    kvo_token_release(handle.pointee.token)
    handle.deallocate()
  }

  var value: isa_test_handle { isa_test_handle_read(handle) }

  func observe(_ scene: Scene) -> isa_status {
    var function = kvo_function(callback: isa_test_handle_change, info: handle, release: nil)
    return kvo_observe(
      scene.object, scene.keyPath, scene.options.rawValue, &function, nil, &handle.pointee.token)
  }

  func awaitNotification() { while value.told == 0 { sched_yield() } }

  func wait() { kvo_token_invalidate_and_wait(handle.pointee.token) }
}

// A callback may run on another thread before the call that registers it has returned.
@Suite(.serialized, .balancedCounts)
struct HandleTests {
  @Test(
    "a callback on another thread finds its token, and ends its registration by it",
    arguments: Way.all)
  private func findsToken(way: Way) throws {
    for _ in 0..<(way.isNewEachTime ? 10 : 1) {
      let scene = try way.make()
      try whileThreads(1, repeat: { scene.change() }) {
        for _ in 0..<(way.isNewEachTime ? 2 : 100) {
          let handle = Handle()
          try check(handle.observe(scene))
          handle.awaitNotification()
          handle.wait()
          let value = handle.value
          // The initial notification and one of a change may both begin before either ends it.
          let most = scene.options.contains(.initial) ? 2 : 1
          #expect(value.unknown == 0 && value.ended == 1 && (1...most).contains(Int(value.told)))
        }
      }
      withExtendedLifetime(scene) {}
    }
  }

  @Test(
    "an observer object on another thread removes itself in its first notification",
    arguments: ["age", "name.age", "height"])
  func removesItself(keyPath: String) throws {
    let people = try PersonClass(), person = try people.make(), name = try people.make()
    person.set(name: name.id)
    try declare(people.cls, "height", affectedBy: "age", "name.age")
    // One for all: the thread may still be telling an observer that has removed itself.
    let observers = try ObserverClass()
    try whileThreads(1, repeat: { for changed in [person, name] { changed.age = 1 } }) {
      for _ in 0..<30 {
        let ended = Flag(), failed = Flag()
        var observer: ObserverObject?
        observer = try observers.make { [id = person.id] _ in
          let status = kvo_remove_observer(id, observer?.id, keyPath)
          (status == ISA_OK ? ended : failed).set()
        }
        try check(observer!.observe(person, keyPath))
        while !ended.isSet { sched_yield() }
        #expect(!failed.isSet)
        observer = nil
      }
    }
  }

  @Test("a callback releases its token while the call that registers it fails")
  func releasesWhileFailing() throws {
    let people = try PersonClass(), pair = try ClassPair("Slow", of: people.cls)
    let object = try Instance(of: pair.cls, keeping: pair), name = try people.make()
    let parking = Parking(), token = UnsafeMutablePointer<kvo_token?>.allocate(capacity: 1)
    token.initialize(to: nil)
    defer { token.deallocate() }
    var setter: RunningThread?
    let hasBegun = Flag()
    nonisolated(unsafe) let id = object.id, other = name.id
    try addMethod(pair.cls, "name", "@@:") { call in
      let isFirst = !hasBegun.isSet
      if isFirst {
        // Before the thread runs, which asks as well.
        hasBegun.set()
        setter = RunningThread { isa_test_set_name(id, nil) }
        parking.awaitArrival()
      }
      call.answer(isFirst ? Optional(other) : nil)
    }
    nonisolated(unsafe) var held: kvo_token?
    let notes = Notes { _ in
      held = token.pointee
      parking.park()
      kvo_token_release(held)
    }
    let status = observe(object.id, "name.nothing.age", [], notes, nil, &token.pointee)
    #expect(status == KVC_ERR_UNDEFINED_KEY && token.pointee == nil && held != nil)
    parking.release()
    setter?.join()
    #expect(notes.lines == ["change"] && notes.releases == 0)
    withExtendedLifetime((people, pair, name)) {}
  }
}
