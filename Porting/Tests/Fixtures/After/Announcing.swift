import Foundation
import IsaKVO
import IsaKVOFoundation

/// A valve that announces by itself: nothing of it is dynamic.
final class Valve: KVObject {
  var opening = 0 {
    willSet { willChangeValue(forKey: "opening") }
    didSet { didChangeValue(forKey: "opening") }
  }
  private var storedLimit = 10
  var limit: Int {
    get { storedLimit }
    set { setLimit(newValue) }
  }
  @Dynamic var label = "valve"

  override class var keys: [KeyDeclaration] {
    [
      .key("opening", \Valve.opening),
      .key("limit", \Valve.limit),
    ]
  }

  private func setLimit(_ limit: Int) {
    guard limit != storedLimit else { return }
    willChangeValue(for: \.limit)
    storedLimit = limit
    didChangeValue(for: \.limit)
  }
}

func showAnnouncing() {
  let valve = Valve()
  let tokens = [
    valve.observe(\.opening, options: [.old, .new]) { _, change in
      print("opening", change.oldValue!, change.newValue!)
    },
    valve.observe(\.limit, options: .new) { _, change in print("limit", change.newValue!) },
  ]
  valve.opening = 1
  valve.limit = 10
  valve.limit = 20
  valve.setValue("tap", forKey: "label")
  print(valve.label, valve.value(forKey: "opening") as! Int)
  tokens.forEach { $0.invalidate() }
}
