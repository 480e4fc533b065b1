import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime

/// The name and reason of the calling thread's latest failed call: what Foundation would raise.
struct LastError {
  let exception: String
  let reason: String

  static var current: LastError {
    let error = isa_last_error().pointee
    return LastError(
      exception: String(cString: error.exception), reason: String(cString: error.reason))
  }
}

extension RuntimeObject {
  /// The object as the C interface knows it.
  var id: isa_id { isa_id(bitPattern: address)! }
}

/// Runs `body` under another wrapping policy.
func withWrapping(_ policy: WrappingPolicy, _ body: () throws -> Void) throws {
  let before = KeyValueSettings.wrapping
  KeyValueSettings.wrapping = policy
  defer { KeyValueSettings.wrapping = before }
  try body()
}
