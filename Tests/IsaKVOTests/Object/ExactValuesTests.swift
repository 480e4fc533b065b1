import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private struct Label: RawRepresentable, Equatable {
  var rawValue: String
  var weight = 0

  init(_ text: String, weight: Int) { (rawValue, self.weight) = (text, weight) }

  init?(rawValue: String) {
    if rawValue.isEmpty { return nil }
    self.rawValue = rawValue
  }
}

private final class Exact: KVObject {
  @Dynamic var label = Label("a", weight: 1)
  @Dynamic var maybe: Label?
  @Dynamic var nested: Int?? = .some(1)
  @Dynamic var hashable: AnyHashable = 0
  @Dynamic var hashables: Set<AnyHashable> = []
  @Dynamic var any: Any = 0
}

/// A value that is set while somebody observes is there afterwards, as when nobody does.
@Suite(.serialized, .leavesNoObjects)
struct ExactValuesTests {
  @Test("a value that is more than its raw value arrives whole")
  func rawValues() throws {
    let object = Exact()
    let notes = Recorder<Label>()
    let token = object.observe(\.label, options: .new) { _, change in
      notes.add(change.newValue!)
    }
    let maybe = object.observe(\.maybe) { _, _ in }
    let values = [Label("b", weight: 2), Label("", weight: 3)]
    for value in values {
      object.label = value
      #expect(object.label == value)
      object.maybe = value
      #expect(object.maybe == value)
    }
    #expect(notes.all == values)
    try object.setValue("c", forKey: "label")
    #expect(object.label == Label("c", weight: 0))
    withExtendedLifetime((token, maybe)) {}
  }

  @Test("an optional that holds nil is not nil")
  func nestedOptionals() throws {
    let object = Exact()
    let notes = Recorder<Bool>()
    let token = object.observe(\.nested, options: .new) { _, change in
      notes.add(change.newValue! == .some(.some(.none)))
    }
    object.nested = .some(.none)
    guard case .some(.none) = object.nested else {
      Issue.record("it is \(String(describing: object.nested))")
      return
    }
    object.nested = .none
    #expect(object.nested == nil)
    withExtendedLifetime(token) {}
  }

  @Test("values of no particular type keep their own")
  func types() throws {
    let object = Exact()
    let tokens = [
      object.observe(\.any) { _, _ in }, object.observe(\.hashable) { _, _ in },
    ]
    let values: [AnyHashable] = [
      Color.green, Size.large, Int8(3), Float(0.5), "text", true, [1], Int?.none as AnyHashable,
    ]
    for value in values {
      object.any = value.base
      #expect(type(of: object.any) == type(of: value.base))
      object.hashable = value
      #expect(type(of: object.hashable.base) == type(of: value.base))
      #expect(object.hashable == value)
    }
    try object.setValue(5, forKey: "any")
    #expect(type(of: object.any) == Int.self)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a value without a hash is refused where one with a hash is wanted, not described")
  func unhashable() throws {
    struct Plain { var number = 1 }
    let object = Exact()
    object.hashables = [1]
    for value: Any in [Plain(), Int.self, { 1 }, [Plain()], ["a": Plain()]] {
      expectError(.incompatible, key: "hashable") { try object.setValue(value, forKey: "hashable") }
      expectError(.incompatible, key: "hashables") {
        try object.setValue([value], forKey: "hashables")
      }
      let set = try object.mutableSetValue(forKey: "hashables")
      #expect(throws: KeyValueError.self) { try set.insert(RuntimeValue(any: value)) }
    }
    #expect(object.hashable == AnyHashable(0) && object.hashables == [1])
    try object.setValue([1, "two"] as [Any], forKey: "hashable")
    #expect(object.hashable == AnyHashable([AnyHashable(1), AnyHashable("two")]))
  }
}
