// Statements about observers, questions and expectations.

extension Checker {
  mutating func checkObserving(_ statement: Statement) throws(Diagnostic) {
    switch statement.kind {
    case .observe(let observe): try check(observe)
    case .removeToken(let name): try checkToken(name)
    case .removeObserver(let remove):
      _ = try object(remove.observer)
      try observable(remove.target.object)
    case .shared(let name, let cls):
      try unused(name)
      try declared(cls)
      symbols.shared[name.text] = cls.text
    case .share(let name, let target):
      if let name, symbols.shared[name.text] == nil {
        let known = symbols.shared.keys.sorted()
        throw problem(
          name, "unknown shared observers '\(name)'",
          known.isEmpty ? "a name given by 'shared NAME for CLASS'" : alternatives(known))
      }
      _ = try object(target)
    case .bind(let target, to: let source, isTwoWay: _):
      try bindable(target)
      try bindable(source)
    case .unbind(let target): try bindable(target)
    case .swizzle(let target, as: let name):
      try swizzlable(target)
      try unused(name)
      symbols.swizzled.insert(name.text)
    default: break
    }
  }

  /// A property of an object that is one of Swift's as well.
  private func bindable(_ reference: PropertyReference) throws(Diagnostic) {
    let object = try object(reference.object)
    guard object.className == SwiftView.name else {
      throw problem(
        reference.object, "'\(reference.object)' is no object of a Swift class",
        "one made by 'let NAME = \(SwiftView.name)()'")
    }
    guard reference.path == SwiftView.key else {
      throw problem(
        reference.key, "\(SwiftView.name) has no property '\(reference.path)'", SwiftView.key)
    }
  }

  /// A property of a class, that has a setter.
  private func swizzlable(_ target: PropertyReference) throws(Diagnostic) {
    try classExists(target.object)
    let className = Symbols.originalName(of: target.object.text)
    let known = symbols.properties(of: className).filter { $0.declaration.setter != nil }
    guard className != SwiftView.name else {
      throw problem(
        target.object, "\(className) is a class of Swift's, which has no method to exchange",
        "a class of the scenario's")
    }
    guard known.contains(where: { $0.name == target.path }) else {
      throw problem(
        target.key, "\(className) has no setter for '\(target.path)'",
        known.isEmpty ? "a class with a property" : alternatives(known.map(\.name)))
    }
  }

  /// An object, or shared observers.
  private func observable(_ name: Name) throws(Diagnostic) {
    if symbols.shared[name.text] == nil { _ = try object(name) }
  }

  private mutating func check(_ observe: ObserveStatement) throws(Diagnostic) {
    // A key that the class does not know is accepted by the runtime: that is a lesson of its own.
    try observable(observe.target.object)
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

  func check(_ query: Query) throws(Diagnostic) {
    switch query {
    case .property(let reference), .affected(let reference), .affecting(let reference),
      .closure(let reference):
      _ = try property(reference)
    case .isa(let name), .claimedClass(let name), .superclass(let name), .methods(let name),
      .implementation(let name, selector: _):
      try subject(name)
    case .retainCount(let name), .registrations(let name), .pending(let name), .bulk(let name, _):
      _ = try object(name)
    case .keyed(let reference): _ = try object(reference.object)
    case .validation(let reference, let value):
      _ = try object(reference.object)
      try fitObject(value)
    case .alive(let name):
      if symbols.objects[name.text] == nil { _ = try object(name) }
    }
  }
}
