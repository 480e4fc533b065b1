import Foundation

let settings = Settings()
let document = Document(settings)
let history = History(document)

var tokens = [
  document.observe(\.heading, options: .new) { _, change in print("heading:", change.newValue!) },
  document.observe(\.paragraphs, options: [.new]) { document, change in
    let places = change.indexes.map { Array($0) } ?? []
    print("paragraphs at", places, document.paragraphs)
  },
  document.observe(\.status, options: [.old, .new]) { _, change in
    print("status:", change.oldValue!, "to", change.newValue!)
  },
  document.observe(\.edits, options: .new) { _, change in print("edits:", change.newValue!) },
  settings.observe(\.isDark, options: .new) { _, change in print("dark:", change.newValue!) },
]

print("-- import")
let importer = Importer()
importer.read(
  ["author": "Ann", "fontSize": NSNull(), #keyPath(Settings.isDark): true, "zoom": 2],
  into: settings)
importer.read(
  [["text": "It was late."], ["text": "Not so.", "isQuote": true], ["text": "It was late."]],
  into: document)
print("unknown:", settings.unknown)

print("-- edit")
document.title = "Night"
document.setValue("Late night", forKey: #keyPath(Document.title))
settings.fontSize = 14
document.status = "SAVED"
document.setValue("Sent", forKey: "status")
document.count(0)
document.count(2)
print(document.identifier, document.titles)

print("-- undo")
while history.count > 0 { history.undo() }
print(settings.fontSize, document.title)

print("-- ask")
print("words:", document.value(forKeyPath: "paragraphs.@sum.words") as! Int)
print("texts:", document.value(forKeyPath: "paragraphs.text") as! [String])
print(document.paragraphs[0].document === document, Paragraph("a") == Paragraph("a"))
tokens.forEach { $0.invalidate() }
tokens = []
