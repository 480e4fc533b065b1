// The services that every object has, beside the services that a class may override.

public import IsaKeyValue

extension KVObject: Hashable {
  /// Whether the objects are equal, as the first one's ``isEqual(_:)`` says.
  public static func == (first: KVObject, second: KVObject) -> Bool { first.isEqual(second) }

  /// Hashes what ``hash`` says.
  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension KVObject: RuntimeAdopted {
  /// Where the object stands for the runtime, in which this registers its class. Any thread may call
  /// this.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` if the class cannot be registered.
  public final func runtimeAddress() throws(KeyValueError) -> UInt {
    UInt(bitPattern: try runtimeID())
  }
}

extension KVObject: CustomStringConvertible, CustomDebugStringConvertible {}

extension KVObject {
  /// Whether the object's class is `cls` or inherits from it.
  ///
  /// - Note: Source `isKindOfClass:`, NSObject.
  public final func isKind(of cls: AnyClass) -> Bool {
    sequence(first: type(of: self) as AnyClass, next: { _getSuperclass($0) }).contains { $0 == cls }
  }

  /// Whether the object's class is `cls` itself.
  ///
  /// - Note: Source `isMemberOfClass:`, NSObject.
  public final func isMember(of cls: AnyClass) -> Bool { type(of: self) == cls }

  /// Whether key-value coding knows the key: by a wrapped or declared property, or by what the class
  /// itself answers for keys.
  ///
  /// - Note: In place of `respondsToSelector:` with a getter's selector, NSObject.
  public final func responds(toKey key: String) -> Bool {
    (try? runtimeID()).map { knows($0, key: key) } ?? false
  }

  /// The class and the address that the runtime knows the object by.
  final var identityText: String {
    let name = registration?.name ?? _typeName(type(of: self), qualified: true)
    return "<\(name): \(hexadecimal(UInt(bitPattern: headerAddress)))>"
  }
}
