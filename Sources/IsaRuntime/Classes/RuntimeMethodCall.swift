internal import CIsa

/// One message, as it reaches a method written as a closure.
public struct RuntimeMethodCall: Sendable {
  /// The object that the message was sent to. During its deallocation it must not be kept.
  public let receiver: RuntimeObject
  /// The message.
  public let selector: RuntimeSelector
  /// The arguments behind receiver and selector.
  public let arguments: [RuntimeValue]
  /// The class that declares the method, and so knows whose superclass is meant by super.
  let declaringClass: RuntimeClass

  /// Calls the method of the superclass, with the arguments of this call.
  ///
  /// - Throws: As ``callSuper(_:)``.
  @discardableResult
  public func callSuper() throws(KeyValueError) -> RuntimeValue { try callSuper(arguments) }

  /// Calls the method of the superclass with other arguments.
  ///
  /// - Throws: `KeyValueError.Code.unrecognizedSelector` if the superclass has no
  ///   such method; `KeyValueError.Code.invalidArgument`;
  ///   `KeyValueError.Code.incompatible`.
  @discardableResult
  public func callSuper(_ arguments: [RuntimeValue]) throws(KeyValueError) -> RuntimeValue {
    guard let parent = declaringClass.superclass, let method = parent.method(selector),
      let imp = isa_lookup_super(declaringClass.cls, selector.sel)
    else {
      let name = declaringClass.superclass?.name ?? "nil"
      throw KeyValueError(.unrecognizedSelector, key: selector.name, className: name)
    }
    return try call(imp, method.encoding, receiver, selector, arguments)
  }
}
