import CGtk
import IsaKVO
import IsaKVOBindings

/// The cells of a column: labels, each of which follows a property of the object in its row.
@MainActor
final class Cells<Element: KVObject> {
  private let isAlignedRight: Bool
  private let show: (GObjectEnd<String>, Element) throws -> Void
  /// The labels by their cells, which GTK uses for one row after another.
  private var labels: [UnsafeMutablePointer<GObject>: GObjectEnd<String>] = [:]

  /// - Parameter show: Binds a label to an object.
  init(alignedRight: Bool, show: @escaping (GObjectEnd<String>, Element) throws -> Void) {
    isAlignedRight = alignedRight
    self.show = show
  }

  /// A factory for a column, which takes it over.
  func makeFactory() -> OpaquePointer {
    let factory = GObjectRef(adopting: gtk_signal_list_item_factory_new())
    factory.on("setup") { [weak self] in self?.setUp($0.object(1)) }
    factory.on("bind") { [weak self] in self?.bind($0.object(1)) }
    factory.on("unbind") { [weak self] in self?.labels[$0.object(1).pointer]?.unbindAll() }
    factory.on("teardown") { [weak self] in self?.labels[$0.object(1).pointer] = nil }
    return factory.retained()
  }

  private func setUp(_ cell: GObjectRef) {
    let label = GObjectRef(gtk_label_new(nil)!)
    label["xalign"] = isAlignedRight ? 1.0 : 0.0
    cell.with { cell in label.with(as: GtkWidget.self) { gtk_list_item_set_child(cell, $0) } }
    labels[cell.pointer] = GObjectEnd(label, "label")
  }

  private func bind(_ cell: GObjectRef) {
    guard let label = labels[cell.pointer], let row = cell.with(gtk_list_item_get_item),
      let element = ListModel.object(of: GObjectRef(row)) as? Element
    else { return }
    do { try show(label, element) } catch { label.value = "\(error)" }
  }
}
