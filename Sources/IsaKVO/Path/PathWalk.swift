// Whether a key path can be read: not where it unwraps nil by force, or asks an array for an element
// that it does not have, which stops the process.
//
// The steps are read one after the other, each by the code that the key path itself would call, up
// to the last one that may stop.
//
// Owns:    nothing; a value lives while the steps behind it are read.
// Threads: those that may read the key path.
internal import IsaKeyValue

/// A walk along a key path's steps, as far as it may stop.
@usableFromInline
package struct PathWalk {
  /// The arguments of subscripts stand in its memory.
  private let keyPath: AnyKeyPath
  private let steps: ArraySlice<KeyPathStep>

  /// Nil if the key path always has a value.
  @usableFromInline
  package init?(_ keyPath: AnyKeyPath) {
    let steps = keyPath.steps
    guard let last = steps.lastIndex(where: \.mayStop) else { return nil }
    self.keyPath = keyPath
    self.steps = steps[...last]
  }

  /// Whether the key path leads to nil or to no element from an object of its root.
  @usableFromInline
  package func stops(at root: KVObject) -> Bool {
    withExtendedLifetime(keyPath) { withUnsafePointer(to: root) { stopped($0, at: steps) } }
  }
}

extension KeyPathStep {
  /// Whether it may lead to nil or to no element.
  var mayStop: Bool { isForced || index != nil }

  /// Reads the step of what stands at `base`.
  fileprivate func withValue<Value>(
    of base: UnsafeRawPointer, as type: Value.Type, _ body: (UnsafePointer<Value>) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: type, capacity: 1) { room in
      let place = room.baseAddress.unsafelyUnwrapped
      if let stored = address(in: base) {
        place.initialize(to: stored.assumingMemoryBound(to: type).pointee)
      } else if let code {
        readStep(code, of: base, to: place)
      }
      defer { place.deinitialize(count: 1) }
      return body(place)
    }
  }
}

/// Whether steps that begin at what stands at `base` stop.
private func stopped(_ base: UnsafeRawPointer, at steps: ArraySlice<KeyPathStep>) -> Bool {
  guard let step = steps.first else { return false }
  func go<Value>(_ type: Value.Type) -> Bool {
    if let index = step.index,
      !base.assumingMemoryBound(to: [Value].self).pointee.indices.contains(index)
    {
      return true
    }
    return step.withValue(of: base, as: type) { place in
      let rest = steps.dropFirst()
      guard step.isForced || step.isChained, let wrapped = wrappedType(of: type) else {
        return stopped(place, at: rest)
      }
      func unwrap<Wrapped>(_ type: Wrapped.Type) -> Bool {
        UnsafeRawPointer(place).assumingMemoryBound(to: Wrapped?.self).pointee
          .map { withUnsafePointer(to: $0) { stopped($0, at: rest) } } ?? step.isForced
      }
      return _openExistential(wrapped, do: unwrap)
    }
  }
  return _openExistential(step.type, do: go)
}
