import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct IvarTests {
  @Test("ivars stand behind one another, each at its alignment, and instances end aligned")
  func layout() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    for (name, types) in [("a", "c"), ("b", "s"), ("c", "q"), ("d", "c"), ("e", "{P=dd}")] {
      try check(isa_class_add_ivar(animal.cls, name, types, ISA_OWNERSHIP_NONE))
    }
    #expect(try offsets(of: animal) == ["a": 16, "b": 18, "c": 24, "d": 32, "e": 40])
    #expect(isa_class_instance_size(animal.cls) == 56)
  }

  @Test("a subclass's ivars stand behind its superclass's")
  func inheritance() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    try check(isa_class_add_ivar(animal.cls, "legs", "i", ISA_OWNERSHIP_NONE))
    try animal.register()
    let dog = try ClassPair("Dog", below: animal, isRegistered: false)
    #expect(isa_class_instance_size(dog.cls) == 24)
    try check(isa_class_add_ivar(dog.cls, "tail", "d", ISA_OWNERSHIP_NONE))
    #expect(try offsets(of: dog) == ["tail": 24])
    #expect(isa_class_find_ivar(dog.cls, "legs") == isa_class_find_ivar(animal.cls, "legs"))
    #expect(isa_class_find_ivar(animal.cls, "tail") == nil)
    #expect(isa_class_find_ivar(dog.cls, nil) == nil)
  }

  @Test("a subclass may declare the name anew, and then has its own nearer")
  func shadowing() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    try check(isa_class_add_ivar(animal.cls, "legs", "i", ISA_OWNERSHIP_NONE))
    try animal.register()
    let dog = try ClassPair("Dog", below: animal, isRegistered: false)
    try check(isa_class_add_ivar(dog.cls, "legs", "q", ISA_OWNERSHIP_NONE))
    #expect(isa_ivar_size(isa_class_find_ivar(dog.cls, "legs")) == 8)
    #expect(isa_ivar_size(isa_class_find_ivar(animal.cls, "legs")) == 4)
  }

  @Test("an ivar tells name, encoding, size and ownership")
  func questions() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    try check(isa_class_add_ivar(animal.cls, "owner", "@", ISA_OWNERSHIP_WEAK))
    let owner = isa_class_find_ivar(animal.cls, "owner")
    #expect(String(cString: isa_ivar_name(owner)) == "owner")
    #expect(String(cString: isa_ivar_types(owner)) == "@")
    #expect(isa_ivar_size(owner) == MemoryLayout<isa_weak>.size)
    #expect(isa_ivar_ownership(owner) == ISA_OWNERSHIP_WEAK)
  }

  @Test("ivars come before registration, once per name, with a name and not on a metaclass")
  func refusals() throws {
    let animal = try ClassPair("Animal", isRegistered: false), cls = animal.cls
    let none = ISA_OWNERSHIP_NONE
    try check(isa_class_add_ivar(cls, "legs", "i", none))
    #expect(isa_class_add_ivar(cls, "legs", "q", none) == ISA_ERR_EXISTS)
    #expect(isa_class_add_ivar(cls, nil, "q", none) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar(cls, "", "q", none) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar(cls, "tail", nil, none) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar(animal.metaclass, "tail", "q", none) == ISA_ERR_INVALID_ARGUMENT)
    try animal.register()
    #expect(isa_class_add_ivar(cls, "tail", "q", none) == ISA_ERR_REGISTERED)
    #expect(try offsets(of: animal) == ["legs": 16])
  }

  @Test(
    "an encoding that is not one value of known size is refused",
    arguments: ["", "v", "?", "q16", "qq", "{P", "{P}", "b3", "Z"])
  func badEncoding(types: String) throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    let status = isa_class_add_ivar(animal.cls, "legs", types, ISA_OWNERSHIP_NONE)
    #expect(status == ISA_ERR_BAD_ENCODING)
    #expect(isa_class_instance_size(animal.cls) == 16)
  }

  @Test("only objects are owned", arguments: ["q", "#", ":", "^v", "{P=@}"])
  func badOwnership(types: String) throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    for ownership in [ISA_OWNERSHIP_RETAIN, ISA_OWNERSHIP_COPY, ISA_OWNERSHIP_WEAK] {
      let status = isa_class_add_ivar(animal.cls, "legs", types, ownership)
      #expect(status == ISA_ERR_INVALID_ARGUMENT)
    }
    let unknown = isa_ownership(9)
    #expect(isa_class_add_ivar(animal.cls, "legs", "@", unknown) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("taking the last ivar back restores the layout before it")
  func removingLast() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    try check(isa_class_add_ivar(animal.cls, "legs", "i", ISA_OWNERSHIP_NONE))
    try check(isa_class_add_ivar(animal.cls, "weight", "d", ISA_OWNERSHIP_NONE))
    #expect(isa_class_instance_size(animal.cls) == 32)
    isa__ivar_remove_last(animal.cls)
    #expect(isa_class_instance_size(animal.cls) == 24)
    #expect(try offsets(of: animal) == ["legs": 16])
  }

  @Test("without memory an ivar is not added and the layout stays")
  func allocationFailure() throws {
    let animal = try ClassPair("Animal", isRegistered: false)
    try withEachAllocationFailing {
      do {
        try check(isa_class_add_ivar(animal.cls, "legs", "i", ISA_OWNERSHIP_NONE))
      } catch {
        #expect(isa_class_instance_size(animal.cls) == 16)
        throw error
      }
    }
    #expect(try offsets(of: animal) == ["legs": 16])
  }

  private func offsets(of pair: ClassPair) throws -> [String: Int] {
    var list: UnsafeMutablePointer<isa_ivar?>?, count = 0
    try check(isa_class_copy_ivars(pair.cls, &list, &count))
    defer { isa_free(list) }
    let ivars = (0..<count).map { list![$0] }
    return Dictionary(
      uniqueKeysWithValues: ivars.map { (String(cString: isa_ivar_name($0)), isa_ivar_offset($0)) })
  }
}
