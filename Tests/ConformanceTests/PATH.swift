import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("PATH: key paths", .serialized, .leavesNothing)
struct KeyPaths {
  @Test("PATH-01 leaf change", arguments: Kind.allCases)
  func leafChange(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, l) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.count")
      try l.assign("count", 5)
      #expect(p.told == ["child.count setting"])
      #expect(p.all.map(\.object) == [t.address])
      try t.remove(p, "child.count")
    }
  }

  @Test("PATH-02 branch set from nil", arguments: Kind.allCases)
  func branchFromNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), l = try stage.node(), p = try stage.watcher()
      try l.assign("count", 5)
      try t.add(p, "child.count")
      try t.assign("child", l)
      #expect(p.told == ["child.count setting"])
      #expect(p.all.map(\.object) == [t.address])
      try t.remove(p, "child.count")
    }
  }

  @Test("PATH-04 replace with equal leaf", arguments: Kind.allCases)
  func equalLeaf(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c1) = try stage.family(), c2 = try stage.node(), p = try stage.watcher()
      for child in [c1, c2] { try child.assign("name", "Hello") }
      try t.add(p, "child.name", [.old, .new])
      try t.assign("child", c2)
      try c1.assign("name", "Spurious?")
      #expect(p.told == ["child.name setting old Hello new Hello"])
      try t.remove(p, "child.name")
    }
  }

  @Test("PATH-05 set and clear", arguments: Kind.allCases)
  func setAndClear(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), p = try stage.watcher()
      try t.add(p, "child.child")
      try t.assign("child", stage.node())
      try t.assign("child", nil)
      #expect(p.count == 2)
      try t.remove(p, "child.child")
    }
  }

  @Test("PATH-07 head replacement", arguments: Kind.allCases)
  func headReplacement(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.child")
      try t.assign("child", nil)
      #expect(p.count == 1)
      #expect(!c.isObserved)
      try t.remove(p, "child.child")
    }
  }

  @Test("PATH-08 tail and head", arguments: Kind.allCases)
  func tailAndHead(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try c.assign("child", stage.node())
      try t.add(p, "child.child.child")
      try c.assign("child", nil)
      try t.assign("child", nil)
      #expect(p.count == 2)
      try t.remove(p, "child.child.child")
    }
  }

  @Test("PATH-10 seven changes", arguments: Kind.allCases)
  func sevenChanges(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), c3 = try stage.node(), p = try stage.watcher()
      try t.add(p, "child.child")
      for _ in 1...2 {
        try t.assign("child", stage.node())
        try t.assign("child", nil)
      }
      try t.assign("child", c3)
      try c3.assign("child", stage.node())
      try t.assign("child", nil)
      #expect(p.count == 7)
      try t.remove(p, "child.child")
    }
  }

  @Test("PATH-11 Initial on nested nil leaves", arguments: Kind.allCases)
  func initialOfNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, _) = try stage.family(), p = try stage.watcher()
      let keyPaths = ["child.name", "child.count", "child.derived"]
      for keyPath in keyPaths { try t.add(p, keyPath, [.initial, .new]) }
      #expect(
        p.told == [
          "child.name setting new nil initial", "child.count setting new 0 initial",
          "child.derived setting new nil initial",
        ])
      for keyPath in keyPaths { try t.remove(p, keyPath) }
    }
  }

  @Test("PATH-13 six in total", arguments: Kind.allCases)
  func sixInTotal(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Obj", Obj()) {
        try $0.properties(.object, "name", "child").properties(.int64, "count")
        try $0.property("struct", "{CGPoint=dd}")
        try $0.method("derived", "@@:") { RuntimeValue("!!!\($0.receiver.text("name"))!!!") }
        try $0.key("derived", affectedBy: ["name"])
      }
      let p = try stage.watcher(), c = try stage.node()
      let keyPaths = ["name", "count", "struct", "derived", "child", "child.name"]
      for keyPath in keyPaths { try object.add(p, keyPath, .new) }
      try object.assign("name", "Ann")
      #expect(Set(p.told) == ["name setting new Ann", "derived setting new !!!Ann!!!"])
      try object.assign("count", 1)
      #expect(p.count == 3)
      switch object {
      case .made: try object.assign("struct", RuntimeValue("{CGPoint=dd}", members: [1.0, 2.0]))
      case .swift(let object): (object as? Obj)?.struct = Place(x: 1, y: 2)
      }
      #expect(p.count == 4)
      try c.assign("name", "Bob")
      try object.assign("child", c)
      #expect(p.count == 6)
      #expect(p.told.contains("child.name setting new Bob"))
      for keyPath in keyPaths { try object.remove(p, keyPath) }
    }
  }

  @Test("PATH-14 deep path through dictionary, complete", arguments: Kind.allCases)
  func deepPath(kind: Kind) throws {
    try onStage(kind) { stage in
      let o = try stage.make("Leaf", Leaf()) { try $0.property("value", .double) }
      let (t, c) = try stage.family(), p = try stage.watcher()
      try o.assign("value", 1.234)
      try c.assign("dict", dictionaryObject(["k": RuntimeValue(o)]))
      try t.add(p, "child.dict.k.value")
      try t.assign("child", c)
      #expect(p.told == ["child.dict.k.value setting"])
      try t.remove(p, "child.dict.k.value")
      try c.assign("dict", nil)
    }
  }

  @Test("PATH-16 dictionary sub path")
  func dictionarySubPath() throws {
    try onStage { stage in
      let d = try dictionaryObject(["subKey": RuntimeValue(stage.item())]), p = try stage.watcher()
      try d.add(p, "subKey.name", .new)
      try d.setValue("Whatever2", forKeyPath: "subKey.name")
      #expect(p.told == ["subKey.name setting new Whatever2"])
      try d.remove(p, "subKey.name")
    }
  }

  @Test(
    "PATH-17, PATH-19 path, or operator with argument, through array raises",
    arguments: ["list.name", "list.@avg.count"], Kind.allCases)
  func throughArray(keyPath: String, kind: Kind) throws {
    try onStage(kind) { stage in
      let list = Shared([RuntimeValue(try stage.node())])
      let object = try stage.make("Observee", Observee()) {
        try $0.orderedAccessors(
          "list", count: { _ in list.value.count }, object: { _, index in list.value[index] },
          insert: { _, element, index in list.update { $0.insert(element, at: index) } },
          remove: { _, index in list.update { _ = $0.remove(at: index) } })
      }
      let original = object.isa, p = try stage.watcher()
      let error = #expect(throws: KeyValueError.self) { try object.add(p, keyPath) }
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      #expect(!object.isObserved)
      #expect(object.isa == original)
      list.value = []
    }
  }

  @Test("PATH-20 derived key then length", arguments: Kind.allCases)
  func derivedLength(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), c = try stage.node(), p = try stage.watcher()
      try c.assign("name", "Hello")
      try t.add(p, "child.derived.length", .new)
      try t.assign("child", c)
      #expect(p.told == ["child.derived.length setting new 11"])
      try t.remove(p, "child.derived.length")
      try c.assign("name", "Whatever")
      #expect(p.count == 1)
    }
  }

  @Test("PATH-22 intermediate takes over registration", arguments: Kind.allCases)
  func takesOver(kind: Kind) throws {
    try onStage(kind) { stage in
      let asked = Recorder<String>(), el = try stage.item(), p = try stage.watcher()
      let registrar = try stage.registrar(asked), h = try stage.registrarHolder()
      try registrar.assign("element", el)
      try h.assign("registrar", registrar)
      try h.add(p, "registrar.name", .new)
      #expect(asked.all == ["add name"])
      try el.assign("name", "b")
      #expect(p.told == ["registrar.name setting new b"])
      #expect(p.all.map(\.object) == [h.address])
      try h.remove(p, "registrar.name")
      try el.assign("name", "c")
      #expect(p.count == 1)
      #expect(asked.all == ["add name", "remove name"])
      #expect(!el.isObserved)
    }
  }

  @Test("PATH-23 two roots, one shared child, same observer", arguments: Kind.allCases)
  func sharedChild(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.node(), b = try stage.node(), s = try stage.node()
      let p = try stage.watcher()
      for root in [a, b] {
        try root.assign("child", s)
        try root.add(p, "child.count")
      }
      try s.assign("count", 1)
      #expect(Set(p.all.map(\.object)) == [a.address, b.address])
      #expect(p.told == ["child.count setting", "child.count setting"])
      try a.remove(p, "child.count")
      try s.assign("count", 2)
      #expect(p.all.dropFirst(2).map(\.object) == [b.address])
      try b.remove(p, "child.count")
    }
  }

  @Test("PATH-25 both levels get notifying class", arguments: Kind.allCases)
  func bothLevels(kind: Kind) throws {
    try onStage(kind) { stage in
      let (r, l) = try stage.family(), original = r.isa, p = try stage.watcher()
      try r.add(p, "child.count")
      #expect([r, l].allSatisfy { $0.isa.isNotifying })
      try r.remove(p, "child.count")
      #expect([r, l].allSatisfy { $0.isa == original })
    }
  }

  @Test("PATH-26 to-many leaf keeps kind through a path", arguments: Kind.allCases)
  func toManyLeaf(kind: Kind) throws {
    try onStage(kind) { stage in
      let c = try stage.make("Shelf", Row()) {
        try $0.property("items", .object)
        try $0.orderedMutators(
          "items",
          insert: { shelf, element, index in
            attempt { try items(of: shelf).insert(element, at: index) }
          },
          remove: { shelf, index in attempt { try items(of: shelf).remove(at: index) } })
      }
      let t = try stage.make("Holder", RowHolder()) { try $0.property("child", .object) }
      let p = try stage.watcher()
      try c.assign("items", RuntimeValue.array([], isMutable: true))
      try t.assign("child", c)
      try t.add(p, "child.items", [.old, .new])
      switch c {
      case .made: try c.send("insertObject:inItemsAtIndex:", "x", 0)
      case .swift(let row):
        (row as? Row)?.mutableArrayValue(for: \.items).insert("x", at: 0)
      }
      #expect(p.told == ["child.items insertion at [0] new (x)"])
      #expect(p.all.map(\.object) == [t.address])
      try t.remove(p, "child.items")
      try t.assign("child", nil)
    }
  }
}

