import CIsa

/// Finds, before anything runs, what a scenario's text gets wrong: names that nothing bears, types
/// that cannot be passed, values that do not fit.
struct Checker {
  private let file: String
  private var symbols = Symbols()
  private var diagnostics: [Diagnostic] = []

  /// - Throws: every diagnostic of the scenario.
  static func check(_ scenario: Scenario) throws(DiagnosticList) -> Program {
    var checker = Checker(file: scenario.file)
    for (index, statement) in scenario.statements.enumerated() {
      checker.keepingDiagnostic { checker throws(Diagnostic) in
        try checker.check(statement, at: index)
      }
    }
    guard checker.diagnostics.isEmpty else {
      throw DiagnosticList(diagnostics: checker.diagnostics)
    }
    return Program(scenario: scenario, symbols: checker.symbols)
  }

  private init(file: String) { self.file = file }

  private mutating func keepingDiagnostic(
    _ body: (inout Checker) throws(Diagnostic) -> Void
  ) {
    do throws(Diagnostic) {
      try body(&self)
    } catch {
      diagnostics.append(error)
    }
  }

  private mutating func check(_ statement: Statement, at index: Int) throws(Diagnostic) {
    switch statement.kind {
    case .structure(let declaration): try declare(declaration)
    case .classPair(let declaration): try declare(declaration)
    case .object(let name, let cls): try declare(object: name, of: cls)
    case .observer(let name): try declare(object: name, className: Symbols.observerClass)
    case .set(let target, let value): try assign(value, to: target)
    case .poke(let target, let value): try fit(value, try property(target))
    case .observe(let observe): try check(observe)
    case .removeToken(let name): try checkToken(name)
    case .removeObserver(let remove):
      _ = try object(remove.observer)
      _ = try object(remove.target.object)
    case .release(let name):
      _ = try object(name)
      symbols.objects[name.text]?.releasedIn = name.location.line
    case .willChange(let target), .didChange(let target): _ = try property(target)
    case .swapIsa(let name, let cls):
      _ = try object(name)
      try classExists(cls)
    case .wrap: break
    case .query(let query): try check(query)
    case .expect(let expectation): try check(expectation, first: index == 0, statement)
    }
  }

  // MARK: Declarations

  private mutating func declare(_ declaration: StructDeclaration) throws(Diagnostic) {
    try unusedType(declaration.name)
    guard !declaration.fields.isEmpty else {
      throw problem(
        declaration.name, "struct \(declaration.name) has no field", "at least one, as 'x: double'")
    }
    var encoding = "{\(declaration.name)="
    var labels: [String] = []
    for field in declaration.fields {
      guard !labels.contains(field.name.text) else {
        throw problem(field.name, "the field '\(field.name)' is there twice", "another name")
      }
      labels.append(field.name.text)
      encoding += try type(field.type).encoding
    }
    symbols.structures[declaration.name.text] = Symbols.Structure(
      encoding: encoding + "}", labels: labels)
  }

  private mutating func declare(_ declaration: ClassDeclaration) throws(Diagnostic) {
    try unusedType(declaration.name)
    if let superclass = declaration.superclass { try declared(superclass) }
    let name = declaration.name.text
    symbols.classes[name] = Symbols.Class(superclass: declaration.superclass?.text, properties: [])
    for property in declaration.properties {
      keepingDiagnostic { checker throws(Diagnostic) in
        try checker.declare(property, in: name)
      }
    }
  }

  private mutating func declare(
    _ declaration: PropertyDeclaration, in className: String
  ) throws(Diagnostic) {
    let key = declaration.name
    if let other = symbols.property(key.text, of: className) {
      throw problem(key, "'\(key)' is a property of \(other.owner) already", "another name")
    }
    if isAnswered(key.text) {
      throw problem(key, "every object answers to '\(key)' already", "another name")
    }
    let type = try type(declaration.type)
    if declaration.isWeak && !type.isObject {
      throw problem(declaration.type, "weak \(type.name)", "an object's type for a weak property")
    }
    let property = Symbols.Property(declaration: declaration, type: type, owner: className)
    symbols.classes[className]?.properties.append(property)
  }

  /// Whether a getter of that name would stand in the way of what every object does.
  private func isAnswered(_ name: String) -> Bool {
    guard name != "dealloc", let selector = isa_sel_find(name) else { return name == "dealloc" }
    return isa_class_find_method(isa_root_class(), selector) != nil
  }

  private mutating func declare(object: Name, of cls: Name) throws(Diagnostic) {
    try declared(cls)
    try declare(object: object, className: cls.text)
  }

  private mutating func declare(object: Name, className: String) throws(Diagnostic) {
    try unused(object)
    symbols.objects[object.text] = Symbols.Object(className: className)
  }

