import CGtk

/// A reference to a GObject, which lives as long as somebody has one.
///
///     let button = interface["add"]
///     button.on("clicked") { _ in inventory.add() }
///     button["label"] = "Add"
///
/// As GTK itself, it belongs to the main thread.
public final class GObjectRef {
  /// The object, which may go with this reference.
  let pointer: UnsafeMutablePointer<GObject>

  /// Adds a reference to an object; one that is floating is taken over.
  public init(_ object: UnsafeMutableRawPointer) {
    pointer = object.assumingMemoryBound(to: GObject.self)
    g_object_ref_sink(pointer)
  }

  /// The same, for the types whose fields GTK keeps to itself.
  public convenience init(_ object: OpaquePointer) { self.init(UnsafeMutableRawPointer(object)) }

  /// Takes over the reference of a function that says “transfer full”.
  public init(adopting object: UnsafeMutableRawPointer) {
    pointer = object.assumingMemoryBound(to: GObject.self)
  }

  /// The same, for the types whose fields GTK keeps to itself.
  public convenience init(adopting object: OpaquePointer) {
    self.init(adopting: UnsafeMutableRawPointer(object))
  }

  deinit { g_object_unref(pointer) }

  // MARK: For calls of GTK

  /// Calls `body` with the object as one of a type that is opaque to Swift.
  ///
  ///     table.with { gtk_column_view_append_column($0, column) }
  @discardableResult
  public func with<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(OpaquePointer(pointer)) }
  }

  /// Calls `body` with the object as one of another type, which it must be: `GtkWidget`, `GtkWindow`.
  @discardableResult
  public func with<Type, Result>(
    as type: Type.Type, _ body: (UnsafeMutablePointer<Type>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type))
    }
  }

  /// Tells the object from others while it lives.
  public var identity: UnsafeRawPointer { UnsafeRawPointer(pointer) }

  /// Adds a reference, for a function that takes one over.
  func retained() -> OpaquePointer { OpaquePointer(g_object_ref(pointer)) }

  // MARK: Properties

  /// The value of a property by its name. A name that the object does not have is a warning of GLib's.
  public subscript<Value: GValueConvertible>(property: String) -> Value {
    get {
      var value = GValue()
      g_value_init(&value, Value.gType)
      defer { g_value_unset(&value) }
      g_object_get_property(pointer, property, &value)
      return Value(from: &value)
    }
    set {
      var value = GValue()
      g_value_init(&value, Value.gType)
      defer { g_value_unset(&value) }
      newValue.store(in: &value)
      g_object_set_property(pointer, property, &value)
    }
  }
}
