import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

extension OverrideModels {
  fileprivate enum Held {
    case nothing
    case leaf(Leaf)
  }

  /// Depends on what stands in an enum, in an array, and behind an optional that is nil at first.
  fileprivate final class Shelf: KVObject, @unchecked Sendable {
    @Dynamic var held = Held.nothing
    @Dynamic var list = [Leaf("a"), Leaf("b")]
    @Dynamic var spare: Leaf?
    var heldName: String { if case .leaf(let leaf) = held { leaf.name } else { "" } }
    var label: String { "\(heldName) \(list[0].name) \(spare?.name ?? "-")" }

    override class var keys: [KeyDeclaration] {
      [
        .key(
          "label", \Shelf.label,
          affectedBy: [\Shelf.heldName, \Shelf.list[0].name, \Shelf.spare?.name])
      ]
    }
  }

  /// Depends on a property that a class overrides, and on what that reads.
  fileprivate final class Titled: Elsewhere, @unchecked Sendable {
    @Dynamic var number2 = 1
    var title: String { "\(text) \(number2)" }

    override class var keys: [KeyDeclaration] {
      [.key("title", \Titled.title, affectedBy: [\Titled.text, \Titled.source, \Titled.number2])]
    }
  }

  /// Stores what it overrides where nobody hears of it.
  fileprivate final class Unheard: Overridable, @unchecked Sendable {
    private var plain = "a"

    override var text: String {
      get { plain }
      set { plain = newValue }
    }
  }

  /// Announces by hand, and answers messages itself.
  fileprivate final class ByHand: Overridable, @unchecked Sendable {
    private var plain = "a"
    var asked: [String] = []

    override var text: String {
      get { plain }
      set { withChange(of: \.text) { plain = newValue } }
    }
    override func value(forKey key: String) throws(KeyValueError) -> Any? {
      asked.append(key)
      return try super.value(forKey: key)
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      precondition(["text", "source"].contains(key))
      return super.automaticallyNotifiesObservers(forKey: key)
    }
  }

  /// Reads another object's property.
  fileprivate final class Moving: Overridable, @unchecked Sendable {
    @Dynamic var from = Leaf("a")

    override var text: String {
      get { from.name }
      set { from.name = newValue }
    }
  }

  /// Reads another property that it overrides as well.
  fileprivate final class Linked: Elsewhere, @unchecked Sendable {
    override var lazy: String {
      get { "<\(text)>" }
      set { text = newValue }
    }
  }

  @Suite(.serialized, .leavesNoObjects)
  struct OverrideTests {
    @Test(
      "a property that a class overrides is told once for each change, however it is observed",
      arguments: overrideKinds())
    func told(kind: Overridden) throws {
      for line in try kind.run() { Issue.record("\(kind), \(line)") }
    }

    @Test("before a change, at first and in a transaction as any property")
    func options() {
      let object = Elsewhere(), told = Recorder<String>()
      let token = object.observe(\.text, options: [.old, .new, .prior, .initial]) {
        told.add("\($1.isPrior) \($1.oldValue ?? "-") \($1.newValue ?? "-") \($1.cause ?? "-")")
      }
      #expect(told.take() == ["false - s -"])
      object.text = "b"
      #expect(told.take() == ["true s - source", "false s b source"])
      KVObject.transaction {
        object.source = "c"
        object.text = "d"
      }
      #expect(told.take() == ["true b - source", "false b d source"])
      object.muting { object.source = "e" }
      #expect(told.take().isEmpty)
      token.invalidate()
    }

    @Test("a key that depends on an overridden one, and on what that reads, is told once")
    func dependents() {
      let object = Titled(), told = Recorder<String>()
      let token = object.observe(\.title, options: [.old, .new]) {
        told.add("\($1.oldValue!) to \($1.newValue!)")
      }
      object.text = "b"
      #expect(told.take() == ["s 1 to b 1"])
      object.number2 = 2
      #expect(told.take() == ["b 1 to b 2"])
      token.invalidate()
    }

    @Test("a getter that reads another overridden property hears what that reads")
    func linked() {
      let object = Linked(), told = Recorder<String>()
      let tokens = [
        object.observe(\.lazy, options: .new) { told.add("lazy \($1.newValue!)") },
        object.observe(\.text, options: .new) { told.add("text \($1.newValue!)") },
      ]
      object.source = "b"
      #expect(told.take().sorted() == ["lazy <b>", "text b"])
      object.lazy = "c"
      #expect(told.take().sorted() == ["lazy <c>", "text c"])
      tokens.forEach { $0.invalidate() }
    }