  private func unused(_ name: Name) throws(Diagnostic) {
    let word = name.text
    let isNamed =
      symbols.structures[word] != nil || symbols.classes[word] != nil
      || symbols.objects[word] != nil || symbols.tokens[word] != nil
    if isNamed || word == Symbols.textClass || ValueType.named[word] != nil
      || isa_class_find(word) != nil
    {
      throw problem(name, "'\(word)' is taken already", "a name of its own")
    }
  }

  /// The name of a type must not read as another type where it stands above its declaration.
  private func unusedType(_ name: Name) throws(Diagnostic) {
    try unused(name)
    guard ValueType.isEncoding(name.text) else { return }
    throw problem(
      name, "'\(name)' is a type encoding already", "a name that is none, such as a longer one")
  }

  // MARK: What names stand for

  private func type(_ name: Name) throws(Diagnostic) -> ValueType {
    guard let type = symbols.type(named: name.text) else {
      let known = ["int", "double", "string"] + symbols.structures.keys.sorted() + declaredClasses
      throw problem(
        name, "unknown type '\(name)'", alternatives(known + ["an encoding such as {Point=dd}"]))
    }
    guard Extent(firstOf: type.encoding) != nil else {
      throw problem(
        name, "'\(name)' is nested too deep",
        "at most \(Lexer.deepestNesting) structs and arrays inside each other")
    }
    guard isa_call_check("v@:" + type.encoding) == ISA_OK else {
      throw problem(name, "libffi cannot pass '\(name)'", "a type that a setter can take by value")
    }
    return type
  }

  private var declaredClasses: [String] {
    symbols.classes.keys.filter { $0 != Symbols.observerClass }.sorted()
  }

  private func declared(_ cls: Name) throws(Diagnostic) {
    guard symbols.classes[cls.text] == nil else { return }
    let known = declaredClasses
    throw problem(
      cls, "unknown class '\(cls)'",
      known.isEmpty
        ? "a class declared above" : alternatives(known) + ", or a declaration of it above")
  }

  /// A class that is declared, or the notifying class of one.
  private func classExists(_ cls: Name) throws(Diagnostic) {
    guard cls.text.hasPrefix(Symbols.notifyingPrefix) else { return try declared(cls) }
    var original = cls
    original.text.removeFirst(Symbols.notifyingPrefix.count)
    try declared(original)
  }

  private func object(_ name: Name) throws(Diagnostic) -> Symbols.Object {
    guard let object = symbols.objects[name.text] else {
      let known = symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted()
      throw problem(
        name, "unknown object '\(name)'",
        known.isEmpty ? "an object made by 'let' above" : alternatives(known))
    }
    if let line = object.releasedIn {
      throw problem(name, "'\(name)' was released in line \(line)", "an object that is still held")
    }
    return object
  }

  private func property(_ reference: PropertyReference) throws(Diagnostic) -> Symbols.Property {
    let object = try object(reference.object)
    if let property = symbols.property(reference.key.text, of: object.className) { return property }
    let known = symbols.properties(of: object.className).map(\.name)
    throw problem(
      reference.key, "\(object.className) has no property '\(reference.key)'",
      known.isEmpty ? "a property declared in the class" : alternatives(known))
  }

  private func checkToken(_ name: Name) throws(Diagnostic) {
    guard symbols.tokens[name.text] == nil else { return }
    let hint = symbols.objects[name.text] == nil ? "" : " (an object is removed 'from' a property)"
    let known = symbols.tokens.keys.sorted()
    throw problem(
      name, "unknown observer '\(name)'\(hint)",
      known.isEmpty ? "a name given by 'observe … as NAME'" : alternatives(known))
  }

  private func subject(_ name: Name) throws(Diagnostic) {
    if symbols.objects[name.text] != nil {
      _ = try object(name)
    } else if symbols.classes[name.text] == nil, !name.text.hasPrefix(Symbols.notifyingPrefix) {
      let known =
        symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted() + declaredClasses
      throw problem(
        name, "'\(name)' is no object and no class",
        known.isEmpty ? "one that is declared above" : alternatives(known))
    } else {
      try classExists(name)
    }
  }

  // MARK: Statements

  private func assign(_ value: Literal, to target: PropertyReference) throws(Diagnostic) {
    let property = try property(target)
    if property.declaration.isReadonly {
      throw problem(
        target.key, "'\(target.key)' is read-only",
        "a property with a setter, or 'poke', which writes the ivar")
    }
    try fit(value, property)
  }

  private func fit(_ value: Literal, _ property: Symbols.Property) throws(Diagnostic) {
    let encoder = ValueEncoder(file: file, labels: symbols.labels, words: CheckedWords(symbols))
    _ = try encoder.bytes(of: value, as: property.type)
  }

