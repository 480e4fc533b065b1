// The messages of key-value coding and of dependent keys as closures: they answer with a status,
// and what is asked for goes out through a pointer.
internal import CIsa

/// A class's own way to read a value by key; nil leaves the key to the superclass.
typealias KeyReader = @Sendable (RuntimeObject, String) -> RuntimeValue?

/// A class's own way to set a value by key; false leaves the key to the superclass.
typealias KeyWriter = @Sendable (RuntimeObject, RuntimeValue, String) -> Bool

extension RuntimeTypeEncoding {
  static let readsKey: RuntimeTypeEncoding = "i@:*^@"
  static let writesKey: RuntimeTypeEncoding = "i@:@*"
  static let asksKeyPaths: RuntimeTypeEncoding = "i@:^@"
  static let asksKeyPathsOfKey = readsKey
}

/// A method's code.
typealias MethodBody = @Sendable (RuntimeMethodCall) -> RuntimeValue

/// The method that asks `ask` about the key that is argument `number`; nil leaves it to the superclass.
private func hook(
  _ number: Int, _ ask: @escaping @Sendable (RuntimeMethodCall, String) -> RuntimeValue?
) -> MethodBody {
  { call in call.arguments[number].string.flatMap { ask(call, $0) } ?? superclassAnswer(call) }
}

/// The method of encoding `readsKey` that asks `read`.
func method(reading read: @escaping KeyReader) -> MethodBody {
  hook(0) { call, key in read(call.receiver, key).map { give($0, to: slot(call.arguments[1])) } }
}

/// The method of encoding `writesKey` that asks `write`.
func method(writing write: @escaping KeyWriter) -> MethodBody {
  hook(1) { call, key in
    let value = RuntimeValue(unboxing: call.arguments[0].object?.id)
    return write(call.receiver, value, key) ? answer(ISA_OK) : Optional.none
  }
}

/// The method of encoding "i@:*" that asks `set`.
func method(settingNil set: @escaping @Sendable (RuntimeObject, String) -> Bool) -> MethodBody {
  hook(0) { call, key in set(call.receiver, key) ? answer(ISA_OK) : Optional.none }
}

/// Gives a caller the value as an object with a +1.
private func give(
  _ value: RuntimeValue, to slot: UnsafeMutablePointer<isa_id?>?
) -> RuntimeValue {
  var box: isa_id?
  let status = makeBox(value, &box)
  if status == ISA_OK { slot?.pointee = box }
  return answer(status)
}

/// Where the caller wants the object with a +1.
private func slot(_ argument: RuntimeValue) -> UnsafeMutablePointer<isa_id?>? {
  argument.address.flatMap { UnsafeMutablePointer(bitPattern: $0) }
}

private func superclassAnswer(
  _ call: RuntimeMethodCall, _ arguments: [RuntimeValue]? = nil
) -> RuntimeValue {
  (try? call.callSuper(arguments ?? call.arguments)) ?? answer(ISA_ERR_UNRECOGNIZED_SELECTOR)
}

private func answer(_ status: isa_status) -> RuntimeValue {
  RuntimeValue(Int32(truncatingIfNeeded: status.rawValue))
}

// MARK: - Dependent keys

/// The class method of encoding `asksKeyPaths` that answers with `keyPaths`, whose order registering
/// follows.
func method(
  answeringInOrder keyPaths: @escaping @Sendable (RuntimeClass) -> [String]
) -> MethodBody {
  { call in
    give(object(of: keyPaths(RuntimeClass(call.receiver.id))), to: slot(call.arguments[0]))
  }
}

/// The class method of encoding `asksKeyPathsOfKey` that answers with `keyPaths`, which is told
/// what the superclass answers.
func method(
  answering keyPaths: @escaping @Sendable (RuntimeClass, String, Set<String>) -> Set<String>
) -> MethodBody {
  { call in
    var inherited: isa_id?
    let status = withUnsafeMutablePointer(to: &inherited) { place in
      superclassAnswer(call, [call.arguments[0], .pointer(address: UInt(bitPattern: place))])
    }
    defer { isa_object_release(inherited) }
    guard status.int == 0, let key = call.arguments[0].string else { return status }
    let known = Set(RuntimeValue(unboxing: inherited).elements?.compactMap(\.string) ?? [])
    let set = keyPaths(RuntimeClass(call.receiver.id), key, known)
    return give(object(of: set.sorted()), to: slot(call.arguments[1]))
  }
}

private func object(of keyPaths: [String]) -> RuntimeValue {
  .set(keyPaths.map { RuntimeValue($0) })
}

// MARK: - Validation

/// A class's own way to judge a value, which it may replace; throwing refuses it.
typealias Validator = @Sendable (RuntimeObject, inout RuntimeValue) throws -> Void

/// The method of encoding "B@:^@^@" that asks `validate`.
func method(validating validate: @escaping Validator) -> MethodBody {
  { call in
    let place = slot(call.arguments[0])
    let given = RuntimeValue(unboxing: place?.pointee)
    var value = given
    do { try validate(call.receiver, &value) } catch {
      slot(call.arguments[1])?.pointee = SwiftBox.make(BoxedOpaque(error), SwiftBox.valueClass)
      return false
    }
    if let place, value != given { _ = give(value, to: place) }
    return true
  }
}
