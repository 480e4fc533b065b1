import IsaKVO

/// A class that classes of another module inherit from.
open class Vehicle: KVObject {
  @Dynamic public var speed = 0
  @Dynamic public private(set) var gear = 1
  @Dynamic open var name = "vehicle"
  public let engine = Engine()

  public override init() {}

  public func shift() { gear += 1 }

  open var summary: String { "\(name) at \(speed)" }
}

/// A class that classes of another module hold.
public final class Engine: KVObject {
  @Dynamic public var heat = 20.0

  public override init() {}
}

/// A generic class of another module.
open class Slot<Content>: KVObject {
  @Dynamic public var content: Content

  public init(_ content: Content) { self.content = content }
}
