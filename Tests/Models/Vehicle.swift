import IsaKVO

/// A class that classes of another module inherit from.
open class Vehicle: KVObject {
  /// How fast it goes.
  @Dynamic public var speed = 0
  /// The gear that it is in, which only this module changes.
  @Dynamic public private(set) var gear = 1
  /// The vehicle's name, which a subclass may override.
  @Dynamic open var name = "vehicle"
  /// The engine that drives it, for ever.
  public let engine = Engine()

  /// A vehicle that stands.
  public override init() {}

  /// Goes to the next gear.
  public func shift() { gear += 1 }

  /// The name and the speed in one text.
  open var summary: String { "\(name) at \(speed)" }
}

/// A class that classes of another module hold.
public final class Engine: KVObject {
  /// Degrees.
  @Dynamic public var heat = 20.0

  /// An engine that is cold.
  public override init() {}
}

/// A generic class of another module.
open class Slot<Content>: KVObject {
  /// The value that it holds.
  @Dynamic public var content: Content

  /// A slot that holds `content`.
  public init(_ content: Content) { self.content = content }
}
