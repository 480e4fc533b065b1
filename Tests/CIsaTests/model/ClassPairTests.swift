import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct ClassPairTests {
  @Test(
    "metaclasses run parallel to classes, up to the root class, and the root metaclass closes the loop"
  )
  func metaclassChain() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let root = isa_root_class()!, rootMetaclass = isa_class_metaclass(root)!
    #expect(isa_class_superclass(dog.metaclass) == animal.metaclass)
    #expect(isa_class_superclass(animal.metaclass) == rootMetaclass)
    #expect(isa_class_superclass(rootMetaclass) == root)
    #expect(isa_class_metaclass(dog.metaclass) == rootMetaclass)
    #expect(isa_class_metaclass(rootMetaclass) == rootMetaclass)
  }

  @Test("a class without superclass is a root of its own")
  func bareRoot() throws {
    var bare: isa_class?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    #expect(isa_class_superclass(bare) == nil)
    #expect(isa_class_superclass(isa_class_metaclass(bare)) == bare)
    #expect(isa_class_metaclass(isa_class_metaclass(bare)) == isa_class_metaclass(bare))
    #expect(!isa_class_is_subclass(bare, isa_root_class()))
    try check(isa_class_pair_register(bare))
    try check(isa_class_pair_dispose(bare))
  }

  @Test("a class is found only once it is registered, and registers once")
  func registering() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    #expect(isa_class_find("Animal") == nil)
    #expect(!isa_class_is_registered(animal.cls))
    try animal.register()
    #expect(isa_class_find("Animal") == animal.cls)
    #expect(isa_class_is_registered(animal.cls))
    #expect(isa_class_is_registered(animal.metaclass))
    #expect(isa_class_pair_register(animal.cls) == ISA_ERR_REGISTERED)
    #expect(isa_class_pair_register(animal.metaclass) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("a class needs a free name and a registered superclass that is no metaclass")
  func refusals() throws {
    let animal = try ClassPair("Animal"), draft = try ClassPair("Draft", isRegistered: false)
    let unchanged = OpaquePointer(bitPattern: 16)
    var out = unchanged
    #expect(isa_class_pair_allocate(animal.cls, nil, &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_pair_allocate(animal.cls, "", &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_pair_allocate(animal.cls, "Animal", &out) == ISA_ERR_EXISTS)
    #expect(isa_class_pair_allocate(draft.cls, "Dog", &out) == ISA_ERR_NOT_REGISTERED)
    #expect(isa_class_pair_allocate(animal.metaclass, "Dog", &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(out == unchanged)
  }

  @Test("of two classes allocated under one name the first registered keeps it")
  func raceForName() throws {
    let first = try ClassPair("Animal", isRegistered: false)
    let second = try ClassPair("Animal", isRegistered: false)
    try second.register()
    #expect(isa_class_pair_register(first.cls) == ISA_ERR_EXISTS)
    #expect(!isa_class_is_registered(first.cls))
    #expect(isa_class_find("Animal") == second.cls)
  }

  @Test("a disposed name is free again")
  func disposing() throws {
    for _ in 0..<3 {
      let animal = try ClassPair("Animal")
      #expect(isa_class_find("Animal") == animal.cls)
    }
    #expect(isa_class_find("Animal") == nil)
  }

  @Test(
    "a class with subclasses, registered or not, cannot be disposed of", arguments: [true, false])
  func inUse(isRegistered: Bool) throws {
    let animal = try ClassPair("Animal")
    let dog = try ClassPair("Dog", below: animal, isRegistered: isRegistered)
    #expect(isa_class_pair_dispose(animal.cls) == ISA_ERR_IN_USE)
    #expect(lastReason().contains("a subclass, Dog"))
    #expect(isa_class_find("Animal") == animal.cls)
    #expect(isa_class_superclass(dog.cls) == animal.cls)
  }

  @Test("the library's classes and metaclasses cannot be disposed of")
  func libraryClasses() throws {
    let animal = try ClassPair("Animal")
    #expect(isa_class_pair_dispose(isa_root_class()) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_pair_dispose(animal.metaclass) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_find("IsaObject") == isa_root_class())
  }

  @Test("a pair counts as one class, a notifying pair as a notifying class, gone with its original")
  func notifyingClass() throws {
    let before = isa_testing_live_counts()
    var animal: ClassPair? = try ClassPair("Animal")
    #expect(isa_testing_live_counts().classes == before.classes + 1)
    let notifying = try makeNotifying(animal!)
    #expect(isa_testing_live_counts().classes == before.classes + 1)
    #expect(isa_testing_live_counts().notifying_classes == before.notifying_classes + 1)
    #expect(isa_class_pair_dispose(notifying) == ISA_ERR_INVALID_ARGUMENT)
    animal = nil
    #expect(isa_class_find("Notifying_Animal") == nil)
    #expect(isa_testing_live_counts().notifying_classes == before.notifying_classes)
  }

  @Test("a subclass of the notifying class keeps the original from being disposed of")
  func subclassOfNotifyingClass() throws {
    let animal = try ClassPair("Animal")
    let notifying = try makeNotifying(animal)
    var foreign: isa_class?
    try check(isa_class_pair_allocate(notifying, "Foreign", &foreign))
    #expect(isa_class_pair_dispose(animal.cls) == ISA_ERR_IN_USE)
    #expect(isa_class_find("Notifying_Animal") == notifying)
    try check(isa_class_pair_dispose(foreign))
  }

  @Test("a class made without memory leaves nothing behind")
  func allocationFailure() throws {
    var animal: isa_class?
    let points = try withEachAllocationFailing {
      try check(isa_class_pair_allocate(isa_root_class(), "Animal", &animal))
    }
    #expect(points == 4)
    try withEachAllocationFailing { try check(isa_class_pair_register(animal)) }
    try check(isa_class_pair_dispose(animal))
    try withEachAllocationFailing {
      try check(isa__class_pair_make(isa_root_class(), "Made", 0, &animal))
    }
    try check(isa_class_pair_dispose(animal))
  }

  /// The notifying class, as rank 5 makes it; its flag is 4.
  private func makeNotifying(_ original: ClassPair) throws -> isa_class {
    var notifying: isa_class?
    try check(isa__class_pair_make(original.cls, "Notifying_Animal", 4, &notifying))
    return notifying!
  }
}