/// The array behind a shelf's accessors.
private func items(of shelf: RuntimeObject) throws -> MutableArrayProxy {
  try #require(shelf.ivar(named: "_items")?.object.flatMap { MutableArrayProxy($0) })
}

extension Stage {
  /// A class that passes registrations made on it on to its `element`, and notes them.
  func registrar(_ asked: Recorder<String>) throws -> Subject {
    try make("Registrar", Registrar(asked)) {
      try $0.property("element", .object)
      try $0.method("addObserver:forKeyPath:options:context:", "i@:@*Q^v") { call in
        asked.add("add \(call.arguments[1].string ?? "")")
        return pass(call, "addObserver:forKeyPath:options:context:")
      }
      try $0.method("removeObserver:forKeyPath:context:", "i@:@*^v") { call in
        asked.add("remove \(call.arguments[1].string ?? "")")
        return pass(call, "removeObserver:forKeyPath:context:")
      }
    }
  }

  /// An object with a registrar.
  func registrarHolder() throws -> Subject {
    try make("Holder", RegistrarHolder()) { try $0.property("registrar", .object) }
  }
}

/// Sends a message on to the receiver's element.
private func pass(_ call: RuntimeMethodCall, _ selector: RuntimeSelector) -> RuntimeValue {
  let element = try? call.receiver.get("element").object
  return (try? element?.send(selector, arguments: call.arguments)) ?? -1
}

