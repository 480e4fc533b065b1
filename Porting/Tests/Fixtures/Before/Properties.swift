import Foundation

/// A lamp, whose brightness others watch.
class Lamp: NSObject {
  @objc dynamic var name = "lamp"  // for people
  @objc dynamic private(set) var brightness: Double
  /// The room that it stands in.
  @objc public dynamic var room: String?
  @objc
  dynamic var isOn = false

  @objc dynamic var color = "white" {
    didSet { changes.append("\(oldValue) to \(color)") }
  }
  @objc dynamic var width = 1, height = 2
  @objc let number: Int
  var changes: [String] = []

  init(number: Int, brightness: Double, room: String?) {
    self.number = number
    self.brightness = brightness
    self.room = room
    super.init()
  }

  func dim() { brightness /= 2 }
}

/// A lamp that counts how often its name is set.
final class CountingLamp: Lamp {
  private(set) var count = 0

  @objc dynamic override var name: String {
    didSet { count += 1 }
  }
}

func showProperties() {
  let lamp = CountingLamp(number: 7, brightness: 1, room: nil)
  let tokens = [
    lamp.observe(\.brightness, options: [.old, .new]) { _, change in
      print("brightness", change.oldValue!, change.newValue!)
    },
    lamp.observe(\.color, options: .new) { lamp, _ in print("color", lamp.color) },
    lamp.observe(\.name, options: .new) { _, change in print("name", change.newValue!) },
  ]
  lamp.dim()
  lamp.color = "red"
  lamp.setValue("blue", forKey: "color")
  lamp.name = "desk"
  lamp.setValue("shelf", forKey: "name")
  lamp.setValuesForKeys(["width": 5, "isOn": true, "room": "hall"])
  print(lamp.changes, lamp.count, lamp.width, lamp.height, lamp.isOn, lamp.room ?? "none")
  print("number", lamp.value(forKey: "number") as! Int)
  tokens.forEach { $0.invalidate() }
}
