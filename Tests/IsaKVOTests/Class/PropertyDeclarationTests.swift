import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private class Home: KVObject {
  @Dynamic var city = "Paris"
}

private class Person: KVObject {
  var log: [String] = []
  @Dynamic var age: Int8 = 1 {
    willSet { log.append("will \(newValue)") }
    didSet { log.append("did \(oldValue)") }
  }
  @Dynamic var list = [1] { didSet { log.append("list \(list)") } }
  @Dynamic var tags: Set<String> = [] { didSet { log.append("tags \(tags.count)") } }
  @LazyDynamic var title = "made" { didSet { log.append("title \(title)") } }
  @WeakDynamic var friend: Person? { didSet { log.append("friend") } }
  @Dynamic var home = Home()
  var text: String {
    get { "\(age) \(home.city)" }
    set {
      log.append("text \(newValue)")
      age = Int8(newValue) ?? 0
    }
  }
  var doubled: [Int] {
    get { list.map { 2 * $0 } }
    set { list = newValue.map { $0 / 2 } }
  }
  private var plain = 1
  var announced: Int {
    get { plain }
    set {
      willChangeValue(for: \.announced)
      plain = newValue
      didChangeValue(for: \.announced)
    }
  }
  var half: Int { Int(age) / 2 }

  override class var keys: [KeyDeclaration] {
    [
      .property("age", \Person.age), .property("list", \Person.list),
      .property("tags", \Person.tags), .property("title", \Person.title),
      .property("friend", \Person.friend),
      .property("text", \Person.text, affectedBy: ["age", "home"]),
      .property("doubled", \Person.doubled, affectedBy: ["list"]),
      .property("announced", \Person.announced), .property("half", \Person.half),
    ]
  }
}

/// Declares nothing, and overrides by another accessor or by observers.
private class Base: KVObject {
  @Dynamic var name = "b"
  @Dynamic var level = 1
  @Dynamic var items: [Int] = []
}

private class Overriding: Base {
  var log: [String] = []
  override var name: String {
    get { super.name }
    set { super.name = newValue.lowercased() }
  }
  override var level: Int { didSet { log.append("did \(oldValue) \(level)") } }
  override var items: [Int] {
    get { super.items }
    set {
      log.append("items")
      super.items = newValue.sorted()
    }
  }
}

/// Reads by the superclass, whose getters an optimiser would take out otherwise.
@inline(never)
private func state(of object: Base) -> String { "\(object.name) \(object.level) \(object.items)" }

