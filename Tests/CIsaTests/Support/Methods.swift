import CIsa

/// The arguments and the result of a method's body.
struct MethodCall {
  let result: UnsafeMutableRawPointer?
  let arguments: UnsafePointer<UnsafeMutableRawPointer?>

  var receiver: isa_id { argument(0, as: isa_id.self) }

  /// Argument number `index`; 0 is the receiver, 1 the selector.
  func argument<Value>(_ index: Int, as type: Value.Type = Value.self) -> Value {
    arguments[index]!.load(as: type)
  }

  func answer<Value>(_ value: Value) { result!.storeBytes(of: value, as: Value.self) }
}

/// Adds a method whose body is a closure, which goes with the class.
func addMethod(
  _ cls: isa_class, _ name: String, _ types: String, _ body: @escaping (MethodCall) -> Void
) throws {
  let context = Unmanaged.passRetained(MethodBody(body)).toOpaque()
  let callback: isa_callback = { result, arguments, context in
    let body = Unmanaged<MethodBody>.fromOpaque(context!).takeUnretainedValue()
    body.run(MethodCall(result: result, arguments: arguments!))
  }
  let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    Unmanaged<MethodBody>.fromOpaque($0!).release()
  }
  try check(isa_class_add_callback(cls, selector(name), types, callback, context, release))
}

private final class MethodBody {
  let run: (MethodCall) -> Void
  init(_ run: @escaping (MethodCall) -> Void) { self.run = run }
}

/// Sends a message without arguments behind the selector.
func send<Answer>(_ object: isa_id?, _ name: String, as type: Answer.Type = Answer.self) throws
  -> Answer
{
  let result = UnsafeMutablePointer<Answer>.allocate(capacity: 1)
  defer { result.deallocate() }
  try check(isa_invoke_message(object, selector(name), nil, result))
  return result.pointee
}

/// Sends a message with one argument and no answer.
func send<Argument>(_ object: isa_id?, _ name: String, _ argument: Argument) throws {
  try withUnsafePointer(to: argument) { address in
    var arguments: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(mutating: address)
    try check(isa_invoke_message(object, selector(name), &arguments, nil))
  }
}
