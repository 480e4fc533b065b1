import Foundation

/// Notes what closures are told, on any thread.
package final class Recorder<Element>: @unchecked Sendable {
  // Sendable because `elements` is reached under `lock` only.
  private let lock = NSLock()
  private var elements: [Element] = []

  package init() {}

  package var all: [Element] { lock.withLock { elements } }
  package var count: Int { all.count }
  package var last: Element? { all.last }

  package func add(_ element: Element) { lock.withLock { elements.append(element) } }

  package func clear() {
    // The elements go outside of the lock: their end may add others.
    withExtendedLifetime(take()) {}
  }

  /// The elements since the last time.
  package func take() -> [Element] {
    lock.withLock {
      defer { elements = [] }
      return elements
    }
  }
}
