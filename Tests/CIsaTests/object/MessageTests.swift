import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct MessageTests {
  @Test("a message runs the code of the receiver's class, through the compiled macro as well")
  func dispatch() throws {
    let person = try Person()
    person.age = 40
    #expect(person.age == 40)
    #expect(try send(person.id, "age", as: Int64.self) == 40)
  }

  @Test("a super lookup starts above the class that is named, whatever the receiver is")
  func superLookup() throws {
    let animals = try ClassPair("Animal"), dogs = try ClassPair("Dog", below: animals)
    let puppies = try ClassPair("Puppy", below: dogs)
    try animals.add("legs", answering: 1)
    try dogs.add("legs", answering: 2)
    #expect(number(of: isa_lookup_super(puppies.cls, selector("legs"))) == 2)
    #expect(number(of: isa_lookup_super(dogs.cls, selector("legs"))) == 1)
    #expect(isa_lookup_super(animals.cls, selector("legs")) == nil)
    #expect(isa_lookup_super(isa_root_class(), selector("class")) == nil)
  }

  @Test("a method that is added later answers from then on")
  func addedLater() throws {
    let animals = try ClassPair("Animal"), animal = try Instance(of: animals.cls)
    #expect(!isa_object_responds_to(animal.id, selector("legs")))
    try animals.add("legs", answering: 3)
    #expect(try send(animal.id, "legs", as: Int.self) == 3)
  }

  @Test("the hook for unrecognised selectors gives the code, and is asked each time")
  func hook() throws {
    let person = try Person(), notes = Notes()
    let hook: isa_unrecognized_hook = { _, sel, context in
      Unmanaged<Notes>.fromOpaque(context!).takeUnretainedValue()
        .add(String(cString: isa_sel_name(sel)))
      return imp(answering: 3)
    }
    isa_set_unrecognized_hook(hook, Unmanaged.passUnretained(notes).toOpaque())
    defer { isa_set_unrecognized_hook(nil, nil) }
    for _ in 0..<2 { #expect(number(of: isa_lookup(person.id, selector("bark"))) == 3) }
    #expect(number(of: isa_lookup_unrecognized(person.id, selector("meow"))) == 3)
    #expect(notes.lines == ["bark", "bark", "meow"])
    #expect(!isa_object_responds_to(person.id, selector("bark")))
  }

  @Test("an unrecognised selector stops the process, naming class and selector")
  func unrecognised() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = try Person()
      _ = isa_lookup(person.id, selector("bark"))
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("-[Person bark]: unrecognized selector sent to object") == true)
  }

  @Test("a hook that declines stops the process as no hook does, for a class object with a plus")
  func declined() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      isa_set_unrecognized_hook({ _, _, _ in nil }, nil)
      let people = try PersonClass()
      _ = isa_lookup(isa_class_as_object(people.cls), selector("bark"))
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("+[Person bark]: unrecognized selector") == true)
  }
}
