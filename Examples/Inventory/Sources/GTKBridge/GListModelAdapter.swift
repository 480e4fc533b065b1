public import IsaKVO
public import IsaKVOBindings

/// Shows the arranged objects of a controller as a `GListModel`.
///
/// It keeps rows of its own and applies to them each change that it is told of: what the controller
/// shows at that moment may be further ahead.
@MainActor
public final class GListModelAdapter<Element: KVObject> {
  /// The rows.
  public let model = ListModel()
  /// Whether a change is being applied: news of a selection is then not the user's.
  public private(set) var isApplying = false
  /// Runs after each change of the rows.
  public var didApply: () -> Void = {}
  private var token: KeyValueObservation?

  /// Follows a controller, which is kept.
  public init(_ controller: ArrayController<Element>) {
    token = controller.observe(\.arrangedObjects, options: [.new, .initial]) {
      [unowned self] _, change in
      // The controller belongs to the main actor, as all that is shown does.
      nonisolated(unsafe) let change = change
      MainActor.assumeIsolated { apply(change) }
    }
  }

  private func apply(_ change: ValueChange<[Element]>) {
    isApplying = true
    let indexes = change.indexes ?? [], elements = change.newValue ?? []
    switch change.kind {
    case .setting: model.replace(0..<model.count, with: elements)
    case .removal:
      for run in runs(of: indexes).reversed() { model.replace(run, with: []) }
    case .insertion:
      var start = 0
      for run in runs(of: indexes) {
        let arriving = elements[start..<(start + run.count)]
        model.replace(run.lowerBound..<run.lowerBound, with: Array(arriving))
        start += run.count
      }
    case .replacement: permute(indexes, elements)
    }
    isApplying = false
    didApply()
  }

  /// Replaces rows, which have the same objects in another order: one change from the first to the last.
  private func permute(_ indexes: [Int], _ elements: [Element]) {
    guard let first = indexes.first, let last = indexes.last else { return }
    var objects = (first...last).map { model[$0] }
    for (index, element) in zip(indexes, elements) { objects[index - first] = element }
    model.replace(first..<(last + 1), with: objects)
  }
}

/// The ranges that indexes, which are upwards, consist of.
func runs(of indexes: [Int]) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  for index in indexes {
    if let last = runs.last, last.upperBound == index {
      runs[runs.count - 1] = last.lowerBound..<(index + 1)
    } else {
      runs.append(index..<(index + 1))
    }
  }
  return runs
}
