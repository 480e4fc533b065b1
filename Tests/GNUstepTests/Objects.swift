import CIsa
import IsaKVOTestSupport

/// The exception that Foundation would have raised.
struct Raised: Error {
  let name: String
  init(_ name: String) { self.name = name }

  /// The calling thread's latest failure.
  static var last: Raised { Raised(String(cString: isa_last_error().pointee.exception)) }

  /// A program names what is not there, as one does that was shrunk.
  static let unknown = Raised("Unknown")
}

func check(_ status: isa_status) throws {
  if status != ISA_OK { throw Raised.last }
}

/// One reference to an object, given up with the last variable that holds it.
final class Owned {
  /// Good as long as a variable holds the owner; that of an owner in passing is not.
  let id: isa_id?

  init(adopting id: isa_id?) { self.id = id }
  init(retaining id: isa_id?) { self.id = isa_object_retain(id) }
  init(_ make: (UnsafeMutablePointer<isa_id?>) -> isa_status) throws {
    var id: isa_id?
    try check(make(&id))
    self.id = id
  }
  deinit { releaseObject(id) }

  func use<Result>(_ body: (isa_id?) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(id) }
  }

  static func text(_ text: String) throws -> Owned { try Owned { kvc_string_make(text, $0) } }

  /// The objects of a collection at this moment.
  static func members(of collection: isa_id?) throws -> [Owned] {
    let array = try Owned { kvc_collection_copy_objects(collection, $0) }
    return try (0..<kvc_collection_count(array.id)).map { index in
      try Owned { kvc_ordered_copy_object(array.id, index, $0) }
    }
  }
}

/// The arguments and the result of a method's body.
struct MethodCall {
  let result: UnsafeMutableRawPointer?
  let arguments: UnsafePointer<UnsafeMutableRawPointer?>

  var receiver: isa_id { argument(0) }
  var selector: String { String(cString: isa_sel_name(argument(1, as: isa_sel.self))) }

  /// Argument number `index`; 0 is the receiver, 1 the selector.
  func argument<Value>(_ index: Int, as type: Value.Type = Value.self) -> Value {
    arguments[index]!.load(as: type)
  }

  func object(_ index: Int) -> isa_id? { argument(index, as: isa_id?.self) }
  func index(_ index: Int) -> Int { argument(index, as: Int.self) }
  func text(_ index: Int) -> String {
    String(cString: argument(index, as: UnsafePointer<CChar>.self))
  }

  func answer<Value>(_ value: Value) { result!.storeBytes(of: value, as: Value.self) }
}

private final class MethodBody {
  let run: (MethodCall) -> Void
  init(_ run: @escaping (MethodCall) -> Void) { self.run = run }
}

/// Adds a method whose body is a closure, which goes with the class; one that is there stays.
func addMethod(
  _ cls: isa_class, _ name: String, _ types: String, _ body: @escaping (MethodCall) -> Void
) {
  let context = Unmanaged.passRetained(MethodBody(body)).toOpaque()
  let callback: isa_callback = { result, arguments, context in
    let body = Unmanaged<MethodBody>.fromOpaque(context!).takeUnretainedValue()
    body.run(MethodCall(result: result, arguments: arguments!))
  }
  let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    Unmanaged<MethodBody>.fromOpaque($0!).release()
  }
  let status = isa_class_add_callback(
    cls, isa_sel_register(name), types, callback, context, release)
  if status != ISA_OK { release(context) }
}

func className(_ cls: isa_class) -> String { String(cString: isa_class_name(cls)) }
