import CIsa
import Foundation

/// A misuse as the handler was told it.
struct Misuse: Equatable {
  let status: isa_status
  let reason: String
}

/// Runs `body` and answers with the misuses that were reported meanwhile.
func collectMisuses(_ body: () throws -> Void) rethrows -> [Misuse] {
  let log = MisuseCollector()
  let handler: isa_misuse_handler = { error, context in
    Unmanaged<MisuseCollector>.fromOpaque(context!).takeUnretainedValue().add(error!.pointee)
  }
  isa_set_misuse_handler(handler, Unmanaged.passUnretained(log).toOpaque())
  defer { isa_set_misuse_handler(nil, nil) }
  try body()
  return log.misuses
}

private final class MisuseCollector: @unchecked Sendable {
  private let lock = NSLock()
  private var collected: [Misuse] = []

  var misuses: [Misuse] { lock.withLock { collected } }

  func add(_ error: isa_error) {
    let misuse = Misuse(status: error.status, reason: String(cString: error.reason))
    lock.withLock { collected.append(misuse) }
  }
}
