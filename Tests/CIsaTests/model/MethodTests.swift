import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct MethodTests {
  @Test("a method is answered by the class and all below it, and overridden by a nearer one")
  func inheritance() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let puppy = try ClassPair("Puppy", below: dog)
    #expect(puppy.answer(to: "legs") == nil)
    try animal.add("legs", answering: 1)
    #expect(puppy.answer(to: "legs") == 1)
    try dog.add("legs", answering: 2)
    #expect(animal.answer(to: "legs") == 1)
    #expect(dog.answer(to: "legs") == 2)
    #expect(puppy.answer(to: "legs") == 2)
  }

  @Test("changing a superclass's method reaches inheritors and passes over overriders")
  func changingSuperclass() throws {
    let animal = try ClassPair("Animal"), cat = try ClassPair("Cat", below: animal)
    let dog = try ClassPair("Dog", below: animal), puppy = try ClassPair("Puppy", below: dog)
    try animal.add("legs", answering: 1)
    try dog.add("legs", answering: 2)
    try puppy.add("tail", answering: 1)
    try check(isa_class_replace_method(animal.cls, selector("legs"), imp(answering: 3), "q@:", nil))
    #expect(cat.answer(to: "legs") == 3)
    #expect(dog.answer(to: "legs") == 2)
    #expect(puppy.answer(to: "legs") == 2)
  }

  @Test("class methods are inherited along the metaclasses and then from the root class")
  func classMethods() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try check(isa_class_add_method(animal.metaclass, selector("kind"), imp(answering: 1), "q@:"))
    #expect(answer(of: dog.metaclass, to: "kind") == 1)
    #expect(dog.answer(to: "kind") == nil)
    var bare: isa_class?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    try check(isa_class_add_method(bare, selector("kind"), imp(answering: 2), "q@:"))
    #expect(answer(of: isa_class_metaclass(bare), to: "kind") == 2)
    try check(isa_class_pair_dispose(bare))
  }

  @Test("a class added below and not registered yet receives changes too")
  func unregisteredSubclass() throws {
    let animal = try ClassPair("Animal")
    let dog = try ClassPair("Dog", below: animal, isRegistered: false)
    try animal.add("legs", answering: 1)
    #expect(dog.answer(to: "legs") == 1)
  }

  @Test("a method tells selector, code, encoding and the class that declares it")
  func questions() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try animal.add("legs", answering: 2)
    let method = try #require(isa_class_find_method(dog.cls, selector("legs")))
    #expect(isa_method_selector(method) == selector("legs"))
    #expect(number(of: isa_method_imp(method)) == 2)
    #expect(String(cString: isa_method_types(method)) == "q@:")
    #expect(isa_method_class(method) == animal.cls)
    #expect(isa_class_find_method(dog.cls, selector("wings")) == nil)
    #expect(isa_class_find_method(dog.cls, nil) == nil)
    #expect(isa_class_find_imp(dog.cls, nil) == nil)
  }

  @Test("a list of methods has the class's own in the order of adding")
  func list() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    #expect(try names(of: dog).isEmpty)
    try animal.add("legs", answering: 1)
    for name in ["tail", "ears", "legs"] { try dog.add(name, answering: 2) }
    #expect(try names(of: dog) == ["tail", "ears", "legs"])
  }

  @Test("a second method under one selector, and a missing part, are refused")
  func refusals() throws {
    let animal = try ClassPair("Animal"), legs = selector("legs")
    try animal.add("legs", answering: 1)
    let code = imp(answering: 2)
    #expect(isa_class_add_method(animal.cls, legs, code, "q@:") == ISA_ERR_EXISTS)
    #expect(isa_class_add_method(animal.cls, nil, code, "q@:") == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      isa_class_add_method(animal.cls, selector("tail"), nil, "q@:") == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      isa_class_add_method(animal.cls, selector("tail"), code, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(animal.answer(to: "legs") == 1)
    #expect(animal.answer(to: "tail") == nil)
  }

  @Test(
    "an encoding must be that of the selector", arguments: ["", "q", "q@", "q@:{", "@@:?!"])
  func badEncoding(types: String) throws {
    let animal = try ClassPair("Animal")
    let status = isa_class_add_method(animal.cls, selector("legs"), imp(answering: 1), types)
    #expect(status == ISA_ERR_BAD_ENCODING)
    #expect(animal.answer(to: "legs") == nil)
  }

  @Test("an encoding has an argument for each colon, and may have more")
  func argumentCount() throws {
    let animal = try ClassPair("Animal"), code = imp(answering: 1)
    let setter = selector("setLegs:")
    #expect(isa_class_add_method(animal.cls, setter, code, "v@:") == ISA_ERR_BAD_ENCODING)
    #expect(isa_class_add_method(animal.cls, setter, code, "v@:q") == ISA_OK)
    #expect(isa_class_add_method(animal.cls, selector("legs"), code, "q@:^v") == ISA_OK)
  }

  @Test("replacing answers with what was there before, inherited or not")
  func replacing() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let legs = selector("legs")
    var old: isa_imp?
    try check(isa_class_replace_method(animal.cls, legs, imp(answering: 1), "q@:", &old))
    #expect(old == nil)
    try check(isa_class_replace_method(dog.cls, legs, imp(answering: 2), "q@:", &old))
    #expect(number(of: old) == 1)
    try check(isa_class_replace_method(dog.cls, legs, imp(answering: 3), "Q@:", &old))
    #expect(number(of: old) == 2)
    #expect(animal.answer(to: "legs") == 1)
    #expect(dog.answer(to: "legs") == 3)
    let method = isa_class_find_method(dog.cls, legs)
    #expect(String(cString: isa_method_types(method)) == "Q@:")
    #expect(try names(of: dog) == ["legs"])
  }

  @Test("setting a method's code reaches all that inherit it")
  func settingImp() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try animal.add("legs", answering: 1)
    let method = isa_class_find_method(dog.cls, selector("legs"))
    var old: isa_imp?
    try check(isa_method_set_imp(method, imp(answering: 2), &old))
    #expect(number(of: old) == 1)
    #expect(dog.answer(to: "legs") == 2)
    #expect(isa_method_set_imp(method, nil, &old) == ISA_ERR_INVALID_ARGUMENT)
    #expect(dog.answer(to: "legs") == 2)
  }

  @Test("exchanging swaps the code of two methods of like encoding")
  func exchanging() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try animal.add("legs", answering: 1)
    try check(isa_class_add_method(dog.cls, selector("paws"), imp(answering: 2), "q16@0:8"))
    try check(isa_class_add_method(dog.cls, selector("name"), imp(answering: 3), "@@:"))
    let legs = isa_class_find_method(dog.cls, selector("legs"))
    let paws = isa_class_find_method(dog.cls, selector("paws"))
    try check(isa_method_exchange(legs, paws))
    #expect(animal.answer(to: "legs") == 2)
    #expect(dog.answer(to: "legs") == 2)
    #expect(dog.answer(to: "paws") == 1)
    let name = isa_class_find_method(dog.cls, selector("name"))
    #expect(isa_method_exchange(legs, name) == ISA_ERR_INVALID_ARGUMENT)
    #expect(dog.answer(to: "legs") == 2)
  }

  @Test("a method taken back leaves what is inherited, or nothing")
  func removing() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let puppy = try ClassPair("Puppy", below: dog), legs = selector("legs")
    try animal.add("legs", answering: 1)
    try dog.add("legs", answering: 2)
    isa__method_remove(isa_class_find_method(dog.cls, legs))
    #expect(puppy.answer(to: "legs") == 1)
    #expect(try names(of: dog).isEmpty)
    isa__method_remove(isa_class_find_method(animal.cls, legs))
    #expect(puppy.answer(to: "legs") == nil)
    #expect(isa_class_find_method(puppy.cls, legs) == nil)
  }

  @Test("without memory a method is neither added nor replaced")
  func allocationFailure() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let legs = selector("legs"), code = imp(answering: 1)
    let points = try withEachAllocationFailing {
      do {
        try check(isa_class_add_method(animal.cls, legs, code, "q@:"))
      } catch {
        #expect(dog.answer(to: "legs") == nil)
        #expect(isa_class_find_method(animal.cls, legs) == nil)
        throw error
      }
    }
    #expect(points >= 3)
    try withEachAllocationFailing {
      try check(isa_class_replace_method(animal.cls, legs, imp(answering: 2), "Q@:", nil))
    }
    #expect(dog.answer(to: "legs") == 2)
    let method = isa_class_find_method(animal.cls, legs)
    try withEachAllocationFailing { try check(isa_method_exchange(method, method)) }
  }

  private func names(of pair: ClassPair) throws -> [String] {
    var list: UnsafeMutablePointer<isa_method?>?, count = 0
    try check(isa_class_copy_methods(pair.cls, &list, &count))
    defer { isa_free(list) }
    return (0..<count).map { String(cString: isa_sel_name(isa_method_selector(list![$0]))) }
  }
}
