import Foundation
import Testing

@testable import IsaKVOPort

/// The text of a ported file without its imports.
private func ported(_ text: String) -> String {
  port(text).text.replacingOccurrences(of: "import IsaKVO\nimport IsaKVOFoundation\n\n", with: "")
}

/// Properties with `willSet` and `didSet`, and properties that are announced by hand.
@Suite struct ObserverTests {
  private static let setter = """
        set {
          willChangeValue(forKey: "a")
          defer { didChangeValue(forKey: "a") }
          storedA = newValue
        }
    """

  @Test(
    "a property with observers is plain storage beside a setter that announces",
    arguments: [
      ("@objc dynamic var a = 1", "var a: Int", "private var storedA = 1"),
      ("@objc dynamic var a = -1.5", "var a: Double", "private var storedA = -1.5"),
      ("@objc dynamic var a = [\"\"]", "var a: [String]", "private var storedA = [\"\"]"),
      ("@objc dynamic var a = [Int: B]()", "var a: [Int: B]", "private var storedA = [Int: B]()"),
      ("@objc dynamic var a = A()", "var a: A", "private var storedA = A()"),
      ("@objc var a: Int!", "var a: Int!", "private var storedA: Int!"),
      (
        "@objc public dynamic private(set) var a: Int", "public private(set) var a: Int",
        "private var storedA: Int"
      ),
      ("@objc dynamic weak var a: P?", "var a: P?", "private weak var storedA: P?"),
      ("@objc dynamic unowned var a: A", "var a: A", "private unowned var storedA: A"),
      ("@objc dynamic lazy var a = 1", "var a: Int", "private lazy var storedA = 1"),
      (
        "@available(*, deprecated) @objc dynamic var a = 1", "@available(*, deprecated) var a: Int",
        "@available(*, deprecated) private var storedA = 1"
      ),
    ])
  func moves(_ before: String, _ property: String, _ storage: String) {
    let text = ported(
      "class A: NSObject {\n  \(before) {\n    didSet { print(oldValue, a) }\n  }\n}\n")
    #expect(
      text == """
        class A: KVObject {
          \(property) {
            get { storedA }
        \(Self.setter)
          }
          \(storage) {
            didSet { print(oldValue, storedA) }
          }

          override class var keys: [KeyDeclaration] {
            [.key("a", \\A.a)]
          }
        }

        """)
  }

  @Test("observers and initializers mean the storage, and closures, functions and locals do not")
  func renames() {
    let text = ported(
      """
      class A: NSObject {
        @objc dynamic var a = 1 {
          willSet(a) { print(a, self.a) }
          didSet {
            a = min(a, 9)
            later { self.a = 1 }
            if let a = b { print(a) }
            func f() { print(a) }
            defer { a = 2 }
          }
        }
        init(a: Int, other: A) {
          self.a = a
          other.a = a
          super.init()
        }
        init(_ value: Int) {
          a = value
          super.init()
          let a = 2
          print(a)
        }
        func set() { a = 3 }
      }
      """)
    for line in [
      "willSet(a) { print(a, self.storedA) }", "    storedA = min(storedA, 9)",
      "later { self.a = 1 }", "if let a = b { print(a) }", "func f() { print(a) }",
      "defer { a = 2 }", "self.storedA = a\n    other.a = a\n",
      "storedA = value\n    super.init()\n    let a = 2\n    print(a)\n", "func set() { a = 3 }",
    ] {
      #expect(text.contains(line), "\(line)\n\(text)")
    }
  }

  @Test(
    "what hinders that is told, and the property stays",
    arguments: [
      ("@objc dynamic var a = make() { didSet {} }", "its type does not stand in its line"),
      ("@objc dynamic var a = 1, b = 2 { didSet {} }", "it is declared together with others"),
      ("@objc dynamic /* one */ var a = 1 { didSet {} }", "comments stand among its words"),
    ])
  func reportsObstacles(_ property: String, _ why: String) {
    let file = port("class A: NSObject {\n  \(property)\n  init(x: Int) { a = x }\n}\n")
    #expect(file.places == ["2:3 todo property-observer"])
    #expect(file.findings[0].why.hasSuffix(why))
    #expect(file.text.contains(property) && file.text.contains("{ a = x }"))
    #expect(port(file.text).findings.map(\.what) == file.findings.map(\.what))
  }

  @Test("a name that is taken is not given to the storage")
  func avoidsNames() {
    let text = ported(
      "class A: NSObject { @objc dynamic var a = 1 { didSet {} }; let storedA = 1 }")
    #expect(text.contains("private var ownStoredA = 1"))
  }

  @Test("an initializer beside the class's file is told")
  func reportsOtherFiles() {
    let files = port([
      ("A.swift", "class A: NSObject {\n  @objc dynamic var a = 1 { didSet {} }\n}\n"),
      ("B.swift", "extension A {\n  convenience init(b: Int) { self.init(); a = b }\n}\n"),
    ])
    #expect(files.map(\.places) == [[], ["2:3 todo property-observer"]])
  }

  @Test("what is coded by the names of the stored properties is told, until it is named")
  func reportsCoding() {
    let head = "class A: NSObject, Codable {\n  @objc dynamic var a = 1 { didSet {} }\n"
    let file = port(head + "}\n")
    #expect(file.places == ["2:3 todo codable"])
    #expect(port(file.text).findings.map(\.rule) == [.codable])
    let encodes = "  func encode(to encoder: Encoder) {}\n"
    #expect(port(head + encodes + "}\n").places == ["2:3 todo codable"])
    let decodes = "  required init(from decoder: Decoder) {}\n"
    #expect(port(head + encodes + decodes + "}\n").places == [])
    let alias = "typealias Both = Codable & Sendable\n" + head.replacing("Codable", with: "Both")
    #expect(port(alias + "}\n").places == ["3:3 todo codable"])
    let other = "  enum CodingKeys: String, CodingKey { case b }\n}\n"
    #expect(port(head + other).places == [])
    let named = file.text.replacingOccurrences(
      of: "  override class",
      with: "  enum CodingKeys: String, CodingKey { case storedA = \"a\" }\n  override class")
    #expect(port(named).places == [])
  }

  @Test("an override's observers become a setter that announces all as one change")
  func announcesOverrides() {
    let text = ported(
      """
      class A: NSObject { @objc dynamic var a = 1 }
      class B: A {
        override var a: Int {
          willSet { print(newValue, a) }
          didSet(old) { print(old) }
        }
      }
      """)
    #expect(
      text.contains(
        """
          override var a: Int {
            get { super.a }
            set {
              withChanges(of: [\\B.a]) {
                do {
                  print(newValue, a)
                }
                let old = super.a
                super.a = newValue
                print(old)
              }
            }
          }
        """), "\(text)")
  }

  @Test(
    "an override that cannot be written so is told, again and again",
    arguments: [
      ("@objc dynamic var a = 1", "willSet { if true { return } }", true),
      ("@objc dynamic var a = 1 { didSet {} }", "didSet {}", true),
      ("@objc dynamic var a: Int { get { 1 } set {} }", "didSet {}", true),
      ("var a = 1", "didSet {}", false),
    ])
  func reportsOverrides(_ above: String, _ observer: String, _ isReported: Bool) {
    let file = port(
      "class A: NSObject { \(above); @objc dynamic var b = 1 }\nclass B: A {\n  override var a: Int { \(observer) }\n}\n"
    )
    #expect(file.places == (isReported ? ["3:3 todo property-observer"] : []))
    #expect(file.text.contains("override var a: Int { \(observer) }"))
    #expect(port(file.text).findings.map(\.what) == file.findings.map(\.what))
  }

  @Test(
    "what is not dynamic and announced by hand is told once",
    arguments: [
      "@objc var a = 1 { willSet { willChangeValue(forKey: \"a\") } didSet { didChangeValue(forKey: \"a\") } }",
      "@objc var a = 1\n  func f() { willChangeValue(for: \\.a); a = 2; didChangeValue(for: \\.a) }",
      "@objc var a: Int { get { 1 } set { g() } }\n  func g() { self.willChangeValue(forKey: #keyPath(a)) }",
    ])
  func leavesAnnounced(_ members: String) {
    let text = ported("class A: NSObject {\n  \(members)\n}\n")
    let plain = String(members.split(separator: "\n")[0].dropFirst("@objc ".count))
    #expect(text.contains("\n  \(plain)\n"), "\(text)")
    #expect(text.contains("[.key(\"a\", \\A.a)]"))
    // Where it is dynamic, Apple's runtime announces what the setter does as well.
    let dynamic = members.replacingOccurrences(of: "@objc var", with: "@objc dynamic var")
    #expect(!ported("class A: NSObject {\n  \(dynamic)\n}\n").contains("\n  \(plain)\n"))
  }

  @Test("a property that a protocol of Objective-C's requires is a key where something names it")
  func knowsWitnesses() {
    let head =
      "@objc protocol P {\n  var a: Int { get set }\n}\nclass A: NSObject, P {\n  var a = 1\n"
    for use in ["\"a\"", "x.observe(\\.a) { _, _ in }", "#keyPath(A.a)"] {
      #expect(
        ported(head + "}\nlet u = \(use)\n").contains("class A: KVObject, P {\n  @Dynamic var a"))
    }
    #expect(ported(head + "}\n").contains("class A: NSObject, P {\n  var a = 1"))
    #expect(ported(head + "  @objc dynamic var b = 1\n}\n").contains("@Dynamic var a = 1"))
    let inherited =
      "@objc protocol Q: P {}\n" + head.replacingOccurrences(of: "NSObject, P", with: "NSObject, Q")
      + "}\nlet u = \"a\"\n"
    #expect(ported(inherited).contains("@Dynamic var a = 1"))
    let swift =
      head.replacingOccurrences(of: "@objc protocol", with: "protocol") + "}\nlet u = \"a\"\n"
    #expect(!ported(swift).contains("@Dynamic"))
  }

  @Test("what is read before super.init is told, and what is set there is not")
  func reportsEarlyReads() {
    let file = port(
      """
      class A: NSObject {
        @objc dynamic var a = 1
        @objc dynamic var b = 1 { didSet {} }
        var c = 1
        override init() {
          a = 2
          b = b + c
          print(a)
          a += 1
          if self.a == 1 { c = 2 }
          super.init()
          print(a)
        }
        init(a: Int) {
          self.a = a
        }
        init(x: Int) {
          c = a
        }
        convenience init(y: Int) { self.init(x: 1); print(a) }
      }
      """)
    #expect(file.findings.map(\.line) == [8, 9, 10, 18])
    #expect(file.findings.allSatisfy { $0.what == "a is read before super.init" })
  }

  @Test("a class of the main actor says so, once for those below it")
  func declaresMainActor() {
    let text = ported(
      """
      @MainActor class A: NSObject, Codable, Equatable { @objc dynamic var a = 1 }
      @MainActor class B: A { @objc dynamic var b = 1 }
      class C: NSObject, Decodable { @objc dynamic var c = 1 }
      @MainActor class D: C {}
      extension A: Encodable {}
      """)
    for line in [
      "class A: KVObject, MainActorObject, @MainActor Codable, Equatable {", "class B: A {",
      "class C: KVObject, Decodable {", "class D: C, MainActorObject {",
      "extension A: @MainActor Encodable {}",
    ] {
      #expect(text.contains(line), "\(line)\n\(text)")
    }
    #expect(!port(text).isChanged)
  }

  @Test(
    "a class below one of AppKit's controllers keeps it",
    arguments: ["NSArrayController", "NSObjectController", "NSTreeController"])
  func keepsControllers(_ base: String) {
    let file = port("class A: \(base) {\n  @objc dynamic var a = 1\n}\n")
    #expect(file.text.hasSuffix("class A: \(base) {\n  @Dynamic var a = 1\n}\n"))
    #expect(file.places == [] && !port(file.text).isChanged)
  }

  @Test(
    "a level is indented as the members are, whatever comments and texts are",
    arguments: [
      ("//  one\n", "    "), ("/*\n     two\n*/\n", "\t"),
      ("let t = \"\"\"\n      x\n  \"\"\"\n", "  "),
    ])
  func knowsIndentation(_ head: String, _ unit: String) {
    let text = ported(
      "\(head)class A: NSObject {\n\(unit)@objc dynamic var a: Int { get { 1 } set {} }\n}\n")
    #expect(text.contains("\n\(unit)\(unit)[.key(\"a\", \\A.a)]\n"), "\(text)")
  }

  @Test("a file with something to write by hand alone has its imports")
  func importsForHands() {
    let files = port([
      ("A.swift", "class A: NSObject { @objc dynamic var a = 1 }\n"),
      ("B.swift", "func f(_ object: NSObject) {}\n"), ("C.swift", "func g() {}\n"),
    ])
    #expect(files.map { $0.text.contains("import IsaKVO\n") } == [true, true, false])
  }

  @Test("a method that is a key where something names it is told")
  func reportsGetters() {
    let text = "class A: NSObject {\n  @objc dynamic var b = 1\n  @objc func %() -> Int { 1 }\n}\n"
    let use = "let u = x.value(forKey: \"area\")\n"
    for name in ["area", "getArea"] {
      let file = port(text.replacingOccurrences(of: "%", with: name) + use)
      #expect(file.places == ["3:3 todo declared-keys"])
      #expect(port(file.text).findings.map(\.what) == file.findings.map(\.what))
    }
    #expect(port(text.replacingOccurrences(of: "%", with: "getWidth") + use).places == [])
  }
}

