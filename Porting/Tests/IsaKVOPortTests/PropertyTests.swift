import Foundation
import Testing

@testable import IsaKVOPort

/// The lines of a ported class named A, of which `text` are the members.
private func ported(_ members: String, head: String = "class A: NSObject") -> String {
  port("\(head) {\n\(members)\n}\n").text
    .replacingOccurrences(of: "import IsaKVO\nimport IsaKVOFoundation\n\n", with: "")
}

/// Properties, and what is declared of them.
@Suite struct PropertyTests {
  @Test(
    "a property gets its wrapper, and keeps its other words",
    arguments: [
      ("@objc dynamic var a = 1", "@Dynamic var a = 1"),
      ("@objc var a = 1", "@Dynamic var a = 1"),
      ("@objc(b) dynamic var b = 1", "@Dynamic var b = 1"),
      ("@objc dynamic public private(set) var a: Int", "@Dynamic public private(set) var a: Int"),
      ("public @objc dynamic var a = 1", "@Dynamic public var a = 1"),
      (
        "private(set) public  @objc(a) dynamic var a = 1", "@Dynamic  private(set) public var a = 1"
      ),
      (
        "@available(*, deprecated) @objc dynamic var a = 1",
        "@available(*, deprecated) @Dynamic var a = 1"
      ),
      ("@objc dynamic /* kept */ var a = 1 // too", "@Dynamic /* kept */ var a = 1 // too"),
      ("@objc\n  dynamic\n  var a = 1", "@Dynamic\n  var a = 1"),
      ("@objc dynamic weak var a: A?", "@WeakDynamic var a: A?"),
      ("@objc weak dynamic var a: A!", "@WeakDynamic var a: A!"),
      ("@objc dynamic lazy var a = make()", "@LazyDynamic var a = make()"),
      ("@objc dynamic var a, b: Int", "@Dynamic var a: Int\n  @Dynamic var b: Int"),
      (
        "@objc dynamic private var a = 1, b = \"\"",
        "@Dynamic private var a = 1\n  @Dynamic private var b = \"\""
      ),
    ])
  func wraps(_ before: String, _ after: String) {
    #expect(ported("  \(before)") == "class A: KVObject {\n  \(after)\n}\n")
  }

  @Test(
    "a lazy property that uses its object has a method or a closure that takes it",
    arguments: [
      ("var a = make()", "(A.make) var a: String"),
      ("var a: String = self.make()", "(A.make) var a: String"),
      (
        "var a: Int = count + self.count",
        "({ (object: A) in object.count + object.count }) var a: Int"
      ),
      ("var a: [Int] = { [count] }()", "({ (object: A) in [object.count] }) var a: [Int]"),
      (
        "var a: Int = { [unowned self] in self.count + 1 }()",
        "({ (object: A) in object.count + 1 }) var a: Int"
      ),
      (
        "var a: Int = { () -> Int in\n    let n = 1 // one\n    return n + count\n  }()",
        "({ (object: A) in\n    let n = 1 // one\n    return n + object.count\n  }) var a: Int"
      ),
      (
        "var a: String = { #keyPath(count) + make() }()",
        "({ (object: A) in \"count\" + object.make() }) var a: String"
      ),
      ("var a = other.count", " var a = other.count"),
      ("var a: String = description", "({ (object: A) in object.description }) var a: String"),
      ("var a = longTitle()", "(A.longTitle) var a: String"),
      ("var a: String = title + \"!\"", "({ (object: A) in object.title + \"!\" }) var a: String"),
      ("var a = #keyPath(count)", " var a = \"count\""),
      (
        "var a = [1].map { (count: Int) in count }[0]",
        " var a = [1].map { (count: Int) in count }[0]"
      ),
      (
        "var a = [1].map { count in count + 1 }[0]", " var a = [1].map { count in count + 1 }[0]"
      ),
      (
        "var a: Int = {\n    let count = 2\n    return count\n  }()",
        " var a: Int = {\n    let count = 2\n    return count\n  }()"
      ),
      (
        "var a: Int = {\n    let count = count\n    return count\n  }()",
        "({ (object: A) in\n    let count = object.count\n    return count\n  }) var a: Int"
      ),
      (
        "var a: Int = { if let count = x { return count } else { return count } }()",
        "({ (object: A) in if let count = x { return count } else { return object.count } }) var a: Int"
      ),
      (
        "var a: Int = { guard let total else { return count }; return total }()",
        "({ (object: A) in guard let total = object.total else { return object.count }; return total })"
          + " var a: Int"
      ),
      (
        "var a: Int = { for count in [count] where count > 1 { return count }; return count }()",
        "({ (object: A) in for count in [object.count] where count > 1 { return count };"
          + " return object.count }) var a: Int"
      ),
      (
        "var a: Int = { switch x { case .some(let count): count; case nil: count } }()",
        "({ (object: A) in switch x { case .some(let count): count; case nil: object.count } })"
          + " var a: Int"
      ),
      (
        "var a: Int = { func next(_ count: Int) -> Int { count }; return next(count) }()",
        "({ (object: A) in func next(_ count: Int) -> Int { count }; return next(object.count) })"
          + " var a: Int"
      ),
    ])
  func computesLazily(_ before: String, _ after: String) {
    let rest = "  @objc dynamic var count = 1, total: Int?\n  func make() -> String { \"\" }"
    let titled = "protocol Titled {}\nextension Titled {\n  var title: String { \"\" }\n"
    let text = port(
      "class A: NSObject, Titled {\n  @objc dynamic lazy \(before)\n\(rest)\n}\n"
        + titled + "  func longTitle() -> String { title }\n}\n"
    ).text
    #expect(text.contains("@LazyDynamic\(after)\n"), "\(text)")
  }

