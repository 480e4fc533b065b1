/// The road of one message from its type encoding to the code that runs in the end.
struct ThunkRoad: Hashable, Sendable {
  var selector: String
  /// The object or class that was asked about.
  var subject: String
  /// The class whose dispatch table answers.
  var className: String
  var method: ImplementationView
  /// The key that the method sets, if it is asked for by its key or wrapped.
  var key: String?
  /// Nil if libffi cannot pass one of the types.
  var signature: SignatureRoad?
}

extension Inquiry {
  /// - Parameter subject: `CLASS.KEY`, or with a selector an object or a class.
  func road(
    _ subject: String, _ selector: String?, at step: Int
  ) throws(InquiryError) -> ThunkRoad {
    guard let selector else { return try road(toKey: subject, at: step) }
    let lookup = try lookup(of: selector, to: subject, at: step)
    guard let method = lookup.found else {
      throw InquiryError(
        problem: Text("inquiry.no-answer", ["name": subject, "selector": selector]),
        expected: Text("inquiry.answered-selector"),
        step: step)
    }
    return road(method, of: lookup.isa, subject, key: nil)
  }

  private func road(toKey subject: String, at step: Int) throws(InquiryError) -> ThunkRoad {
    let parts = subject.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let symbols = run.program?.symbols ?? Symbols()
    guard parts.count == 2, symbols.classes[parts[0]] != nil else {
      throw InquiryError(
        problem: Text("inquiry.no-key-of-class", ["text": subject]),
        expected: Text(
          "inquiry.class-key",
          ["classes": symbols.declaredClasses.joined(separator: ", ")]))
    }
    guard let property = symbols.property(parts[1], of: parts[0]) else {
      throw InquiryError(
        problem: Text("inquiry.no-property", ["class": parts[0], "key": parts[1]]),
        expected: alternatives(symbols.properties(of: parts[0]).map(\.name)))
    }
    guard let setter = property.declaration.setter else {
      throw InquiryError(
        problem: Text("inquiry.no-setter", ["key": subject]),
        expected: Text("inquiry.property-with-setter"))
    }
    let state = run.state(at: step)
    let notifying = Symbols.notifyingPrefix + parts[0]
    let className = state.cls(notifying) == nil ? parts[0] : notifying
    guard let method = state.implementation(setter, in: className) else {
      throw InquiryError(
        problem: Text("inquiry.no-class", ["class": parts[0], "number": step]),
        expected: Text("inquiry.later-step"),
        step: step)
    }
    return road(method, of: className, parts[0], key: parts[1])
  }

  private func road(
    _ method: ImplementationView, of className: String, _ subject: String, key: String?
  ) -> ThunkRoad {
    ThunkRoad(
      selector: method.selector, subject: subject, className: className, method: method,
      key: key ?? changedKey(method), signature: SignatureRoad(method.types))
  }

  /// The key whose change a wrapper announces.
  private func changedKey(_ method: ImplementationView) -> String? {
    guard method.kind != .method else { return nil }
    let original = method.owner.dropFirst(Symbols.notifyingPrefix.count)
    return run.program?.symbols.properties(of: String(original))
      .first { $0.declaration.setter == method.selector }?.name
  }
}

extension Symbols {
  /// The classes of the scenario's own.
  var declaredClasses: [String] { classes.keys.filter { !Symbols.isBuiltIn($0) }.sorted() }
}
