import Foundation
import IsaKVOTestSupport
import Observation
import Testing

@testable import IsaKVO

@Suite("How a read finds the tracking that runs", .serialized, .oneAtATime)
struct TrackingModeTests {
  /// Whether the place of Observation's word is to be found here.
  private static let isKnownPlatform: Bool = {
    #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
      true
    #else
      false
    #endif
  }()

  @Test("the public answer is right in trackings and outside, also while others are armed")
  func question() {
    let member = TrackedMember()
    for _ in 0..<3 {
      #expect(!TrackingQuestion.ask())
      Fires().track {
        #expect(TrackingQuestion.ask() && TrackingQuestion.ask())
        _ = member.age
        Fires().track { #expect(TrackingQuestion.ask()) }
        #expect(TrackingQuestion.ask())
      }
      #expect(!TrackingQuestion.ask())
    }
    member.age = 1
    #expect(!TrackingQuestion.ask())
  }

  @Test("the word agrees with the public answer, on two threads", .enabled(if: isKnownPlatform))
  func word() throws {
    #expect(TrackingMode.inUse == .fast)
    let here = try #require(TrackingWord.find())
    let there = Recorder<TrackingWord?>(), member = TrackedMember()
    onThread { there.add(TrackingWord.find()) }
    let other = try #require(there.last ?? nil)
    #expect(other.word.place == here.word.place)
    for _ in 0..<2 {
      #expect(TrackingMode.seesTracking(reading: member) == TrackingQuestion.ask())
      Fires().track {
        #expect(TrackingMode.seesTracking(reading: member) && TrackingQuestion.ask())
      }
    }
  }

  @Test("each mode that is asked for is in use, and all but off track", arguments: TrackingMode.all)
  func modes(mode: String) async {
    setenv("ISAKVO_TRACKING", mode, 1)
    defer { unsetenv("ISAKVO_TRACKING") }
    await #expect(processExitsWith: .success) { [mode] in
      let member = TrackedMember(), expected = mode == "off" ? 0 : 1
      for _ in 0..<3 {
        let fired = fires(reading: { _ = member.full }, while: { member.first += "x" })
        guard fired == expected else { exit(1) }
      }
      guard mode == TrackingMode.inUse.rawValue || mode == "fast" else { exit(2) }
      let counts = Recorder<Int>()
      onThread {
        let member = TrackedMember()
        counts.add(
          fires {
            _ = member.full
          } while: {
            member.last += "y"
          })
      }
      guard counts.all == [expected] else { exit(3) }
    }
  }

  /// What a process says to standard error that is asked for a mode which does not exist, and tracks.
  private func errors(inMode mode: String) async -> [UInt8] {
    setenv("ISAKVO_TRACKING", mode, 1)
    defer { unsetenv("ISAKVO_TRACKING") }
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let member = TrackedMember()
      let fired = fires(reading: { _ = member.age }, while: { member.age = 1 })
      guard fired == 1 else { exit(1) }
    }
    return result?.standardErrorContent ?? []
  }

  @Test("a mode that does not exist is passed over, and said to be")
  func unknownMode() async {
    let text = String(decoding: await errors(inMode: "quick"), as: UTF8.self)
    #expect(text.contains("\"quick\""))
  }

  @Test("a mode of 100 000 bytes with escapes is shown shortened and escaped, on one line")
  func hostileMode() async {
    let mode = String(repeating: "\u{1B}[2J\r\n\u{7}é", count: 10_000)
    let bytes = await errors(inMode: mode)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let said = lines.filter { String(decoding: $0, as: UTF8.self).contains("ISAKVO_TRACKING") }
    #expect(said.count == 1 && said.allSatisfy { $0.count < 400 })
    #expect(!bytes.contains(0x1B) && !bytes.contains(7) && !bytes.contains(13))
  }

  @Test("a first read in a tracking is seen")
  func firstRead() async {
    await #expect(processExitsWith: .success) {
      let member = TrackedMember(), fires = Fires()
      fires.track { _ = member.age }
      member.age = 2
      guard fires.value == 1 else { exit(1) }
    }
  }

  @Test(
    "what a tracking would have called ends with the object that it read, the first as well",
    arguments: TrackingMode.all)
  func keepsNothing(mode: String) async {
    setenv("ISAKVO_TRACKING", mode, 1)
    defer { unsetenv("ISAKVO_TRACKING") }
    await #expect(processExitsWith: .success) {
      final class Guest: Sendable {}
      for _ in 0..<3 {
        weak var guest: Guest?
        do {
          let held = Guest(), member = TrackedMember()
          guest = held
          withObservationTracking {
            _ = member.full
          } onChange: {
            _ = held
          }
        }
        guard guest == nil else { exit(1) }
      }
    }
  }

  @Test("an object that several threads track for the first time is tracked by all")
  func firstOnThreads() async {
    setenv("ISAKVO_TRACKING", "slow", 1)
    defer { unsetenv("ISAKVO_TRACKING") }
    await #expect(processExitsWith: .success) {
      for _ in 0..<200 {
        let member = Unchecked(TrackedMember()), fires = (0..<4).map { _ in Fires() }
        onThreads(4) { fires[$0].track { _ = member.value.age } }
        member.value.age = 2
        guard fires.allSatisfy({ $0.value == 1 }) else { exit(1) }
      }
    }
  }
}

extension TrackingMode {
  fileprivate static let all = ["off", "slow", "fast"]
}
