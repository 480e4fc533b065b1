import CGtk

/// Tells by which column of a `GtkColumnView` its user wants to sort, and in which direction.
///
/// GTK combines the sorters of the columns to one, and leaves it to a list model to sort. Here a
/// controller does that; the columns have sorters that note which of them is asked first.
@MainActor
final class HeaderSorter {
  /// Runs when the user has clicked on a header.
  var didChange: () -> Void = {}
  private let combined: GObjectRef
  private let probe = Probe()
  private var count = 0

  init(_ view: GObjectRef) {
    combined = GObjectRef(view.with(gtk_column_view_get_sorter)!)
    combined.on("changed") { [weak self] _ in self?.didChange() }
  }

  /// Makes the header of the next column one to click on.
  func add(to column: GObjectRef) {
    let sorter = ColumnProbe(number: count, probe: probe).makeSorter()
    count += 1
    column.with { column in
      sorter.with(as: GtkSorter.self) { gtk_column_view_column_set_sorter(column, $0) }
    }
  }

  /// The column by which to sort, and whether upwards; nil if by none.
  var order: (column: Int, isAscending: Bool)? {
    probe.asked = nil
    // Any two objects will do: every column says that the first is less.
    let order = combined.with(as: GtkSorter.self) {
      gtk_sorter_compare($0, $0, probe.object.pointer)
    }
    return probe.asked.map { ($0, order == GTK_ORDERING_SMALLER) }
  }
}

/// The column that was asked first.
private final class Probe {
  let object = GObjectRef(adopting: cgtk_object_new(cgtk_type_object))
  var asked: Int?
}

private final class ColumnProbe {
  private let number: Int
  private let probe: Probe

  init(number: Int, probe: Probe) {
    self.number = number
    self.probe = probe
  }

  /// A sorter that says of any two objects that the first is less, and notes that it was asked.
  func makeSorter() -> GObjectRef {
    GObjectRef(
      adopting: gtk_custom_sorter_new(
        { _, _, data in
          Unmanaged<ColumnProbe>.fromOpaque(data!).takeUnretainedValue().note()
          return -1
        }, Unmanaged.passRetained(self).toOpaque(),
        { Unmanaged<ColumnProbe>.fromOpaque($0!).release() }))
  }

  private func note() { if probe.asked == nil { probe.asked = number } }
}
