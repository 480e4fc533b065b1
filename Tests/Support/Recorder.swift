import Foundation

/// Notes what closures are told, on any thread.
final class Recorder<Element>: @unchecked Sendable {
  // Sendable because `elements` is reached under `lock` only.
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }
  var count: Int { all.count }
  var last: Element? { all.last }

  func add(_ element: Element) { lock.withLock { elements.append(element) } }

  func clear() {
    // The elements go outside of the lock: their end may add others.
    let old = lock.withLock {
      defer { elements = [] }
      return elements
    }
    withExtendedLifetime(old) {}
  }
}
