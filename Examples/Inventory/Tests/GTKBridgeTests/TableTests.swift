import CGtk
import Foundation
import GTKBridge
import IsaKVO
import IsaKVOBindings
import Testing

private final class Fruit: KVObject {
  @Dynamic var name: String
  @Dynamic var weight: Int

  init(_ name: String, _ weight: Int) {
    self.name = name
    self.weight = weight
    super.init()
  }
}

private let hasDisplay = ProcessInfo.processInfo.environment["DISPLAY"] != nil

/// A table of fruits.
@MainActor
private struct Shown {
  let fruits = ArrayController<Fruit>()
  let view: GObjectRef
  let table: Table<Fruit>

  init() {
    gtk_init()
    fruits.content = [Fruit("plum", 2), Fruit("apple", 5), Fruit("fig", 1)]
    view = GObjectRef(gtk_column_view_new(nil)!)
    table = Table(view, of: fruits)
    table.addColumn("Name", \.name)
    table.addColumn("Weight", \.weight) { "\($0) g" }
  }

  var names: String { fruits.arrangedObjects.map(\.name).joined(separator: " ") }

  /// Sorts as a click on a header does; by none if nil.
  func sort(by column: Int?, _ order: GtkSortType = GTK_SORT_ASCENDING) {
    view.with { view in
      let columns = gtk_column_view_get_columns(view)
      let item = column.flatMap { g_list_model_get_item(columns, guint($0)) }
      gtk_column_view_sort_by_column(view, item.map { OpaquePointer($0) }, order)
      item.map(g_object_unref)
    }
  }
}

@MainActor
@Suite(.enabled(if: hasDisplay)) struct TableTests {
  @Test("a header sorts the controller, upwards and downwards, by the latest column")
  func headers() {
    let shown = Shown()
    #expect(shown.names == "plum apple fig")
    shown.sort(by: 0)
    #expect(shown.names == "apple fig plum")
    shown.sort(by: 0, GTK_SORT_DESCENDING)
    #expect(shown.names == "plum fig apple")
    shown.sort(by: 1)
    #expect(shown.names == "fig plum apple")
    shown.sort(by: nil)
    #expect(shown.names == "plum apple fig")
  }
}