// MARK: - Swift classes

private final class Registrar: KVObject, TypedObject {
  @Dynamic var element: KVObject?
  private let asked: Recorder<String>

  init(_ asked: Recorder<String>) { self.asked = asked }

  override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions,
    context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    asked.add("add \(keyPath)")
    try element?.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    asked.add("remove \(keyPath)")
    try element?.removeObserver(observer, forKeyPath: keyPath, context: context)
  }

  var properties: [String: TypedProperty] { ["element": .at(\Registrar.element)] }
}

private final class RegistrarHolder: KVObject, TypedObject {
  @Dynamic var registrar: Registrar?

  var properties: [String: TypedProperty] { ["registrar": .at(\RegistrarHolder.registrar)] }
}

private struct Place: Hashable {
  var x = 0.0
  var y = 0.0
}

private final class Obj: KVObject, TypedObject {
  @Dynamic var name: String?
  @Dynamic var child: Node?
  @Dynamic var count = 0
  @Dynamic var `struct` = Place()
  var derived: String { "!!!\(name ?? "")!!!" }

  override class var keys: [KeyDeclaration] {
    [.key("derived", \Obj.derived, affectedBy: [\Obj.name])]
  }
  var properties: [String: TypedProperty] {
    ["name": .at(\Obj.name), "child": .at(\Obj.child), "count": .at(\Obj.count)]
  }
}

private final class Leaf: KVObject, TypedObject {
  @Dynamic var value = 0.0

  var properties: [String: TypedProperty] { ["value": .at(\Leaf.value)] }
}

private final class Row: KVObject, TypedObject {
  @Dynamic var items: [String] = []

  var properties: [String: TypedProperty] { ["items": .at(\Row.items)] }
}

private final class RowHolder: KVObject, TypedObject {
  @Dynamic var child: Row?

  var properties: [String: TypedProperty] { ["child": .at(\RowHolder.child)] }
}

private final class Observee: KVObject, TypedObject {
  @Dynamic var list = [Node()]

  var properties: [String: TypedProperty] { [:] }
}
