import IsaRuntime

// Expectations.

extension Checker {
  func check(
    _ expectation: Expectation, first: Bool, _ statement: Statement
  ) throws(Diagnostic) {
    switch expectation.kind {
    case .error, .notifications:
      guard first else { return }
      throw Diagnostic(
        file: file, location: statement.location, problem: Text("meaning.no-line-before"),
        expected: Text("meaning.line-with-outcome"))
    case .heard(let observer, _): try hearer(observer)
    case .notification(let observer, let pattern): try check(pattern, of: observer)
    case .equal(let query, let value, _): try check(query, equals: value)
    case .method(let name, _, _): try subject(name)
    }
  }

  func hearer(_ name: Name) throws(Diagnostic) {
    // An observer that died may still be asked what it heard.
    guard symbols.tokens[name.text] == nil, symbols.objects[name.text] == nil,
      !symbols.swizzled.contains(name.text)
    else { return }
    let known =
      symbols.tokens.keys.sorted() + symbols.objects.keys.sorted() + symbols.swizzled.sorted()
    throw problem(
      name, Text("meaning.unknown-observer", ["name": name]),
      known.isEmpty ? Text("meaning.observer-name") : alternatives(known))
  }

  private func check(_ pattern: NotificationPattern, of observer: Name) throws(Diagnostic) {
    try hearer(observer)
    if let object = pattern.object, symbols.objects[object.text] == nil {
      _ = try self.object(object)
    }
    guard let target = symbols.tokens[observer.text],
      let className = symbols.objects[target.object.text]?.className
        ?? symbols.shared[target.object.text],
      let property = symbols.property(atPath: target.path, of: className)
    else {
      for case .value(let value)? in [pattern.old, pattern.new] where value.kind.isObject {
        try fitObject(value)
      }
      return
    }
    let isPath = target.path.contains(".")
    for case .value(let value)? in [pattern.old, pattern.new]
    where !isPath || value.kind != .nothing { try fit(value, as: property.type) }
  }

  private func check(_ query: Query, equals value: Literal) throws(Diagnostic) {
    try check(query)
    switch query {
    case .property(let reference):
      // Something on the way may be nil, and then even a number is.
      if reference.keys.count > 1, value.kind == .nothing { return }
      try fit(value, try property(reference))
    case .keyed: try fitObject(value)
    case .bulk: try fit(value, as: ValueType(name: "dictionary", encoding: "@"))
    case .isa, .claimedClass, .superclass: try expect(value, Text("meaning.class-or-nil"), isName)
    case .implementation: try expect(value, Text("meaning.kind-or-nil"), isImplementation)
    case .methods:
      throw Diagnostic(
        file: file, location: value.location, problem: Text("meaning.methods-no-value"),
        expected: Text("meaning.expect-methods"))
    case .retainCount, .registrations, .affected, .pending:
      try expect(value, Text("meaning.a-number"), isCount)
    case .alive, .validation: try expect(value, Text("meaning.true-or-false"), isBool)
    case .affecting, .closure: try expect(value, Text("meaning.key-set"), isKeys)
    }
  }

  private func expect(
    _ value: Literal, _ expected: Text, _ fits: (Literal.Kind) -> Bool
  ) throws(Diagnostic) {
    if fits(value.kind) { return }
    throw Diagnostic(
      file: file, location: value.location, problem: Text("meaning.value-misfit", ["value": value]),
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

  private func isKeys(_ kind: Literal.Kind) -> Bool {
    guard case .set(let members) = kind else { return false }
    return members.allSatisfy { $0.keyText != nil }
  }
}

extension Literal {
  /// A name or text that may be a key.
  var keyText: String? {
    switch kind {
    case .name(let text), .text(let text): text
    default: nil
    }
  }
}

extension Literal.Kind {
  /// Whether only an object can have this value.
  fileprivate var isObject: Bool {
    switch self {
    case .name, .set, .dictionary, .null: true
    default: false
    }
  }
}

/// Knows which names exist, for checking only: nil stands for every object.
struct CheckedObjects: ObjectSource {
  private let symbols: Symbols

  init(_ symbols: Symbols) { self.symbols = symbols }

  func object(named name: String) -> RuntimeValue? {
    symbols.objects[name].flatMap { $0.releasedIn == nil ? .nilObject : nil }
  }
  func cls(named name: String) -> RuntimeValue? { symbols.classes[name].map { _ in .nilObject } }
  func object(ofText text: String) -> RuntimeValue { .nilObject }
  func box(_ value: RuntimeValue) -> RuntimeValue { .nilObject }
  func collection(of elements: [RuntimeValue], _ type: CollectionType) -> RuntimeValue {
    .nilObject
  }
  func dictionary(
    _ entries: [(key: String, value: RuntimeValue)], isMutable: Bool
  ) -> RuntimeValue {
    .nilObject
  }
}