  private mutating func check(_ observe: ObserveStatement) throws(Diagnostic) {
    // A key that the class does not know is accepted by the runtime: that is a lesson of its own.
    _ = try object(observe.target.object)
    if let observer = observe.observer { _ = try object(observer) }
    if observe.observer == nil, observe.options.contains(.retain) {
      throw problem(
        observe.target.object, "there is no object to retain",
        "'by OBSERVER' with the option retain")
    }
    guard let token = observe.token else { return }
    try unused(token)
    symbols.tokens[token.text] = observe.target
  }

  private func check(_ query: Query) throws(Diagnostic) {
    switch query {
    case .property(let reference): _ = try property(reference)
    case .isa(let name), .claimedClass(let name), .superclass(let name), .methods(let name),
      .implementation(let name, selector: _):
      try subject(name)
    case .retainCount(let name), .registrations(let name): _ = try object(name)
    case .alive(let name):
      if symbols.objects[name.text] == nil { _ = try object(name) }
    }
  }

  private func check(
    _ expectation: Expectation, first: Bool, _ statement: Statement
  ) throws(Diagnostic) {
    switch expectation.kind {
    case .error, .notifications:
      guard first else { return }
      throw Diagnostic(
        file: file, location: statement.location, problem: "no line stands before this one",
        expected: "a line whose outcome this one tells")
    case .heard(let observer, _): try hearer(observer)
    case .notification(let observer, let pattern): try check(pattern, of: observer)
    case .equal(let query, let value, _): try check(query, equals: value)
    case .method(let name, _, _): try subject(name)
    }
  }

  private func hearer(_ name: Name) throws(Diagnostic) {
    // An observer that died may still be asked what it heard.
    guard symbols.tokens[name.text] == nil, symbols.objects[name.text] == nil else { return }
    let known = symbols.tokens.keys.sorted() + symbols.objects.keys.sorted()
    throw problem(
      name, "unknown observer '\(name)'",
      known.isEmpty ? "a name given by 'observer' or 'as'" : alternatives(known))
  }

  private func check(_ pattern: NotificationPattern, of observer: Name) throws(Diagnostic) {
    try hearer(observer)
    guard let token = symbols.tokens[observer.text],
      let object = symbols.objects[token.object.text],
      let property = symbols.property(token.key.text, of: object.className)
    else { return }
    for case .value(let value)? in [pattern.old, pattern.new] { try fit(value, property) }
  }

  private func check(_ query: Query, equals value: Literal) throws(Diagnostic) {
    try check(query)
    switch query {
    case .property(let reference): try fit(value, try property(reference))
    case .isa, .claimedClass, .superclass: try expect(value, "a class's name or nil", isName)
    case .implementation: try expect(value, "method, thunk, closure or nil", isImplementation)
    case .methods:
      throw Diagnostic(
        file: file, location: value.location, problem: "a list of methods equals no value",
        expected: "'expect methods … has SELECTOR' or '… lacks SELECTOR'")
    case .retainCount, .registrations: try expect(value, "a number", isCount)
    case .alive: try expect(value, "true or false", isBool)
    }
  }

  private func expect(
    _ value: Literal, _ expected: String, _ fits: (Literal.Kind) -> Bool
  ) throws(Diagnostic) {
    if fits(value.kind) { return }
    throw Diagnostic(
      file: file, location: value.location, problem: "\(value) does not fit here",
      expected: expected)
  }

  private func isName(_ kind: Literal.Kind) -> Bool {
    if case .name = kind { true } else { kind == .nothing }
  }

  private func isImplementation(_ kind: Literal.Kind) -> Bool {
    guard case .name(let name) = kind else { return kind == .nothing }
    return ImplementationView.Kind(rawValue: name) != nil
  }

  private func isCount(_ kind: Literal.Kind) -> Bool {
    if case .integer = kind { true } else { false }
  }

  private func isBool(_ kind: Literal.Kind) -> Bool {
    if case .bool = kind { true } else { false }
  }

  private func problem(_ name: Name, _ problem: String, _ expected: String) -> Diagnostic {
    Diagnostic(file: file, location: name.location, problem: problem, expected: expected)
  }
}

/// Knows which names exist, for checking only: its words are never followed.
private struct CheckedWords: WordSource {
  private let symbols: Symbols

  init(_ symbols: Symbols) { self.symbols = symbols }

  func word(ofObject name: String) -> UInt? {
    symbols.objects[name].flatMap { $0.releasedIn == nil ? 1 : nil }
  }
  func word(ofClass name: String) -> UInt? { symbols.classes[name].map { _ in 1 } }
  func word(ofSelector name: String) -> UInt { 1 }
  func word(ofText text: String) -> UInt { 1 }
  func word(ofCString text: String) -> UInt { 1 }
}
