import Foundation

/// A model of the main actor's.
@MainActor
class Monitor: NSObject, Encodable {
  @objc dynamic var title = "monitor"
  @objc dynamic var size = 1
}

/// One below it.
final class Pane: Monitor {
  @objc dynamic var depth = 0
}

@MainActor
private func showMonitor() {
  let window = Pane()
  let token = window.observe(\.size, options: [.old, .new]) { _, change in
    print("size", change.oldValue!, change.newValue!)
  }
  window.size = 2
  window.setValue(3, forKey: "depth")
  print(window.depth, window.title)
  token.invalidate()
}

func showMainActor() { MainActor.assumeIsolated { showMonitor() } }
