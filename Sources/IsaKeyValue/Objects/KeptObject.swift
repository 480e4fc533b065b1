package import CIsa

/// A reference to an object of the core that keeps it.
package final class KeptObject: Sendable {
  package nonisolated(unsafe) let id: isa_id

  /// Takes over the caller's +1.
  package init(adopting id: isa_id) { self.id = id }

  deinit { isa_object_release(id) }
}

extension KeptObject: CustomStringConvertible {
  package var description: String { describe(id) }
}
