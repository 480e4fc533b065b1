import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct ClassTests {
  @Test("a class tells its name, superclass and metaclass")
  func questions() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    #expect(String(cString: isa_class_name(dog.cls)) == "Dog")
    #expect(isa_class_superclass(dog.cls) == animal.cls)
    #expect(!isa_class_is_metaclass(dog.cls))
    #expect(isa_class_is_metaclass(dog.metaclass))
    #expect(String(cString: isa_class_name(dog.metaclass)) == "Dog")
  }

  @Test("a class is a subclass of itself and of all above it, and of nothing else")
  func isSubclass() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    #expect(isa_class_is_subclass(dog.cls, dog.cls))
    #expect(isa_class_is_subclass(dog.cls, animal.cls))
    #expect(isa_class_is_subclass(dog.cls, isa_root_class()))
    #expect(!isa_class_is_subclass(animal.cls, dog.cls))
    #expect(!isa_class_is_subclass(animal.cls, nil))
    #expect(!isa_class_is_subclass(nil, animal.cls))
  }

  @Test("the root class has no superclass and instances of the header's 16 bytes")
  func rootClass() {
    #expect(String(cString: isa_class_name(isa_root_class())) == "IsaObject")
    #expect(isa_class_superclass(isa_root_class()) == nil)
    #expect(isa_class_instance_size(isa_root_class()) == 16)
    #expect(isa_class_is_registered(isa_root_class()))
  }

  @Test("a class object's isa is its metaclass, and it is never counted")
  func classObject() throws {
    let animal = try ClassPair("Animal")
    let header = try #require(UnsafePointer<isa_header>(isa_class_as_object(animal.cls)))
    #expect(header.pointee.isa == UInt(bitPattern: animal.metaclass))
    #expect(header.pointee.record == UInt(ISA_RECORD_IMMORTAL | ISA_RECORD_INLINE))
  }

  @Test("memory hooks are set whole, on a class that is not registered yet")
  func memoryHooks() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    #expect(isa_class_set_memory_hooks(animal.cls, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_set_memory_hooks(animal.metaclass, hooks) == ISA_ERR_INVALID_ARGUMENT)
    let some = UnsafeMutablePointer<isa_memory_hooks>.allocate(capacity: 1)
    defer { some.deallocate() }
    some.initialize(to: isa_memory_hooks())
    #expect(isa_class_set_memory_hooks(animal.cls, some) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_set_memory_hooks(animal.cls, hooks) == ISA_OK)
    try animal.register()
    #expect(isa_class_set_memory_hooks(animal.cls, hooks) == ISA_ERR_REGISTERED)
  }

  @Test("what a class owns is disposed of with it, the latest first")
  func owned() throws {
    disposed = []
    var animal: ClassPair? = try ClassPair("Animal")
    for number in 1...3 {
      try check(
        isa__class_own(animal!.cls, UnsafeMutableRawPointer(bitPattern: number)) { resource in
          disposed.append(Int(bitPattern: resource))
        })
    }
    #expect(disposed == [])
    animal = nil
    #expect(disposed == [3, 2, 1])
  }

  @Test("a resource that finds no memory is not owned")
  func ownedAllocationFailure() throws {
    disposed = []
    var animal: ClassPair? = try ClassPair("Animal")
    try withEachAllocationFailing {
      try check(isa__class_own(animal!.cls, nil) { _ in disposed.append(0) })
    }
    animal = nil
    #expect(disposed == [0])
  }
}

nonisolated(unsafe) private var disposed: [Int] = []

nonisolated(unsafe) private let hooks: UnsafeMutablePointer<isa_memory_hooks> = {
  let hooks = UnsafeMutablePointer<isa_memory_hooks>.allocate(capacity: 1)
  hooks.initialize(
    to: isa_memory_hooks(
      retain: { _ in }, release: { _ in }, try_retain: { _ in true }, keep: { _ in },
      drop: { _ in }, count: { _ in 1 }, access: nil))
  return hooks
}()
