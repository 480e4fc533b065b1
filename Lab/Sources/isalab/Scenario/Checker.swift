/// Finds, before anything runs, what a scenario's text gets wrong: names that nothing bears, types
/// that cannot be passed, values that do not fit.
struct Checker {
  let file: String
  var symbols = Symbols()
  private var diagnostics: [Diagnostic] = []
  private var unknownKeys: [UnknownKey] = []
  /// The objects that were given another class, which may know other keys.
  private(set) var swapped: Set<String> = []
  /// Whether the statement is carried out later, or never.
  private var isLater = false
  /// The names that the scenario gives by 'as' somewhere.
  private var tokensToCome: Set<String> = []

  /// - Throws: every diagnostic of the scenario.
  static func check(_ scenario: Scenario) throws(DiagnosticList) -> Program {
    var checker = Checker(file: scenario.file)
    checker.tokensToCome = Set(scenario.statements.compactMap { $0.kind.givenToken?.text })
    for (index, statement) in scenario.statements.enumerated() {
      if !scenario.isErrorExpected(below: index) {
        checker.unknownKeys += checker.unknownKeys(in: statement)
      }
      checker.keepingDiagnostic { checker throws(Diagnostic) in
        try checker.check(statement, isFirst: index == 0)
      }
    }
    guard checker.diagnostics.isEmpty else {
      throw DiagnosticList(diagnostics: checker.diagnostics)
    }
    return Program(
      scenario: scenario, symbols: checker.symbols, unknownKeys: checker.unknownKeys)
  }

  private init(file: String) { self.file = file }

  mutating func keepingDiagnostic(
    _ body: (inout Checker) throws(Diagnostic) -> Void
  ) {
    do throws(Diagnostic) {
      try body(&self)
    } catch {
      diagnostics.append(error)
    }
  }

  private mutating func check(_ statement: Statement, isFirst: Bool) throws(Diagnostic) {
    switch statement.kind {
    case .structure(let declaration): try declare(declaration)
    case .classPair(let declaration): try declare(declaration)
    case .object(let name, let cls): try declare(object: name, of: cls)
    case .observer(let name): try declare(object: name, className: Symbols.observerClass)
    case .collection(let name, let type, let literal):
      try declare(collection: name, type, literal)
    case .set(let target, let value): try assign(value, to: target)
    case .poke(let target, let value): try checkPoke(target, value)
    case .keyedSet(let target, let value):
      _ = try object(target.object)
      try fitObject(value)
    case .bulkSet(let name, let values):
      _ = try object(name)
      try fit(values, as: ValueType(name: "dictionary", encoding: "@"))
    case .edit(let edit): try check(edit)
    case .willEdit(let edit), .didEdit(let edit): try checkAnnouncement(edit)
    case .willChange(let target), .didChange(let target): _ = try property(target)
    case .release(let name):
      _ = try object(name)
      if !isLater { symbols.objects[name.text]?.releasedIn = name.location.line }
    case .swapIsa(let name, let cls):
      if CollectionType.named[try object(name).className] != nil {
        throw problem(
          name, Text("meaning.is-collection", ["name": name]), Text("meaning.object-by-let-new"))
      }
      try classExists(cls)
      try checkLayout(of: name, cls)
      swapped.insert(name.text)
    case .reaction(let observer, let inner):
      if !tokensToCome.contains(observer.text) { try hearer(observer) }
      try checkReaction(inner)
    case .standingReaction(let observer, let inner):
      if !tokensToCome.contains(observer.text) { try hearer(observer) }
      isLater = true
      defer { isLater = false }
      try checkRepeated(inner, by: "whenever")
    case .repetition(_, let inner): try checkRepeated(inner, by: "repeat")
    case .onThread(let inner): try check(inner, isFirst: false)
    case .wrap: break
    case .query(let query): try check(query)
    case .expect(let expectation): try check(expectation, first: isFirst, statement)
    case .observe, .removeToken, .removeObserver, .shared, .share, .bind, .unbind, .swizzle:
      try checkObserving(statement)
    case .fault(let name, let values): try checkFault(name, values)
    }
  }

  /// A statement inside a callback may end a registration that is made further down.
  private mutating func checkReaction(_ inner: Statement) throws(Diagnostic) {
    if case .removeToken(let name) = inner.kind, symbols.tokens[name.text] == nil,
      tokensToCome.contains(name.text)
    {
      return
    }
    isLater = true
    defer { isLater = false }
    try check(inner, isFirst: false)
  }

  /// A statement that may be carried out more than once.
  private mutating func checkRepeated(_ inner: Statement, by word: String) throws(Diagnostic) {
    if let token = inner.kind.givenToken {
      throw problem(
        token, Text("meaning.token-twice", ["token": token, "word": word]),
        Text("meaning.observe-without-as"))
    }
    try check(inner, isFirst: false)
  }

  /// An object of Swift's has no other class's ivars, and no other object has what Swift's have.
  private func checkLayout(of name: Name, _ cls: Name) throws(Diagnostic) {
    let ofSwift = [SwiftView.name, Symbols.notifyingPrefix + SwiftView.name]
    let isSwift = try object(name).className == SwiftView.name
    guard isSwift != ofSwift.contains(cls.text) else { return }
    throw problem(
      cls,
      Text(
        isSwift ? "meaning.is-swift" : "meaning.no-swift",
        ["name": name, "class": SwiftView.name]),
      isSwift ? alternatives(ofSwift) : Text("meaning.class-of-scenario"))
  }

  func problem(_ name: Name, _ problem: Text, _ expected: Text) -> Diagnostic {
    self.problem(at: name.location, problem, expected)
  }

  func problem(
    at location: SourceLocation, _ problem: Text, _ expected: Text
  ) -> Diagnostic {
    Diagnostic(file: file, location: location, problem: problem, expected: expected)
  }
}

extension Statement.Kind {
  /// The name that it gives to a registration, itself or in what stands behind it.
  fileprivate var givenToken: Name? {
    switch self {
    case .observe(let observe): observe.token
    case .repetition(_, let inner), .onThread(let inner), .reaction(observer: _, let inner):
      inner.kind.givenToken
    default: nil
    }
  }
}
