import CIsa
import CIsa.Testing

/// A kind of classes, and the rules for it.
struct Model {
  let kind: ClassKind
  private let engine: any Engine

  init(_ kind: ClassKind) {
    self.kind = kind
    engine = kind.makeEngine()
  }

  /// The notifications of the observers.
  func trace(_ program: Program) -> [Line] { engine.run(program.said(of: kind)) }

  /// The notifications by the rules.
  func rules(_ program: Program) -> [Line] { Reference.run(program.said(of: kind), as: kind) }
}

/// The counts that a program must leave as they were.
struct LiveCounts: Equatable {
  let objects, sideRecords, registrations, snapshots, pending: Int64

  static var now: LiveCounts {
    let counts = isa_testing_live_counts()
    return LiveCounts(
      objects: counts.objects, sideRecords: counts.side_records,
      registrations: counts.registrations, snapshots: counts.snapshots, pending: counts.pending)
  }
}