    @Test(
      "what a getter reads may be another object's after a change, and is nobody's after the end")
    func moved() throws {
      let object = Moving(), old = object.from, new = Leaf("b"), told = Recorder<String>()
      let tokens = [
        object.observe(\.text, options: .new) { told.add($1.newValue!) },
        try object.observe("text", as: String.self) { _, _ in },
      ]
      object.from = new
      old.name = "x"
      new.name = "c"
      #expect(told.take() == ["b", "c"])
      #expect(try RuntimeObject(new).registrations.count == 1)
      tokens[0].invalidate()
      #expect(try RuntimeObject(new).registrations.count == 1)
      tokens[1].invalidate()
      #expect(try RuntimeObject(new).registrations.isEmpty)
      #expect(try RuntimeObject(object).registrations.isEmpty)
      tokens[0].invalidate()
    }

    @Test("shared observers of an overridden property end with the next ones")
    func shared() {
      let object = Elsewhere(), told = Recorder<String>()
      func observers(_ name: String) -> KeyValueSharedObservers<Elsewhere> {
        let shared = KeyValueSharedObservers<Elsewhere>()
        shared.observe(\.text, options: .new) { told.add("\(name) \($1.newValue!)") }
        shared.observe(\.source) { _, _ in told.add("\(name) source") }
        return shared
      }
      object.setSharedObservers(observers("a"))
      object.text = "b"
      #expect(told.take().sorted() == ["a b", "a source"])
      object.setSharedObservers(observers("b"))
      object.text = "c"
      #expect(told.take().sorted() == ["b c", "b source"])
      object.setSharedObservers(nil)
      object.text = "d"
      #expect(told.take().isEmpty)
    }

    @Test("a property that announces itself is told once, and hooks are asked of the class's keys")
    func byHand() throws {
      let object = ByHand(), told = Recorder<String>()
      let token = try object.observe("text", as: String.self, options: [.old, .new]) {
        told.add("\($1.oldValue!) to \($1.newValue!)")
      }
      object.text = "b"
      try object.setValue("c", forKey: "text")
      #expect(told.take() == ["a to b", "b to c"])
      #expect(Set(object.asked) == ["text"])
      #expect(ByHand.keyPathsForValuesAffectingValue(forKey: "text").isEmpty)
      token.invalidate()
    }

    @Test("a value that changes where nobody can hear of it is reported once, with the cure")
    func unheard() throws {
      let reports = Recorder<String>()
      KeyValueSettings.misuseHandler = { reports.add($0.reason) }
      defer { KeyValueSettings.misuseHandler = nil }
      let told = Recorder<String>()
      for _ in 0..<2 {
        let object = Unheard()
        let token = object.observe(\.text, options: .new) { told.add($1.newValue!) }
        try object.setValue("b", forKey: "text")
        #expect(told.take() == ["b"] && reports.all.count < 2)
        object.text = "c"
        token.invalidate()
      }
      let report = try #require(reports.all.first)
      #expect(reports.all.count == 1)
      #expect(report.hasPrefix("text of Unheard has changed and its observers were not told"))
      #expect(report.contains("@Dynamic") && report.contains("withChange(of:)"))
      // One that tells by the inherited setter is not reported.
      reports.clear()
      let object = Mirroring()
      let token = object.observe(\.text, options: .new) { told.add($1.newValue!) }
      object.text = "b"
      token.invalidate()
      #expect(told.take() == ["b"] && reports.all.isEmpty)
    }

    @Test("key paths through enums, arrays and nil that affect a key are followed")
    func affecting() throws {
      let shelf = Shelf(), leaf = Leaf("x"), told = Recorder<String>()
      let tokens = [
        shelf.observe(\.label, options: .new) { told.add($1.newValue!) },
        try shelf.observe("label", as: String.self) { _, _ in },
      ]
      shelf.held = .leaf(leaf)
      #expect(told.take() == ["x a -"])
      leaf.name = "y"
      #expect(told.take() == ["y a -"])
      shelf.list[0].name = "b"
      #expect(told.take() == ["y b -"])
      shelf.spare = leaf
      #expect(told.take() == ["y b y"])
      shelf.list.remove(at: 0)
      #expect(told.take() == ["y b y"])
      tokens.forEach { $0.invalidate() }
    }

    @Test("the values of a loop are those of an overridden property")
    func loop() async {
      let object = Elsewhere()
      var values: [String] = []
      for await value in object.values(of: \.text) {
        values.append(value)
        if values.count == 3 { break }
        object.source += "+"
      }
      #expect(values == ["s", "s+", "s++"])
    }
  }
}
