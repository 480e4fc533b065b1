import Foundation

/// A paragraph, equal to another of the same text.
final class Paragraph: NSObject {
  @objc dynamic var text: String
  @objc dynamic var isQuote = false
  @objc dynamic weak var document: Document?

  init(_ text: String) {
    self.text = text
    super.init()
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? Paragraph)?.text == text }
  override var hash: Int { text.hashValue }
  override var description: String { isQuote ? "“\(text)”" : text }

  @objc dynamic var words: Int { text.split(separator: " ").count }

  @objc class var keyPathsForValuesAffectingWords: Set<String> { [#keyPath(text)] }
}

/// A document: paragraphs under a title.
final class Document: NSObject {
  @objc dynamic var title = "untitled" {
    didSet { titles.append(title) }
  }
  @objc dynamic var paragraphs: [Paragraph] = [] {
    didSet { paragraphs.forEach { $0.document = self } }
  }
  @objc dynamic let settings: Settings
  @objc dynamic lazy var identifier = makeIdentifier()
  private(set) var titles: [String] = []
  private var storedStatus = "new"

  init(_ settings: Settings) {
    self.settings = settings
    super.init()
  }

  private func makeIdentifier() -> String { "document of \(settings.author)" }

  /// The line above the text.
  @objc dynamic var heading: String { "\(title), by \(settings.author)" }

  // The author is another object's.
  @objc class func keyPathsForValuesAffectingHeading() -> Set<String> {
    return [#keyPath(Document.title), #keyPath(Document.settings.author)]
  }

  /// Set by whoever saves the document; stored in lower case.
  @objc dynamic var status: String {
    get { storedStatus }
    set { storedStatus = newValue.lowercased() }
  }

  /// The number of edits, told once for all of a turn.
  @objc dynamic private(set) var edits = 0

  // `count(_:)` tells by itself.
  @objc class func automaticallyNotifiesObserversOfEdits() -> Bool { false }

  func count(_ more: Int) {
    guard more > 0 else { return }
    willChangeValue(forKey: #keyPath(edits))
    edits += more
    didChangeValue(forKey: #keyPath(edits))
  }
}
