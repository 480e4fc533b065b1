/// An SVG picture that stands by itself: readable on a light and on a dark page, and printed.
struct Picture {
  let width: Double
  let height: Double
  let title: String
  var elements: [Element] = []

  init(width: Double, height: Double, title: String) {
    self.width = width
    self.height = height
    self.title = title
  }

  /// The file's content.
  var svg: String {
    let box = "0 0 \(coordinate(width)) \(coordinate(height))"
    var root = Element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "width": coordinate(width),
        "height": coordinate(height), "role": "img",
      ])
    let paper = Element.rectangle(x: 0, y: 0, width: width, height: height, class: "paper")
    root.children = [Element("title", text: title), Element("style", text: Look.sheet), paper]
    root.children += elements
    return root.rendered()
  }
}

/// The colours and letters of the charts.
///
/// The colours are those of Okabe and Ito, Color Universal Design, 2008, which people of all kinds
/// of colour vision tell apart. No chart needs them: each bar and curve bears its name.
enum Look {
  /// How wide a letter of the given size is on average, with some to spare.
  static func width(of text: String, size: Double = 13) -> Double {
    0.62 * size * Double(text.count)
  }

  /// The class of a subject's bars and curves.
  static func colour(of subject: String) -> String {
    colours.first { $0.subject == subject }.map { "c-\($0.subject)" } ?? "c-other"
  }

  private static let colours: [(subject: String, light: String, dark: String)] = [
    ("isakvo", "#0072b2", "#2f9be0"), ("isakvo-swift", "#56b4e9", "#7cc8f2"),
    ("limit", "#8c959f", "#8b949e"), ("control", "#8c959f", "#8b949e"),
    ("plain", "#8c959f", "#8b949e"), ("gobject", "#009e73", "#1fb58b"),
    ("gnustep", "#1f2328", "#f0f6fc"), ("qt-property", "#d9ca1f", "#f0e442"),
    ("qt-signal", "#a39700", "#c4b82e"), ("swift-observation", "#d55e00", "#e8761f"),
    ("opencombine", "#cc79a7", "#d68fb6"), ("opencombine-subject", "#a9588a", "#bd74a0"),
    ("didset", "#e69f00", "#e69f00"), ("other", "#8c959f", "#8b949e"),
  ]

  private static let light = """
    .paper { fill: #ffffff } text { fill: #1f2328 } .quiet { fill: #59636e }
    .grid { stroke: #d1d9e0 } .axis, .whisker, .goal { stroke: #1f2328 }
    """

  private static let dark = """
    .paper { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 }
    .grid { stroke: #30363d } .axis, .whisker, .goal { stroke: #f0f6fc }
    """

  private static func rules(_ colour: (subject: String, light: String, dark: String)) -> String {
    ".c-\(colour.subject) { --c: \(colour.light) }"
  }

  private static func darkRules(
    _ colour: (subject: String, light: String, dark: String)
  ) -> String { ".c-\(colour.subject) { --c: \(colour.dark) }" }

  static let sheet = """

    text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
    .heading { font-size: 18px; font-weight: 600 } .group { font-weight: 600 }
    .end { text-anchor: end } .middle { text-anchor: middle } .number { text-anchor: end;
    font-variant-numeric: tabular-nums } .grid, .axis { stroke-width: 1 }
    .whisker { stroke-width: 1.5 } .goal { stroke-width: 3 } .bar, .mark { fill: var(--c) }
    .curve { fill: none; stroke: var(--c); stroke-width: 2 }
    \(light)
    \(colours.map(rules).joined(separator: "\n"))
    @media screen and (prefers-color-scheme: dark) {
    \(dark)
    \(colours.map(darkRules).joined(separator: "\n"))
    }

    """
}
