import CIsa

/// A method whose body is a closure; the class owns it.
final class Method {
  /// The address of the result, and those of the arguments behind receiver and selector.
  typealias Body = (
    _ object: isa_id, _ result: UnsafeMutableRawPointer?,
    _ arguments: UnsafePointer<UnsafeMutableRawPointer?>
  ) -> Void

  private let body: Body

  private init(_ body: @escaping Body) { self.body = body }

  static func add(
    _ selector: String, _ types: String, to cls: isa_class, _ body: @escaping Body
  ) throws(Refusal) {
    let method = Unmanaged.passRetained(Method(body))
    let status = isa_class_add_callback(
      cls, isa_sel_register(selector), types,
      { result, arguments, context in
        let method = Unmanaged<Method>.fromOpaque(context!).takeUnretainedValue()
        let object = arguments![0]!.load(as: isa_id.self)
        method.body(object, result, arguments! + 2)
      }, method.toOpaque(), { Unmanaged<Method>.fromOpaque($0!).release() })
    guard status != ISA_OK else { return }
    let refusal = Refusal.last()
    method.release()
    throw refusal
  }
}

extension UnsafePointer<UnsafeMutableRawPointer?> {
  /// One of a method's arguments.
  func argument<Value>(_ index: Int, as type: Value.Type) -> Value {
    self[index]!.load(as: type)
  }
}
