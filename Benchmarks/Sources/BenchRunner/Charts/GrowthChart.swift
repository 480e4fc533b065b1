/// Curves on two logarithmic axes: what an operation costs as something grows. Each curve bears its
/// name at its right end.
struct GrowthChart {
  struct Point {
    let x: Double
    let y: Double
    let spread: ClosedRange<Double>?
  }

  struct Curve {
    let label: String
    let subject: String
    let points: [Point]
  }

  let title: String
  let caption: String
  /// The number that grows.
  let xName: String
  let curves: [Curve]

  private let width = 860.0
  private let bottom = 420.0

  private var labelWidth: Double {
    min(max(curves.map { Look.width(of: $0.label) }.max() ?? 0, 60), 320)
  }

  private var points: [Point] { curves.flatMap(\.points) }

  private var xScale: LogScale {
    LogScale(points.map(\.x), from: 84, to: width - 36 - labelWidth)
  }

  private var yScale: LogScale {
    LogScale(points.flatMap { [$0.y, $0.spread?.upperBound ?? $0.y] }, from: bottom, to: 90)
  }

  /// The picture.
  var picture: Picture {
    var picture = Picture(width: width, height: bottom + 60, title: title)
    picture.elements = [
      Element.text(title, x: 24, y: 34, class: "heading"),
      .text(caption, x: 24, y: 58, class: "quiet"),
      .text(xName, x: (xScale.from + xScale.to) / 2, y: bottom + 44, class: "middle"),
    ]
    picture.elements += grid
    for (curve, y) in zip(curves, labelPlaces) { picture.elements += elements(of: curve, label: y) }
    return picture
  }

  private var grid: [Element] {
    let (x, y) = (xScale, yScale)
    let across = y.ticks.flatMap { tick in
      [
        Element.line(x.from, y(tick), x.to, y(tick), class: tick == 1 ? "axis" : "grid"),
        .text(shortNumber(tick), x: x.from - 10, y: y(tick) + 4.5, class: "number quiet"),
      ]
    }
    let up = x.ticks.flatMap { tick in
      [
        Element.line(x(tick), y.from, x(tick), y.from + 6, class: "axis"),
        .text(shortNumber(tick), x: x(tick), y: y.from + 22, class: "middle quiet"),
      ]
    }
    return across + up
  }

  private func elements(of curve: Curve, label y: Double) -> [Element] {
    let colour = Look.colour(of: curve.subject)
    let places = curve.points.map { (x: xScale($0.x), y: yScale($0.y)) }
    let path = places.map { "\(coordinate($0.x)),\(coordinate($0.y))" }.joined(separator: " ")
    var elements = [Element("polyline", ["class": "curve \(colour)", "points": path])]
    for (point, place) in zip(curve.points, places) {
      if let spread = point.spread {
        let (low, high) = (yScale(spread.lowerBound), yScale(spread.upperBound))
        elements.append(.line(place.x, low, place.x, high, class: "whisker"))
      }
      elements.append(
        Element(
          "circle",
          [
            "class": "mark \(colour)", "cx": coordinate(place.x), "cy": coordinate(place.y),
            "r": "4",
          ]))
    }
    if let last = places.last, abs(last.y - y) > 2 || last.x < xScale.to - 2 {
      elements.append(.line(last.x + 6, last.y, xScale.to + 8, y, class: "grid"))
    }
    elements.append(.text(curve.label, x: xScale.to + 12, y: y + 4.5, class: "label"))
    return elements
  }

  /// Where the curves' names are: at their last points, apart from one another.
  private var labelPlaces: [Double] {
    let wanted = curves.map { $0.points.last.map { yScale($0.y) } ?? bottom }
    var places = wanted
    var previous = -Double.infinity
    for index in wanted.indices.sorted(by: { wanted[$0] < wanted[$1] }) {
      places[index] = max(wanted[index], previous + 18)
      previous = places[index]
    }
    let excess = max(previous - bottom, 0)
    return excess == 0 ? places : places.map { $0 - excess }
  }
}
