// Casts that Swift makes on Apple systems, and that Foundation lacks elsewhere: between CGFloat and
// NSNumber, and between the structures that an NSValue holds and NSValue.

internal import IsaKeyValue

#if !canImport(ObjectiveC)
  public import Foundation

  extension CGFloat: @retroactive _ObjectiveCBridgeable {
    /// The number as an object.
    public func _bridgeToObjectiveC() -> NSNumber { NSNumber(value: Double(self)) }

    /// The number in an object.
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) {
      result = CGFloat(source.doubleValue)
    }

    /// The number in an object; there always is one.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSNumber, result: inout CGFloat?
    ) -> Bool {
      result = CGFloat(source.doubleValue)
      return true
    }

    /// The number in an object, 0 for nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> CGFloat {
      CGFloat(source?.doubleValue ?? 0)
    }
  }

  /// A structure that an `NSValue` holds.
  public protocol _HeldByValue: _ObjectiveCBridgeable where _ObjectiveCType == NSValue {
    /// The type that a value tells which holds a structure of this type.
    static var _objCType: String { get }
    /// The structure that a value holds, if it is of this type at all.
    static func _held(by value: NSValue) -> Self
    /// The value that holds the structure.
    var _value: NSValue { get }
    /// The structure of zeros.
    init()
  }

  extension _HeldByValue {
    /// The value that holds the structure.
    public func _bridgeToObjectiveC() -> NSValue { _value }

    /// The structure in a value; one of another type stops the process.
    public static func _forceBridgeFromObjectiveC(_ source: NSValue, result: inout Self?) {
      guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
        fatalError("\(source) holds no \(Self.self)")
      }
    }

    /// The structure in a value; false if it holds one of another type.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSValue, result: inout Self?
    ) -> Bool {
      // Foundation allocates each answer of `objCType` anew, and never frees one.
      guard String(cString: source.objCType) == _objCType else { return false }
      result = _held(by: source)
      return true
    }

    /// The structure in a value, of zeros for nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSValue?) -> Self {
      var result: Self?
      if let source { _forceBridgeFromObjectiveC(source, result: &result) }
      return result ?? Self()
    }
  }

  extension CGRect: _HeldByValue, @retroactive _ObjectiveCBridgeable {
    /// The type that the value of a rectangle tells.
    public static let _objCType = String(cString: CGRect()._value.objCType)
    /// The rectangle in a value.
    public static func _held(by value: NSValue) -> CGRect { value.rectValue }
    /// The value that holds the rectangle.
    public var _value: NSValue { NSValue(rect: self) }
  }

  extension CGPoint: _HeldByValue, @retroactive _ObjectiveCBridgeable {
    /// The type that the value of a point tells.
    public static let _objCType = String(cString: CGPoint()._value.objCType)
    /// The point in a value.
    public static func _held(by value: NSValue) -> CGPoint { value.pointValue }
    /// The value that holds the point.
    public var _value: NSValue { NSValue(point: self) }
  }

  extension CGSize: _HeldByValue, @retroactive _ObjectiveCBridgeable {
    /// The type that the value of a size tells.
    public static let _objCType = String(cString: CGSize()._value.objCType)
    /// The size in a value.
    public static func _held(by value: NSValue) -> CGSize { value.sizeValue }
    /// The value that holds the size.
    public var _value: NSValue { NSValue(size: self) }
  }

  extension NSRange: _HeldByValue, @retroactive _ObjectiveCBridgeable {
    /// The type that the value of a range tells.
    public static let _objCType = String(cString: NSRange()._value.objCType)
    /// The range in a value.
    public static func _held(by value: NSValue) -> NSRange { value.rangeValue }
    /// The value that holds the range.
    public var _value: NSValue { NSValue(range: self) }
  }
#endif
