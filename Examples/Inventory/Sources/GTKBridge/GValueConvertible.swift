public import CGtk

/// A type of Swift's whose values a GObject's properties can have.
///
/// GLib converts between numbers of different sizes: `Int` is right for a property of any integer type.
public protocol GValueConvertible: Equatable {
  /// The type of GLib's.
  static var gType: GType { get }
  /// Shown where there is nothing to show.
  static var empty: Self { get }
  /// The value in `value`, which is of that type.
  init(from value: UnsafePointer<GValue>)
  /// Puts the value into `value`, which is of that type.
  func store(in value: UnsafeMutablePointer<GValue>)
}

extension String: GValueConvertible {
  /// GLib’s `gchararray`.
  public static var gType: GType { cgtk_type_string }
  /// The empty text.
  public static var empty: Self { "" }
  /// The value in `value`; NULL is the empty text.
  public init(from value: UnsafePointer<GValue>) {
    self = g_value_get_string(value).map { String(cString: $0) } ?? ""
  }
  /// Puts the value into `value`.
  public func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_string(value, self) }
}

extension Bool: GValueConvertible {
  /// GLib’s `gboolean`.
  public static var gType: GType { cgtk_type_boolean }
  /// False.
  public static var empty: Self { false }
  /// The value in `value`.
  public init(from value: UnsafePointer<GValue>) { self = g_value_get_boolean(value) != 0 }
  /// Puts the value into `value`.
  public func store(in value: UnsafeMutablePointer<GValue>) {
    g_value_set_boolean(value, self ? 1 : 0)
  }
}

extension Int: GValueConvertible {
  /// GLib’s `gint64`.
  public static var gType: GType { cgtk_type_int64 }
  /// 0.
  public static var empty: Self { 0 }
  /// The value in `value`.
  public init(from value: UnsafePointer<GValue>) { self = Int(g_value_get_int64(value)) }
  /// Puts the value into `value`.
  public func store(in value: UnsafeMutablePointer<GValue>) {
    g_value_set_int64(value, gint64(self))
  }
}

extension Double: GValueConvertible {
  /// GLib’s `gdouble`.
  public static var gType: GType { cgtk_type_double }
  /// 0.
  public static var empty: Self { 0 }
  /// The value in `value`.
  public init(from value: UnsafePointer<GValue>) { self = g_value_get_double(value) }
  /// Puts the value into `value`.
  public func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_double(value, self) }
}
