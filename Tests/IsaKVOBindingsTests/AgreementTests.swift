import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A field that lets somebody do something while it is being set, once.
private final class BusyField: KVObject, BindingTarget {
  @Dynamic var text = "" {
    didSet {
      let work = next
      next = nil
      work?()
    }
  }
  var next: (() -> Void)?

  static var bindingNames: [BindingName] { [.value] }

  func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    text = shown.plain as? String ?? ""
  }
}

/// The values that both ends of a binding have once everything is told.
@Suite(.serialized, .oneAtATime) struct AgreementTests {
  private let citizen = Citizen(), field = BusyField()

  @Test("BND-15: a value that the source is set to during the first push is shown")
  func firstPush() throws {
    field.next = { [citizen] in citizen.name = "Bob" }
    try field.follow(\.text, of: citizen, \.name)
    #expect(field.text == "Bob")
    field.next = { [citizen] in citizen.name = "Cid" }
    try field.bind(\.text, to: citizen, \.name)
    #expect(field.text == "Cid" && citizen.name == "Cid")
    field.unbindAll()
    field.next = { [citizen] in citizen.name = "Dan" }
    try field.bind(.value, to: citizen, withKeyPath: "name")
    #expect(field.text == "Dan")
  }

  @Test("BND-15: a value that the source is set to while a placeholder is shown is shown, too")
  func placeholder() throws {
    let home = Home()
    try field.bind(\.text, to: citizen, \.home, \.city, ifNil: "none")
    citizen.home = Home()
    field.next = { [citizen] in citizen.home = home }
    citizen.home = nil
    #expect(citizen.home === home && field.text == "Bern")
  }

  @Test("BND-20: a value that the target is set to while one is written back is written back, too")
  func writingBack() throws {
    try field.bind(\.text, to: citizen, \.name)
    let token = citizen.observe(\.name) { [field] citizen, _ in
      if citizen.name == "bob" { field.text = "Bob" }
    }
    field.text = "bob"
    #expect(citizen.name == "Bob" && field.text == "Bob")
    token.invalidate()
  }

  @Test("BND-17: the ends agree after a transaction, whichever was set first, and last")
  func transaction() throws {
    try field.bind(\.text, to: citizen, \.name)
    func check(_ sets: (() -> Void)...) {
      KVObject.transaction { for set in sets { set() } }
      #expect(field.text == citizen.name)
    }
    let setField = { [field] in field.text = "field" },
      setCitizen = { [citizen] in citizen.name = "c" }
    check(setField, setCitizen)
    check(setCitizen, setField)
    check(setCitizen, setField, setCitizen)
    check(setField, setCitizen, setField)
  }

  @Test("BND-21: a value that does not equal itself is told once at each end")
  func notEqualToItself() throws {
    final class Number: KVObject { @Dynamic var value = 0.0 }
    let first = Number(), second = Number()
    try first.bind(\.value, to: second, \.value)
    let told = [ToldValues(first, \.value), ToldValues(second, \.value)]
    first.value = .nan
    second.value = .nan
    #expect(told.map(\.values.count) == [2, 2])
  }
}
