import Foundation
import IsaKVO
import IsaKVOFoundation

/// A model of the main actor's.
@MainActor
class Monitor: KVObject, MainActorObject, @MainActor Encodable {
  @Dynamic var title = "monitor"
  @Dynamic var size = 1
}

/// One below it.
final class Pane: Monitor {
  @Dynamic var depth = 0
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
