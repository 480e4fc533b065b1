import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

// A class made at run time below a Swift class, which finds values when they are asked for: every form
// of access asks it, once, and nothing else does.

private struct Extent: Equatable { var width = 0.0, height = 0.0 }

private class Page: KVObject {
  @Dynamic var title = ""
  @Dynamic var count = 0
  @Dynamic var ratio = 0.0
  @Dynamic var isOpen = false
  @Dynamic var note: String?
  @Dynamic var items: [Int] = []
  @Dynamic var tags: Set<String> = []
  @Dynamic var size = Extent()
  @Dynamic var next: Page?
  @LazyDynamic var late = 1
  @WeakDynamic var parent: Page?

  var both: String { "\(title) \(count)" }
}

private protocol Counting: AnyObject { var count: Int { get set } }
extension Page: Counting {}

/// Makes faults of pages: objects whose values are found when one of them is asked for.
private final class Faults {
  private let plain: RuntimeClass
  private var fault: RuntimeClass!
  private let loaded = Recorder<ObjectIdentifier>()
  private let next = Page()
  /// What the object does once its values have been found.
  var values: [String: Any?] {
    [
      "title": "found", "count": 7, "ratio": 0.5, "isOpen": true, "note": "n", "items": [1, 2],
      "tags": Set(["t"]), "size": Extent(width: 3, height: 4), "next": next, "late": 9,
      "parent": next,
    ]
  }

  init() throws {
    plain = try RuntimeObject(next).isa
    let builder = try RuntimeClassBuilder(uniqueName("Page_Fault"), superclass: plain)
    for property in try Page.keyValueProperties() where property.isStored {
      let key = property.key, name = key.prefix(1).uppercased() + key.dropFirst()
      let getter = plain.method(RuntimeSelector(key))!,
        setter = plain.method(RuntimeSelector("set\(name):"))!
      nonisolated(unsafe) let faults = Unmanaged.passUnretained(self)
      try builder.method(getter.selector, getter.encoding) { call in
        faults._withUnsafeGuaranteedRef { $0.load(call.receiver) }
        return (try? call.callSuper()) ?? .nilObject
      }
      try builder.method(setter.selector, setter.encoding) { (call: RuntimeMethodCall) -> Void in
        faults._withUnsafeGuaranteedRef { $0.load(call.receiver) }
        _ = try? call.callSuper(call.arguments)
      }
    }
    fault = try builder.register()
  }

  func makeFault() throws -> Page {
    let page = Page()
    try RuntimeObject(page).setIsa(fault)
    return page
  }

  func isFault(_ page: Page) throws -> Bool { try RuntimeObject(page).isa.original == fault }

  var loads: Int { loaded.all.count }

  private func load(_ object: RuntimeObject) {
    guard object.isa.original == fault else { return }
    let page = object.unsafeSwiftObject as! Page
    loaded.add(ObjectIdentifier(page))
    do {
      try object.setIsa(plain)
      try page.setPrimitiveValues(values)
    } catch { Issue.record(error) }
  }

  func end() throws { try fault.dispose() }
}

private typealias Form = (name: String, access: (Page) throws -> Bool)

nonisolated(unsafe) private let reads: [Form] = [
  ("String", { $0.title == "found" }), ("Int", { $0.count == 7 }), ("Double", { $0.ratio == 0.5 }),
  ("Bool", { $0.isOpen }), ("optional", { $0.note == "n" }), ("array", { $0.items == [1, 2] }),
  ("set", { $0.tags == ["t"] }), ("struct", { $0.size.height == 4 }),
  ("object", { $0.next?.title == "" }), ("lazy", { $0.late == 9 }), ("weak", { $0.parent != nil }),
  ("element", { $0.items[1] == 2 }), ("computed", { $0.both == "found 7" }),
  ("key path", { $0[keyPath: \.count] == 7 }),
  ("key path of any type", { $0[keyPath: \Page.title as AnyKeyPath] as? String == "found" }),
  ("key path into a struct", { $0[keyPath: \.size.width] == 3 }),
  ("protocol", { ($0 as any Counting).count == 7 }),
  ("map", { [$0].map(\.title) == ["found"] }),
  ("value(forKey:)", { try $0.value(forKey: "title") as? String == "found" }),
  ("value(forKey:) of a number", { try $0.value(forKey: "count") as? Int == 7 }),
  ("value(forKey:) of an object", { try $0.value(forKey: "next") is Page }),
  ("value(forKey:as:)", { try $0.value(forKey: "ratio", as: Double.self) == 0.5 }),
  ("value(forKeyPath:)", { try $0.value(forKeyPath: "next.title") as? String == "" }),
  ("operator", { try $0.value(forKeyPath: "items.@sum.self") as? Int == 3 }),
  ("count operator", { try $0.value(forKeyPath: "tags.@count") as? Int == 1 }),
  (
    "dictionary of values",
    { try $0.dictionaryWithValues(forKeys: ["count", "title"])["count"] as? Int == 7 }
  ),
  ("array proxy", { $0.mutableArrayValue(for: \.items)[1] == 2 }),
  ("array proxy by key", { try $0.mutableArrayValue(forKey: "items").elements.count == 2 }),
  ("set proxy", { $0.mutableSetValue(for: \.tags).contains("t") }),
  ("message", { try RuntimeObject($0).send("title").string == "found" }),
  ("message of a number", { try RuntimeObject($0).send("count").int == 7 }),
  (
    "initial value",
    { page in
      let told = Recorder<String>()
      let token = page.observe(\.title, options: [.initial, .new]) { told.add($1.newValue!) }
      defer { token.invalidate() }
      return told.all == ["found"]
    }
  ),
]

