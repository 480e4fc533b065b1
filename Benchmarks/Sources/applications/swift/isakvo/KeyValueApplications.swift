import CScript

/// The applications by this library.
var keyValueApplications: [application] {
  [
    application("inventory") { handOver(InventoryProgram<KeyValueInventory>()) },
    application("graph") { handOver(GraphProgram<KeyValueEditor>()) },
    application("feed") { handOver(FeedProgram<KeyValueReaders>()) },
  ]
}

/// Nothing here fails but by mistake: ends the process with the reason.
func must<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("\(error)") }
}
