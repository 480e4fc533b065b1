// The inventory as a file of JSON.
import Foundation

struct Document {
  let url: URL

  /// Reads the file into an inventory; one that does not exist is left for the first time it is saved.
  func load(into inventory: Inventory) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let data = try Data(contentsOf: url)
    inventory.items = try JSONDecoder().decode(Inventory.self, from: data).items
  }

  func save(_ inventory: Inventory) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(inventory).write(to: url, options: .atomic)
  }
}
