// The fields beside the table, which show and edit the selected items: one, or several together.
import GTKBridge
import IsaKVO
import IsaKVOBindings

@MainActor
final class Details {
  let name, quantity, price: GObjectEnd<String>
  let isInStock: GObjectEnd<Bool>
  let category: GObjectEnd<Int>
  let error: GObjectEnd<String>
  private var tokens: [KeyValueObservation] = []

  init(_ interface: Interface, of items: ArrayController<Item>) throws {
    name = GObjectEnd(interface["name"], "text", placeholder: "placeholder-text")
    quantity = GObjectEnd(interface["quantity"], "text", placeholder: "placeholder-text")
    price = GObjectEnd(interface["price"], "text", placeholder: "placeholder-text")
    isInStock = GObjectEnd(interface["isInStock"], "active")
    category = GObjectEnd(interface["category"], "selected")
    error = GObjectEnd(interface["error"], "label")
    interface["category"].setStrings(Category.allCases.map(\.rawValue))
    try edit(name, items, "name")
    try edit(quantity, items, "quantity", Transformer<Int, String>.text.erased())
    try edit(price, items, "price", Transformer<Double, String>.text.erased())
    try edit(isInStock, items, "isInStock", several: false)
    try edit(category, items, "category", Transformer.index.erased(), several: noChoice)
  }

  /// Binds a field to a property of the selection. A value that is refused stays in the field, with the
  /// reason below.
  private func edit<Value>(
    _ field: GObjectEnd<Value>, _ items: ArrayController<Item>, _ key: String,
    _ transformer: Transformer<Any?, Any?>? = nil, several: Any? = "several values"
  ) throws {
    var options = BindingOptions.edited
    options.transformer = transformer
    options.multipleValuesPlaceholder = several
    options.noSelectionPlaceholder = Value.empty
    let binding = try field.bind(
      .value, to: items, withKeyPath: "selection.\(key)", options: options)
    tokens.append(
      field.observe(\.value) { [error] _, _ in MainActor.assumeIsolated { error.value = "" } })
    binding.onError = { [error] refusal, _ in
      MainActor.assumeIsolated { error.value = refusal.message }
    }
    field.object.onFocusLeave { binding.userDidEndEditing() }
  }
}

/// The row of a drop-down that shows nothing.
private let noChoice = Int(UInt32.max)

extension Transformer where Source == Category, Target == Int {
  /// The place of a category in the list of the drop-down.
  fileprivate static var index: Transformer {
    Transformer { category in
      Category.allCases.firstIndex(of: category)!
    } back: { index in
      Category.allCases[index]
    }
  }
}

extension KeyValueError {
  /// The sentence for the user: that of the model's own error if there is one.
  var message: String { underlying.map { "\($0)" } ?? reason }
}
