internal import CIsa

/// Builds a class: give it ivars, properties and methods, then register it.
///
///     let person = try RuntimeClassBuilder("Person")
///       .property("name", .cString)
///       .property("age", .int64)
///       .method("describe", "*@:") { call in
///         RuntimeValue("I am \(call.receiver)")
///       }
///       .register()
///
/// A builder that goes without ``register()`` leaves no class behind. It belongs to one thread.
public final class RuntimeClassBuilder {
  package let runtimeClass: RuntimeClass
  private var isRegistered = false

  /// Begins a class.
  ///
  /// - Parameters:
  ///   - name: The class's name, which no class has yet.
  ///   - superclass: A registered class; the root class unless another is given.
  ///   - profile: The library whose behaviour the class and those below it have; its superclass's
  ///     unless given.
  /// - Throws: `KeyValueError.Code.exists`;
  ///   `KeyValueError.Code.invalidArgument` for an empty name;
  ///   `KeyValueError.Code.classNotRegistered`; `KeyValueError.Code.outOfMemory`.
  public init(
    _ name: String, superclass: RuntimeClass = .root, profile: KeyValueProfile? = nil
  ) throws(KeyValueError) {
    var cls: isa_class?
    try KeyValueError.check(
      isa_class_pair_allocate(superclass.cls, name, &cls), key: name,
      className: superclass.name)
    runtimeClass = RuntimeClass(cls!)
    guard let profile else { return }
    try KeyValueError.check(
      isa_class_set_profile(runtimeClass.cls, profile.constant), className: name)
  }

  deinit {
    // Nobody else knows the class yet, so it can always be disposed of.
    if !isRegistered { try? runtimeClass.dispose() }
  }

  /// Adds an ivar behind the existing ivars.
  ///
  /// - Throws: `KeyValueError.Code.exists`; `KeyValueError.Code.badEncoding`;
  ///   `KeyValueError.Code.classRegistered`;
  ///   `KeyValueError.Code.invalidArgument` for an ownership of what is not an object.
  @discardableResult
  public func ivar(
    _ name: String, _ encoding: RuntimeTypeEncoding, ownership: RuntimeOwnership = .none
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try KeyValueError.check(
      isa_class_add_ivar(runtimeClass.cls, name, encoding.text, ownership.constant),
      key: name, className: runtimeClass.name)
    return self
  }

  /// Declares a property and adds what it needs: an ivar `_name`, a getter, a setter unless
  /// read-only.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - encoding: The type of its values.
  ///   - ownership: The owner that keeps an object alive: the property, unless said otherwise; of
  ///     no meaning for other types.
  ///   - isReadOnly: Whether there is no setter.
  ///   - getter: The message that reads it, the property's name unless given.
  ///   - setter: The message that sets it, `setName:` unless given.
  ///   - ivar: The ivar behind it, `_name` unless given.
  /// - Throws: `KeyValueError.Code.exists`; `KeyValueError.Code.badEncoding`;
  ///   `KeyValueError.Code.notPassable`; `KeyValueError.Code.noTrampoline`.
  @discardableResult
  public func property(
    _ name: String, _ encoding: RuntimeTypeEncoding, ownership: RuntimeOwnership? = nil,
    isReadOnly: Bool = false,
    getter: RuntimeSelector? = nil, setter: RuntimeSelector? = nil, ivar: String? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let usual: RuntimeOwnership = if case .object = TypeLayout(encoding) { .retain } else { .none }
    let status = withPropertyInfo(
      name: name, types: encoding.text, getter: getter?.name, setter: setter?.name, ivar: ivar,
      ownership: (ownership ?? usual).constant, isReadOnly: isReadOnly
    ) { isa_class_synthesize(runtimeClass.cls, $0) }
    try KeyValueError.check(status, key: name, className: runtimeClass.name)
    return self
  }

  /// Adds a method whose code is a closure.
  ///
  /// - Throws: As ``RuntimeClass/addMethod(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @discardableResult
  public func method(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> RuntimeValue
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try runtimeClass.addMethod(selector, encoding, body)
    return self
  }

  /// Adds a method that returns nothing.
  ///
  /// - Throws: As the form whose closure returns a value.
  @_disfavoredOverload
  @discardableResult
  public func method(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> Void
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try runtimeClass.addMethod(selector, encoding, body)
    return self
  }

  /// Adds a class method whose code is a closure.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @discardableResult
  public func classMethod(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> RuntimeValue
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try runtimeClass.metaclass.addMethod(selector, encoding, body)
    return self
  }

  /// Registers the class: from now on it is found by name and may have instances.
  ///
  /// - Throws: `KeyValueError.Code.classRegistered` the second time;
  ///   `KeyValueError.Code.exists` if another class of the name was registered meanwhile.
  @discardableResult
  public func register() throws(KeyValueError) -> RuntimeClass {
    let name = runtimeClass.name
    try KeyValueError.check(
      isa_class_pair_register(runtimeClass.cls), key: name, className: name)
    isRegistered = true
    return runtimeClass
  }
}
