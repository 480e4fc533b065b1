import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Observation
import Testing

@Suite("Trackings of Observation", .serialized, .oneAtATime)
struct TrackingTests {
  @Test("a tracking fires once, before the change, and not for what it has not read")
  func firesOnce() {
    nonisolated(unsafe) let member = TrackedMember()
    nonisolated(unsafe) var seen: [Int] = []
    withObservationTracking {
      _ = member.age
    } onChange: {
      seen.append(member.age)
    }
    member.first = "Bo"
    #expect(seen.isEmpty)
    member.age = 40
    member.age = 41
    #expect(seen == [36])
  }

  @Test("properties of all kinds are tracked")
  func kinds() {
    let member = TrackedMember(), other = TrackedBoss()
    #expect(
      fires {
        _ = member.first
      } while: {
        member.first = "Bo"
      } == 1)
    #expect(
      fires {
        _ = member.full
      } while: {
        member.last = "M"
      } == 1)
    #expect(
      fires {
        _ = member.motto
      } while: {
        member.motto = "some"
      } == 1)
    #expect(
      fires {
        _ = member.boss
      } while: {
        member.boss = other
      } == 1)
    #expect(
      fires {
        _ = member.color
      } while: {
        member.color = "blue"
      } == 1)
    #expect(
      fires {
        _ = member.friend
      } while: {
        member.friend = other
      } == 1)
    #expect(
      fires {
        _ = member.friend?.full
      } while: {
        other.first = "Cy"
      } == 1)
    #expect(
      fires {
        _ = member.friend?.full
      } while: {
        member.friend = nil
      } == 1)
    #expect(
      fires {
        _ = other.office
      } while: {
        other.office = 2
      } == 1)
    #expect(
      fires {
        _ = other.age
      } while: {
        other.age = 2
      } == 1)
    member.items = [other, TrackedMember()]
    #expect(
      fires {
        _ = member.items.map(\.age)
      } while: {
        member.items[1].age = 3
      } == 1)
    #expect(
      fires {
        _ = member.items.map(\.age)
      } while: {
        member.items.removeLast()
      } == 1)
  }

  @Test("a change is heard whatever makes it")
  func sources() throws {
    let member = TrackedMember()
    #expect(
      fires {
        _ = member.age
      } while: {
        member.age += 1
      } == 1)
    #expect(
      fires {
        _ = member.scores
      } while: {
        member.scores.append(2)
      } == 1)
    #expect(
      try fires {
        _ = member.age
      } while: {
        try member.setValue(5, forKey: "age")
      } == 1)
    let scores = member.mutableArrayValue(for: \.scores)
    #expect(
      fires {
        _ = member.scores
      } while: {
        scores.append(3)
      } == 1)
    let tags = member.mutableSetValue(for: \.tags)
    #expect(
      fires {
        _ = member.tags
      } while: {
        tags.insert("a")
      } == 1)
    let named = try member.mutableArrayValue(forKey: "scores")
    #expect(
      try fires {
        _ = member.scores
      } while: {
        try named.append(4)
      } == 1)
    #expect(
      fires {
        _ = member.age
      } while: {
        member.willChangeValue(forKey: "age")
        member.didChangeValue(forKey: "age")
      } == 1)
    #expect(
      fires {
        _ = member.age
      } while: {
        KVObject.transaction { member.age = 7 }
      } == 1)
    #expect(
      fires {
        _ = member.full
      } while: {
        member.withChanges(of: [\TrackedMember.first, \TrackedMember.last]) {
          member.first = "D"
          member.last = "E"
        }
      } == 1)
  }

  @Test("a change that is told to nobody is told to no tracking")
  func untold() {
    let member = TrackedMember()
    let fires = Fires()
    fires.track { _ = member.age }
    member.muting { member.age = 1 }
    member.setPrimitiveValue(2, for: \.age)
    #expect(fires.value == 0)
    member.age = 3
    #expect(fires.value == 1)
  }

  @Test(
    "what is read by name is tracked in the elements of collections",
    arguments: [
      ("items.age", false), ("items.@sum.age", false), ("items.@max.age", false),
      ("items.@distinctUnionOfObjects.age", false), ("items.friend.age", true),
      ("friend.items.age", true), ("items.items.age", true),
    ])
  func namedThroughCollections(path: String, endsAtLeaf: Bool) throws {
    let member = TrackedMember(), other = TrackedMember(), leaf = TrackedMember()
    (other.items, other.friend) = ([leaf], leaf)
    (member.items, member.friend) = ([TrackedMember(), other], other)
    member.items[0].friend = TrackedMember()
    let read = { _ = try? member.value(forKeyPath: path) }
    let changed = endsAtLeaf ? leaf : other
    #expect(fires(reading: read) { changed.age += 1 } == 1)
    #expect(fires(reading: read) { changed.first += "x" } == 0)
  }

  @Test("the getter of a key that is read by name runs once in a tracking")
  func namedOnce() throws {
    final class Counting: KVObject {
      var count = 0
      @Dynamic var age = 1
      var doubled: Int {
        count += 1
        return age * 2
      }
      override class var keys: [KeyDeclaration] {
        [.key("doubled", \Counting.doubled, affectedBy: [\Counting.age])]
      }
    }
    let counting = Counting()
    let fired = fires {
      _ = try? counting.value(forKeyPath: "doubled")
    } while: {
      #expect(counting.count == 1)
      counting.age = 2
    }
    #expect(fired == 1)
  }

  @Test("what is read by name is tracked, along paths too")
  func byName() throws {
    let member = TrackedMember(), friend = TrackedMember()
    member.friend = friend
    let read = { _ = try? member.value(forKey: "age") }
    #expect(fires(reading: read) { member.age = 1 } == 1)
    let path = { _ = try? member.value(forKeyPath: "friend.first") }
    #expect(fires(reading: path) { friend.first = "x" } == 1)
    #expect(fires(reading: path) { member.friend = nil } == 1)
    #expect(fires(reading: path) { member.age = 2 } == 0)
    #expect(
      fires {
        _ = try? member.value(forKey: "color")
      } while: {
        member.color = "green"
      } == 1)
  }

  @Test("observable classes of both kinds are tracked together")
  func mixed() {
    let screen = TrackedScreen()
    let read = { _ = screen.title + screen.member.first }
    #expect(fires(reading: read) { screen.title = "u" } == 1)
    #expect(fires(reading: read) { screen.member.first = "y" } == 1)
    let old = screen.member
    #expect(fires(reading: read) { screen.member = TrackedMember() } == 1)
    #expect(fires(reading: read) { old.first = "z" } == 0)
  }

  @Test("trackings within one another hear each of what they have read")
  func nested() {
    let member = TrackedMember()
    let outer = Fires(), inner = Fires()
    outer.track {
      _ = member.first
      inner.track { _ = member.age }
    }
    member.age = 1
    #expect(outer.value == 1 && inner.value == 1)
  }

  @Test("observers and trackings are told of the same change")
  func besideObservers() {
    let member = TrackedMember()
    var told: [Int] = []
    let token = member.observe(\.age, options: .new) { told.append($1.newValue!) }
    #expect(
      fires {
        _ = member.age
      } while: {
        member.age = 50
      } == 1)
    member.age = 51
    #expect(told == [50, 51])
    token.invalidate()
  }

  @Test("what is read in order to observe a key path is not tracked")
  func observingInside() {
    let member = TrackedMember()
    member.friend = TrackedMember()
    var tokens: [KeyValueObservation] = []
    let fires = Fires()
    fires.track {
      tokens.append(member.observe(\.full) { _, _ in })
      tokens.append(member.observe(\.friend?.full) { _, _ in })
    }
    member.first = "q"
    member.friend?.last = "r"
    #expect(fires.value == 0)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a registration ends once no tracking has the property, and the isa goes back")
  func endsByItself() throws {
    let member = TrackedMember()
    let object = try RuntimeObject(member), isa = object.isa
    for age in 1...3 {
      #expect(
        fires {
          _ = member.age
        } while: {
          member.age = age
        } == 1)
      #expect(object.registrations.count == 1 && object.isa != isa)
    }
    member.age = 4
    #expect(object.registrations.isEmpty && object.isa == isa)
    #expect(
      fires {
        _ = member.age
      } while: {
        member.age = 5
      } == 1)
  }

  @Test("a tracking that is never to fire keeps no object, and ends with it")
  func lifetime() {
    let fires = Fires()
    weak var gone: TrackedMember?
    do {
      let member = TrackedMember()
      gone = member
      fires.track { _ = member.full }
    }
    #expect(gone == nil && fires.value == 0)
  }

  @Test("a property may be tracked again, and set, where a tracking fires")
  func again() {
    nonisolated(unsafe) let member = TrackedMember()
    let fires = Fires()
    withObservationTracking {
      _ = member.age
    } onChange: {
      fires.track { _ = member.age + member.first.count }
      member.first = "longer"
    }
    member.age = 1
    #expect(fires.value == 1)
    #expect(member.age == 1 && member.first == "longer")
  }

  @Test("a property without a wrapper that no class declares cannot be tracked, which is reported")
  func undeclared() {
    final class Plain: KVObject {
      var x: Int {
        access(\.x)
        return 1
      }
    }
    let plain = Plain()
    let told = reports { Fires().track { _ = plain.x } }
    #expect(told.count == 1 && told.first?.reason.contains("declared") == true)
  }

  @Test("trackings on several threads each fire once, while registrations come and go")
  func threads() {
    let threads = 4, rounds = 300
    let member = SharedMember(), lines = Barrier(threads)
    let lost = Recorder<Int>()
    onThreads(threads) { number in
      for round in 0..<rounds {
        let all = Fires(), own = Fires()
        all.track { _ = member.common }
        own.track { _ = member.property(number) }
        lines.wait()
        // One thread sets what all have read, each the one that it alone has read.
        if number == round % threads { member.common += 1 }
        member.set(number, to: round)
        lines.wait()
        if all.value != 1 || own.value != 1 { lost.add(round) }
        // Now and then the second change without a tracking ends the registration.
        if round % 3 == 0 { member.set(number, to: round) }
        lines.wait()
        if round % 3 == 0, number == 0 { member.common += 1 }
        lines.wait()
      }
    }
    #expect(lost.all == [])
  }

  @Test("Observations give the values of a property, computed ones too")
  func observations() async {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    let seen = await watch(TrackedMember())
    #expect(seen == ["Ada L", "Bo L", "Bo M"])
  }
}

