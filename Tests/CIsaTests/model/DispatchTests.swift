import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct DispatchTests {
  @Test(
    "a class that changes nothing has no page of its own; a change costs one, in its class only")
  func sharing() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let empty = isa__dispatch_size(dog.cls)
    try animal.add("legs", answering: 1)
    #expect(isa__dispatch_size(dog.cls) == empty)
    let page = isa__dispatch_size(animal.cls) - empty
    #expect(page >= 256)
    try dog.add("legs", answering: 2)
    #expect(isa__dispatch_size(dog.cls) == empty + page)
  }

  @Test("methods on one page cost nothing more, and a copied page passes on to those below")
  func copying() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let puppy = try ClassPair("Puppy", below: dog)
    let names = neighbours(2)
    try animal.add(names[0], answering: 1)
    try dog.add(names[0], answering: 2)
    let size = isa__dispatch_size(dog.cls)
    try dog.add(names[1], answering: 3)
    #expect(isa__dispatch_size(dog.cls) == size)
    #expect(puppy.answer(to: names[0]) == 2)
    #expect(puppy.answer(to: names[1]) == 3)
    #expect(animal.answer(to: names[1]) == nil)
  }

  @Test("a page copied above an overrider still reaches what the overrider inherits")
  func copyingAboveOverrider() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let puppy = try ClassPair("Puppy", below: dog)
    let names = neighbours(2)
    try puppy.add(names[0], answering: 1)
    try animal.add(names[0], answering: 2)
    try animal.add(names[1], answering: 3)
    #expect(dog.answer(to: names[0]) == 2)
    #expect(puppy.answer(to: names[0]) == 1)
    #expect(puppy.answer(to: names[1]) == 3)
  }

  @Test("the depth of inheritance does not matter, and every level may override")
  func depth() throws {
    var chain = [try ClassPair("Level0")]
    for level in 1..<40 { chain.append(try ClassPair("Level\(level)", below: chain[level - 1])) }
    try chain[0].add("legs", answering: 1)
    #expect(chain[39].answer(to: "legs") == 1)
    try chain[20].add("legs", answering: 2)
    #expect(chain.map { $0.answer(to: "legs") } == (0..<40).map { $0 < 20 ? 1 : 2 })
  }

  @Test("tables grow for hundreds of new selectors while other threads look methods up")
  func growing() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    try animal.add("legs", answering: 1)
    nonisolated(unsafe) let cls = dog.cls
    try whileThreads(
      2, repeat: { #expect(answer(of: cls, to: "legs") == 1) },
      {
        for number in 0..<700 {
          try animal.add("grown\(number)", answering: number % 4)
          #expect(dog.answer(to: "grown\(number)") == number % 4)
        }
      })
    #expect((0..<700).allSatisfy { dog.answer(to: "grown\($0)") == $0 % 4 })
    #expect(answer(of: isa_root_class(), to: "grown699") == nil)
  }

  @Test("methods of a superclass change while two threads dispatch through a subclass")
  func changing() throws {
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let legs = selector("legs"), names = neighbours(100)
    try animal.add("legs", answering: 1)
    nonisolated(unsafe) let cls = dog.cls
    try whileThreads(
      2,
      repeat: {
        let seen = answer(of: cls, to: "legs")
        #expect(seen == 1 || seen == 2)
      },
      {
        for round in 0..<1000 {
          let code = imp(answering: 1 + round % 2)
          try check(isa_class_replace_method(animal.cls, legs, code, "q@:", nil))
          #expect(dog.answer(to: "legs") == 1 + round % 2)
        }
        for name in names { try dog.add(name, answering: 3) }
        try dog.add("legs", answering: 2)
      })
    #expect(dog.answer(to: "legs") == 2)
  }

  @Test("without memory to grow, a selector is refused and every table stays as it was")
  func allocationFailure() throws {
    let animal = try ClassPair("Animal")
    try animal.add("legs", answering: 1)
    let size = isa__dispatch_size(animal.cls)
    var number = 0, isGrown = false
    while !isGrown {
      number += 1
      try withEachAllocationFailing {
        guard isa_sel_register("growing without memory \(number)") == nil else { return }
        #expect(isa__dispatch_size(animal.cls) == size)
        throw StatusError(status: isa_last_error().pointee.status, reason: lastReason())
      }
      isGrown = isa__dispatch_size(animal.cls) > size
    }
    #expect(animal.answer(to: "legs") == 1)
    try animal.add("growing without memory \(number)", answering: 2)
    #expect(animal.answer(to: "growing without memory \(number)") == 2)
  }

  /// Selectors of this test's own, most of them on one page.
  private func neighbours(_ count: Int, of test: String = #function) -> [String] {
    let names = (0..<count).map { "\(test.prefix { $0 != "(" })\($0)" }
    for name in names { _ = isa_sel_register(name) }
    return names
  }
}
