import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct AssociationTests {
  private let first = selector("firstKey").key
  private let second = selector("secondKey").key
  private let third = selector("thirdKey").key

  @Test("a retained value is kept until it is replaced, removed, or its owner dies")
  func retained() throws {
    let people = try PersonClass(), value = try people.make(), other = try people.make()
    var owner: Person? = try people.make()
    try associate(owner!, first, value, ISA_ASSOCIATION_RETAIN)
    #expect(value.retainCount == 2)
    #expect(associated(owner!, first) == value.id)
    try associate(owner!, first, other, ISA_ASSOCIATION_RETAIN)
    #expect(value.retainCount == 1 && other.retainCount == 2)
    try associate(owner!, first, nil, ISA_ASSOCIATION_RETAIN)
    #expect(other.retainCount == 1 && associated(owner!, first) == nil)
    try associate(owner!, second, value, ISA_ASSOCIATION_RETAIN)
    owner = nil
    #expect(value.retainCount == 1)
  }

  @Test("an assigned value is not kept alive")
  func assigned() throws {
    let people = try PersonClass(), owner = try people.make(), value = try people.make()
    try associate(owner, first, value, ISA_ASSOCIATION_ASSIGN)
    #expect(value.retainCount == 1)
    #expect(associated(owner, first) == value.id)
  }

  @Test("a weak value reads NULL once it has died")
  func weak() throws {
    let people = try PersonClass(), owner = try people.make()
    var value: Person? = try people.make()
    try associate(owner, first, value, ISA_ASSOCIATION_WEAK)
    #expect(associated(owner, first) == value!.id)
    #expect(value!.retainCount == 1)
    value = nil
    #expect(associated(owner, first) == nil)
  }

  @Test("a copied value is the answer to copy; one that cannot be copied leaves the old one")
  func copied() throws {
    let people = try PersonClass(), owner = try people.make(), copy = try people.make()
    let originals = try ClassPair("Original")
    let answer = copy.id
    try addMethod(originals.cls, "copy", "@@:") { $0.answer(isa_object_retain(answer)) }
    let original = try Instance(of: originals.cls)
    try associate(owner, first, original, ISA_ASSOCIATION_COPY)
    #expect(associated(owner, first) == copy.id && copy.retainCount == 2)
    let status = isa_object_set_associated(owner.id, first, owner.id, ISA_ASSOCIATION_COPY)
    #expect(status == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(associated(owner, first) == copy.id)
    isa_object_remove_associated(owner.id)
    #expect(copy.retainCount == 1)
  }

  @Test("an unknown policy is refused and the old value stays")
  func unknownPolicy() throws {
    let people = try PersonClass(), owner = try people.make(), value = try people.make()
    try associate(owner, first, value, ISA_ASSOCIATION_RETAIN)
    let status = isa_object_set_associated(owner.id, first, owner.id, isa_association_policy(2))
    #expect(status == ISA_ERR_INVALID_ARGUMENT)
    #expect(associated(owner, first) == value.id)
  }

  @Test("keys are apart, and all go at once")
  func manyKeys() throws {
    let people = try PersonClass(), owner = try people.make(), value = try people.make()
    let keys = (0..<20).map { selector("key\($0)").key }
    for key in keys { try associate(owner, key, value, ISA_ASSOCIATION_RETAIN) }
    #expect(value.retainCount == 21)
    try associate(owner, keys[3], nil, ISA_ASSOCIATION_RETAIN)
    #expect(associated(owner, keys[3]) == nil)
    #expect(associated(owner, keys[19]) == value.id)
    isa_object_remove_associated(owner.id)
    #expect(value.retainCount == 1)
    #expect(keys.allSatisfy { associated(owner, $0) == nil })
  }

  @Test("removing what is not there makes nothing", arguments: [false, true])
  func removingNothing(hasSideRecord: Bool) throws {
    let owner = try Person()
    if hasSideRecord { try addSideRecord(owner.id) }
    try associate(owner, first, nil, ISA_ASSOCIATION_RETAIN)
    isa_object_remove_associated(owner.id)
    #expect(associated(owner, first) == nil)
  }

  @Test("a value's dealloc may use its owner's associations: no lock is held while it runs")
  func releasedOutsideTheLock() throws {
    let people = try PersonClass(), owner = try people.make(), notes = Notes()
    let values = try ClassPair("Value")
    let key = first, otherKey = second, id = owner.id
    try addMethod(values.cls, "dealloc", "v@:") { _ in
      #expect(isa_object_copy_associated(id, key) == nil)
      _ = isa_object_set_associated(id, otherKey, id, ISA_ASSOCIATION_ASSIGN)
      notes.add("dealloc")
    }
    for removing in [
      { _ = isa_object_set_associated(id, key, nil, ISA_ASSOCIATION_RETAIN) },
      { isa_object_remove_associated(id) },
    ] {
      var value: Instance? = try Instance(of: values.cls)
      try associate(owner, first, value, ISA_ASSOCIATION_RETAIN)
      value = nil
      removing()
      #expect(notes.take() == ["dealloc"])
    }
  }

  @Test("a disposed class lets go of what was associated with it")
  func disposedClass() throws {
    let value = try Person()
    var pair: ClassPair? = try ClassPair("Passing")
    let cls = isa_class_as_object(pair!.cls)
    try check(isa_object_set_associated(cls, first, value.id, ISA_ASSOCIATION_RETAIN))
    #expect(value.retainCount == 2)
    pair = nil
    #expect(value.retainCount == 1)
  }

  @Test("what a value's dealloc associates with its dying owner goes with it as well")
  func associatedInDealloc() throws {
    let values = try ClassPair("Value"), cls = values.cls, key = second, notes = Notes()
    var owner: Instance? = try Instance(of: isa_root_class())
    let id = owner!.id
    try addMethod(cls, "dealloc", "v@:") { _ in
      notes.add("dealloc")
      guard notes.lines.count < 5, let next = try? Instance(of: cls) else { return }
      #expect(isa_object_set_associated(id, key, next.id, ISA_ASSOCIATION_RETAIN) == ISA_OK)
    }
    try associate(owner!, second, Instance(of: cls), ISA_ASSOCIATION_RETAIN)
    #expect(notes.lines.isEmpty)
    owner = nil
    #expect(notes.lines.count == 5)
    withExtendedLifetime(values) {}
  }

  @Test("without memory nothing is associated and the old value stays")
  func allocationFailure() throws {
    let people = try PersonClass(), value = try people.make(), old = try people.make()
    try addSideRecord(value.id)
    for policy in [ISA_ASSOCIATION_ASSIGN, ISA_ASSOCIATION_RETAIN, ISA_ASSOCIATION_WEAK] {
      try withEachAllocationFailing {
        let owner = try people.make()
        try associate(owner, first, old, ISA_ASSOCIATION_ASSIGN)
        do {
          try associate(owner, first, value, policy)
          try associate(owner, second, value, policy)
          try associate(owner, third, value, policy)
        } catch {
          #expect([old.id, value.id].contains(associated(owner, first)))
          throw error
        }
      }
      #expect(value.retainCount == 1)
    }
  }

  @Test("threads may associate and read at once; no reference is lost")
  func threads() throws {
    let people = try PersonClass(), owner = try people.make(), value = try people.make()
    let keys = [first, second].map(UInt.init(bitPattern:))
    onThreads(3) { index in
      for round in 0..<300 {
        let key = UnsafeRawPointer(bitPattern: keys[round % 2])
        if index == 0 {
          isa_object_release(isa_object_copy_associated(owner.id, key))
        } else {
          let next = round % 3 == 0 ? nil : value.id
          _ = isa_object_set_associated(owner.id, key, next, ISA_ASSOCIATION_RETAIN)
        }
      }
    }
    isa_object_remove_associated(owner.id)
    #expect(value.retainCount == 1)
  }

  private func associate(
    _ owner: Instance, _ key: UnsafeRawPointer, _ value: Instance?, _ policy: isa_association_policy
  ) throws {
    try check(isa_object_set_associated(owner.id, key, value?.id, policy))
  }

  /// The associated object, not retained: somebody else keeps it.
  private func associated(_ owner: Instance, _ key: UnsafeRawPointer) -> isa_id? {
    let value = isa_object_copy_associated(owner.id, key)
    isa_object_release(value)
    return value
  }
}
