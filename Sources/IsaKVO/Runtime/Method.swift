internal import CIsa

/// A method of a class, as it was when asked for.
public struct Method: Hashable, Sendable {
  /// The message that it answers.
  public let selector: Selector
  /// Its result, receiver, selector and arguments.
  public let encoding: TypeEncoding
  /// Its code.
  public let implementation: Implementation
  /// The class that declares it.
  public let declaringClass: RuntimeClass

  init(_ method: isa_method) {
    selector = Selector(isa_method_selector(method)!)
    encoding = TypeEncoding(String(cString: isa_method_types(method)))
    implementation = Implementation(isa_method_imp(method)!)
    declaringClass = RuntimeClass(isa_method_class(method)!)
  }
}
