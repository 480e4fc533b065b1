import Dispatch
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private protocol Named {
  var name: String { get }
}

private class Base: KVObject, Named {
  @Dynamic var name = "b"
  @Dynamic var age = 1
  @Dynamic var ratio = 0.5
  @Dynamic var items: [Int] = []
  @Dynamic var tags: Set<String> = []
  @Dynamic var nick: String?
  @LazyDynamic var title = "t"
  @WeakDynamic var friend: Base?
  let fixed = 1
  var summary: String { name }
  func twice() -> Int { 2 * age }
}

/// Overrides no getter of a wrapped property.
private final class Same: Base {
  override var summary: String { "same" }
  override func twice() -> Int { 0 }
}

private class Sub: Base {
  override var name: String {
    get { super.name + "?" }
    set { super.name = newValue }
  }
  override var age: Int {
    get { super.age * 10 }
    set { super.age = newValue }
  }
  override var ratio: Double {
    get { super.ratio + 1 }
    set { super.ratio = newValue }
  }
  override var nick: String? {
    get { super.nick ?? "nobody" }
    set { super.nick = newValue }
  }
  override var title: String {
    get { super.title + "!" }
    set { super.title = newValue }
  }
  override var friend: Base? {
    get { super.friend ?? self }
    set { super.friend = newValue }
  }
}

private final class SubSub: Sub {}

private final class Filling: Base {
  private var isFilled = false
  override var items: [Int] {
    get {
      if !isFilled {
        isFilled = true
        super.items = [1, 2]
      }
      return super.items
    }
    set { super.items = newValue }
  }
}

private final class Declared: Base {
  override var name: String {
    get { super.name + "?" }
    set { super.name = newValue }
  }
  override class var keys: [KeyDeclaration] { [.key("name", \Declared.name)] }
}

/// Has as many settable properties without storage as storage without an overridable property, and
/// getters that nobody may call.
private class Crowded: KVObject {
  @Dynamic final var fixed = 1
  @Dynamic final var other = 2
  var title: String {
    get { fatalError("a subclass says what the title is") }
    set {}
  }
  @Dynamic var text = "m"
  subscript(index: Int) -> Int {
    get { fatalError("a subclass has the elements") }
    set {}
  }
  @Dynamic fileprivate var hidden = 1
  @Dynamic var nothing: Void = ()
  @Dynamic var nothingElse: Void = ()
  @Dynamic var `two words` = 1
}

private class CrowdedSub: Crowded {
  override var title: String {
    get { "title" }
    set {}
  }
  override var text: String {
    get { super.text + "?" }
    set { super.text = newValue }
  }
  override subscript(index: Int) -> Int {
    get { index }
    set {}
  }
  override var hidden: Int {
    get { super.hidden + 1 }
    set { super.hidden = newValue }
  }
  override var `two words`: Int {
    get { super.`two words` + 2 }
    set { super.`two words` = newValue }
  }
}

/// Overrides only what has no storage.
private final class Untouched: Crowded {
  override var title: String {
    get { fatalError("nobody asks for the title") }
    set {}
  }
  override subscript(index: Int) -> Int {
    get { fatalError("nobody asks for an element") }
    set {}
  }
}

private final class CrowdedDeclared: CrowdedSub {
  override class var keys: [KeyDeclaration] { [.key("text", \CrowdedSub.text)] }
}

private class GenericBase<Value>: KVObject {
  @Dynamic var value: Value
  @Dynamic var count = 0

  init(_ value: Value) { self.value = value }
}

private final class Counted: GenericBase<String> {
  override var count: Int {
    get { super.count + 100 }
    set { super.count = newValue }
  }
}

/// A class for each type, so that each is used for a first time.
private class Fresh<Tag>: KVObject, @unchecked Sendable {
  @Dynamic var name = "b"
}

private final class FreshSub<Tag>: Fresh<Tag>, @unchecked Sendable {
  override var name: String {
    get { super.name + "?" }
    set { super.name = newValue }
  }
}

private final class Holder: KVObject {
  @Dynamic var base: Base

  init(_ base: Base) { self.base = base }
}

/// Stores what it overrides elsewhere, where no wrapper reports it.
private final class Elsewhere: Base {
  private var plain = 5
  override var age: Int {
    get { plain }
    set {
      plain = newValue * 2
      super.age = newValue
    }
  }
}

