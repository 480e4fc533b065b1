import Foundation

/// A shape whose area is worked out when its sides change.
class Shape: NSObject {
  /// In points.
  @objc dynamic public private(set) var width = 1.0 {
    didSet { update() }
  }
  @objc dynamic var height: Double = 1 {
    willSet { log.append("height \(height) to \(newValue)") }
    // never less than one
    didSet {
      height = max(height, 1)
      update()
      if height != oldValue { log.append("was \(oldValue)") }
    }
  }
  @objc dynamic weak var owner: Shape? {
    didSet { log.append("owner \(oldValue == nil) \(owner == nil)") }
  }
  @objc dynamic lazy var notes = [String]() {
    didSet { log.append("notes \(notes.count)") }
  }
  @objc dynamic var name = ""
  var area = 1.0
  var log: [String] = []

  // No observer runs here.
  init(width: Double, height: Double) {
    self.width = width
    self.height = height
    super.init()
    area = self.width * self.height
    let later = { self.height = 3 }
    if width > 100 { later() }
  }

  convenience init(square side: Double) {
    self.init(width: side, height: side)
    height = side
  }

  func widen() { width += 1 }
  private func update() { area = width * height }
}

/// A shape that knows how often it was named.
final class NamedShape: Shape {
  var names: [String] = []

  override var name: String {
    willSet(next) {
      names.append("\(name) to \(next)")
    }
    didSet {
      // its own name is set without end otherwise
      if name.isEmpty { name = "none" }
      names.append(oldValue + " was")
    }
  }
}

private final class Witness: NSObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let shape = object as! Shape
    print(keyPath!, shape.area, shape.log.last ?? "", (shape as? NamedShape)?.names.last ?? "")
  }
}

func showPropertyObservers() {
  let shape = NamedShape(square: 2), witness = Witness()
  let keys = ["width", "height", "owner", "notes", "name"]
  for key in keys { shape.addObserver(witness, forKeyPath: key, options: [], context: nil) }
  let token = shape.observe(\.height, options: [.old, .new]) { shape, change in
    print("height", change.oldValue!, change.newValue!, shape.area)
  }
  shape.widen()
  shape.height = 0
  shape.setValue(5, forKey: "height")
  shape.owner = shape
  shape.notes.append("a")
  shape.name = "box"
  shape.setValue("", forKey: "name")
  print(shape.name, shape.log.count, shape.names)
  token.invalidate()
  for key in keys { shape.removeObserver(witness, forKeyPath: key) }
}