  @Test(
    "a lazy property is reported whose type, or whose object, is not to be seen",
    arguments: [
      "var a = description", "var a = itself()",
      "var a: Int = { let object = 1; return object + hash }()",
      "var a: Int = super.hash", "var a: () -> Int = { [weak self] in self?.hash ?? 0 }",
    ])
  func reportsLazy(_ before: String) {
    let text = "class A: NSObject, P {\n  @objc dynamic lazy \(before)\n}\n"
    let file = port(text + "protocol P {}\nextension P { func itself() -> Self { self } }\n")
    #expect(file.places == ["2:3 todo lazy-property"])
    #expect(file.text.contains("@objc dynamic lazy \(before)\n"))
  }

  @Test(
    "a lazy property of a class of the main actor has a closure, since methods are not handed over")
  func computesLazilyOnTheMainActor() {
    let text = ported(
      "  @objc lazy var a = make()\n  func make() -> Int { 1 }",
      head: "@MainActor class A: NSObject")
    #expect(text.contains("@LazyDynamic({ (object: A) in object.make() }) var a: Int\n"))
  }

  @Test(
    "a block of Objective-C's is reported, by its own words or by an alias",
    arguments: [
      "@convention(block) () -> Void", "(@convention(block) () -> Void)?", "Handler", "Handler?",
    ])
  func reportsBlocks(_ type: String) {
    let property = "@objc dynamic var a: \(type)"
    let file = port(
      "typealias Handler = @convention(block) () -> Void\nclass A: NSObject {\n  \(property)\n}\n")
    #expect(file.places == ["3:24 todo dynamic-property"])
    #expect(file.text.contains(property))
  }

