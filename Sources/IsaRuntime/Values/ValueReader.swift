internal import CIsa

/// Reads values in place as one Swift type.
struct ValueReader<Value: RuntimeConvertible>: Sendable {
  /// The letter of the encoding whose bytes are a `Value`; 0 if none is.
  private let letter: UInt8

  init() {
    let isScalar = scalarTypes.contains { $0 == Value.self }
    letter = isScalar ? Value.runtimeEncoding.text.utf8.first ?? 0 : 0
  }

  /// The value, nil if there is none or it is of another kind.
  func read(_ value: kvc_value) -> Value? {
    guard let address = value.address, let types = value.types else { return nil }
    if letter != 0, types[0] == CChar(bitPattern: letter), types[1] == 0 {
      return address.load(as: Value.self)
    }
    return Value(runtimeValue: RuntimeValue(types: types, at: address))
  }
}

/// The Swift types that have the size and the bits of their encoding's C type.
private let scalarTypes: [Any.Type] = [
  Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, Int.self, UInt8.self, UInt16.self,
  UInt32.self, UInt64.self, UInt.self, Float.self, Double.self,
]
