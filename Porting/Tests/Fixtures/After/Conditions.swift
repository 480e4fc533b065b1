// Conditional compilation and comments stay.

import IsaKVO
import IsaKVOFoundation

#if canImport(AppKit)
  import AppKit
#else
  import Foundation
#endif

/// A window's frame, in points.
final class Frame: KVObject {
  // The width comes first: `@objc dynamic` in a comment is none.
  @Dynamic var width = 1.0  // in points

  #if canImport(ObjectiveC)
    @objc dynamic var screen: Any?
    @objc func show() { perform(#selector(NSObject.description)) }
  #else
    @Dynamic var screen: String?
  #endif

  #if DEBUG
    @Dynamic var reads = 0
  #endif

  /// The area, which nobody stores.
  var area: Double { width * width }

  // MARK: - The end
  let text = """
    @objc dynamic var inAString = #keyPath(Frame.width)
    """

  override class var keys: [KeyDeclaration] {
    [
      // The area follows the width.
      // It has no other key.
      .key("area", \Frame.area, paths: ["width"])
    ]
  }
}

func showConditions() {
  let frame = Frame()
  let token = frame.observe(\.area, options: .new) { _, change in print("area", change.newValue!) }
  frame.width = 3
  print(frame.text, frame.value(forKey: "area") as! Double, frame.screen ?? "no screen")
  token.invalidate()
}
