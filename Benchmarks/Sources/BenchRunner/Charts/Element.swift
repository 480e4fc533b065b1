import Foundation

/// An element of an SVG picture.
struct Element {
  let name: String
  var attributes: [(String, String)]
  var text: String?
  var children: [Element] = []

  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String? = nil) {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    self.text = text
  }

  /// The element and what is in it, one element a line.
  func rendered(indent: String = "") -> String {
    let head = "\(indent)<\(name)" + attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    if let text { return "\(head)>\(escaped(text))</\(name)>\n" }
    if children.isEmpty { return "\(head)/>\n" }
    let inside = children.map { $0.rendered(indent: indent + "  ") }.joined()
    return "\(head)>\n\(inside)\(indent)</\(name)>\n"
  }
}

/// The text as XML has it.
private func escaped(_ text: String) -> String {
  text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
}

/// A length or place with one decimal at most.
func coordinate(_ number: Double) -> String {
  let rounded = (number * 10).rounded() / 10
  return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}

extension Element {
  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class style: String
  ) -> Element {
    Element(
      "line",
      [
        "class": style, "x1": coordinate(x1), "y1": coordinate(y1), "x2": coordinate(x2),
        "y2": coordinate(y2),
      ])
  }

  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, class style: String
  ) -> Element {
    Element(
      "rect",
      [
        "class": style, "x": coordinate(x), "y": coordinate(y), "width": coordinate(width),
        "height": coordinate(height),
      ])
  }

  static func text(_ text: String, x: Double, y: Double, class style: String) -> Element {
    Element("text", ["class": style, "x": coordinate(x), "y": coordinate(y)], text: text)
  }
}
