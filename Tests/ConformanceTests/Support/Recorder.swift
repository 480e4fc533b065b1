import Foundation

/// Notes what closures are told, on any thread.
final class Recorder<Element>: @unchecked Sendable {
  // Sendable because `elements` is reached under `lock` only.
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }
  var count: Int { lock.withLock { elements.count } }

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

/// A value that closures share, on any thread.
final class Shared<Value>: @unchecked Sendable {
  // Sendable because `stored` is reached under `lock` only.
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { lock.withLock { stored } }
    set {
      // The old value goes outside of the lock: its end may come back here.
      let old = lock.withLock {
        defer { stored = newValue }
        return stored
      }
      withExtendedLifetime(old) {}
    }
  }

  func update<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
}