/// What other people's code has shown.
@Suite struct OtherPeoplesTests {
  @Test("what announces another key is announced as well")
  func comparesKeys() {
    let text = ported(
      """
      class A: NSObject {
        @objc dynamic var a: Int {
          get { x }
          set { willChangeValue(forKey: "b"); x = newValue; didChangeValue(forKey: "b") }
        }
        @objc dynamic var c = 1 { didSet { willChangeValue(for: \\.b); didChangeValue(for: \\.b) } }
        var x = 1
      }
      """)
    #expect(text.contains("willChangeValue(forKey: \"a\")"))
    #expect(text.contains("private var storedC = 1"))
  }

  @Test("a property that stands under both sides of a condition stays, and is told")
  func leavesConditions() {
    let file = port(
      """
      class A: NSObject {
        #if DEBUG
          @objc dynamic var a = 1 { didSet {} }
        #else
          @objc dynamic var a = 2 { didSet {} }
        #endif
        init(x: Int) { a = x }
      }
      """)
    #expect(file.places == ["3:5 todo declared-keys", "5:5 todo declared-keys"])
    #expect(file.text.contains("init(x: Int) { a = x }"))
  }

  @Test("the end of an object means the storage")
  func renamesInDeinit() {
    let text = ported(
      "class A: NSObject {\n  @objc dynamic var a = true { didSet {} }\n  deinit { a = false }\n}\n"
    )
    #expect(text.contains("deinit { storedA = false }"))
  }

