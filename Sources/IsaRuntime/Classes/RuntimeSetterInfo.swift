internal import CIsa

/// How a notifying class wraps one setter.
public struct RuntimeSetterInfo: Hashable, Sendable {
  /// The setter, such as `setAge:`.
  public let selector: RuntimeSelector
  /// The key that it sets.
  public let key: String
  /// Its type encoding.
  public let encoding: RuntimeTypeEncoding
  /// The code that the notifying class answers with.
  public let wrapper: RuntimeImplementation
  /// The code that the wrapper calls between will and did.
  public let original: RuntimeImplementation
  /// Whether the wrapper is a closure made by libffi, rather than a compiled thunk.
  public let isClosure: Bool

  init(_ info: kvo_setter_info) {
    selector = RuntimeSelector(info.selector)
    key = String(cString: info.key)
    encoding = RuntimeTypeEncoding(String(cString: info.types))
    wrapper = RuntimeImplementation(info.wrapper)
    original = RuntimeImplementation(info.original)
    isClosure = info.is_closure
  }
}
