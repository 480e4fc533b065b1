import Foundation

@objc enum Level: Int {
  case low, high
}

@objc protocol Dial: NSObjectProtocol {
  @objc var level: Level { get }
}

/// A dialler with another name in Objective-C.
@objc(AppDialer) @objcMembers
public class Dialer: NSObject, Dial {
  dynamic var level = Level.low
  dynamic var text: String { "level \(level.rawValue)" }
  @nonobjc var plain = 0

  // Turns to a level.
  @objc(turnTo:)
  func turn(to level: Level) { self.level = level }

  class func keyPathsForValuesAffectingText() -> Set<String> { ["level"] }
}

extension Dialer {
  @objc func turnHigh() { turn(to: .high) }
}

/// A class that nobody observes keeps its base.
final class Plain: NSObject {
  @objc func act() { print("acts") }
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
