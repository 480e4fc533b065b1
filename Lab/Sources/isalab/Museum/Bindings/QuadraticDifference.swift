import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// A new order, looked for by the standard library's difference.
  static let quadraticDifference = Demonstration(name: "slow-difference") { isHere, acts in
    var counts: [Int] = []
    for rows in [100, 400] {
      acts.act("turn \(rows) rows round") {
        let items = (0..<rows).map { Item("\($0 + 1000)") }
        var count = 0
        let steps =
          isHere ? arrange(items, &count) : difference(items, Array(items.reversed()), &count)
        counts.append(count)
        acts.see("\(count) comparisons, \(steps)")
      }
    }
    acts.expect("expect 4 times the rows to take 4 times as many", counts[1] / counts[0], 4)
  }

  private static func difference(_ old: [Item], _ new: [Item], _ count: inout Int) -> String {
    var compared = 0
    let difference = new.difference(from: old) { first, second in
      compared += 1
      return first === second
    }
    count = compared
    return "told by \(difference.count) single removals and insertions"
  }

  private static func arrange(_ items: [Item], _ count: inout Int) -> String {
    var compared = 0
    var told: [String] = []
    let controller = ArrayController<Item>()
    controller.content = items
    let token = controller.observe(\.arrangedObjects) { _, change in
      told.append("one \(change.kind) of \(change.indexes?.count ?? 0)")
    }
    controller.sort = [
      .by { first, second in
        compared += 1
        return first.name > second.name
      }
    ]
    token.invalidate()
    count = compared
    return "told by " + told.joined(separator: ", ")
  }
}