/// Has as many settable variables of the class itself as `final` ones of its objects.
private class Shared: KVObject {
  @Dynamic final var size = 1
  class var standard: String {
    get { String(describing: self) }
    set {}
  }
}

private final class SharedSub: Shared {
  override class var standard: String {
    get { "sub" }
    set {}
  }
}

private class Labelled: KVObject {
  @Dynamic var label = "s"
  class var standard: Int {
    get { 1 }
    set {}
  }
}

private final class LabelledSub: Labelled {
  override var label: String {
    get { super.label + "?" }
    set { super.label = newValue }
  }
}

/// Nobody asks the getter of `Unread`, so that an optimiser takes it out.
private class Unread: KVObject {
  @Dynamic var rank = 1
}

private class Ranked: Unread {
  override var rank: Int {
    get { 7 }
    set { super.rank = newValue }
  }
}

private final class Highest: Ranked {
  override var rank: Int {
    get { 8 }
    set { super.rank = newValue }
  }
}

// An optimiser takes out the getters of private classes that nobody asks by type.

@inline(never)
private func rank(of object: Ranked) -> Int { object.rank }

@inline(never)
private func state(of object: Base) -> String {
  "\(object.nick ?? "none") \(object.title) \(object.friend === object)"
}

@inline(never)
private func sum(of object: Crowded) -> Int { object.hidden + object.`two words` }

@inline(never)
private func count<Value>(of object: GenericBase<Value>) -> Int { object.count }

@inline(never)
private func name<Tag>(of object: Fresh<Tag>) -> String { object.name }

@Suite(.serialized, .leavesNoObjects)
struct OverriddenGetterTests {
  @Test("variables of the class itself are no getters of its objects, and are not asked")
  func classVariables() throws {
    #expect(try SharedSub().value(forKey: "size") as? Int == 1)
    #expect(try LabelledSub().value(forKey: "label") as? String == "s?")
    #expect(LabelledSub().label == "s?")
  }

