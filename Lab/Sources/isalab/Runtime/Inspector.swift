import CIsa
import IsaRuntime

/// Reads what the runtime knows of classes, methods and registrations, and changes nothing.
struct Inspector {
  let names: Names

  /// The answer to `class`.
  func claimedClass(of object: isa_id) -> String {
    typealias Implementation = @convention(c) (isa_id, isa_sel) -> isa_class
    // Looked up and called directly, so that looking leaves no trace in the event log.
    let selector = isa_sel_register("class")!
    let implementation = unsafeBitCast(isa_lookup(object, selector), to: Implementation.self)
    return names.className(RuntimeClass(implementation(object, selector)))
  }

  func trueClass(of object: isa_id) -> String {
    names.className(RuntimeClass(isa_object_get_class(object)!))
  }

  /// The methods that a class itself declares, in the order in which they were added.
  func methods(of cls: RuntimeClass) -> [ImplementationView] { cls.methods.map(view) }

  /// The method with which instances of a class answer; nil if they do not.
  func implementation(_ selector: String, in cls: RuntimeClass) -> ImplementationView? {
    RuntimeSelector.find(named: selector).flatMap { cls.method($0) }.map(view)
  }

  private func view(of method: RuntimeMethod) -> ImplementationView {
    let cls = method.declaringClass
    var view = ImplementationView(
      selector: method.selector.name, kind: .method, owner: names.className(cls), original: nil,
      types: method.encoding.text, address: method.implementation.address)
    if let setter = cls.wrappedSetters.first(where: { $0.selector == method.selector }) {
      let owner = cls.original.method(setter.selector)?.declaringClass ?? cls.original
      view.kind = setter.isClosure ? .closure : .thunk
      view.original = "-[\(names.className(owner)) \(setter.selector)]"
    }
    return view
  }

  /// The ivars that a class itself declares.
  func ivars(of cls: RuntimeClass) -> [Fact.IvarView] {
    cls.ivars.map {
      Fact.IvarView(name: $0.name, encoding: $0.encoding.text, offset: $0.offset)
    }
  }

  func registrations(of object: isa_id) -> [RegistrationView] {
    RuntimeObject(object).registrations.map { view(of: $0, on: object) }
  }

  /// Whom a change of the key would tell.
  func affected(by key: String, of object: isa_id) -> [RegistrationView] {
    RuntimeObject(object).affected(by: key).map { view(of: $0, on: object) }
  }

  private func view(of registration: RuntimeRegistration, on object: isa_id) -> RegistrationView {
    let root = names.name(ofObserver: UnsafeRawPointer(bitPattern: registration.root))
    return RegistrationView(
      observer: names.name(ofObserver: UnsafeRawPointer(bitPattern: registration.observer)),
      object: names.name(of: object), key: registration.keyPath,
      options: ObserveStatement.options(in: registration.options),
      context: registration.context.address, isShared: registration.isShared,
      root: registration.isForwarder ? "\(root).\(registration.rootKeyPath)" : nil)
  }

  func pending(of object: isa_id) -> [PendingView] {
    RuntimeObject(object).pendingChanges.map {
      PendingView(key: $0.key, kind: .init(kvo_change_kind(UInt32($0.kind.rawValue))))
    }
  }
}

// A scenario's bytes hold addresses of the C core; IsaRuntime answers the questions about them.

extension RuntimeClass {
  init(_ cls: isa_class) { self.init(unsafeAddress: UInt(bitPattern: cls)) }
}

extension RuntimeObject {
  convenience init(_ object: isa_id) { self.init(unsafeAddress: UInt(bitPattern: object)) }
}
