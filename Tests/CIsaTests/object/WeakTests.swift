import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct WeakTests {
  @Test("a weak reference reads the object with a reference, and NULL once it is gone")
  func zeroing() throws {
    var person: Person? = try Person()
    var slot = isa_weak()
    try check(isa_weak_init(&slot, person!.id))
    let copy = isa_weak_copy(&slot)
    #expect(copy == person!.id && person!.retainCount == 2)
    isa_object_release(copy)
    person = nil
    #expect(isa_weak_copy(&slot) == nil)
    isa_weak_destroy(&slot)
  }

  @Test("a slot may refer to nothing, be destroyed twice and be used again")
  func emptySlot() throws {
    let person = try Person()
    var slot = isa_weak()
    try check(isa_weak_init(&slot, nil))
    #expect(isa_weak_copy(&slot) == nil)
    try check(isa_weak_store(&slot, person.id))
    isa_object_release(isa_weak_copy(&slot))
    isa_weak_destroy(&slot)
    isa_weak_destroy(&slot)
    #expect(isa_weak_copy(&slot) == nil)
    try check(isa_weak_store(&slot, person.id))
    try check(isa_weak_store(&slot, nil))
    #expect(isa_weak_copy(&slot) == nil)
    #expect(person.retainCount == 1)
  }

  @Test("a slot that is stored into lets its former object's record go")
  func storing() throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    var slots = [isa_weak](repeating: isa_weak(), count: 3)
    for index in slots.indices { try check(isa_weak_init(&slots[index], first.id)) }
    for index in slots.indices { try check(isa_weak_store(&slots[index], second.id)) }
    for index in slots.indices {
      let copy = isa_weak_copy(&slots[index])
      #expect(copy == second.id)
      isa_object_release(copy)
      isa_weak_destroy(&slots[index])
    }
  }

  @Test("an object that is being deallocated reads as NULL and gets no weak reference")
  func deallocating() throws {
    let pair = try ClassPair("Dying"), notes = Notes()
    let slots = UnsafeMutablePointer<isa_weak>.allocate(capacity: 2)
    slots.initialize(repeating: isa_weak(), count: 2)
    defer { slots.deallocate() }
    let other = try Instance(of: isa_root_class())
    try addMethod(pair.cls, "dealloc", "v@:") { call in
      #expect(isa_weak_copy(&slots[0]) == nil)
      #expect(isa_weak_store(&slots[1], call.receiver) == ISA_ERR_DEALLOCATING)
      var fresh = isa_weak()
      #expect(isa_weak_init(&fresh, call.receiver) == ISA_ERR_DEALLOCATING)
      #expect(isa_weak_copy(&fresh) == nil)
      notes.add("dealloc")
    }
    var object: Instance? = try Instance(of: pair.cls)
    try check(isa_weak_init(&slots[0], object!.id))
    try check(isa_weak_init(&slots[1], other.id))
    object = nil
    #expect(notes.lines == ["dealloc"])
    let kept = isa_weak_copy(&slots[1])
    #expect(kept == other.id)
    isa_object_release(kept)
    for index in 0..<2 { isa_weak_destroy(&slots[index]) }
  }

  @Test("weak references to a disposed class read nil")
  func disposedClass() throws {
    var slot = isa_weak(), pair: ClassPair? = try ClassPair("Passing")
    let cls = isa_class_as_object(pair!.cls)
    try check(isa_weak_init(&slot, cls))
    let copy = isa_weak_copy(&slot)
    #expect(copy == cls)
    isa_object_release(copy)
    pair = nil
    #expect(isa_class_find("Passing") == nil)
    #expect(isa_weak_copy(&slot) == nil)
    isa_weak_destroy(&slot)
  }

  @Test("without memory a slot refers to nothing, or to what it did")
  func allocationFailure() throws {
    let people = try PersonClass(), first = try people.make()
    var slot = isa_weak()
    try check(isa_weak_init(&slot, first.id))
    try withEachAllocationFailing {
      let second = try people.make()
      do {
        try check(isa_weak_store(&slot, second.id))
        try check(isa_weak_store(&slot, first.id))
      } catch {
        let copy = isa_weak_copy(&slot)
        #expect(copy == first.id)
        isa_object_release(copy)
        throw error
      }
    }
    isa_weak_destroy(&slot)
  }

  @Test("readers on other threads get the object with a reference or NULL, however it dies")
  func deathRacesReaders() throws {
    let pair = try ClassPair("Racing", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "sign", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let ivar = isa_class_find_ivar(pair.cls, "sign")!
    for _ in 0..<200 {
      var object: isa_id?
      try check(isa_object_allocate(pair.cls, &object))
      isa_object_ivar_address(object, ivar).storeBytes(of: 42, as: Int64.self)
      let shared = SharedWeak()
      try check(isa_weak_init(shared.slot, object))
      nonisolated(unsafe) let dying = object, sign = ivar
      onThreads(3) { index in
        if index == 0 { return isa_object_release(dying) }
        while let copy = isa_weak_copy(shared.slot) {
          #expect(isa_object_ivar_address(copy, sign).load(as: Int64.self) == 42)
          isa_object_release(copy)
        }
      }
      isa_weak_destroy(shared.slot)
    }
  }

  private final class SharedWeak: @unchecked Sendable {
    let slot = UnsafeMutablePointer<isa_weak>.allocate(capacity: 1)
    deinit { slot.deallocate() }
  }
}
