internal import CIsa

/// Builds a class: give it ivars, properties and methods, then register it.
///
///     let person = try ClassBuilder("Person")
///       .property("name", .cString)
///       .property("age", .int64)
///       .method("describe", "*@:") { call in
///         RuntimeValue("I am \(call.receiver)")
///       }
///       .register()
///
/// A builder that goes without ``register()`` leaves no class behind. It belongs to one thread.
public final class ClassBuilder {
  let runtimeClass: RuntimeClass
  private var isRegistered = false

  /// Begins a class.
  ///
  /// - Parameters:
  ///   - superclass: A registered class; the root class unless another is given.
  ///   - profile: Whose behaviour the class and those below it have; its superclass's unless given.
  /// - Throws: ``RuntimeError/exists(_:details:)``;
  ///   ``RuntimeError/invalidArgument(reason:details:)`` for an empty name;
  ///   ``RuntimeError/notRegistered(className:details:)``; ``RuntimeError/outOfMemory``.
  public init(
    _ name: String, superclass: RuntimeClass = .root, profile: Profile? = nil
  ) throws(RuntimeError) {
    var cls: isa_class?
    try RuntimeError.check(
      isa_class_pair_allocate(superclass.cls, name, &cls),
      Subject(name: "class \(name)", className: superclass.name))
    runtimeClass = RuntimeClass(cls!)
    guard let profile else { return }
    try RuntimeError.check(
      isa_class_set_profile(runtimeClass.cls, profile.constant), Subject(className: name))
  }

  deinit {
    // Nobody else knows the class yet, so nothing can be in the way of disposing of it.
    if !isRegistered { try? runtimeClass.dispose() }
  }

  /// Adds an ivar behind those that exist.
  ///
  /// - Throws: ``RuntimeError/exists(_:details:)``; ``RuntimeError/badEncoding(_:reason:)``;
  ///   ``RuntimeError/registered(className:details:)``;
  ///   ``RuntimeError/invalidArgument(reason:details:)`` for an ownership of what is not an object.
  @discardableResult
  public func ivar(
    _ name: String, _ encoding: TypeEncoding, ownership: Ownership = .none
  ) throws(RuntimeError) -> ClassBuilder {
    try RuntimeError.check(
      isa_class_add_ivar(runtimeClass.cls, name, encoding.text, ownership.constant),
      Subject(name: "ivar \(name)", className: runtimeClass.name, encoding: encoding))
    return self
  }

  /// Declares a property and adds what it needs: an ivar `_name`, a getter, a setter unless
  /// read-only.
  ///
  /// - Parameters:
  ///   - ownership: Who keeps an object alive: the property, unless said otherwise; of no meaning
  ///     for
  ///     other types.
  ///   - getter: The message that reads it, the property's name unless given.
  ///   - setter: The message that sets it, `setName:` unless given.
  ///   - ivar: The ivar behind it, `_name` unless given.
  /// - Throws: ``RuntimeError/exists(_:details:)``; ``RuntimeError/badEncoding(_:reason:)``;
  ///   ``RuntimeError/notPassable(_:details:)``; ``RuntimeError/noTrampoline``.
  @discardableResult
  public func property(
    _ name: String, _ encoding: TypeEncoding, ownership: Ownership? = nil, isReadOnly: Bool = false,
    getter: Selector? = nil, setter: Selector? = nil, ivar: String? = nil
  ) throws(RuntimeError) -> ClassBuilder {
    let usual: Ownership = if case .object = TypeShape(encoding) { .retain } else { .none }
    let text = PropertyText(
      name: name, types: encoding.text, getter: getter?.name, setter: setter?.name, ivar: ivar,
      ownership: (ownership ?? usual).constant, isReadOnly: isReadOnly)
    try RuntimeError.check(
      text.synthesize(on: runtimeClass.cls),
      Subject(name: "property \(name)", className: runtimeClass.name, encoding: encoding))
    return self
  }

  /// Adds a method whose code is a closure.
  ///
  /// - Throws: As ``RuntimeClass/addMethod(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  @discardableResult
  public func method(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> RuntimeValue
  ) throws(RuntimeError) -> ClassBuilder {
    try runtimeClass.addMethod(selector, encoding, body)
    return self
  }

  /// Adds a method that returns nothing.
  ///
  /// - Throws: As the form whose closure returns a value.
  @discardableResult
  public func method(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> Void
  ) throws(RuntimeError) -> ClassBuilder {
    try runtimeClass.addMethod(selector, encoding, body)
    return self
  }

  /// Adds a class method whose code is a closure.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  @discardableResult
  public func classMethod(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> RuntimeValue
  ) throws(RuntimeError) -> ClassBuilder {
    try runtimeClass.metaclass.addMethod(selector, encoding, body)
    return self
  }

  /// Registers the class: from now on it is found by name and may have instances.
  ///
  /// - Throws: ``RuntimeError/registered(className:details:)`` the second time;
  ///   ``RuntimeError/exists(_:details:)`` if another class of the name was registered meanwhile.
  @discardableResult
  public func register() throws(RuntimeError) -> RuntimeClass {
    let name = runtimeClass.name
    try RuntimeError.check(
      isa_class_pair_register(runtimeClass.cls), Subject(name: "class \(name)", className: name))
    isRegistered = true
    return runtimeClass
  }
}
