internal import CIsa

extension RuntimeClass {
  /// Adds a method whose code is a closure; one inherited under that selector is overridden.
  ///
  /// Takes effect at once in all instances and subclasses, also while other threads send messages.
  /// A class method is added to the ``metaclass``.
  ///
  /// `body` runs for each message; see ``RuntimeMethodCall``. It is released with the class. Where it
  /// returns an object, the sender takes over a reference if the selector begins with `alloc`, `new`,
  /// `copy` or `mutableCopy`; it is lent one otherwise.
  ///
  /// - Throws: `KeyValueError.Code.exists` if the class itself has a method of that
  ///   selector; `KeyValueError.Code.badEncoding`, also if the encoding has fewer arguments
  ///   than the selector has colons; `KeyValueError.Code.notPassable`;
  ///   `KeyValueError.Code.noTrampoline`.
  public func addMethod(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> RuntimeValue
  ) throws(KeyValueError) {
    let box = try MethodBox(cls, selector, encoding, body)
    try KeyValueError.check(
      add(box, to: cls, selector.sel, encoding.text), key: selector.name, className: name)
  }

  /// Adds a method that returns nothing.
  ///
  /// As ``addMethod(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @_disfavoredOverload
  public func addMethod(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> Void
  ) throws(KeyValueError) {
    try addMethod(selector, encoding) { call -> RuntimeValue in
      body(call)
      return .void
    }
  }

  /// Gives the class a closure as its method for `selector`, in place of the former one.
  ///
  /// The code before is not run any more, but stays until the class goes, since a thread may be
  /// inside.
  ///
  /// - Returns: The code that instances answered with before, inherited or not.
  /// - Throws: As `addMethod`, without `KeyValueError.Code.exists`.
  @discardableResult
  public func replaceMethod(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> RuntimeValue
  ) throws(KeyValueError) -> RuntimeImplementation? {
    let box = try MethodBox(cls, selector, encoding, body)
    var old: isa_imp?
    try KeyValueError.check(
      replace(with: box, in: cls, selector.sel, encoding.text, &old), key: selector.name,
      className: name)
    return RuntimeImplementation(old)
  }

  /// Gives the class a closure that returns nothing as its method for `selector`.
  ///
  /// As the form whose closure returns a value.
  @discardableResult
  @_disfavoredOverload
  public func replaceMethod(
    _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> Void
  ) throws(KeyValueError) -> RuntimeImplementation? {
    try replaceMethod(selector, encoding) { call -> RuntimeValue in
      body(call)
      return .void
    }
  }

  /// Exchanges the code of two methods, in the classes that declare them and all that inherit them.
  ///
  /// - Throws: `KeyValueError.Code.notFound` if instances do not answer one of the
  ///   selectors; `KeyValueError.Code.invalidArgument` if the type encodings differ.
  public func exchangeMethods(_ first: RuntimeSelector, _ second: RuntimeSelector)
    throws(KeyValueError)
  {
    guard let firstMethod = isa_class_find_method(cls, first.sel) else {
      throw KeyValueError(.notFound, key: first.name, className: name)
    }
    guard let secondMethod = isa_class_find_method(cls, second.sel) else {
      throw KeyValueError(.notFound, key: second.name, className: name)
    }
    try KeyValueError.check(isa_method_exchange(firstMethod, secondMethod), className: name)
  }
}
