import Foundation
import IsaKVO
import IsaKVOFoundation

private var levelContext = 0

final class Tank: KVObject {
  @Dynamic var level = 0
  @Dynamic var source: Tank?
}

/// The classic pattern: registers in its initialiser, removes itself in its deinit.
final class Gauge: KVObject {
  private let tank: Tank

  init(_ tank: Tank) {
    self.tank = tank
    super.init()
    tank.addObserver(
      self, forKeyPath: "level", options: [.old, .new], context: &levelContext)
    tank.addObserver(self, forKeyPath: "source.level", options: .new, context: nil)
  }

  deinit {
    tank.removeObserver(self, forKeyPath: "level", context: &levelContext)
    tank.removeObserver(self, forKeyPath: "source.level")
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if context == &levelContext {
      print("level", change?[.oldKey] as? Int ?? -1, change?[.newKey] as? Int ?? -1)
    } else if keyPath == "source.level" {
      print("source", change?[.newKey] is NSNull ? "none" : "\(change?[.newKey] as? Int ?? -1)")
    } else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }
}

/// The same with tokens, which need no base class.
final class Display {
  private var token: NSKeyValueObservation?

  init(_ tank: Tank) {
    token = tank.observe(\.level, options: [.initial, .new]) { _, change in
      print("display", change.newValue!)
    }
  }
}

func showObservers() {
  let tank = Tank()
  var gauge: Gauge? = Gauge(tank)
  let display = Display(tank)
  tank.level = 3
  tank.source = Tank()
  tank.source?.level = 8
  tank.source = nil
  withExtendedLifetime((gauge, display)) {}
  gauge = nil
  tank.level = 4
}
