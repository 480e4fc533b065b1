import CIsa
import CIsa.Testing
import Foundation
import Testing

@Suite(.serialized, .balancedCounts)
struct LockTests {
  @Test("an address always leads to the same lock, and addresses spread over many")
  func lockFor() {
    let addresses = stride(from: 0x1000, to: 0x9000, by: 16).map {
      UnsafeRawPointer(bitPattern: $0)
    }
    let locks = addresses.map { isa__lock_for($0) }
    #expect(addresses.map { isa__lock_for($0) } == locks)
    #expect(Set(locks).count == 64)
    #expect(locks.allSatisfy { $0!.pointee.rank == ISA_LOCK_OBJECT })
  }

  @Test("locks of two objects do not share a cache line")
  func padding() {
    let locks = Set((1...4096).map { isa__lock_for(UnsafeRawPointer(bitPattern: $0 * 16)) })
    let lines = Set(locks.map { Int(bitPattern: $0) / 64 })
    #expect(lines.count == locks.count)
  }

  @Test("locks of rising rank nest, and may be given up in any order")
  func nesting() {
    let low = makeLock(ISA_LOCK_MODEL), high = makeLock(ISA_LOCK_THREAD)
    isa__lock(low)
    isa__lock(high)
    isa__unlock(low)
    isa__unlock(high)
    isa__lock(high)
    isa__unlock(high)
  }

  @Test("one thread at a time is inside")
  func exclusion() {
    nonisolated(unsafe) let lock = makeLock(ISA_LOCK_MODEL)
    nonisolated(unsafe) let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.pointee = 0
    onThreads(4) { _ in
      for _ in 0..<1000 {
        isa__lock(lock)
        count.pointee += 1
        isa__unlock(lock)
      }
    }
    #expect(count.pointee == 4000)
  }

  @Test("threads that sleep until a lock is free all get it, one after the other")
  func sleepers() {
    nonisolated(unsafe) let lock = makeLock(ISA_LOCK_MODEL)
    onThreads(4) { _ in
      for _ in 0..<3 {
        isa__lock(lock)
        usleep(1000)
        isa__unlock(lock)
      }
    }
    #expect(lock.pointee.state == ISA_LOCK_FREE.rawValue)
  }

  #if DEBUG
    @Test("taking a lock of a lower or the same rank stops a debug build")
    func wrongOrder() async {
      await #expect(processExitsWith: .failure) {
        isa__lock(makeLock(ISA_LOCK_SELECTOR))
        isa__lock(makeLock(ISA_LOCK_MODEL))
      }
      await #expect(processExitsWith: .failure) {
        isa__lock(isa__lock_for(UnsafeRawPointer(bitPattern: 16)))
        isa__lock(isa__lock_for(UnsafeRawPointer(bitPattern: 32)))
      }
    }
  #endif
}

/// A lock that is never freed.
private func makeLock(_ rank: isa__lock_rank) -> UnsafeMutablePointer<isa__lock> {
  immortal(isa__lock(state: ISA_LOCK_FREE.rawValue, rank: rank))
}
