import IsaKVO

// Kinds of classes that override a property, ways of observing it, and kinds of changes: the parts of
// which OverrideTests tries each with each.
enum OverrideModels {
  final class Leaf: KVObject, @unchecked Sendable {
    @Dynamic var name: String

    init(_ name: String) { self.name = name }

    override var description: String { name }
  }

  enum Mood: Int, Sendable { case calm, glad, wild }

  /// A class with a wrapped property of each kind, and one that subclasses have a property in.
  class Overridable: KVObject, @unchecked Sendable {
    @Dynamic var text = "a"
    @Dynamic var number = 1
    @Dynamic var mood = Mood.calm
    @Dynamic var list = [1]
    @Dynamic var tags: Set<Int> = [1]
    @Dynamic var leaf = Leaf("a")
    @Dynamic var other: Leaf? = Leaf("a")
    @Dynamic var point: (Int, Int) = (0, 0)
    @LazyDynamic var lazy = "a"
    @WeakDynamic var friend: Leaf?
    @Dynamic var source = "s"
    let leaves = [Leaf("b"), Leaf("c"), Leaf("d"), Leaf("e")]
  }

  /// Overrides each without `super`, over another wrapped property.
  class Elsewhere: Overridable, @unchecked Sendable {
    @Dynamic var own = 0

    override var text: String {
      get { source }
      set { source = newValue }
    }
    override var number: Int {
      get { own }
      set { own = newValue }
    }
    override var mood: Mood {
      get { Mood(rawValue: own % 3)! }
      set { own = newValue.rawValue }
    }
    override var list: [Int] {
      get { [own] }
      set { own = newValue[0] }
    }
    override var tags: Set<Int> {
      get { [own] }
      set { own = newValue.first! }
    }
    override var leaf: Leaf {
      get { leaves[own % 4] }
      set { own = leaves.firstIndex { $0 === newValue }! }
    }
    override var other: Leaf? {
      get { leaves[own % 4] }
      set { own = leaves.firstIndex { $0 === newValue }! }
    }
    override var lazy: String {
      get { source }
      set { source = newValue }
    }
    override var friend: Leaf? {
      get { leaves[own % 4] }
      set { own = leaves.firstIndex { $0 === newValue }! }
    }
  }

  /// Overrides each by `super`.
  class BySuper: Overridable, @unchecked Sendable {
    override var text: String {
      get { super.text + "?" }
      set { super.text = newValue }
    }
    override var number: Int {
      get { super.number * 10 }
      set { super.number = newValue }
    }
    override var mood: Mood {
      get { super.mood }
      set { super.mood = newValue }
    }
    override var list: [Int] {
      get { super.list + [0] }
      set { super.list = newValue }
    }
    override var tags: Set<Int> {
      get { super.tags }
      set { super.tags = newValue }
    }
    override var leaf: Leaf {
      get { super.leaf }
      set { super.leaf = newValue }
    }
    override var other: Leaf? {
      get { super.other }
      set { super.other = newValue }
    }
    override var lazy: String {
      get { super.lazy + "!" }
      set { super.lazy = newValue }
    }
    override var friend: Leaf? {
      get { super.friend ?? leaves[3] }
      set { super.friend = newValue }
    }
  }

  /// Only observes each being set.
  class Observing: Overridable, @unchecked Sendable {
    var count = 0

    override var text: String { didSet { count += 1 } }
    override var number: Int { willSet { count += newValue } }
    override var mood: Mood { didSet { count += 1 } }
    override var list: [Int] { didSet { count += oldValue.count } }
    override var tags: Set<Int> { didSet { count += 1 } }
    override var leaf: Leaf { didSet { count += 1 } }
    override var other: Leaf? { didSet { count += 1 } }
    override var lazy: String { didSet { count += 1 } }
    override var friend: Leaf? { didSet { count += 1 } }
  }

  // MARK: - More ways to override one

  /// Stores what it gives where nobody hears of it, and sets the inherited property as well.
  class Mirroring: Overridable, @unchecked Sendable {
    private var plain = "a"

    override var text: String {
      get { plain }
      set {
        plain = newValue
        super.text = newValue
      }
    }
  }

  /// Gives both, and sets another.
  class Joining: Overridable, @unchecked Sendable {
    override var text: String {
      get { super.text + source }
      set { source = newValue }
    }
  }

  /// Sets itself once more where it is set.
  class Correcting: Overridable, @unchecked Sendable {
    override var text: String {
      get { super.text }
      set { super.text = newValue.isEmpty ? "?" : newValue }
    }
  }

  class Between: Overridable, @unchecked Sendable {}
  class Below: Between, @unchecked Sendable {
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }
  class Lowest: Below, @unchecked Sendable {}
  class Again: Lowest, @unchecked Sendable {
    override var text: String {
      get { super.text + "+" }
      set { super.text = newValue }
    }
  }
  final class Last: Overridable, @unchecked Sendable {
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }
  class Fixed: Overridable, @unchecked Sendable {
    final override var text: String {
      get { source }
      set { source = newValue }
    }
  }
  class Through: Overridable, @unchecked Sendable {
    let inner = Leaf("s")

