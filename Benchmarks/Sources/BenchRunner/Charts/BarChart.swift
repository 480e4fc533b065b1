/// Bars on a logarithmic axis, in groups: each bar with its name, its spread and its figure.
struct BarChart {
  struct Bar {
    let label: String
    let subject: String
    let value: Double
    /// The quartiles of the samples.
    let spread: ClosedRange<Double>?
    let goal: Double?
  }

  struct Group {
    /// Nil where each bar speaks for itself.
    let title: String?
    let bars: [Bar]
  }

  let title: String
  /// The line that says what the figures are.
  let caption: String
  let groups: [Group]

  private let width = 860.0
  private let top = 96.0
  private let rowHeight = 20.0
  private let titleHeight = 30.0
  private let gap = 10.0

  private var bars: [Bar] { groups.flatMap(\.bars) }

  private var labelWidth: Double {
    min(max(bars.map { Look.width(of: $0.label) }.max() ?? 0, 80), 380)
  }

  private var scale: LogScale {
    let values = bars.flatMap { bar -> [Double] in
      [bar.value, bar.goal ?? 1, bar.spread?.upperBound ?? 1]
    }
    return LogScale(values + [1], from: 24 + labelWidth + 12, to: width - 84)
  }

  private func height(of group: Group) -> Double {
    (group.title == nil ? 0 : titleHeight) + Double(group.bars.count) * rowHeight + gap
  }

  /// The picture.
  var picture: Picture {
    let bottom = top + groups.reduce(0) { $0 + height(of: $1) }
    var picture = Picture(width: width, height: bottom + 40, title: title)
    picture.elements = heading + grid(from: top, to: bottom)
    var y = top
    for group in groups {
      picture.elements += elements(of: group, at: y)
      y += height(of: group)
    }
    return picture
  }

  private var heading: [Element] {
    var elements = [
      Element.text(title, x: 24, y: 34, class: "heading"),
      Element.text(caption, x: 24, y: 58, class: "quiet"),
    ]
    guard bars.contains(where: { $0.goal != nil }) else { return elements }
    let x = width - 24
    elements += [
      .line(x - 44, 45, x - 44, 61, class: "goal"), .text("goal", x: x, y: 58, class: "end"),
    ]
    return elements
  }

  private func grid(from y1: Double, to y2: Double) -> [Element] {
    scale.ticks.flatMap { tick in
      let x = scale(tick)
      return [
        Element.line(x, y1 - 8, x, y2, class: tick == 1 ? "axis" : "grid"),
        .text(shortNumber(tick), x: x, y: y1 - 14, class: "middle quiet"),
        .text(shortNumber(tick), x: x, y: y2 + 18, class: "middle quiet"),
      ]
    }
  }

  private func elements(of group: Group, at top: Double) -> [Element] {
    var elements: [Element] = []
    var y = top
    if let title = group.title {
      elements.append(backed(title, y: y + 21))
      y += titleHeight
    }
    for bar in group.bars {
      elements += self.elements(of: bar, at: y)
      y += rowHeight
    }
    return elements
  }

  /// A group's title may be longer than the names, so the grid must not run through it.
  private func backed(_ title: String, y: Double) -> Element {
    var group = Element("g")
    group.children = [
      .rectangle(
        x: 20, y: y - 15, width: Look.width(of: title, size: 14) + 8, height: 20, class: "paper"),
      .text(title, x: 24, y: y, class: "group"),
    ]
    return group
  }

  /// The bar reaches from 1, a plain indirect call, to its value.
  private func elements(of bar: Bar, at y: Double) -> [Element] {
    let (one, end, middle) = (scale(1), scale(bar.value), y + rowHeight / 2)
    let left = min(one, end)
    var elements = [
      Element.text(bar.label, x: 24 + labelWidth, y: y + 14.5, class: "end"),
      .rectangle(
        x: left, y: y + 3, width: max(abs(end - one), 2), height: rowHeight - 6,
        class: "bar \(Look.colour(of: bar.subject))"),
      .text(shortNumber(bar.value), x: width - 24, y: y + 14.5, class: "number"),
    ]
    if let spread = bar.spread {
      let (low, high) = (scale(spread.lowerBound), scale(spread.upperBound))
      elements.append(.line(low, middle, high, middle, class: "whisker"))
      for x in [low, high] {
        elements.append(.line(x, middle - 3.5, x, middle + 3.5, class: "whisker"))
      }
    }
    if let goal = bar.goal {
      elements.append(.line(scale(goal), y + 1, scale(goal), y + rowHeight - 1, class: "goal"))
    }
    return elements
  }
}
