import CIsa
import CIsa.Testing
import Foundation
import Testing

@Suite(.serialized, .balancedCounts)
struct ThreadTests {
  @Test("a thread counts from its first call until its end")
  func counting() {
    _ = isa_last_error()
    let before = isa__thread_count()
    #expect(before >= 1)
    onThreads(3) { _ in
      _ = isa_last_error()
      #expect(isa__thread_count() > before)
    }
    #expect(isa__thread_count() == before)
  }

  @Test("a thread that never calls the core is not counted")
  func strangers() {
    let before = isa__thread_count()
    onThreads(2) { _ in #expect(isa__thread_count() == before) }
  }

  @Test("a record that is used again remembers nothing of its former thread")
  func recycling() {
    onThreads(1) { _ in
      _ = isa_testing_fail_allocation(0)
      #expect(isa__alloc(ISA_KIND_OTHER, 8) == nil)
      _ = isa_sel_register("")
    }
    onThreads(1) { _ in
      #expect(isa_last_error().pointee.status == ISA_OK)
      #expect(!isa__alloc_must_fail())
      #expect(!isa_testing_fail_allocation(-1))
    }
  }

  @Test("many threads come and go and leave the count as it was")
  func comingAndGoing() {
    _ = isa_last_error()
    let before = isa__thread_count()
    for _ in 0..<10 {
      onThreads(20) { _ in
        let memory = isa__alloc(ISA_KIND_OTHER, 8)
        isa__free(ISA_KIND_OTHER, memory, 8)
      }
    }
    #expect(isa__thread_count() == before)
  }

  @Test("a thread that calls the core while it ends gets a record anew and gives it back")
  func callingWhileEnding() {
    let before = isa__thread_count()
    var key = pthread_key_t()
    // Two rounds of destructors: in the first the record goes back, so the second comes without one.
    pthread_key_create(&key) { value in
      guard Int(bitPattern: value) == 1 else { return _ = isa_sel_find("age") }
      pthread_setspecific(endingKey.value, UnsafeMutableRawPointer(bitPattern: 2))
    }
    endingKey.value = key
    onThreads(1) { _ in
      _ = isa_last_error()
      pthread_setspecific(endingKey.value, UnsafeMutableRawPointer(bitPattern: 1))
      isa__count(ISA_KIND_PENDING, 1)
    }
    isa__count(ISA_KIND_PENDING, -1)
    #expect(isa__thread_count() == before)
    pthread_key_delete(key)
  }
}

private final class EndingKey: @unchecked Sendable {
  var value = pthread_key_t()
}

private let endingKey = EndingKey()