    override var text: String {
      get { inner.name }
      set { inner.name = newValue }
    }
  }

  /// Names in its keys what it overrides, and what that depends on.
  class Named: Overridable, @unchecked Sendable {
    override class var keys: [KeyDeclaration] { [.key("text", \Named.text)] }
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }
  class Depending: Overridable, @unchecked Sendable {
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "text" ? ["source"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }

  // MARK: - Declared properties

  class Computing: KVObject, @unchecked Sendable {
    @Dynamic var first = "f"
    @Dynamic var source = "s"
    var text: String {
      get { first }
      set { first = newValue }
    }
    override class var keys: [KeyDeclaration] {
      [.key("text", \Computing.text, affectedBy: [\Computing.first])]
    }
  }
  class ComputingElsewhere: Computing, @unchecked Sendable {
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }
  class ComputingBoth: Computing, @unchecked Sendable {
    override var text: String {
      get { super.text + source }
      set { source = newValue }
    }
  }
  final class ComputingLast: Computing, @unchecked Sendable {
    override var text: String {
      get { source }
      set { source = newValue }
    }
  }

  // MARK: - One try

  /// A class, and its property.
  struct Overridden: @unchecked Sendable, CustomStringConvertible {
    // Sendable because each run makes objects of its own.
    let description: String
    /// The changes told otherwise than once, with the values before and after, by way of observing and
    /// of changing.
    let run: () throws -> [String]
  }

  /// Keeps what it was told of.
  final class Heard: KVObject, @unchecked Sendable {
    var lines: [String] = []

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      note(change?[.oldKey], change?[.newKey])
    }

    func note(_ old: Any?, _ new: Any?) { lines.append("\(shown(old)) to \(shown(new))") }
  }

  final class Owner<Object: KVObject>: KVObject, @unchecked Sendable {
    @Dynamic var object: Object

    init(_ object: Object) { self.object = object }
  }

