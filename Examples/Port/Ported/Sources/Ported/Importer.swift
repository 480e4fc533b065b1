import Foundation
import IsaKVO
import IsaKVOFoundation

/// Fills models by their keys from what a file says.
struct Importer {
  func read(_ values: [String: Any], into settings: Settings) {
    settings.setValuesForKeys(values)
  }

  func read(_ texts: [[String: Any]], into document: Document) {
    let paragraphs = document.mutableArrayValue(forKey: "paragraphs")
    for values in texts {
      let paragraph = Paragraph("")
      paragraph.setValuesForKeys(values)
      if !paragraphs.contains(paragraph) { paragraphs.add(paragraph) }
    }
  }
}
