import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// A new order, looked for by the standard library's difference.
  static let quadraticDifference = Demonstration(name: "slow-difference") { isHere, acts in
    var counts: [Int] = []
    for rows in [100, 400] {
      acts.act(acts.say("demo.turn-round", ["count": rows])) {
        let items = (0..<rows).map { Item("\($0 + 1000)") }
        var count = 0
        let steps =
          isHere ? arrange(items, &count) : difference(items, Array(items.reversed()), &count)
        counts.append(count)
        acts.see(acts.say("demo.comparisons", ["count": count, "how": steps]))
      }
    }
    acts.expect(acts.say("demo.four-times"), counts[1] / counts[0], 4)
  }

  private static func difference(_ old: [Item], _ new: [Item], _ count: inout Int) -> Text {
    var compared = 0
    let difference = new.difference(from: old) { first, second in
      compared += 1
      return first === second
    }
    count = compared
    return Text("demo.told-singly", ["count": difference.count])
  }

  private static func arrange(_ items: [Item], _ count: inout Int) -> Text {
    var compared = 0
    var told: [Text] = []
    let controller = ArrayController<Item>()
    controller.content = items
    let token = controller.observe(\.arrangedObjects) { _, change in
      told.append(
        Text("demo.one-of", ["kind": "\(change.kind)", "count": change.indexes?.count ?? 0]))
    }
    controller.sort = [
      .by { first, second in
        compared += 1
        return first.name > second.name
      }
    ]
    token.invalidate()
    count = compared
    return Text { language in
      let changes = told.map { $0[language] }.joined(separator: language.say("step.comma"))
      return language.say("demo.told-by", ["changes": changes])
    }
  }
}
