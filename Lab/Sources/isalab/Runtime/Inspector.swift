import IsaRuntime

/// Reads what the runtime knows of classes, methods and registrations, and changes nothing.
struct Inspector {
  let names: Names

  /// The answer to `class`.
  func claimedClass(of object: RuntimeObject) -> String { names.name(of: object.class) }

  func trueClass(of object: RuntimeObject) -> String { names.name(of: object.isa) }

  /// The methods that a class itself declares, in the order in which they were added.
  func methods(of cls: RuntimeClass) -> [ImplementationView] { cls.methods.map(view) }

  /// The method with which instances of a class answer; nil if they do not.
  func implementation(_ selector: String, in cls: RuntimeClass) -> ImplementationView? {
    RuntimeSelector.find(named: selector).flatMap { cls.method($0) }.map(view)
  }

  private func view(of method: RuntimeMethod) -> ImplementationView {
    let cls = method.declaringClass
    var view = ImplementationView(
      selector: method.selector.name, kind: .method, owner: names.name(of: cls), original: nil,
      types: method.encoding.text, address: method.implementation.address)
    if let setter = cls.wrappedSetters.first(where: { $0.selector == method.selector }) {
      let owner = cls.original.method(setter.selector)?.declaringClass ?? cls.original
      view.kind = setter.isClosure ? .closure : .thunk
      view.original = "-[\(names.name(of: owner)) \(setter.selector)]"
    }
    return view
  }

  /// The ivars that a class itself declares.
  func ivars(of cls: RuntimeClass) -> [Fact.IvarView] {
    cls.ivars.map {
      Fact.IvarView(name: $0.name, encoding: $0.encoding.text, offset: $0.offset)
    }
  }

  func registrations(of object: RuntimeObject) -> [RegistrationView] {
    object.registrations.map { view(of: $0, on: object) }
  }

  /// Whom a change of the key would tell.
  func affected(by key: String, of object: RuntimeObject) -> [RegistrationView] {
    object.affected(by: key).map { view(of: $0, on: object) }
  }

  private func view(
    of registration: RuntimeRegistration, on object: RuntimeObject
  ) -> RegistrationView {
    let root = names.name(ofObserver: registration.root)
    return RegistrationView(
      observer: names.name(ofObserver: registration.observer),
      object: names.name(of: object), key: registration.keyPath,
      options: ObserveStatement.options(in: registration.options),
      context: registration.context.address, isShared: registration.isShared,
      root: registration.isForwarder ? "\(root).\(registration.rootKeyPath)" : nil)
  }

  func pending(of object: RuntimeObject) -> [PendingView] {
    object.pendingChanges.map { PendingView(key: $0.key, kind: .init($0.kind)) }
  }
}