@available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
@MainActor
private func watch(_ member: TrackedMember) async -> [String] {
  var seen: [String] = []
  for await full in Observations({ member.full }) {
    seen.append(full)
    switch seen.count {
    case 1: Task { @MainActor in member.first = "Bo" }
    case 2: Task { @MainActor in member.last = "M" }
    default: return seen
    }
  }
  return seen
}

/// Shared by threads, which take turns at its properties.
private final class SharedMember: KVObject, @unchecked Sendable {
  @Dynamic var common = 0
  @Dynamic var p0 = 0
  @Dynamic var p1 = 0
  @Dynamic var p2 = 0
  @Dynamic var p3 = 0

  private nonisolated(unsafe) static let paths: [ReferenceWritableKeyPath<SharedMember, Int>] = [
    \.p0, \.p1, \.p2, \.p3,
  ]

  func property(_ number: Int) -> Int { self[keyPath: Self.paths[number]] }
  func set(_ number: Int, to value: Int) { self[keyPath: Self.paths[number]] = value }
}

/// Lets threads go on once all have come.
private final class Barrier: @unchecked Sendable {
  // Sendable because all is reached under `condition` only.
  private let condition = NSCondition()
  private let count: Int
  private var waiting = 0, round = 0

  init(_ count: Int) { self.count = count }

  func wait() {
    condition.withLock {
      waiting += 1
      let mine = round
      if waiting == count {
        (waiting, round) = (0, round + 1)
        condition.broadcast()
      }
      while round == mine { condition.wait() }
    }
  }
}