nonisolated(unsafe) private let writes: [Form] = [
  (
    "=",
    {
      $0.title = "w"; return $0.title == "w" && $0.count == 7
    }
  ),
  (
    "= of a number",
    {
      $0.count = 8; return $0.count == 8 && $0.title == "found"
    }
  ),
  (
    "= of an object",
    {
      $0.next = nil; return $0.next == nil && $0.count == 7
    }
  ),
  (
    "= of a struct",
    {
      $0.size = Extent(); return $0.size.width == 0 && $0.count == 7
    }
  ),
  (
    "+=",
    {
      $0.count += 1; return $0.count == 8
    }
  ),
  (
    "+= of a protocol",
    {
      ($0 as any Counting).count += 1; return $0.count == 8
    }
  ),
  (
    "append to a string",
    {
      $0.title.append("!"); return $0.title == "found!"
    }
  ),
  (
    "append",
    {
      $0.items.append(3); return $0.items == [1, 2, 3]
    }
  ),
  (
    "element",
    {
      $0.items[0] = 5; return $0.items == [5, 2]
    }
  ),
  (
    "insert into a set",
    {
      $0.tags.insert("u"); return $0.tags == ["t", "u"]
    }
  ),
  (
    "member of a struct",
    {
      $0.size.width += 1; return $0.size.width == 4
    }
  ),
  (
    "optional member",
    {
      $0.note?.append("!"); return $0.note == "n!"
    }
  ),
  (
    "inout",
    {
      change(&$0.count); return $0.count == 70
    }
  ),
  (
    "swap",
    { page in
      let other = Page()
      swap(&page.title, &other.title)
      return page.title == "" && other.title == "found" && page.count == 7
    }
  ),
  (
    "key path",
    {
      $0[keyPath: \.count] += 1; return $0.count == 8
    }
  ),
  (
    "key path of a string",
    {
      $0[keyPath: \.title] = "k"; return $0.title == "k" && $0.count == 7
    }
  ),
  (
    "lazy",
    {
      $0.late += 1; return $0.late == 10
    }
  ),
  (
    "weak",
    {
      $0.parent = nil; return $0.parent == nil && $0.count == 7
    }
  ),
  (
    "setValue",
    {
      try $0.setValue("v", forKey: "title"); return $0.title == "v" && $0.count == 7
    }
  ),
  (
    "setValue of a number",
    {
      try $0.setValue(1, forKey: "count"); return $0.count == 1
    }
  ),
  (
    "setValue at a key path",
    {
      try $0.setValue("v", forKeyPath: "next.title"); return $0.next?.title == "v"
    }
  ),
  (
    "setValuesForKeys",
    {
      try $0.setValuesForKeys(["title": "v", "count": 2])
      return $0.title == "v" && $0.count == 2 && $0.ratio == 0.5
    }
  ),
  (
    "array proxy",
    {
      $0.mutableArrayValue(for: \.items).append(3); return $0.items == [1, 2, 3]
    }
  ),
  (
    "array proxy by key",
    {
      try $0.mutableArrayValue(forKey: "items").remove(at: 0); return $0.items == [2]
    }
  ),
  (
    "set proxy",
    {
      $0.mutableSetValue(for: \.tags).insert("u"); return $0.tags == ["t", "u"]
    }
  ),
  (
    "message",
    {
      try RuntimeObject($0).send("setTitle:", "m"); return $0.title == "m" && $0.count == 7
    }
  ),
]

private func change(_ value: inout Int) { value *= 10 }

