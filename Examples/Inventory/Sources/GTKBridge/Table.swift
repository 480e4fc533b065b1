import CGtk
public import IsaKVO
public import IsaKVOBindings

/// A `GtkColumnView` that shows a controller's arranged objects; a click on a header sorts them.
///
///     let table = Table(interface["table"], of: items)
///     table.addColumn("Name", \.name)
///     table.addColumn("Price", \.price) { "\($0) €" }
@MainActor
public final class Table<Element: KVObject> {
  private let view: GObjectRef
  private let controller: ArrayController<Element>
  private let selection: SelectionAdapter<Element>
  private let headers: HeaderSorter
  private var cells: [Cells<Element>] = []
  private var orders: [(ascending: SortKey<Element>, descending: SortKey<Element>)] = []

  /// Shows a controller, which is kept, in a view without columns.
  public init(_ view: GObjectRef, of controller: ArrayController<Element>) {
    self.view = view
    self.controller = controller
    selection = SelectionAdapter(controller)
    headers = HeaderSorter(view)
    view.with { view in selection.model.with { gtk_column_view_set_model(view, $0) } }
    headers.didChange = { [weak self] in self?.sort() }
  }

  /// Adds a column of a property.
  ///
  /// - Parameters:
  ///   - expands: Whether the column takes the space that the others leave.
  ///   - text: Makes what is shown of a value.
  public func addColumn<Value: Comparable>(
    _ title: String, _ property: KeyPath<Element, Value>, expands: Bool = false,
    text: @escaping (Value) -> String = { "\($0)" }
  ) {
    let cells = Cells<Element>(
      alignedRight: Value.self is any Numeric.Type,
      show: { try $0.follow(\.value, of: $1, property, as: text) })
    let column = GObjectRef(adopting: gtk_column_view_column_new(title, cells.makeFactory()))
    column["resizable"] = true
    column["expand"] = expands
    headers.add(to: column)
    view.with { view in column.with { gtk_column_view_append_column(view, $0) } }
    self.cells.append(cells)
    orders.append((.ascending(property), .descending(property)))
  }

  private func sort() {
    controller.sort =
      headers.order.map { column, isAscending in
        [isAscending ? orders[column].ascending : orders[column].descending]
      } ?? []
  }
}