  @Test("a getter that the optimiser has taken out is not asked who it is")
  func deletedGetter() throws {
    let told = Recorder<Misuse>()
    KeyValueSettings.misuseHandler = { told.add($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    for object in [Ranked(), Highest()] {
      let own = object is Highest ? 8 : 7
      let values = try (0..<2).map { _ in try object.value(forKey: "rank") as? Int }
      // An unoptimised build takes nothing out.
      let isReported =
        told.all.map(\.reason) == [
          "rank is told by name as it is stored: class \(type(of: object)) overrides its getter, but an "
            + "optimiser has taken out the inherited one; declare rank in the class's keys"
        ]
      #expect(values == [own, own] || (values == [1, 1] && isReported))
      #expect(rank(of: object) == own)
      told.clear()
      for rank in [3, 4] { try object.setValue(rank, forKey: "rank") }
      let isSetReported =
        told.all.map(\.reason) == [
          "rank is set by name where it is stored: class \(type(of: object)) overrides its setter, but an "
            + "optimiser has taken out the inherited one; declare rank in the class's keys"
        ]
      #expect(values == [own, own] ? told.all.isEmpty : isSetReported)
      told.clear()
    }
  }

  @Test("key-value coding asks an overridden getter, from the first time on")
  func coding() throws {
    for object in [Sub(), SubSub()] {
      #expect(try object.value(forKey: "name") as? String == "b?")
      #expect(try object.value(forKey: "age") as? Int == 10)
      #expect(try object.value(forKey: "ratio") as? Double == 1.5)
      #expect(try object.value(forKey: "nick") as? String == "nobody")
      #expect(try object.value(forKey: "title") as? String == "t!")
      #expect(try object.value(forKey: "friend") as? Base === object)
      #expect(try object.value(forKeyPath: "friend.name") as? String == "b?")
      #expect(try RuntimeObject(object).get("age", as: Int.self) == 10)
      #expect(state(of: object) == "nobody t! true")
      try object.setValue("c", forKey: "name")
      #expect(object.name == "c?")
    }
    #expect(try Base().value(forKey: "name") as? String == "b")
    #expect(state(of: Base()) == "none t false")
  }

  @Test("observers are told what an overridden getter says, typed, by name and through a generic")
  func observing() throws {
    let object = Sub(), told = Recorder<String>()
    func observe<Object: Base>(_ object: Object) throws -> KeyValueObservation {
      object.observe(\.name, options: [.old, .new]) {
        told.add("g \($1.oldValue!) \($1.newValue!)")
      }
    }
    let tokens = [
      object.observe(\.name, options: [.old, .new]) {
        told.add("t \($1.oldValue!) \($1.newValue!)")
      },
      try object.observe("name", as: String.self, options: [.old, .new]) {
        told.add("n \($1.oldValue!) \($1.newValue!)")
      },
      try observe(object),
      object.observe(\.age, options: [.old, .new]) {
        told.add("age \($1.oldValue!) \($1.newValue!)")
      },
    ]
    object.name = "c"
    #expect(told.all == ["g b? c?", "n b? c?", "t b? c?"])
    told.clear()
    object.age = 2
    object.age += 1
    #expect(told.all == ["age 10 20", "age 20 210"])
    told.clear()
    try object.setValue("d", forKey: "name")
    #expect(told.all == ["g c? d?", "n c? d?", "t c? d?"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a getter that reads no wrapped property is observed, at the end of a key path too")
  func elsewhere() throws {
    let object = Elsewhere(), holder = Holder(object), told = Recorder<String>()
    let tokens = [
      object.observe(\.age, options: .new) { told.add("own \($1.newValue!)") },
      (object as Base).observe(\.age, options: .new) { told.add("as base \($1.newValue!)") },
      holder.observe(\.base.age, options: .new) { told.add("path \($1.newValue!)") },
    ]
    object.age = 4
    #expect(told.all.sorted() == ["as base 8", "own 8", "path 8"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a class whose key is declared tells once, and what the getter says")
  func declared() throws {
    let object = Declared(), told = Recorder<String>()
    let tokens = [
      object.observe(\.name, options: [.old, .new]) {
        told.add("\($1.oldValue!) \($1.newValue!)")
      },
      try object.observe("name", as: String.self, options: .new) { told.add($1.newValue!) },
    ]
    #expect(try object.value(forKey: "name") as? String == "b?")
    object.name = "c"
    #expect(told.all == ["c?", "b? c?"])
    told.clear()
    try object.setValue("d", forKey: "name")
    #expect(told.all == ["d?", "c? d?"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("proxies ask an overridden getter of a collection, by type and by name")
  func proxies() throws {
    let object = Filling()
    #expect(object.mutableArrayValue(for: \.items).count == 2)
    let other = Filling()
    other.mutableArrayValue(for: \.items).append(3)
    #expect(other.items == [1, 2, 3])
    let third = Filling()
    try third.mutableArrayValue(forKey: "items").append(3)
    #expect(third.items == [1, 2, 3])
  }

  @Test("computed, `final`, private and empty properties and subscripts beside it change nothing")
  func crowded() throws {
    for object in [CrowdedSub(), CrowdedDeclared()] {
      #expect(try object.value(forKey: "text") as? String == "m?")
      #expect(try object.value(forKey: "fixed") as? Int == 1)
      #expect(try object.value(forKey: "other") as? Int == 2)
      #expect(try object.value(forKey: "hidden") as? Int == 2)
      #expect(sum(of: object) == 5 && sum(of: Crowded()) == 2)
      #expect(try object.value(forKey: "two words") as? Int == 3)
      let told = Recorder<String>()
      let tokens = [
        object.observe(\.text, options: [.old, .new]) {
          told.add("\($1.oldValue!) \($1.newValue!)")
        },
        try object.observe("text", as: String.self, options: .new) { told.add($1.newValue!) },
      ]
      object.text = "n"
      #expect(told.all == ["n?", "m? n?"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("getters of properties that are not wrapped are never called")
  func untouched() throws {
    let object = Untouched(), told = Recorder<Int>()
    #expect(try object.value(forKey: "fixed") as? Int == 1)
    #expect(try object.value(forKey: "text") as? String == "m")
    let token = object.observe(\.fixed, options: .new) { told.add($1.newValue!) }
    object.fixed = 3
    try object.setValue(4, forKey: "fixed")
    #expect(told.all == [3, 4])
    #expect(try RuntimeObject(object).class.methods.isEmpty)
    token.invalidate()
  }

  @Test("a class within a function has its overridden getters asked")
  func local() throws {
    class Inner: KVObject {
      @Dynamic var count = 1
      var computed: Int {
        get { fatalError("nobody asks") }
        set {}
      }
    }
    final class InnerSub: Inner {
      override var count: Int {
        get { super.count + 1 }
        set { super.count = newValue }
      }
      override var computed: Int {
        get { 1 }
        set {}
      }
    }
    @inline(never)
    func count(of object: Inner) -> Int { object.count }
    #expect(count(of: Inner()) == 1 && count(of: InnerSub()) == 2)
    #expect(try InnerSub().value(forKey: "count") as? Int == 2)
  }

  @Test("a generic class's overridden getter is asked")
  func generic() throws {
    let object = Counted("a"), told = Recorder<Int>()
    #expect(count(of: object) == 100 && count(of: GenericBase(1)) == 0)
    #expect(try object.value(forKey: "count") as? Int == 100)
    #expect(try object.value(forKey: "value") as? String == "a")
    let token = object.observe(\.count, options: .new) { told.add($1.newValue!) }
    object.count = 1
    #expect(told.all == [101])
    token.invalidate()
  }

  @Test("two threads that use a class for the first time are both told what its getter says")
  func firstUse() {
    let told = Recorder<String>()
    func use<Tag>(_ tag: Tag.Type, more: Int) {
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        let object = FreshSub<Tag>()
        told.add((try? object.value(forKey: "name") as? String) ?? "nothing")
        if name(of: object) == name(of: Fresh<Tag>()) { told.add("the same") }
      }
      if more > 0 { use([Tag].self, more: more - 1) }
    }
    use(Int.self, more: 49)
    #expect(told.all == Array(repeating: "b?", count: 100))
  }

  @Test("a class that overrides other things is answered from where the values stand")
  func same() throws {
    let object = Same(), told = Recorder<String>()
    let token = object.observe(\.name, options: .new) { told.add($1.newValue!) }
    object.name = "c"
    #expect(told.all == ["c"] && object.twice() == 0)
    let cls = try RuntimeObject(object).class
    #expect(cls.methods.isEmpty)
    token.invalidate()
  }

  @Test("a getter that a class made at run time has is asked by Swift's accesses too")
  func madeAtRunTime() throws {
    let object = Base()
    object.items = [5]
    let runtime = try RuntimeObject(object)
    let swiftClass = runtime.isa
    let faulting = try RuntimeClassBuilder(uniqueName("Faulting"), superclass: swiftClass)
      .method("age", "q@:") { call in
        RuntimeValue(((try? call.callSuper().int) ?? 0) + 40)
      }
      .method("name", "@@:") { _ in (try? RuntimeValue("lazy").converted(to: .object)) ?? nil }
      .method("items", "@@:") { _ in .array([7]) }
      .register()
    try runtime.setIsa(faulting)
    #expect(object.age == 41 && object.name == "lazy" && object.items == [7])
    #expect(object.ratio == 0.5)
    object.age += 1
    #expect(try runtime.setIsa(swiftClass) == faulting && object.age == 42)
    try runtime.setIsa(faulting)
    object.mutableArrayValue(for: \.items).append(8)
    try runtime.setIsa(swiftClass)
    #expect(object.items == [7, 8])
    try faulting.dispose()
  }

  @Test("a change in place goes through a setter that a class made at run time has")
  func setter() throws {
    let object = Base(), runtime = try RuntimeObject(object), swiftClass = runtime.isa
    let doubling = try RuntimeClassBuilder(uniqueName("Doubling"), superclass: swiftClass)
      .method("setAge:", "v@:q") { call in
        _ = try? call.callSuper([RuntimeValue(2 * (call.arguments[0].int ?? 0))])
      }
      .register()
    try runtime.setIsa(doubling)
    object.age += 4
    #expect(object.age == 10)
    let told = Recorder<Int>()
    let token = object.observe(\.age, options: .new) { told.add($1.newValue!) }
    object.age += 1
    #expect(object.age == 22 && told.all == [22])
    token.invalidate()
    try runtime.setIsa(swiftClass)
    try doubling.dispose()
  }
}
