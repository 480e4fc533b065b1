import Foundation

private let lock = NSLock()
nonisolated(unsafe) private var kept: [UnsafeMutableRawPointer] = []

/// Memory for `value` that is never freed, and stays in sight of the leak checker.
func immortal<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  memory.initialize(to: value)
  lock.withLock { kept.append(memory) }
  return memory
}
