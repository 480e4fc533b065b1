// For tests: prints the window's state whenever it has changed, and says where its widgets are.
import CGtk
import Foundation
import GTKBridge
import IsaKVO

/// Started by the environment variable `INVENTORY_TRACE`, the name of a file: that is where the places of
/// widgets are written to, as lines of a name, x and y.
@MainActor
enum Trace {
  static func start(_ window: Window, places file: String) {
    Task {
      var latest = (state: "", places: "")
      while true {
        let now = (state: state(of: window), places: places(in: window))
        if now.places != latest.places {
          try now.places.write(toFile: file, atomically: true, encoding: .utf8)
        }
        if now.state != latest.state {
          print(now.state)
          fflush(nil)
        }
        latest = now
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// The names with the selected ones in brackets, the line below them, the fields, and what can be done.
  private static func state(of window: Window) -> String {
    let selected = window.items.selectionIndexes
    let names = window.items.arrangedObjects.enumerated().map { index, item in
      selected.contains(index) ? "[\(item.name)]" : item.name
    }
    let details = window.details
    let isInStock = details.isInStock.value ? "in stock" : "not in stock"
    let fields = [details.name.value, details.quantity.value, details.price.value, isInStock]
    let history = [window.history.canUndo ? "undo" : "-", window.history.canRedo ? "redo" : "-"]
    return [
      names.joined(separator: " "), window.status.value,
      "\(details.category.value): " + fields.joined(separator: ", "), details.error.value,
      history.joined(separator: " "),
    ].joined(separator: " | ")
  }

  // MARK: Places

  private static func places(in window: Window) -> String {
    window.interface["window"].with(as: GtkWidget.self) { places(of: $0, in: $0) }
  }

  /// The middle of a widget and of those in it, by ids or by their text.
  private static func places(
    of widget: UnsafeMutablePointer<GtkWidget>, in root: UnsafeMutablePointer<GtkWidget>
  ) -> String {
    var text = ""
    if gtk_widget_get_mapped(widget) != 0, let name = name(of: widget) {
      var x = 0.0, y = 0.0, left = 0.0, top = 0.0
      let width = Double(gtk_widget_get_width(widget)),
        height = Double(gtk_widget_get_height(widget))
      gtk_widget_translate_coordinates(widget, root, width / 2, height / 2, &x, &y)
      gtk_native_get_surface_transform(gtk_widget_get_native(root), &left, &top)
      text = "\(name)\t\(Int(x + left))\t\(Int(y + top))\n"
    }
    var child = gtk_widget_get_first_child(widget)
    while let next = child {
      text += places(of: next, in: root)
      child = gtk_widget_get_next_sibling(next)
    }
    return text
  }

  private static func name(of widget: UnsafeMutablePointer<GtkWidget>) -> String? {
    if let id = gtk_buildable_get_buildable_id(OpaquePointer(widget)) { return String(cString: id) }
    if gtk_widget_has_css_class(widget, "close") != 0 { return "close" }
    let type = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self)
    guard g_type_check_instance_is_a(type, gtk_label_get_type()) != 0 else { return nil }
    return String(cString: gtk_label_get_text(OpaquePointer(widget)))
  }
}
