import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct AllocTests {
  @Test(
    "memory is zeroed, aligned to 16 bytes, and counted until it is freed",
    arguments: [1, 16, 100, 5000])
  func counting(size: Int) throws {
    let before = isa_testing_live_counts()
    let memory = try #require(isa__alloc(ISA_KIND_OTHER, size))
    #expect(Int(bitPattern: memory) % 16 == 0)
    #expect(UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 0 })
    #expect(isa_testing_live_counts().blocks == before.blocks + 1)
    #expect(isa_testing_live_counts().bytes == before.bytes + Int64(size))
    isa__free(ISA_KIND_OTHER, memory, size)
    #expect(isa_testing_live_counts().blocks == before.blocks)
    #expect(isa_testing_live_counts().bytes == before.bytes)
  }

  @Test("a block is counted by its kind")
  func kinds() {
    let before = isa_testing_live_counts()
    let memory = isa__alloc(ISA_KIND_LIST, 8)
    #expect(isa_testing_live_counts().lists == before.lists + 1)
    isa__free(ISA_KIND_LIST, memory, 8)
    isa__count(ISA_KIND_TRAMPOLINE, 2)
    #expect(isa_testing_live_counts().trampolines == before.trampolines + 2)
    #expect(isa_testing_live_counts().blocks == before.blocks)
    isa__count(ISA_KIND_TRAMPOLINE, -2)
  }

  @Test("growing keeps what was there and zeroes the rest")
  func growing() throws {
    let bytes = isa_testing_live_counts().bytes
    let memory = try #require(isa__realloc(ISA_KIND_OTHER, nil, 0, 4))
    memory.storeBytes(of: 0x0102_0304, as: UInt32.self)
    let grown = try #require(isa__realloc(ISA_KIND_OTHER, memory, 4, 64))
    #expect(grown.load(as: UInt32.self) == 0x0102_0304)
    #expect(UnsafeRawBufferPointer(start: grown + 4, count: 60).allSatisfy { $0 == 0 })
    #expect(isa_testing_live_counts().bytes == bytes + 64)
    isa__free(ISA_KIND_OTHER, grown, 64)
    #expect(isa_testing_live_counts().bytes == bytes)
  }

  @Test("what a copy function returned is uncounted by isa_free")
  func publicBlocks() throws {
    let before = isa_testing_live_counts()
    let memory = try #require(isa__alloc_public(40))
    #expect(Int(bitPattern: memory) % 8 == 0)
    #expect(isa_testing_live_counts().blocks == before.blocks + 1)
    isa_free(memory)
    isa_free(nil)
    #expect(isa_testing_live_counts().blocks == before.blocks)
    #expect(isa_testing_live_counts().bytes == before.bytes)
  }

  @Test("a countdown refuses the allocation it comes to and every later one, until it is ended")
  func failing() {
    #expect(!isa_testing_fail_allocation(1))
    let granted = isa__alloc(ISA_KIND_OTHER, 8)
    #expect(granted != nil)
    #expect(isa__alloc(ISA_KIND_OTHER, 8) == nil)
    #expect(isa__realloc(ISA_KIND_OTHER, granted, 8, 16) == nil)
    #expect(isa__alloc_must_fail())
    #expect(isa_testing_fail_allocation(-1))
    #expect(!isa_testing_fail_allocation(-1))
    isa__free(ISA_KIND_OTHER, granted, 8)
  }

  @Test("a countdown concerns its own thread only")
  func failingThread() {
    _ = isa_testing_fail_allocation(0)
    onThreads(1) { _ in
      let memory = isa__alloc(ISA_KIND_OTHER, 8)
      #expect(memory != nil)
      isa__free(ISA_KIND_OTHER, memory, 8)
    }
    #expect(!isa_testing_fail_allocation(-1))
  }

  @Test("the counts of threads that have ended are not lost")
  func countsOutliveThreads() {
    let before = isa_testing_live_counts()
    onThreads(3) { _ in isa__count(ISA_KIND_PENDING, 1) }
    #expect(isa_testing_live_counts().pending == before.pending + 3)
    onThreads(2) { _ in isa__count(ISA_KIND_PENDING, -1) }
    isa__count(ISA_KIND_PENDING, -1)
    #expect(isa_testing_live_counts().pending == before.pending)
  }
}
