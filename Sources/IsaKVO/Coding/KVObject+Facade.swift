// Parts of the module with Apple's names: its own functions hide the throwing ones of the same names.

internal import CIsa
package import IsaKeyValue

extension KVObject {
  /// The array for a key or at the end of a key path.
  package final func arrayHandle(
    atKeyPath path: String
  ) throws(KeyValueError) -> CollectionHandle<Any?> {
    try collection(path, .any, kvc_proxy_make_array_for_path)
  }

  /// The set for a key or at the end of a key path.
  package final func setHandle(
    atKeyPath path: String
  ) throws(KeyValueError) -> CollectionHandle<Any?> {
    try collection(path, .any, kvc_proxy_make_set_for_path)
  }
}

extension ElementCoder<Any?> {
  /// Elements of any type.
  static let any = ElementCoder(
    copy: {
      $1 = copyObject($0)
      return ISA_OK
    }, read: { anyValue($0) })
}

extension KVObject {
  /// The keys of wrapped and declared properties, in the order of their names.
  package final var knownKeys: [String] {
    guard (try? runtimeID()) != nil, let registration else { return [] }
    return registration.fieldsByKey.keys.map(\.text).sorted()
  }
}
