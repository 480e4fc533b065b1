// A view model of the main actor in Swift 6, beside the standard library's @Observable.
//
// `Search` is observed by key path: its observers are told the old and the new value, also of what it
// computes. `Settings` is @Observable: whoever reads it inside of a tracking closure is told once that
// it will change. Both live on the main actor, and one uses the other.
import IsaKVO
import Observation

// MARK: - Where results come from

/// Finds books, elsewhere than on the main actor.
actor Library {
  private let titles = ["Dune", "Emma", "Ulysses", "Momo", "Middlemarch", "Dubliners"]
  private(set) var searches = 0

  func titles(with text: String) -> [String] {
    searches += 1
    return titles.filter { $0.lowercased().contains(text.lowercased()) }
  }
}

// MARK: - Settings, @Observable

@MainActor @Observable
final class Settings {
  var isSorted = false
  var limit = 3
}

// MARK: - The view model

/// One word, MainActorObject, makes the class one of the main actor and `Sendable`, and has values by
/// name checked: nobody sets a property on another thread.
final class Search: KVObject, MainActorObject {
  @Dynamic var text = ""
  @Dynamic private(set) var found: [String] = []
  @Dynamic private(set) var isBusy = false
  private let library: Library
  private let settings: Settings

  init(_ library: Library, _ settings: Settings) {
    self.library = library
    self.settings = settings
    super.init()
    follow()
  }

  /// The titles shown: computed, and observable like a stored property.
  var shown: [String] {
    let titles = settings.isSorted ? found.sorted() : found
    return Array(titles.prefix(settings.limit))
  }

  var summary: String {
    isBusy ? "searching for “\(text)”" : "\(found.count) found for “\(text)”"
  }

  /// `shown` depends on the settings too, of which the key paths of this class know nothing.
  override class var keys: [KeyDeclaration] {
    [.key("shown", \Search.shown, affectedBy: [\Search.found])]
  }

  func run(_ text: String) async {
    // Observers are told once of both.
    KVObject.transaction {
      self.text = text
      isBusy = true
    }
    let titles = await library.titles(with: text)
    KVObject.transaction {
      found = titles
      isBusy = false
    }
  }

  /// Tells of `shown` as often as a setting that it reads has changed.
  private func follow() {
    withObservationTracking {
      _ = (settings.isSorted, settings.limit)
    } onChange: { [weak self] in
      Task { @MainActor in self?.settingsChanged() }
    }
  }

  private func settingsChanged() {
    willChangeValue(forKey: "shown")
    didChangeValue(forKey: "shown")
    follow()
  }
}

// MARK: - The view

/// Prints what a window would show.
@MainActor
final class Window {
  private let tokens = ObservationBag()

  init(_ search: Search) {
    search.observe(\.summary, options: [.initial, .new], delivery: .mainActor) { _, change in
      print("status:", change.newValue ?? "")
    }.store(in: tokens)
    // The handler is the main actor's code: it uses the model as any method does.
    search.observe(\.shown, delivery: .mainActor) { search, _ in
      print("list:  ", search.shown.joined(separator: ", "))
    }.store(in: tokens)
  }

  func close() { tokens.invalidate() }
}

// MARK: - A run

let settings = Settings()
let library = Library()
let search = Search(library, settings)
let window = Window(search)

await search.run("m")

// Observation tells before the change, and the view model follows in a turn of its own.
let changes = search.changes(of: \.shown)
settings.isSorted = true
for await _ in changes { break }

let lists = search.values(of: \.shown)
let consumer = Task {
  for await titles in lists where titles.count == 2 { return titles.joined(separator: " and ") }
  return "none"
}
await search.run("du")
print("a task:", await consumer.value)

// By name, from elsewhere: refused, and nothing has changed.
await Task.detached { [search] in
  do throws(KeyValueError) {
    try search.setValue("anything", forKey: "text")
  } catch {
    print("refused:", error.reason)
  }
}.value
print("text:  ", search.text, "after", await library.searches, "searches")
window.close()
