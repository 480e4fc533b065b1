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
          name, Text("meaning.unknown-shared", ["name": name]),
          known.isEmpty ? Text("meaning.shared-name") : alternatives(known))
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
        reference.object, Text("meaning.not-swift-object", ["name": reference.object]),
        Text("meaning.swift-by-let", ["class": SwiftView.name]))
    }
    guard reference.path == SwiftView.key else {
      throw problem(
        reference.key,
        Text("meaning.no-property", ["class": SwiftView.name, "key": reference.path]),
        Text(same: SwiftView.key))
    }
  }

  /// A property of a class, that has a setter.
  private func swizzlable(_ target: PropertyReference) throws(Diagnostic) {
    try classExists(target.object)
    let className = Symbols.originalName(of: target.object.text)
    let known = symbols.properties(of: className).filter { $0.declaration.setter != nil }
    guard className != SwiftView.name else {
      throw problem(
        target.object, Text("meaning.no-method-to-exchange", ["class": className]),
        Text("meaning.scenario-class"))
    }
    guard known.contains(where: { $0.name == target.path }) else {
      throw problem(
        target.key, Text("meaning.no-setter", ["class": className, "key": target.path]),
        known.isEmpty ? Text("meaning.class-with-property") : alternatives(known.map(\.name)))
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
        observe.target.object, Text("meaning.nothing-to-retain"),
        Text("meaning.by-with-retain"))
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
