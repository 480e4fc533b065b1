import CScript

/// The applications by hand: properties that call closures in `didSet`.
var handWrittenApplications: [application] {
  [
    application("inventory") { handOver(InventoryProgram<HandWrittenInventory>()) },
    application("graph") { handOver(GraphProgram<HandWrittenEditor>()) },
    application("feed") { handOver(FeedProgram<HandWrittenReaders>()) },
  ]
}

/// Closures that a property calls.
struct Handlers<Change> {
  private var handlers: [(id: Int, handler: (Change) -> Void)] = []
  private var nextID = 0

  mutating func add(_ handler: @escaping (Change) -> Void) -> Int {
    nextID += 1
    handlers.append((nextID, handler))
    return nextID
  }

  mutating func remove(_ id: Int) {
    if let index = handlers.firstIndex(where: { $0.id == id }) { handlers.remove(at: index) }
  }

  func callAsFunction(_ change: Change) {
    for (_, handler) in handlers { handler(change) }
  }
}
