import Foundation
import IsaKVO
import IsaKVOFoundation

/// A lamp, whose brightness others watch.
class Lamp: KVObject {
  @Dynamic var name = "lamp"  // for people
  @Dynamic private(set) var brightness: Double
  /// The room that it stands in.
  @Dynamic public var room: String?
  @Dynamic
  var isOn = false

  var color: String {
    get { storedColor }
    set {
      willChangeValue(forKey: "color")
      defer { didChangeValue(forKey: "color") }
      storedColor = newValue
    }
  }
  private var storedColor = "white" {
    didSet { changes.append("\(oldValue) to \(storedColor)") }
  }
  @Dynamic var width = 1
  @Dynamic var height = 2
  let number: Int
  var changes: [String] = []

  override class var keys: [KeyDeclaration] {
    [
      .key("color", \Lamp.color),
      .key("number", \Lamp.number),
    ]
  }

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

  override var name: String {
    get { super.name }
    set {
      withChanges(of: [\CountingLamp.name]) {
        super.name = newValue
        count += 1
      }
    }
  }

  override class var keys: [KeyDeclaration] {
    [.key("name", \CountingLamp.name)]
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
