import IsaKVO
import IsaRuntime

/// Swift's own classes.
final class SwiftEngine: Engine {
  /// By the number of the path.
  let paths = Path.all.map(SwiftPath.init)

  /// From a Swift object to what the runtime takes for its address.
  private let headerOffset: UInt

  init() {
    let node = SwiftNode()
    headerOffset = ((try? RuntimeObject(node).address) ?? 0) - Self.address(of: node)
    KeyValueSettings.misuseHandler = { SwiftRun.noteMisuse($0) }
    findKeyPaths()
  }

  deinit { KeyValueSettings.misuseHandler = nil }

  /// The address that the runtime knows an object by. The object may be one that it has not met.
  func address(of object: KVObject) -> UInt { Self.address(of: object) + headerOffset }

  private static func address(of object: KVObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  func run(_ program: Program) -> [Line] { SwiftRun.run(program, on: self) }

  /// Observes each key path once where it leads to its end: what keys it is made of, or that it is
  /// not made of keys, is known from then on, also where it leads to nil.
  private func findKeyPaths() {
    let chain = (0..<5).map { _ in SwiftNode() }
    for (node, next) in zip(chain, chain.dropFirst()) { (node.child, node.other) = (next, next) }
    for path in Path.all {
      let observing = paths[path.number]
      for (observe, isMade) in [(observing.byKeyPath, true), (observing.byEvaluation, false)] {
        var keys = isMade ? path.text : ""
        _ = try? observe?(chain[0], .initial) { keys = $0.keyPath }
        if (keys == path.text) != isMade {
          fatalError("the key path of \(path.text) is found to be \(keys)")
        }
      }
    }
  }
}

/// An observer object that tells the run in progress.
final class SwiftObserver: KVObject {
  private let number: Int

  init(number: Int) { self.number = number }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    SwiftRun.told(number) { isInitial in
      SwiftChange(keyPath, object, change, context, isInitial: isInitial)
    }
  }
}
