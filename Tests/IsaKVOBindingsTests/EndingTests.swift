import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct EndingTests {
  @Test("BND-93: unbinding restores nothing")
  func keeps() throws {
    let citizen = Citizen(), field = Field()
    let binding = try field.follow(\.text, of: citizen, \.name)
    binding.unbind()
    citizen.name = "Bob"
    #expect(field.text == "Ann" && !binding.isValid)
    // BND-94
    binding.unbind()
    binding.unbindAndWait()
    #expect(field.bindings.isEmpty && registrations(of: citizen) == 0)
  }

  @Test("BND-95: the target's end ends the binding")
  func targetGone() throws {
    let citizen = Citizen()
    var binding: Binding?
    do {
      let field = Field()
      binding = try field.bind(\.text, to: citizen, \.name)
      #expect(binding!.isValid)
    }
    citizen.name = "Bob"
    #expect(!binding!.isValid && registrations(of: citizen) == 0)
  }

  @Test("BND-96: the source's end ends the binding, and the target keeps its value")
  func sourceGone() throws {
    let field = Field()
    var binding: Binding?
    do {
      let citizen = Citizen()
      citizen.name = "Bob"
      binding = try field.bind(\.text, to: citizen, \.name)
    }
    #expect(!binding!.isValid && field.text == "Bob" && field.bindings.isEmpty)
    field.text = "free"
    binding = nil
  }

  @Test("BND-100: nothing stays registered, whichever end goes first", arguments: [true, false])
  func nothingStays(targetFirst: Bool) throws {
    var field: Field? = Field(), citizen: Citizen? = Citizen()
    try field!.bind(\.text, to: citizen!, \.name)
    try field!.bind("number", to: citizen!, withKeyPath: "age")
    #expect(registrations(of: citizen!) == 2 && registrations(of: field!) == 1)
    if targetFirst {
      field = nil
      #expect(registrations(of: citizen!) == 0)
    } else {
      citizen = nil
      #expect(registrations(of: field!) == 0 && field!.bindings.isEmpty)
      try field!.follow(\.text, of: Citizen(), \.name)
    }
  }

  @Test(
    "BND-98: the target owns the binding: it stands without its token, and ends with the target")
  func owned() throws {
    let citizen = Citizen()
    weak var kept: Binding?
    do {
      let field = Field()
      do { kept = try field.bind(\.text, to: citizen, \.name) }
      citizen.name = "Bob"
      field.text += "!"
      #expect(kept != nil && citizen.name == "Bob!" && field.bindings.count == 1)
    }
    #expect(kept == nil && registrations(of: citizen) == 0)
    // A token that is kept keeps neither end, and its binding none of what it was made with.
    var token: Binding?
    weak var gone: Field?
    do {
      let field = Field()
      gone = field
      token = try field.follow(\.text, of: citizen, \.name)
    }
    #expect(gone == nil && !token!.isValid && token!.info.observedObject === citizen)
  }

  @Test("BND-97: neither end is kept")
  func notKept() throws {
    weak var citizen: Citizen?
    weak var field: Field?
    var token: Binding?
    do {
      let one = Citizen(), other = Field()
      (citizen, field) = (one, other)
      token = try other.bind(\.text, to: one, \.name)
    }
    #expect(citizen == nil && field == nil && token != nil)
  }

  @Test("BND-130: an ended binding lets go of its closures")
  func closures() throws {
    final class Guest {}
    weak var guest: Guest?
    let citizen = Citizen(), field = Field()
    let binding: Binding
    do {
      let held = Guest()
      guest = held
      binding = try field.follow(\.text, of: citizen, \.age) { [held] in
        "\($0)\(held)".prefix(2).description
      }
      binding.onError = { [held] _, _ in _ = held }
    }
    #expect(guest != nil)
    binding.unbind()
    #expect(guest == nil)
  }

  @Test("BND-96, BND-130: a binding whose source goes lets go of its closures", arguments: 0..<3)
  func sourceGoneClosures(way: Int) throws {
    final class Guest {}
    weak var guest: Guest?
    let field = Field()
    do {
      let held = Guest(), citizen = Citizen()
      guest = held
      let binding =
        switch way {
        case 0: try field.follow(\.text, of: citizen, \.name) { [held] in "\($0)\(held)" }
        case 1:
          try field.bind(\.text, to: citizen, \.name, Transformer { [held] in "\($0)\(held)" })
        default:
          try field.bind(
            "text", to: citizen, withKeyPath: "name",
            options: .with { $0.transformer = Transformer { [held] in "\($0 ?? "")\(held)" } })
        }
      binding.onError = { [held] _, _ in _ = held }
      #expect(guest != nil && binding.isValid)
    }
    #expect(guest == nil && field.bindings.isEmpty)
  }

  @Test(
    "BND-96, BND-100, BND-130: so does one of a path that computes, or leads through an optional",
    arguments: 0..<3, [true, false])
  func pathGone(way: Int, byItself: Bool) throws {
    final class Guest {}
    final class Resident: Citizen { var title: String { "\(name), \(age)" } }
    weak var guest: Guest?
    let field = Field(), home = Home()
    var token: Binding?
    do {
      let held = Guest(), citizen = Resident()
      guest = held
      citizen.home = home
      token =
        switch way {
        case 0: try field.follow(\.text, of: citizen, \.title) { [held] in "\($0)\(held)" }
        case 1:
          try field.follow(\.text, of: citizen, \.home?.city) { [held] in "\($0 ?? "")\(held)" }
        default: try field.bind(\.text, to: citizen, \.home, \.city, ifNil: "")
        }
      token!.onError = { [held] _, _ in _ = held }
      #expect(guest != nil && token!.isValid && registrations(of: field) == (way == 2 ? 1 : 0))
      if !byItself { field.unbindAll() }
    }
    #expect(guest == nil && field.bindings.isEmpty && !token!.isValid)
    #expect(registrations(of: field) == 0 && registrations(of: home) == 0)
  }

  @Test("BND-22: a thread's change is not taken for another thread's echo")
  func threads() throws {
    final class Model: KVObject, @unchecked Sendable { @Dynamic var number = 0 }
    let source = Model(), rounds = 20_000
    let targets = (0..<2).map { _ in Model() }
    let pushes = Counter()
    for target in targets {
      try target.follow(\.number, of: source, \.number) { number in
        pushes.add()
        return number
      }
    }
    let first = pushes.value
    withExtendedLifetime(targets) {
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for _ in 0..<rounds { try? source.setValue(1, forKey: "number") }
      }
    }
    #expect(pushes.value - first == 2 * 2 * rounds)
  }

  @Test("BND-94: bindings are made and ended on several threads, and after that nothing is pushed")
  func manyThreads() throws {
    final class Model: KVObject, @unchecked Sendable { @Dynamic var number = 0 }
    let source = Model()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<500 {
        let target = Model()
        let binding = try? target.follow(\.number, of: source, \.number)
        if round % 3 == 0 { binding?.unbindAndWait() }
        if thread == 0 { source.number = round }
      }
    }
    #expect(registrations(of: source) == 0)
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func add() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}
