import CScript

/// The applications by this library.
var keyValueApplications: [application] {
  [
    application("inventory") { handOver(InventoryProgram<KeyValueInventory>()) },
    application("graph") { handOver(GraphProgram<KeyValueEditor>()) },
    application("feed") { handOver(FeedProgram<KeyValueReaders>()) },
  ]
}