@Suite("Keys that are their properties", .serialized, .leavesNoObjects)
struct PropertyDeclarationTests {
  @Test("a value set by name in any way runs willSet and didSet, and is told once")
  func observers() throws {
    let person = Person(), holder = Person(), told = Recorder<String>()
    holder.friend = person
    let token = person.observe(\.age, options: [.old, .new]) {
      told.add("\($1.oldValue!) \($1.newValue!)")
    }
    try person.setValue(2, forKey: "age")
    try holder.setValue(3, forKeyPath: "friend.age")
    try person.setValuesForKeys(["age": 4.5])
    try RuntimeObject(person).set("age", 5)
    #expect(told.all == ["1 2", "2 3", "3 4", "4 5"])
    #expect(
      person.log == [
        "will 2", "did 1", "will 3", "did 2", "will 4", "did 3", "will 5", "did 4",
      ])
    token.invalidate()
    try person.setValue("x", forKey: "title")
    try person.setValue(holder, forKey: "friend")
    #expect(person.log.suffix(2) == ["title x", "friend"] && person.friend === holder)
  }

  @Test("a value of another type is refused as for any key, and nothing runs")
  func refused() {
    let person = Person()
    expectError(.incompatible, key: "age") { try person.setValue([1], forKey: "age") }
    expectError(.incompatible, key: "text") { try person.setValue(1, forKey: "text") }
    expectError(.nilValue, key: "age") { try person.setValue(nil, forKey: "age") }
    expectError(.undefinedKey, key: "half") { try person.setValue(1, forKey: "half") }
    #expect(person.age == 1 && person.log.isEmpty)
  }

  @Test("a computed property that sets others is told once, set by name or by type")
  func computed() throws {
    let person = Person(), typed = Recorder<String>(), named = Recorder<String>()
    let tokens = [
      person.observe(\.text, options: .new) { typed.add($1.newValue!) },
      try person.observe("text", as: String.self, options: .new) { named.add($1.newValue!) },
    ]
    person.text = "2"
    try person.setValue("3", forKey: "text")
    #expect(typed.all == ["2 Paris", "3 Paris"] && named.all == typed.all)
    person.home.city = "Rome"
    #expect(typed.all.last == "3 Rome" && named.all.count == 2)
    person.home = Home()
    #expect(typed.all.last == "3 Paris" && named.all.last == "3 Paris")
    #expect(try person.value(forKey: "half", as: Int.self) == 1)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a computed property that announces its changes is told once, set by name or by type")
  func announced() throws {
    let person = Person(), told = Recorder<Int>()
    let tokens = [
      person.observe(\.announced, options: .new) { told.add($1.newValue!) },
      try person.observe("announced", as: Int.self, options: .new) { told.add(-$1.newValue!) },
    ]
    person.announced = 2
    try person.setValue(3, forKey: "announced")
    #expect(told.all.sorted() == [-3, -2, 2, 3])
    tokens.forEach { $0.invalidate() }
  }

  @Test("proxies of collections set through the property, by type, by name and at a path's end")
  func proxies() throws {
    let person = Person(), holder = Person(), told = Recorder<String>()
    holder.home = Home()
    let token = person.observe(\.list, options: .new) {
      told.add("\($1.kind) \($1.newValue ?? [])")
    }
    person.mutableArrayValue(for: \.list).append(2)
    try person.mutableArrayValue(forKey: "list").append(3)
    try person.mutableSetValue(forKey: "tags").insert("a")
    person.mutableSetValue(for: \.tags).insert("b")
    #expect(person.log == ["list [1, 2]", "list [1, 2, 3]", "tags 1", "tags 2"])
    #expect(told.all == ["insertion [2]", "insertion [3]"])
    person.mutableArrayValue(for: \.doubled).append(8)
    try person.mutableArrayValue(forKey: "doubled").remove(at: 0)
    #expect(person.list == [2, 3, 4] && told.all.count == 4)
    let cell = Cell(person)
    cell.mutableArrayValue(for: \.value.doubled).append(10)
    #expect(person.list == [2, 3, 4, 5])
    token.invalidate()
  }

  @Test("an overridden property is set by name through its setter, declared or not")
  func overridden() throws {
    let object = Overriding(), told = Recorder<String>()
    let token = object.observe(\.name, options: [.old, .new]) {
      told.add("\($1.oldValue!) \($1.newValue!)")
    }
    try object.setValue("A", forKey: "name")
    #expect(object.name == "a" && told.all == ["b a"])
    token.invalidate()
    try object.setValue(2.5, forKey: "level")
    try object.setValue([2, 1], forKey: "items")
    object.mutableArrayValue(for: \.items).append(0)
    try object.mutableArrayValue(forKey: "items").append(-1)
    #expect(state(of: object) == "a 2 [-1, 0, 1, 2]")
    #expect(object.log == ["did 1 2", "items", "items", "items"])
    expectError(.incompatible, key: "level") { try object.setValue([1], forKey: "level") }
    #expect(object.level == 2)
  }

  @Test("the last of several declarations of a key counts")
  func lastCounts() throws {
    final class Twice: KVObject {
      @Dynamic var value = 1
      var more: Int { value + 1 }
      override class var keys: [KeyDeclaration] {
        [
          .property("more", \Twice.more), .property("value", \Twice.value),
          .key("more", \Twice.more, affectedBy: [\Twice.value]),
        ]
      }
    }
    let twice = Twice(), told = Recorder<Int>()
    let token = try twice.observe("more", as: Int.self, options: .new) { told.add($1.newValue!) }
    twice.value = 5
    #expect(told.all == [6])
    token.invalidate()
  }

  @Test("a value set by name is in the property as without a declaration, whatever its type")
  func anyType() throws {
    final class Loose: KVObject {
      @Dynamic var any: Any = 0
      @Dynamic var nested: Int?? = 0
      override class var keys: [KeyDeclaration] {
        [.property("any", \Loose.any), .property("nested", \Loose.nested)]
      }
    }
    let loose = Loose()
    try loose.setValue("text", forKey: "any")
    #expect(type(of: loose.any) == String.self)
    try loose.setValue(KeyValueNull(), forKey: "any")
    #expect(type(of: loose.any) == KeyValueNull.self)
    let any = try loose.value(forKey: "any", as: Any.self)
    #expect(type(of: any) == KeyValueNull.self)
    let nested = try #require(
      Loose.keyPath(named: "nested") as? ReferenceWritableKeyPath<Loose, Int??>)
    loose[keyPath: nested] = .none
    #expect(loose.nested == .none)
    loose[keyPath: nested] = 5
    #expect(loose.nested == 5)
  }

  private class Titled: KVObject {
    @Dynamic var first = "a"
    @Dynamic var size = 1
    var title: String { first + "." }
    var whole: String { first }
    override class var keys: [KeyDeclaration] {
      [
        .property("title", \Titled.title, affectedBy: ["first"]),
        .key("whole", \Titled.whole, affectedBy: [\Titled.first]),
        .key("size", \Titled.size, validate: { _, size in size = max(size, 0) }),
      ]
    }
  }

  private class Longer: Titled {
    @Dynamic var last = "b"
    override var size: Int { didSet {} }
    override var title: String { super.title + last }
    override var whole: String { super.whole + last }
    override class var keys: [KeyDeclaration] {
      super.keys + [
        .property("size", \Longer.size),
        .property("title", \Longer.title, affectedBy: ["last"]),
        .key("whole", \Longer.whole, affectedBy: [\Longer.first, \Longer.last]),
      ]
    }
  }

  private final class Longest: Longer {
    @Dynamic var end = "c"
    override var title: String { super.title + end }
    override var whole: String { super.whole + end }
    override class var keys: [KeyDeclaration] {
      [
        .property("title", \Longest.title, affectedBy: ["end"]),
        .property("whole", \Longest.whole, affectedBy: ["end"]),
      ]
    }
  }

  @Test("a property that overrides keeps the superclass's validator and what affects it there")
  func inherited() throws {
    func told(of object: Titled, _ key: String, _ change: () -> Void) throws -> [String] {
      let told = Recorder<String>()
      let token = try object.observe(key, as: String.self, options: .new) { told.add($1.newValue!) }
      defer { token.invalidate() }
      change()
      return told.all
    }
    // The superclass has found out what affects its key before there is an object of the others.
    let titled = Titled()
    #expect(try told(of: titled, "whole") { titled.first = "x" } == ["x"])
    let longer = Longer()
    for (key, dot) in [("title", "."), ("whole", "")] {
      longer.first = "a"
      longer.last = "b"
      let changes = try told(of: longer, key) {
        longer.first = "x"
        longer.last = "y"
      }
      #expect(changes == ["x\(dot)b", "x\(dot)y"])
      let longest = Longest()
      let all = try told(of: longest, key) {
        longest.first = "x"
        longest.last = "y"
        longest.end = "z"
      }
      #expect(all == ["x\(dot)bc", "x\(dot)yc", "x\(dot)yz"])
    }
    #expect(try longer.validated(-1, forKey: "size") as? Int == 0)
    #expect(try Longest().validated(-1, forKey: "size") as? Int == 0)
  }

  private class Hidden: KVObject {
    @Dynamic private var secret = 1
    static var path: AnyKeyPath { \Hidden.secret }
    var inner: Int { secret }
    override class var keys: [KeyDeclaration] { [.property("secret", \Hidden.secret)] }
  }

  private final class Hiding: Hidden {
    @Dynamic private var secret = 2
    var outer: Int { secret }
  }

  @Test("a declaration is not of a property that hides the superclass's; its key paths stay")
  func hidden() throws {
    let hiding = Hiding(), told = Recorder<Int>()
    try hiding.setValue(3, forKey: "secret")
    #expect(hiding.inner == 1 && hiding.outer == 3)
    let named = try #require(
      Hidden.keyPath(named: "secret") as? ReferenceWritableKeyPath<Hidden, Int>)
    let written = try #require(Hidden.path as? ReferenceWritableKeyPath<Hidden, Int>)
    let tokens = [named, written].map { path in
      (hiding as Hidden).observe(path, options: .new) { told.add($1.newValue!) }
    }
    hiding[keyPath: written] = 4
    hiding[keyPath: named] = 5
    #expect(told.all == [4, 4, 5, 5] && hiding.inner == 5 && hiding.outer == 3)
    tokens.forEach { $0.invalidate() }
  }

  private class Manual: KVObject {
    @Dynamic var level = 1
    override class var keys: [KeyDeclaration] {
      [.key("level", \Manual.level, notifiesAutomatically: false)]
    }
  }

  private final class Observing: Manual {
    override var level: Int { didSet {} }
    override class var keys: [KeyDeclaration] { [.property("level", \Observing.level)] }
  }

  @Test("an override of a property that announces its changes by hand is told of these alone")
  func manual() throws {
    let object = Observing(), told = Recorder<Int>()
    let token = object.observe(\.level, options: .new) { told.add($1.newValue!) }
    object.level = 2
    try object.setValue(3, forKey: "level")
    #expect(told.all.isEmpty)
    object.withChange(of: \.level) { object.level = 4 }
    #expect(told.all == [4])
    token.invalidate()
  }
}
