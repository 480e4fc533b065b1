// The C core's change records, as observers see them.
internal import CIsa

extension ObservationContext {
  package init(pointer: UnsafeMutableRawPointer?) { self.init(address: UInt(bitPattern: pointer)) }

  /// The context as the C core keeps it.
  package var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
