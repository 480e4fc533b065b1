// The C core's change records, as observers see them.
extension ObservationContext {
  /// The context as the C core keeps it.
  package var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
