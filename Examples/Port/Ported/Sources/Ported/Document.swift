import Foundation
import IsaKVO
import IsaKVOFoundation

/// A paragraph, equal to another of the same text.
final class Paragraph: KVObject {
  @Dynamic var text: String
  @Dynamic var isQuote = false
  @WeakDynamic var document: Document?

  init(_ text: String) {
    self.text = text
    super.init()
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? Paragraph)?.text == text }
  override var hash: Int { text.hashValue }
  override var description: String { isQuote ? "“\(text)”" : text }

  var words: Int { text.split(separator: " ").count }

  override class var keys: [KeyDeclaration] {
    [.key("words", \Paragraph.words, paths: ["text"])]
  }
}

/// A document: paragraphs under a title.
final class Document: KVObject {
  var title: String {
    get { storedTitle }
    set {
      willChangeValue(forKey: "title")
      defer { didChangeValue(forKey: "title") }
      storedTitle = newValue
    }
  }
  private var storedTitle = "untitled" {
    didSet { titles.append(storedTitle) }
  }
  var paragraphs: [Paragraph] {
    get { storedParagraphs }
    set {
      willChangeValue(forKey: "paragraphs")
      defer { didChangeValue(forKey: "paragraphs") }
      storedParagraphs = newValue
    }
  }
  private var storedParagraphs: [Paragraph] = [] {
    didSet { storedParagraphs.forEach { $0.document = self } }
  }
  let settings: Settings
  @LazyDynamic(Document.makeIdentifier) var identifier: String
  private(set) var titles: [String] = []
  private var storedStatus = "new"

  init(_ settings: Settings) {
    self.settings = settings
    super.init()
  }

  private func makeIdentifier() -> String { "document of \(settings.author)" }

  /// The line above the text.
  var heading: String { "\(title), by \(settings.author)" }

  /// Set by whoever saves the document; stored in lower case.
  var status: String {
    get { storedStatus }
    set {
      willChangeValue(forKey: "status")
      defer { didChangeValue(forKey: "status") }
      storedStatus = newValue.lowercased()
    }
  }

  /// The number of edits, told once for all of a turn.
  @Dynamic private(set) var edits = 0

  override class var keys: [KeyDeclaration] {
    [
      .key("title", \Document.title),
      .key("paragraphs", \Document.paragraphs),
      .key("settings", \Document.settings),
      // The author is another object's.
      .key("heading", \Document.heading, paths: ["title", "settings.author"]),
      .key("status", \Document.status),
      // `count(_:)` tells by itself.
      .key("edits", \Document.edits, notifiesAutomatically: false),
    ]
  }

  func count(_ more: Int) {
    guard more > 0 else { return }
    willChangeValue(forKey: "edits")
    edits += more
    didChangeValue(forKey: "edits")
  }
}
