import Foundation
import IsaKVO
import IsaKVOFoundation

/// A shape whose area is worked out when its sides change.
class Shape: KVObject {
  /// In points.
  public private(set) var width: Double {
    get { storedWidth }
    set {
      willChangeValue(forKey: "width")
      defer { didChangeValue(forKey: "width") }
      storedWidth = newValue
    }
  }
  private var storedWidth = 1.0 {
    didSet { update() }
  }
  var height: Double {
    get { storedHeight }
    set {
      willChangeValue(forKey: "height")
      defer { didChangeValue(forKey: "height") }
      storedHeight = newValue
    }
  }
  private var storedHeight: Double = 1 {
    willSet { log.append("height \(storedHeight) to \(newValue)") }
    // never less than one
    didSet {
      storedHeight = max(storedHeight, 1)
      update()
      if storedHeight != oldValue { log.append("was \(oldValue)") }
    }
  }
  var owner: Shape? {
    get { storedOwner }
    set {
      willChangeValue(forKey: "owner")
      defer { didChangeValue(forKey: "owner") }
      storedOwner = newValue
    }
  }
  private weak var storedOwner: Shape? {
    didSet { log.append("owner \(oldValue == nil) \(storedOwner == nil)") }
  }
  var notes: [String] {
    get { storedNotes }
    set {
      willChangeValue(forKey: "notes")
      defer { didChangeValue(forKey: "notes") }
      storedNotes = newValue
    }
  }
  private lazy var storedNotes = [String]() {
    didSet { log.append("notes \(storedNotes.count)") }
  }
  @Dynamic var name = ""
  var area = 1.0
  var log: [String] = []

  override class var keys: [KeyDeclaration] {
    [
      .key("width", \Shape.width),
      .key("height", \Shape.height),
      .key("owner", \Shape.owner),
      .key("notes", \Shape.notes),
    ]
  }

  // No observer runs here.
  init(width: Double, height: Double) {
    self.storedWidth = width
    self.storedHeight = height
    super.init()
    area = self.storedWidth * self.storedHeight
    let later = { self.height = 3 }
    if width > 100 { later() }
  }

  convenience init(square side: Double) {
    self.init(width: side, height: side)
    storedHeight = side
  }

  func widen() { width += 1 }
  private func update() { area = width * height }
}

/// A shape that knows how often it was named.
final class NamedShape: Shape {
  var names: [String] = []

  override var name: String {
    get { super.name }
    set {
      withChanges(of: [\NamedShape.name]) {
        do {
          let next = newValue
          names.append("\(name) to \(next)")
        }
        let oldValue = super.name
        super.name = newValue
        // its own name is set without end otherwise
        if name.isEmpty { name = "none" }
        names.append(oldValue + " was")
      }
    }
  }

  override class var keys: [KeyDeclaration] {
    [.key("name", \NamedShape.name)]
  }
}

private final class Witness: KVObject {
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