@Suite(.serialized, .leavesNoObjects)
struct FaultTests {
  @Test("every form of reading asks the class once", arguments: [false, true])
  func asked(isObserved: Bool) throws {
    let faults = try Faults()
    for (number, form) in reads.enumerated() {
      let page = try faults.makeFault()
      let tokens = isObserved ? observe(page) { _ in } : []
      #expect(try faults.isFault(page) && faults.loads == number, "before \(form.name)")
      #expect(try form.access(page), "\(form.name)")
      #expect(try !faults.isFault(page) && faults.loads == number + 1, "after \(form.name)")
      tokens.forEach { $0.invalidate() }
    }
    try faults.end()
  }

  @Test("every form of writing asks the class once, and then tells once", arguments: [false, true])
  func written(isObserved: Bool) throws {
    let faults = try Faults()
    for (number, form) in writes.enumerated() {
      let page = try faults.makeFault(), told = Recorder<String>()
      let tokens = isObserved ? observe(page) { told.add($0) } : []
      #expect(try faults.isFault(page) && faults.loads == number, "before \(form.name)")
      #expect(try form.access(page), "\(form.name)")
      #expect(try !faults.isFault(page) && faults.loads == number + 1, "after \(form.name)")
      #expect(!isObserved || Set(told.all).count == told.all.count, "\(form.name): \(told.all)")
      let isElsewhere = form.name == "setValue at a key path"
      #expect(told.all.isEmpty == (!isObserved || isElsewhere), "\(form.name) tells")
      tokens.forEach { $0.invalidate() }
    }
    try faults.end()
  }

  @Test("what is told of the first change is the value that was found")
  func old() throws {
    let faults = try Faults(), told = Recorder<String>()
    let first = try faults.makeFault(), second = try faults.makeFault()
    let tokens = [
      first.observe(\.title, options: [.old, .new]) { told.add("\($1.oldValue!)-\($1.newValue!)") },
      second.observe(\.count, options: [.old, .new]) {
        told.add("\($1.oldValue!)-\($1.newValue!)")
      },
    ]
    first.title = "set"
    second.count += 1
    #expect(told.all == ["found-set", "7-8"])
    tokens.forEach { $0.invalidate() }
    try faults.end()
  }

  @Test("identity, text, primitive values and observing without the initial value ask nothing")
  func unasked() throws {
    let faults = try Faults()
    try leaveUnasked(faults)
    try faults.end()
  }

  private func leaveUnasked(_ faults: Faults) throws {
    let page = try faults.makeFault(), other = try faults.makeFault()
    #expect(page != other && Set([page, other]).count == 2 && type(of: page) == Page.self)
    #expect(page.isKind(of: Page.self) && !page.description.isEmpty)
    #expect(Mirror(reflecting: page).children.count == 11)
    #expect(page.primitiveValue(for: \.title) == "")
    #expect(try page.primitiveValue(forKey: "count") as? Int == 0)
    page.setPrimitiveValue("p", for: \.title)
    try page.setPrimitiveValue(3, forKey: "count")
    let tokens = observe(page) { _ in }
    let shared = KeyValueSharedObservers<Page>()
    shared.observe(\.count) { _, _ in }
    page.setSharedObservers(shared)
    #expect(try faults.isFault(page) && faults.isFault(other) && faults.loads == 0)
    tokens.forEach { $0.invalidate() }
    page.setSharedObservers(nil)
  }

  @Test("an observation of a path through a fault tells of changes behind what was found")
  func behind() throws {
    let faults = try Faults(), told = Recorder<String>()
    let page = try faults.makeFault()
    let tokens = [
      page.observe(\.next!.title, options: .new) { told.add("typed \($1.newValue!)") },
      try page.observe(keyPath: "next.count", options: .new) {
        told.add("\(($1.newValue ?? nil) ?? 0)")
      },
    ]
    let next = try #require(page.next)
    #expect(told.all.isEmpty)
    next.title = "behind"
    next.count = 4
    #expect(told.all == ["typed behind", "4"])
    tokens.forEach { $0.invalidate() }
    try faults.end()
  }

  private func observe(
    _ page: Page, _ tell: @escaping @Sendable (String) -> Void
  ) -> [KeyValueObservation] {
    [
      page.observe(\.title) { _, _ in tell("title") },
      page.observe(\.count, options: [.old, .new]) { _, _ in tell("count") },
      page.observe(\.ratio, options: .new) { _, _ in tell("ratio") },
      page.observe(\.note, options: .prior) { if !$1.isPrior { tell("note") } },
      page.observe(\.items, options: [.old, .new]) { _, _ in tell("items") },
      page.observe(\.tags) { _, _ in tell("tags") },
      page.observe(\.size, options: .old) { _, _ in tell("size") },
      page.observe(\.next) { _, _ in tell("next") },
      page.observe(\.late) { _, _ in tell("late") },
      page.observe(\.parent) { _, _ in tell("parent") },
    ]
  }
}
