import CScript
import OpenCombine

/// The applications by OpenCombine.
var publishedApplications: [application] {
  [
    application("inventory") { handOver(InventoryProgram<PublishedInventory>()) },
    application("graph") { handOver(GraphProgram<PublishedEditor>()) },
    application("feed") { handOver(FeedProgram<PublishedReaders>()) },
  ]
}

extension Publisher where Failure == Never {
  /// Hears each value together with the one before.
  func sinkChanges(_ hear: @escaping (_ old: Output, _ new: Output) -> Void) -> AnyCancellable {
    scan(nil as (old: Output?, new: Output)?) { ($0?.new, $1) }
      .sink { change in
        if let change, let old = change.old { hear(old, change.new) }
      }
  }
}