  @Test(
    "the storage has a name that nothing in the class's family has",
    arguments: [
      "init(x: Int) { var storedA = 1; a = x; print(storedA) }", "func storedA() {}",
      "func f() { if let storedA = b { a = storedA } }",
    ])
  func avoidsLocals(_ member: String) {
    let head = "class A: NSObject {\n  @objc dynamic var a = 1 { didSet {} }\n"
    #expect(ported(head + "  \(member)\n}\n").contains("private var ownStoredA = 1"))
    #expect(ported(head + "}\nclass B: A {\n  \(member)\n}\n").contains("private var ownStoredA"))
  }

  @Test("an override's setter is one announced change, over a property that notifies")
  func wrapsSetters() {
    let text = ported(
      """
      class A: NSObject { @objc dynamic var a = 1 }
      class B: A {
        var b = 1
        override var a: Int {
          get { super.a }
          set(value) {
            // first
            super.a = value
            b = a
          }
        }
      }
      """)
    #expect(
      text.contains(
        """
            set(value) {
              withChanges(of: [\\B.a]) {
                // first
                super.a = value
                b = a
              }
            }
        """), "\(text)")
    #expect(!port(text).isChanged)
  }

  @Test("a second override is told of, whether it says @objc or not")
  func reportsSecondOverrides() {
    let file = port(
      """
      class A: NSObject { @objc dynamic var a = 1 }
      class B: A { override var a: Int { didSet {} } }
      class C: B {
        override var a: Int { didSet {} }
      }
      """)
    #expect(file.places == ["4:3 todo property-observer"])
  }

  @Test("a rule for all keys that does not name what announces is told")
  func reportsRules() {
    let rule = "override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {"
    let file = port(
      "class A: NSObject {\n  @objc dynamic var key = 1 { didSet {} }\n  \(rule) key != \"raw\" }\n}\n"
    )
    #expect(file.places == ["3:3 todo manual-notification"])
    #expect(file.text.contains("private var storedKey"))
    let named = port(
      "class A: NSObject {\n  @objc dynamic var a = 1 { didSet { a = 2 } }\n  \(rule) key != \"a\" }\n}\n"
    )
    #expect(named.places == [])
    #expect(named.text.contains("\n  var a = 1 { didSet { a = 2 } }\n"))
  }

  @Test(
    "what does not notify by itself keeps its observers, and what does is moved",
    arguments: [
      ("true", "private var storedA = 1"), ("false", "\n  var a = 1 { didSet { a = 2 } }\n"),
    ])
  func asksMethods(_ answer: String, _ text: String) {
    let file = port(
      """
      class A: NSObject {
        @objc dynamic var a = 1 { didSet { a = 2 } }
        @objc class func automaticallyNotifiesObserversOfA() -> Bool { \(answer) }
      }
      """)
    #expect(file.text.contains(text), "\(file.text)")
    #expect(file.places == [])
  }

  @Test("a text of several lines stays as it is, and a weak override loses the word")
  func keepsTexts() {
    let text = ported(
      """
      class A: NSObject { @objc dynamic var a = ""; @objc dynamic weak var w: A? }
      class B: A {
        override var a: String {
          didSet {
            print(\"\"\"
          text
          \"\"\")
          }
        }
        override weak var w: A? { didSet {} }
      }
      """)
    #expect(text.contains("print(\"\"\"\n    text\n    \"\"\")"))
    #expect(text.contains("  override var w: A? {\n"))
  }

  @Test("comments between an override's observers are told")
  func keepsComments() {
    let file = port(
      """
      class A: NSObject { @objc dynamic var a = 1 }
      class B: A {
        override var a: Int {
          // why
          didSet {}
        }
      }
      """)
    #expect(file.places == ["3:3 todo property-observer"])
    #expect(file.text.contains("// why"))
  }

  @Test("two classes of one name in a file are ported each")
  func knowsTwins() {
    let text = ported(
      """
      func f() { class A: NSObject { @objc dynamic var a: Int { get { 1 } set {} } } }
      func g() { class A: NSObject { @objc dynamic var b: Int { get { 1 } set {} } } }
      """)
    #expect(text.components(separatedBy: "class A: KVObject").count == 3)
    #expect(text.contains(".key(\"a\"") && text.contains(".key(\"b\""))
  }

  @Test("keys are as public as their class")
  func knowsAccess() {
    let text = ported(
      "public enum O {}\npublic extension O { class A: NSObject { @objc dynamic var a: Int { 1 } } }\n"
    )
    #expect(text.contains("public override class var keys"))
  }

  @Test(
    "what Linux, or the wrapper, does not take is told",
    arguments: [
      ("func f() { objc_sync_enter(x) }", "objective-c-runtime"),
      ("let t = NSHashTable<A>.weakObjects()", "foundation-class"),
      ("class Dynamic<T> {}", "dynamic-property"),
    ])
  func reportsMore(_ line: String, _ rule: String) {
    let head = "class A: NSObject { @objc dynamic var a = 1 }\n"
    #expect(port(head + line).findings.map(\.rule.rawValue) == [rule])
    let macro = "@Observable class A: NSObject { @objc dynamic var a = 1 }\n"
    #expect(port(macro).places == ["1:1 todo dynamic-property"])
  }

  @Test("a tuple that is set before super.init is not read, and the call's arguments are")
  func knowsTuples() {
    let file = port(
      """
      class A: NSObject {
        @objc dynamic var a = 1
        var b = 1
        init(x: Int) {
          (a, b) = (x, 2)
          super.init()
        }
      }
      class B: A {
        @objc dynamic var c = 1
        override init(x: Int) {
          super.init(x: c)
        }
      }
      """)
    #expect(file.findings.map(\.line) == [12])
  }
}
