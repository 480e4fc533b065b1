internal import CIsa

/// A method of a class, as it was when asked for.
public struct RuntimeMethod: Hashable, Sendable {
  /// The message that it answers.
  public let selector: RuntimeSelector
  /// Its result, receiver, selector and arguments.
  public let encoding: RuntimeTypeEncoding
  /// Its code.
  public let implementation: RuntimeImplementation
  /// The class that declares it.
  public let declaringClass: RuntimeClass

  init(_ method: isa_method) {
    selector = RuntimeSelector(isa_method_selector(method)!)
    encoding = RuntimeTypeEncoding(String(cString: isa_method_types(method)))
    implementation = RuntimeImplementation(isa_method_imp(method)!)
    declaringClass = RuntimeClass(isa_method_class(method)!)
  }
}
