internal import CIsa

extension RuntimeClass {
  /// Adds a method whose code is a closure; one inherited under that selector is overridden.
  ///
  /// Takes effect at once in all instances and subclasses, also while other threads send messages.
  /// A class method is added to the ``metaclass``.
  ///
  /// - Parameter body: Runs for each message; see ``MethodCall``. It is released with the class.
  ///   Where it returns an object, the sender takes over a reference if the selector begins with
  ///   `alloc`, `new`, `copy` or `mutableCopy`; it is lent one otherwise.
  /// - Throws: ``RuntimeError/exists(_:details:)`` if the class itself has a method of that
  ///   selector; ``RuntimeError/badEncoding(_:reason:)``, also if the encoding has fewer arguments
  ///   than the selector has colons; ``RuntimeError/notPassable(_:details:)``;
  ///   ``RuntimeError/noTrampoline``.
  public func addMethod(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> RuntimeValue
  ) throws(RuntimeError) {
    let box = try MethodBox(cls, selector, encoding, body)
    try RuntimeError.check(
      add(box, to: cls, selector.sel, encoding.text),
      Subject(name: selector.name, className: name, encoding: encoding))
  }

  /// Adds a method that returns nothing.
  ///
  /// As ``addMethod(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  public func addMethod(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> Void
  ) throws(RuntimeError) {
    try addMethod(selector, encoding) { call -> RuntimeValue in
      body(call)
      return .void
    }
  }

  /// Gives the class a closure as its method for `selector`, instead of the one that it has.
  ///
  /// The code before is not run any more, but stays until the class goes, since a thread may be
  /// inside.
  ///
  /// - Returns: The code that instances answered with before, inherited or not.
  /// - Throws: As `addMethod`, without ``RuntimeError/exists(_:details:)``.
  @discardableResult
  public func replaceMethod(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> RuntimeValue
  ) throws(RuntimeError) -> Implementation? {
    let box = try MethodBox(cls, selector, encoding, body)
    var old: isa_imp?
    try RuntimeError.check(
      replace(with: box, in: cls, selector.sel, encoding.text, &old),
      Subject(name: selector.name, className: name, encoding: encoding))
    return Implementation(old)
  }

  /// Gives the class a closure that returns nothing as its method for `selector`.
  ///
  /// As the form whose closure returns a value.
  @discardableResult
  public func replaceMethod(
    _ selector: Selector, _ encoding: TypeEncoding,
    _ body: @escaping @Sendable (MethodCall) -> Void
  ) throws(RuntimeError) -> Implementation? {
    try replaceMethod(selector, encoding) { call -> RuntimeValue in
      body(call)
      return .void
    }
  }

  /// Exchanges the code of two methods, in the classes that declare them and all that inherit them.
  ///
  /// - Throws: ``RuntimeError/notFound(_:details:)`` if instances do not answer one of the
  ///   selectors; ``RuntimeError/invalidArgument(reason:details:)`` if the type encodings differ.
  public func exchangeMethods(_ first: Selector, _ second: Selector) throws(RuntimeError) {
    guard let firstMethod = isa_class_find_method(cls, first.sel) else {
      throw .notFound("method \(first) of \(name)")
    }
    guard let secondMethod = isa_class_find_method(cls, second.sel) else {
      throw .notFound("method \(second) of \(name)")
    }
    try RuntimeError.check(isa_method_exchange(firstMethod, secondMethod), Subject(className: name))
  }
}
