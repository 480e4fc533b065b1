import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of parsed XML.
final class Element {
  let name: String
  let attributes: [String: String]
  private(set) var children: [Element] = []
  /// The text of the element and of all in it.
  private(set) var text = ""

  init(_ name: String, _ attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  subscript(name: String) -> String { attributes[name] ?? "" }
  var classes: Set<Substring> { Set(self["class"].split(separator: " ")) }

  /// All below it, itself included.
  var all: [Element] { [self] + children.flatMap(\.all) }

  func first(_ name: String) -> Element? { all.first { $0.name == name } }
  func with(class name: String) -> [Element] { all.filter { $0.classes.contains(Substring(name)) } }

  /// - Throws: where the text is no XML.
  static func parsed(_ xml: String) throws -> Element {
    let reader = Reader()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      throw Malformed(line: parser.lineNumber, column: parser.columnNumber)
    }
    return root
  }

  struct Malformed: Error {
    var line: Int
    var column: Int
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var root: Element?
    private var open: [Element] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let element = Element(name, attributes)
      open.last?.children.append(element)
      if open.isEmpty { root = element }
      open.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      for element in open { element.text += text }
    }
  }
}

/// A page in its parts: its markup without scripts and style, which XML would misread, and its data.
struct ParsedPage {
  let root: Element
  let data: [String: Any]
  let json: String

  init(_ html: String) throws {
    let (unstyled, _) = try ParsedPage.parted(html, from: "<style", to: "</style>")
    let (markup, scripts) = try ParsedPage.parted(unstyled, from: "<script", to: "</script>")
    let heads = scripts.map { $0.prefix { $0 != ">" } }
    let packed = zip(heads, scripts).first { $0.0.contains("json") }
    json = packed.map { String($0.1.dropFirst($0.0.count + 1)) } ?? "{}"
    root = try Element.parsed(markup)
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    data = (object as? [String: Any]).map { Unpacked($0).data } ?? [:]
  }

  /// A text without the elements, and what stood in them. A page is long: expressions would take
  /// most of the time of the suites about pages.
  private static func parted(
    _ html: String, from start: String, to end: String
  ) throws -> (String, [String]) {
    let parts = html.components(separatedBy: start)
    let elements = parts.dropFirst().map { $0.components(separatedBy: end) }
    for element in elements { try #require(element.count == 2, "an element that does not end") }
    return (parts[0] + elements.map { $0[1] }.joined(), elements.map { $0[0] })
  }

  var moments: [[String: Any]] { data["moments"] as? [[String: Any]] ?? [] }
  var steps: [[String: Any]] { data["steps"] as? [[String: Any]] ?? [] }

  /// How all stands after a step.
  func end(of step: Int) -> [String: Any] { moments[steps[step]["end"] as? Int ?? 0] }

  func edges(at step: Int) -> [String: [String: Any]] {
    let drawing = end(of: step)["drawing"] as? [String: Any]
    return drawing?["edges"] as? [String: [String: Any]] ?? [:]
  }

  func nodes(at step: Int) -> Set<String> {
    let drawing = end(of: step)["drawing"] as? [String: Any]
    return Set((drawing?["nodes"] as? [String: Any] ?? [:]).keys)
  }
}
