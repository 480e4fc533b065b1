internal import CIsa

/// How a notifying class wraps one setter.
public struct SetterInfo: Hashable, Sendable {
  /// The setter, such as `setAge:`.
  public let selector: Selector
  /// The key that it sets.
  public let key: String
  /// Its type encoding.
  public let encoding: TypeEncoding
  /// What the notifying class answers with.
  public let wrapper: Implementation
  /// What the wrapper calls between will and did.
  public let original: Implementation
  /// Whether the wrapper is a closure made by libffi, rather than a compiled thunk.
  public let isClosure: Bool

  init(_ info: kvo_setter_info) {
    selector = Selector(info.selector)
    key = String(cString: info.key)
    encoding = TypeEncoding(String(cString: info.types))
    wrapper = Implementation(info.wrapper)
    original = Implementation(info.original)
    isClosure = info.is_closure
  }
}
