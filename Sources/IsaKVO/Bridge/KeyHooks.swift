// The messages of key-value coding as closures: they answer with a status, and a value read goes out
// through a pointer.
internal import CIsa

/// A class's own way to read a value by key; nil leaves the key to the superclass.
typealias KeyReader = @Sendable (RuntimeObject, String) -> RuntimeValue?

/// A class's own way to set a value by key; false leaves the key to the superclass.
typealias KeyWriter = @Sendable (RuntimeObject, RuntimeValue, String) -> Bool

extension TypeEncoding {
  static let readsKey: TypeEncoding = "i@:*^@"
  static let writesKey: TypeEncoding = "i@:@*"
}

/// The method of encoding `readsKey` that asks `read`.
func method(reading read: @escaping KeyReader) -> @Sendable (MethodCall) -> RuntimeValue {
  { call in
    guard let key = call.arguments[0].string, let value = read(call.receiver, key) else {
      return superclassAnswer(call)
    }
    return answer(withInPlace(value) { kvc_box($0, slot(call.arguments[1])) })
  }
}

/// The method of encoding `writesKey` that asks `write`.
func method(writing write: @escaping KeyWriter) -> @Sendable (MethodCall) -> RuntimeValue {
  { call in
    let value = RuntimeValue(unboxing: call.arguments[0].object?.id)
    guard let key = call.arguments[1].string, write(call.receiver, value, key) else {
      return superclassAnswer(call)
    }
    return answer(ISA_OK)
  }
}

/// Where the caller wants the object with a +1.
private func slot(_ argument: RuntimeValue) -> UnsafeMutablePointer<isa_id?>? {
  argument.address.flatMap { UnsafeMutablePointer(bitPattern: $0) }
}

private func superclassAnswer(_ call: MethodCall) -> RuntimeValue {
  (try? call.callSuper()) ?? answer(ISA_ERR_UNRECOGNIZED_SELECTOR)
}

private func answer(_ status: isa_status) -> RuntimeValue {
  RuntimeValue(Int32(truncatingIfNeeded: status.rawValue))
}
