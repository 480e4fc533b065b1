import CGtk
public import IsaKVO
public import IsaKVOBindings

/// Keeps the selection of a list in GTK and that of a controller the same.
@MainActor
public final class SelectionAdapter<Element: KVObject> {
  /// A `GtkMultiSelection` of the controller's arranged objects, for a list or a table.
  public let model: GObjectRef
  private let rows: GListModelAdapter<Element>
  private let controller: ArrayController<Element>
  private var isPushing = false
  private var token: KeyValueObservation?

  /// Shows the arranged objects and the selection of a controller, which is kept.
  public init(_ controller: ArrayController<Element>) {
    self.controller = controller
    rows = GListModelAdapter(controller)
    model = GObjectRef(adopting: gtk_multi_selection_new(rows.model.object.retained()))
    model.on("selection-changed") { [weak self] _ in self?.pull() }
    // GTK forgets what is selected where rows are replaced, although the controller's stays the same.
    rows.didApply = { [weak self] in self?.push() }
    token = controller.observe(\.selectionIndexes, options: [.initial]) { [unowned self] _, _ in
      MainActor.assumeIsolated { push() }
    }
  }

  /// Has GTK select what the controller has.
  private func push() {
    if rows.isApplying { return }
    let wanted = gtk_bitset_new_empty()!, all = gtk_bitset_new_range(0, guint(rows.model.count))!
    for index in controller.selectionIndexes { gtk_bitset_add(wanted, guint(index)) }
    isPushing = true
    model.with { gtk_selection_model_set_selection($0, wanted, all) }
    isPushing = false
    gtk_bitset_unref(wanted)
    gtk_bitset_unref(all)
  }

  /// Has the controller select what the user has. Where an editor refuses, GTK goes back.
  private func pull() {
    if isPushing || rows.isApplying { return }
    let selected = model.with(gtk_selection_model_get_selection)!
    defer { gtk_bitset_unref(selected) }
    let count = Int(gtk_bitset_get_size(selected))
    let indexes = (0..<count).map { Int(gtk_bitset_get_nth(selected, guint($0))) }
    if !controller.select(IndexList(indexes)) { push() }
  }
}
