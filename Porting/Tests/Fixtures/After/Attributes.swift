import Foundation
import IsaKVO
import IsaKVOFoundation

enum Level: Int {
  case low, high
}

protocol Dial: NSObjectProtocol {
  var level: Level { get }
}

/// A dialler with another name in Objective-C.
public class Dialer: KVObject, Dial {
  @Dynamic var level = Level.low
  dynamic var text: String { "level \(level.rawValue)" }
  @nonobjc var plain = 0

  // Turns to a level.
  func turn(to level: Level) { self.level = level }

  public override class var keys: [KeyDeclaration] {
    [.key("text", \Dialer.text, paths: ["level"])]
  }
}

extension Dialer {
  func turnHigh() { turn(to: .high) }
}

/// A class that nobody observes keeps its base.
final class Plain: NSObject {
  func act() { print("acts") }
}

func showAttributes() {
  let dialer = Dialer()
  let token = dialer.observe(\.level, options: [.old, .new]) { dialer, _ in print(dialer.text) }
  dialer.turnHigh()
  let dial: Dial = dialer
  print(dial.level == .high, dialer.value(forKey: "text") as! String)
  Plain().act()
  token.invalidate()
}
