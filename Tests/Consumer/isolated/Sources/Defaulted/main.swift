// A module whose default is the main actor, as the page MainActorModels says.
import IsaKVO

/// Of the main actor, and known to be.
final class Person: KVObject, MainActorObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 30
  var line: String { "\(name), \(age)" }
}

/// The same, coded: the conformance is the main actor's, too.
final class Note: KVObject, MainActorObject, @MainActor Codable {
  @Dynamic var text = "note"

  override init() { super.init() }

  init(from decoder: any Decoder) throws {
    super.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    text = try container.decode(String.self, forKey: .text)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
  }

  private enum CodingKeys: CodingKey { case text }
}

/// Of the main actor by default alone: its initialiser is nobody's, as the one that it overrides.
final class Draft: KVObject {
  @Dynamic var text = "draft"

  nonisolated override init() { super.init() }
}

/// Of no actor.
nonisolated final class Shared: KVObject {
  @Dynamic var count = 1
}

let person = Person(), draft = Draft(), shared = Shared()
let tokens = [
  person.observe(\.line, options: .new) { _, change in print(change.newValue!) },
  draft.observe(\.text, options: .new) { draft, change in print(draft.text, change.newValue!) },
  shared.observe(\.count, options: [.old, .new]) { _, change in print(change) },
]
person.age = 31
draft.text = "final"
shared.count = 2
print(Note().text, try person.value(forKey: "age") as! Int)
tokens.forEach { $0.invalidate() }
