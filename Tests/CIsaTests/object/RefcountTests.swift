import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct RefcountTests {
  @Test(
    "references are counted in the header, and on in the side record", arguments: [false, true])
  func counting(hasSideRecord: Bool) throws {
    let person = try Person()
    if hasSideRecord { try addSideRecord(person.id) }
    #expect(isa_object_retain(person.id) == person.id)
    #expect(isa_object_try_retain(person.id))
    #expect(person.retainCount == 3)
    isa_object_release(person.id)
    isa_object_release(person.id)
    #expect(person.retainCount == 1)
  }

  @Test("a side record takes the count over as it is")
  func transition() throws {
    let person = try Person()
    for _ in 0..<3 { isa_object_retain(person.id) }
    try addSideRecord(person.id)
    #expect(person.retainCount == 4)
    for _ in 0..<3 { isa_object_release(person.id) }
    #expect(person.retainCount == 1)
  }

  @Test("nil may be retained and released; class objects are immortal")
  func specialCases() throws {
    #expect(isa_object_retain(nil) == nil)
    isa_object_release(nil)
    let people = try PersonClass(), cls = isa_class_as_object(people.cls)
    #expect(UInt(bitPattern: isa_object_retain_count(cls)) == .max)
    for _ in 0..<3 { isa_object_release(cls) }
    #expect(isa_object_retain(cls) == cls && isa_object_try_retain(cls))
  }

  @Test("no reference is lost while one thread makes the side record and others retain and release")
  func transitionUnderThreads() throws {
    let people = try PersonClass()
    for _ in 0..<100 {
      let person = try people.make()
      onThreads(3) { index in
        if index == 2 { return _ = try? addSideRecord(person.id) }
        for _ in 0..<200 {
          _ = isa_object_retain(person.id)
          if isa_object_try_retain(person.id) { isa_object_release(person.id) }
          isa_object_release(person.id)
        }
      }
      #expect(person.retainCount == 1)
    }
  }

  @Test("two threads that make the side record at once agree on one")
  func sideRecordRace() throws {
    let people = try PersonClass()
    for _ in 0..<100 {
      let person = try people.make()
      onThreads(2) { _ in try? addSideRecord(person.id) }
      #expect(person.retainCount == 1)
    }
  }

  @Test(
    "releasing more often than retained during the deallocation stops the process",
    arguments: [false, true])
  func overRelease(hasSideRecord: Bool) async {
    let result =
      hasSideRecord
      ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let pair = try ClassPair("Released")
        try addMethod(pair.cls, "dealloc", "v@:") { isa_object_release($0.receiver) }
        let object = try Instance(of: pair.cls)
        try addSideRecord(object.id)
        isa_object_release(object.id)
      }
      : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let pair = try ClassPair("Released")
        try addMethod(pair.cls, "dealloc", "v@:") { isa_object_release($0.receiver) }
        let object = try Instance(of: pair.cls)
        isa_object_release(object.id)
      }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("(Released) was released more often than retained") == true)
  }

  @Test("without memory there is no side record, and the count stays in the header")
  func allocationFailure() throws {
    let person = try Person()
    isa_object_retain(person.id)
    try withEachAllocationFailing {
      var slot = isa_weak()
      try check(isa_weak_init(&slot, person.id))
      isa_weak_destroy(&slot)
    }
    #expect(person.retainCount == 2)
    isa_object_release(person.id)
  }

  @Test("the last of many threads to release deallocates, once")
  func lastRelease() throws {
    let pair = try ClassPair("Shared"), notes = Notes()
    try addMethod(pair.cls, "dealloc", "v@:") { _ in notes.add("dealloc") }
    for _ in 0..<50 {
      var object: isa_id?
      try check(isa_object_allocate(pair.cls, &object))
      nonisolated(unsafe) let shared = object
      for _ in 0..<3 { isa_object_retain(shared) }
      onThreads(4) { _ in isa_object_release(shared) }
      #expect(notes.take() == ["dealloc"])
    }
  }
}

/// Gives the object a side record.
func addSideRecord(_ object: isa_id) throws {
  var slot = isa_weak()
  try check(isa_weak_init(&slot, object))
  isa_weak_destroy(&slot)
}