  static func shown(_ value: Any?) -> String {
    guard let value else { return "nil" }
    if let mood = value as? Mood { return "\(mood.rawValue)" }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return shown(mirror.children.first?.value) }
    return value is KeyValueNull ? "nil" : "\(value)"
  }

  /// Observes the property of an object in every way, each alone and all together, and changes it
  /// in every way.
  static func overridden<Object: KVObject & KeyValueObservable, Value: Sendable>(
    _ make: @escaping () -> Object, _ path: ReferenceWritableKeyPath<Object, Value>, _ key: String,
    _ values: @escaping (Object) -> [Value], inner: ((Object, Value) -> Void)? = nil,
    old isNew: Bool = false, asBase: (@Sendable (Object, Heard) -> KeyValueObservation)? = nil
  ) -> Overridden {
    let unchecked = Sent(path)
    typealias Way = (String, (Object, Heard) throws -> Any)
    let named: [Way] = [
      (
        "typed",
        { object, heard in
          object.observe(unchecked.value, options: [.old, .new]) {
            heard.note($1.oldValue, $1.newValue)
          }
        }
      ),
      (
        "named",
        { object, heard in
          try object.observe(key, as: Value.self, options: [.old, .new]) {
            heard.note($1.oldValue, $1.newValue)
          }
        }
      ),
      (
        "object",
        { object, heard in
          try object.addObserver(heard, forKeyPath: key, options: [.old, .new], context: nil)
          return Ending { try? object.removeObserver(heard, forKeyPath: key) }
        }
      ),
      (
        "path",
        { object, heard in
          let owner = Owner(object)
          let token = owner.observe(
            (\Owner<Object>.object).appending(path: unchecked.value), options: [.old, .new]
          ) { heard.note($1.oldValue, $1.newValue) }
          return (owner, token)
        }
      ),
      (
        "named path",
        { object, heard in
          let owner = Owner(object)
          let token = try owner.observe("object.\(key)", as: Value.self, options: [.old, .new]) {
            heard.note($1.oldValue, $1.newValue)
          }
          return (owner, token)
        }
      ),
      (
        "shared",
        { object, heard in
          let shared = KeyValueSharedObservers<Object>()
          shared.observe(unchecked.value, options: [.old, .new]) {
            heard.note($1.oldValue, $1.newValue)
          }
          object.setSharedObservers(shared)
          return Ending { object.setSharedObservers(nil) }
        }
      ),
    ]
    let ways = named + (asBase.map { base in [("as base", { base($0, $1) })] } ?? [])
    func change(_ object: Object, _ value: Value, _ number: Int) throws -> String {
      switch number {
      case 0: object[keyPath: path] = value
      case 1: try object.setValue(value, forKey: key)
      case 2: object[keyPath: object.written(path)] = value
      default: inner?(object, value)
      }
      return ["assigned", "set by name", "set by a named path", "changed inside"][number]
    }
    return Overridden(description: "\(Object.self).\(key)") {
      var wrong: [String] = []
      for taken in ways.map({ [$0] }) + [ways] {
        let object = make(), heard = taken.map { _ in Heard() }
        let tokens = try zip(taken, heard).map { try $0.1(object, $1) }
        for round in 0..<(inner == nil ? 3 : 4) * 2 {
          let before = shown(object[keyPath: path])
          let value = values(object)[round % 2 == 0 ? 0 : 1]
          let how = try change(object, value, round / 2)
          let after = shown(object[keyPath: path])
          let expected = "\(isNew && round / 2 == 0 ? after : before) to \(after)"
          for (way, told) in zip(taken, heard) where told.lines != [expected] {
            let together = taken.count == 1 ? "" : ", with all"
            wrong.append("\(way.0)\(together), \(how): \(told.lines), not \(expected)")
          }
          heard.forEach { $0.lines = [] }
        }
        withExtendedLifetime(tokens) {}
        tokens.forEach { ($0 as? Ending)?.end() }
      }
      return wrong
    }
  }

  struct Ending { let end: () -> Void }

  /// A value that the compiler is not to ask about.
  struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  // MARK: - All of them

  private static func texts<Object: Overridable>(
    _ make: @escaping () -> Object, _ path: ReferenceWritableKeyPath<Object, String>,
    inner: ((Object, String) -> Void)? = nil
  ) -> Overridden {
    overridden(make, path, "text", { _ in ["b", "c"] }, inner: inner) { object, heard in
      (object as Overridable).observe(\.text, options: [.old, .new]) {
        heard.note($1.oldValue, $1.newValue)
      }
    }
  }

  private static func computed<Object: Computing>(
    _ make: @escaping () -> Object, _ path: ReferenceWritableKeyPath<Object, String>,
    inner: @escaping (Object, String) -> Void
  ) -> Overridden {
    overridden(make, path, "text", { _ in ["b", "c"] }, inner: inner) { object, heard in
      (object as Computing).observe(\.text, options: [.old, .new]) {
        heard.note($1.oldValue, $1.newValue)
      }
    }
  }

  private static func all<Object: Overridable>(
    _ make: @escaping () -> Object, inner: ((Object, Int) -> Void)? = nil
  ) -> [Overridden] {
    let leaves = { (object: Object) in Array(object.leaves[1...2]) }
    func indexed<Value>(_ find: @escaping (Object, Value) -> Int) -> ((Object, Value) -> Void)? {
      inner.map { inner in { inner($0, find($0, $1)) } }
    }
    func find(_ leaf: Leaf?, _ object: Object) -> Int { object.leaves.firstIndex { $0 === leaf }! }
    let index = indexed { (object: Object, leaf: Leaf) in find(leaf, object) }
    let some = indexed { (object: Object, leaf: Leaf?) in find(leaf, object) }
    return [
      overridden(make, \.number, "number", { _ in [5, 6] }, inner: indexed { $1 }),
      overridden(make, \.mood, "mood", { _ in [.glad, .wild] }, inner: indexed { $1.rawValue }),
      overridden(make, \.list, "list", { _ in [[5], [6]] }, inner: indexed { $1[0] }),
      overridden(make, \.tags, "tags", { _ in [[5], [6]] }, inner: indexed { $1.first! }),
      overridden(make, \.leaf, "leaf", leaves, inner: index),
      overridden(make, \.other, "other", { leaves($0) }, inner: some),
      overridden(make, \.lazy, "lazy", { _ in ["b", "c"] }),
      overridden(make, \.friend, "friend", { leaves($0) }, inner: some),
    ]
  }

  static func overrideKinds() -> [Overridden] {
    [
      texts({ Elsewhere() }, \.text) { $0.source = $1 },
      texts({ BySuper() }, \.text),
      texts({ Observing() }, \.text),
      overridden({ Mirroring() }, \.text, "text", { _ in ["b", "c"] }, old: true),
      texts({ Joining() }, \.text) { $0.source = $1 },
      texts({ Correcting() }, \.text),
      texts({ Below() }, \.text) { $0.source = $1 },
      texts({ Lowest() }, \.text) { $0.source = $1 },
      texts({ Again() }, \.text) { $0.source = $1 },
      texts({ Last() }, \.text) { $0.source = $1 },
      texts({ Fixed() }, \.text) { $0.source = $1 },
      texts({ Through() }, \.text) { $0.inner.name = $1 },
      texts({ Named() }, \.text) { $0.source = $1 },
      texts({ Depending() }, \.text) { $0.source = $1 },
      computed({ ComputingElsewhere() }, \.text) { $0.source = $1 },
      computed({ ComputingBoth() }, \.text) { $0.source = $1 },
      computed({ ComputingLast() }, \.text) { $0.source = $1 },
    ] + all({ Elsewhere() }) { $0.own = $1 } + all({ BySuper() }) + all({ Observing() })
  }
}

extension KeyValueObservable {
  /// The key path, as it is made by name.
  func written<Value>(
    _ path: ReferenceWritableKeyPath<Self, Value>
  ) -> ReferenceWritableKeyPath<Self, Value> {
    guard let name = Self.keyPath(of: path),
      let made = Self.keyPath(named: name) as? ReferenceWritableKeyPath<Self, Value>
    else { return path }
    return made
  }
}
