import CIsa
import CIsa.Testing

/// The counts that a program must leave as they were.
struct LiveCounts: Equatable {
  let objects, sideRecords, registrations, lists, pending: Int64

  static var now: LiveCounts {
    let counts = isa_testing_live_counts()
    return LiveCounts(
      objects: counts.objects, sideRecords: counts.side_records,
      registrations: counts.registrations, lists: counts.lists, pending: counts.pending)
  }
}