  @Test("a setter of one line or of several announces; one that announces by itself stays")
  func announces() {
    let text = ported(
      """
        @objc dynamic var a: Int {
          get { x }
          set(value) {
            // kept
            x = value
          }
        }
        @objc dynamic var b: Int {
          get { x } set { x = newValue }
        }
        @objc dynamic var c: Int {
          get { x }
          set {
            willChangeValue(forKey: "c")
            x = newValue
            didChangeValue(forKey: "c")
          }
        }
        var x = 1
      """)
    #expect(
      text == """
        class A: KVObject {
          var a: Int {
            get { x }
            set(value) {
              willChangeValue(forKey: "a")
              defer { didChangeValue(forKey: "a") }
              // kept
              x = value
            }
          }
          var b: Int {
            get { x } set {
              willChangeValue(forKey: "b")
              defer { didChangeValue(forKey: "b") }
              x = newValue
            }
          }
          var c: Int {
            get { x }
            set {
              willChangeValue(forKey: "c")
              x = newValue
              didChangeValue(forKey: "c")
            }
          }
          var x = 1

          override class var keys: [KeyDeclaration] {
            [
              .key("a", \\A.a),
              .key("b", \\A.b),
              .key("c", \\A.c),
            ]
          }
        }

        """)
  }

  @Test(
    "a setter's comments stay where they are",
    arguments: [
      ("set {}", "set {\nW\nD\n  }"),
      ("set { // c\n    x = 1\n  }", "set { // c\nW\nD\n    x = 1\n  }"),
      ("set { /* c */ x = 1 }", "set {\nW\nD\n    /* c */ x = 1\n  }"),
      ("set { x = 1 /* c */ }", "set {\nW\nD\n    x = 1 /* c */\n  }"),
      ("set { x = 1\n  }", "set {\nW\nD\n    x = 1\n  }"),
    ])
  func announcesBesideComments(_ before: String, _ after: String) {
    let text = ported("  @objc dynamic var a: Int { get { 1 }\n  \(before)\n}\n  var x = 1")
    let expected = after.replacingOccurrences(of: "W", with: "    willChangeValue(forKey: \"a\")")
      .replacingOccurrences(of: "D", with: "    defer { didChangeValue(forKey: \"a\") }")
    #expect(text.contains("get { 1 }\n  \(expected)\n}"), "\(text)")
  }

  @Test("a setter stays whose key the class's rule for all keys names")
  func leavesRule() {
    let text = ported(
      """
        @objc dynamic var a: Int {
          get { x }
          set { x = newValue }
        }
        override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
          key != #keyPath(a) && super.automaticallyNotifiesObservers(forKey: key)
        }
      """)
    #expect(text.contains("    set { x = newValue }\n"))
    #expect(text.contains("[.key(\"a\", \\A.a)]"))
    #expect(text.contains("key != \"a\""))
  }

  @Test("declarations in the place of methods have empty lines around them, and one of each")
  func spacesDeclarations() {
    let method = "  class func keyPathsForValuesAffectingA() -> Set<String> { [\"b\"] }\n"
    let other = "  class func automaticallyNotifiesObserversOfA() -> Bool { false }\n"
    let a = "  @objc dynamic var a = 1\n", f = "  func f() {}"
    let keys = """
        override class var keys: [KeyDeclaration] {
          [.key("a", \\A.a, paths: ["b"], notifiesAutomatically: false)]
        }

      """
    let head = "class A: KVObject {\n", wrapped = "  @Dynamic var a = 1\n"
    #expect(ported(a + method + other + f) == head + wrapped + "\n\(keys)\n\(f)\n}\n")
    #expect(
      ported(a + "\n" + method + "\n" + other + "\n" + f) == head + wrapped + "\n\(keys)\n\(f)\n}\n"
    )
    #expect(ported(method + other + a) == head + wrapped + "\n\(keys)\n}\n")
  }

  @Test("declarations of keys stand behind the last stored property")
  func placesKeys() {
    let text = ported(
      """
        @objc dynamic var a: Int { 1 }
        @objc class func keyPathsForValuesAffectingA() -> Set<String> { ["b"] }
        @objc dynamic var b = 1

        @objc dynamic var c: Int { 1 }

        private var d = 1  // kept

        func f() {}

        #if DEBUG
          var e = 1
        #endif

        func g() {}
      """)
    #expect(
      text == """
        class A: KVObject {
          var a: Int { 1 }
          @Dynamic var b = 1

          var c: Int { 1 }

          private var d = 1  // kept

          func f() {}

          #if DEBUG
            var e = 1
          #endif

          override class var keys: [KeyDeclaration] {
            [
              .key("a", \\A.a, paths: ["b"]),
              .key("c", \\A.c),
            ]
          }

          func g() {}
        }

        """)
  }

  @Test("a declaration is as many lines as a hundred columns ask for")
  func breaksDeclarations() {
    let names = (1...9).map { "\"quiteALongName\($0)\"" }.joined(separator: ", ")
    let text = ported(
      """
        @objc dynamic var a: Int { 1 }
        @objc class func keyPathsForValuesAffectingA() -> Set<String> { [\(names)] }
        @objc class func automaticallyNotifiesObserversOfA() -> Bool { false }
      """)
    #expect(
      text.contains(
        """
              .key(
                "a", \\A.a,
                paths: [
                  "quiteALongName1", "quiteALongName2", "quiteALongName3", "quiteALongName4",
                  "quiteALongName5", "quiteALongName6", "quiteALongName7", "quiteALongName8",
                  "quiteALongName9",
                ], notifiesAutomatically: false)
            ]

        """), "\(text)")
    #expect(!port("import IsaKVO\nimport IsaKVOFoundation\n" + text).isChanged)
  }

  @Test("tabs are what is indented by where the file has tabs")
  func keepsTabs() {
    let text = ported("\t@objc dynamic var a: Int { 1 }")
    #expect(
      text
        == "class A: KVObject {\n\tvar a: Int { 1 }\n\n\toverride class var keys: [KeyDeclaration] {\n"
        + "\t\t[.key(\"a\", \\A.a)]\n\t}\n}\n")
  }

  @Test("a class in one line gets lines for its keys")
  func opensLine() {
    let text = port("class A: NSObject { @objc let a = 1 }").text
    #expect(
      text == """
        import IsaKVO
        import IsaKVOFoundation

        class A: KVObject { let a = 1\u{20}
          override class var keys: [KeyDeclaration] {
            [.key("a", \\A.a)]
          }
        }
        """)
  }

  @Test("declarations of an open class are open, and a long one has lines of its own")
  func declaresOpenly() {
    let name = String(repeating: "a", count: 30)
    let text = ported(
      """
        @objc public dynamic var \(name): Int { 1 }
        @objc class func keyPathsForValuesAffecting\(name.capitalized)() -> Set<String> {
          return ["first", "second"]
        }
      """, head: "open class A: NSObject")
    #expect(
      text.contains(
        """
          open override class var keys: [KeyDeclaration] {
            [
              .key(
                "\(name)", \\A.\(name),
                paths: ["first", "second"])
            ]
          }
        """), "\(text)")
  }

  @Test("a method that computes stays, and is called; with comments in it too")
  func callsMethod() {
    let text = ported(
      """
        @objc dynamic var a: Int { 1 }
        @objc class func keyPathsForValuesAffectingA() -> Set<String> {
          // First the first.
          return ["first"]
        }
        @objc class func automaticallyNotifiesObserversOfA() -> Bool { isManual }
      """)
    #expect(
      text.contains(
        """
              .key(
                "a", \\A.a, paths: keyPathsForValuesAffectingA(),
        """.dropLast()), "\(text)")
    let second = "        notifiesAutomatically: automaticallyNotifiesObserversOfA())"
    #expect(text.contains(second + "\n"))
    #expect(text.contains("    // First the first.\n    return [\"first\"]\n"))
    #expect(text.contains("  class func automaticallyNotifiesObserversOfA() -> Bool { isManual }"))
    let whole = "import IsaKVO\nimport IsaKVOFoundation\n" + text
    #expect(port(whole).text == whole)
  }
}

