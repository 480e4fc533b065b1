import CGtk

/// A `GListModel` whose rows stand for objects of Swift's.
///
/// Each row is a GObject, which keeps its object; it stays the same for as long as the object is shown.
@MainActor
public final class ListModel {
  /// The model, for what shows it.
  public let object = GObjectRef(adopting: cgtk_object_new(modelType))
  private let rows = Rows()

  /// Makes a model without rows.
  public init() {
    keep(rows, in: object)
  }

  /// How many rows there are.
  public var count: Int { rows.items.count }

  /// The object in a row.
  public subscript(index: Int) -> AnyObject { rowObject(rows.items[index])! }

  /// Puts objects in the place of rows, and tells those that show them.
  ///
  /// - Parameter objects: One that is in these rows already keeps its row.
  public func replace(_ range: Range<Int>, with objects: [AnyObject]) {
    var present: [ObjectIdentifier: [GObjectRef]] = [:]
    for item in rows.items[range] {
      present[ObjectIdentifier(rowObject(item)!), default: []].append(item)
    }
    let items = objects.map { object in
      present[ObjectIdentifier(object)]?.popLast() ?? makeRow(object)
    }
    rows.items.replaceSubrange(range, with: items)
    object.with {
      g_list_model_items_changed(
        $0, guint(range.lowerBound), guint(range.count), guint(items.count))
    }
  }

  /// The object that a row of any such model stands for.
  public static func object(of row: GObjectRef) -> AnyObject? { rowObject(row) }
}

/// The rows of a model, which the model's GObject keeps.
private final class Rows {
  var items: [GObjectRef] = []

  /// The rows of a model of GLib's.
  static func of(_ model: OpaquePointer?) -> Rows {
    Unmanaged<Rows>.fromOpaque(g_object_get_qdata(model!.object, payload)!).takeUnretainedValue()
  }
}

// MARK: - Rows

private func makeRow(_ object: AnyObject) -> GObjectRef {
  let row = GObjectRef(adopting: cgtk_object_new(rowType))
  keep(object, in: row)
  return row
}

/// Has a GObject keep an object of Swift's, which is found by ``payload``.
private func keep(_ object: AnyObject, in row: GObjectRef) {
  let kept = Unmanaged.passRetained(object).toOpaque()
  g_object_set_qdata_full(row.pointer, payload, kept) {
    Unmanaged<AnyObject>.fromOpaque($0!).release()
  }
}

private func rowObject(_ row: GObjectRef) -> AnyObject? {
  g_object_get_qdata(row.pointer, payload).map {
    Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
  }
}

// MARK: - Types of GLib's

/// The name under which a GObject keeps its object of Swift's.
private let payload = g_quark_from_string("IsaKVO")

private let rowType = register("IsaKVORow")

private let modelType: GType = {
  let type = register("IsaKVOListModel")
  var functions = GInterfaceInfo()
  functions.interface_init = { table, _ in
    let functions = table!.assumingMemoryBound(to: GListModelInterface.self)
    functions.pointee.get_item_type = { _ in rowType }
    functions.pointee.get_n_items = { guint(Rows.of($0).items.count) }
    functions.pointee.get_item = { model, index in
      let items = Rows.of(model).items
      return index < items.count ? g_object_ref(items[Int(index)].pointer) : nil
    }
  }
  g_type_add_interface_static(type, g_list_model_get_type(), &functions)
  return type
}()

/// Registers a type of objects that have nothing of their own.
private func register(_ name: String) -> GType {
  g_type_register_static_simple(
    cgtk_type_object, name, guint(MemoryLayout<GObjectClass>.size), nil,
    guint(MemoryLayout<GObject>.size), nil, GTypeFlags(0))
}

extension OpaquePointer {
  fileprivate var object: UnsafeMutablePointer<GObject> { UnsafeMutablePointer(self) }
}
