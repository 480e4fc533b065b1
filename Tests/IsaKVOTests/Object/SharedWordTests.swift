import Foundation
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Words that threads share without a lock.
@Suite(.serialized, .oneAtATime) struct SharedWordTests {
  /// Words far enough from each other to be in lines of the cache of their own.
  private struct Words: @unchecked Sendable {
    // Sendable because the words are reached by atomic calls.
    let claim, ended, round, answer: UnsafeMutablePointer<UInt64>

    init() {
      let all = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
      all.initialize(repeating: 0, count: 64)
      (claim, ended, round, answer) = (all, all + 16, all + 32, all + 48)
    }
  }

  @Test("of a claim that is given back and an end, one thread at least sees what the other does")
  func claims() {
    let words = Words(), rounds: UInt64 = 200_000
    defer { words.claim.deallocate() }
    Thread.detachNewThread {
      for round in 1...rounds {
        while loadWord(words.round) != round {}
        storeWord(words.ended, 1)
        storeWord(words.answer, 2 * round + (claimWord(words.claim) ? 1 : 0))
      }
    }
    var missed = 0
    for round in 1...rounds {
      storeWord(words.ended, 0)
      storeWord(words.claim, 1)
      storeWord(words.round, round)
      // The other thread takes some time to see that.
      for _ in 0..<round % 128 { _ = loadWord(words.round) }
      giveBackWord(words.claim)
      let isSeen = loadWord(words.ended) == 1
      while loadWord(words.answer) >> 1 != round {}
      let isClaimed = loadWord(words.answer) & 1 == 1
      if !isSeen, !isClaimed { missed += 1 }
    }
    #expect(missed == 0)
  }
}