/// Classes, over several files.
@Suite struct ClassTests {
  @Test("a class is ported for what one below it, or an extension in another file, does")
  func followsFamily() {
    let files = port([
      ("A.swift", "import Foundation\n\nclass A: NSObject {\n}\n"),
      (
        "B.swift",
        "class B: A {\n  override func setValue(_ value: Any?, forKey key: String) {}\n}\n"
      ),
      (
        "C.swift",
        """
        extension A {
          @objc dynamic var c: Int { 1 }
          // Why c.
          @objc class func keyPathsForValuesAffectingC() -> Set<String> { ["d"] }
        }

        """
      ),
    ])
    #expect(
      files[0].text == """
        import Foundation
        import IsaKVO
        import IsaKVOFoundation

        class A: NSKVObject {
          override class var keys: [KeyDeclaration] {
            [
              // Why c.
              .key("c", \\A.c, paths: ["d"])
            ]
          }
        }

        """)
    #expect(files[1].text.contains("class B: A {"))
    #expect(files[2].text.hasSuffix("extension A {\n  var c: Int { 1 }\n}\n"), "\(files[2].text)")
  }

  @Test(
    "key paths that are computed stay in the method that answers them",
    arguments: [
      "Set([\"a\"]).union([\"b\"])", "Set([\"a\", \"b\"]).subtracting([\"b\"])",
      "Set<String>([\"a\"]).intersection([\"a\"])",
    ])
  func computedPaths(_ value: String) {
    let method = "class func keyPathsForValuesAffectingC() -> Set<String> { \(value) }"
    let text = port("class A: NSObject { @objc dynamic var c: Int { 1 }; @objc \(method) }").text
    #expect(text.contains(method))
    #expect(text.contains("paths: keyPathsForValuesAffectingC()"))
  }

  @Test("a method that another one calls stays")
  func calledMethod() {
    let text = port(
      """
      class A: NSObject {
        @objc dynamic var b: Int { 1 }
        @objc dynamic var c: Int { 1 }
        @objc class func keyPathsForValuesAffectingB() -> Set<String> { ["a"] }
        @objc class func keyPathsForValuesAffectingC() -> Set<String> {
          keyPathsForValuesAffectingB().union(["b"])
        }
      }

      """
    ).text
    #expect(text.contains("class func keyPathsForValuesAffectingB() -> Set<String> { [\"a\"] }"))
    #expect(text.contains("paths: keyPathsForValuesAffectingB()"))
    #expect(text.contains("paths: keyPathsForValuesAffectingC()"))
  }

  @Test("a protocol of Objective-C's is one of classes")
  func classProtocol() {
    #expect(
      port("@objc protocol Watcher { func watch() }\n").text
        == "protocol Watcher: AnyObject { func watch() }\n")
    let refined = "protocol B: Watcher {}\n"
    #expect(port("@objc " + refined).text == refined)
  }

  @Test(
    "a class that nobody observes keeps its base",
    arguments: [
      "class A: NSObject {}", "class A: NSObject { var a = 1 }",
      "class A: NSObject, URLSessionDelegate { func f() {} }",
      "class A: NSObject { func f() { other.addObserver(b, forKeyPath: \"c\") } }",
      "class A: NSObject { func f() { dictionary.value(forKey: \"a\") } }",
    ])
  func leaves(_ text: String) { #expect(!port(text).isChanged) }

  @Test(
    "a class that observes, or is coded by key, gets its base",
    arguments: [
      "func f() { b.addObserver(self, forKeyPath: \"c\", options: [], context: nil) }",
      "func f() { setValue(1, forKey: \"c\") }", "func f() { self.observe(\\.c) { _, _ in } }",
      "override func value(forUndefinedKey key: String) -> Any? { nil }",
      "override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }",
    ])
  func ports(_ member: String) {
    #expect(port("class A: NSObject { \(member) }").text.contains("class A: KVObject {"))
  }

  @Test("a reported class stays as it is, words and all")
  func leavesReported() {
    let text = "class A: Operation {\n  @objc dynamic var a = 1\n  @objc func f() {}\n}\n"
    #expect(!port(text).isChanged)
    #expect(port(text).places == ["1:7 todo base-class"])
  }

  @Test(
    "a class that has its keys already is told of those that are missing, until it has them",
    arguments: [
      (
        "class A: KVObject", "override class var keys: [KeyDeclaration] { [.key(\"a\", \\A.a)] }",
        "4:3"
      ),
      (
        "@DeclaresKeys class A: KVObject",
        "private static let moreKeys: [KeyDeclaration] = [.key(\"a\", \\A.a)]", "3:21"
      ),
    ])
  func reportsMissing(_ head: String, _ keys: String, _ place: String) {
    let file = port(
      """
      import IsaKVO
      import IsaKVOFoundation
      \(head) {
        \(keys)
        @objc dynamic var a: Int { 1 }
        @objc dynamic var b: Int { 1 }
        class func keyPathsForValuesAffectingB() -> Set<String> { ["c"] }
      }
      """)
    #expect(file.places == ["\(place) todo declared-keys"])
    #expect(file.findings[0].write.hasPrefix(".key(\"b\", \\A.b, paths: [\"c\"])"))
    #expect(port(file.text).findings == file.findings)
    #expect(!port(file.text).isChanged)
    #expect(file.text.contains("  var a: Int { 1 }\n  @objc dynamic var b: Int { 1 }\n"))
  }

  @Test("a tuple that is taken apart is reported")
  func reportsTuple() {
    let file = port("class A: KVObject { @objc dynamic var (a, b) = (1, 2) }")
    #expect(file.places == ["1:39 todo dynamic-property"])
    #expect(file.text.hasSuffix("{ @objc dynamic var (a, b) = (1, 2) }"))
  }

  @Test("the macro that declares keys leaves none to be written")
  func knowsMacro() {
    let text = "@DeclaresKeys\nclass A: KVObject {\n  @Dynamic var a = 1 { didSet {} }\n}\n"
    #expect(
      !port(text.replacingOccurrences(of: "@Dynamic", with: "@objc dynamic")).text.contains("keys:")
    )
  }

  @Test(
    "words that only look so are left alone",
    arguments: [
      "let a = \"@objc dynamic var a = #keyPath(A.b)\"", "// @objc dynamic var a\nlet b = 1",
      "/* class A: NSObject { @objc dynamic var a } */", "let s = #\"\\(#keyPath(A.b))\"#",
      "dynamic func f() {}", "class A { dynamic var a = 1 }", "perform { 1 }",
      "let r = keyPath(A.b)", "enum E { case objc, dynamic }", "f(Selector.self)",
      "#if os(macOS)\nclass A: NSObject { @objc dynamic var a = 1 }\n#endif",
      "#if canImport(ObjectiveC) && !os(Linux) || false\n@objc class A: NSObject {}\n#endif",
    ])
  func leavesLookAlikes(_ text: String) { #expect(!port(text).isChanged) }

  @Test("a function of the sources' own with a name of Apple's is none of Apple's")
  func knowsOwnFunctions() {
    let files = port([
      (
        "A.swift",
        "struct A { func perform(_ a: Int, with b: Int) {}; func responds(to a: Int) {} }"
      ),
      ("B.swift", "func f(_ a: A) {\n  a.perform(1, with: 2)\n  a.responds(to: 1)\n}"),
    ])
    #expect(files.flatMap(\.places).isEmpty)
  }

  @Test("the branch that Linux compiles is ported")
  func portsBranch() {
    let text = port(
      """
      #if os(macOS) || os(iOS)
        @objc protocol P {}
      #elseif os(Linux)
        @objc protocol P {}
      #else
        @objc protocol P {}
      #endif
      """
    ).text
    #expect(
      text == """
        #if os(macOS) || os(iOS)
          @objc protocol P {}
        #elseif os(Linux)
          protocol P: AnyObject {}
        #else
          @objc protocol P {}
        #endif
        """)
  }

  @Test(
    "the branch is ported that the toolchain takes",
    arguments: [
      ("swift(>=5.5)", true), ("swift(>=5.9.2)", true), ("compiler(>=6)", true),
      ("!compiler(>=5.5)", false), ("swift(<5)", false), ("os(Linux) && compiler(<6.1)", false),
    ])
  func knowsToolchain(_ condition: String, _ isTaken: Bool) {
    let wanted = "class A: KVObject {\n  @Dynamic var a = 1\n}\n"
    let given = "class A: NSObject {\n  @objc dynamic var a = 1\n}\n"
    let head = "import IsaKVO\nimport IsaKVOFoundation\n\n#if \(condition)\n"
    let text = port("\(head)\(given)#else\n\(given)#endif\n").text
    #expect(
      text == "\(head)\(isTaken ? wanted : given)#else\n\(isTaken ? given : wanted)#endif\n")
  }

  @Test("a property stays under a condition that newer toolchains alone take")
  func knowsNoNewerToolchain() {
    for condition in ["swift(>=6)", "compiler(>=99)", "compiler(<99)", "compiler(>5)"] {
      let file = port(
        "class A: NSObject {\n#if \(condition)\n@objc dynamic var a: Int { 1 }\n#endif\n}\n")
      #expect(file.places == ["3:1 todo declared-keys"], "\(condition)")
    }
  }

  @Test("imports stand in the order of their names, behind a header, before a class's own comment")
  func addsImports() {
    let observed = "class A: NSObject { @objc dynamic var a = 1 }"
    let lines = "import IsaKVO\nimport IsaKVOFoundation\n"
    #expect(
      port("import Foundation\nimport Zebra\n\n\(observed)").text
        .hasPrefix("import Foundation\n\(lines)import Zebra\n\n"))
    #expect(
      port("// Licence.\n\n/// A.\n\(observed)").text.hasPrefix("// Licence.\n\n\(lines)\n/// A.\n")
    )
    #expect(
      port("import IsaKVO\n\(observed)").text.hasPrefix("import IsaKVO\nimport IsaKVOFoundation\n"))
  }
}
