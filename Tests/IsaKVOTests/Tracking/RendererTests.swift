import IsaKVO
import IsaKVOTestSupport
import Observation
import Testing

// MARK: - A renderer in the manner of SwiftUI

/// A view: its text, and the views within it, each with the identity that it keeps.
private protocol View: AnyObject {
  var name: String { get }
  var body: (text: String, parts: [any View]) { get }
}

/// Draws views, and those anew of which something has changed that they have read.
private final class Renderer {
  // Sendable because trackings fire where the test changes its objects.
  private final class Node: @unchecked Sendable {
    let view: any View
    var text = ""
    var parts: [Node] = []
    var isStale = true
    init(_ view: any View) { self.view = view }
  }

  private let root: Node
  private(set) var drawn: [String] = []

  init(_ view: any View) {
    root = Node(view)
    update(root)
  }

  /// The views that are drawn now because they have changed.
  func redraw() -> [String] {
    drawn = []
    update(root)
    return drawn
  }

  var text: String { lines(root).joined(separator: "\n") }

  private func update(_ node: Node) {
    if node.isStale { draw(node) }
    node.parts.forEach(update)
  }

  private func draw(_ node: Node) {
    node.isStale = false
    drawn.append(node.view.name)
    // An object keeps what its trackings fire, and a view its objects.
    let body = withObservationTracking {
      node.view.body
    } onChange: { [weak node] in
      node?.isStale = true
    }
    node.text = body.text
    node.parts = body.parts.map { view in
      node.parts.first { $0.view.name == view.name } ?? Node(view)
    }
  }

  private func lines(_ node: Node) -> [String] { [node.text] + node.parts.flatMap(lines) }
}

// MARK: - An inventory, and how it is shown

private final class Article: KVObject {
  @Dynamic var name: String
  @Dynamic var count: Int
  @Dynamic var price = 2
  @Dynamic var note = ""

  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }

  var worth: Int { count * price }
}

private final class Inventory: KVObject {
  @Dynamic var title = "Stock"
  @Dynamic var articles: [Article] = []
  var total: Int { articles.map(\.worth).reduce(0, +) }
}

private final class InventoryView: View {
  let inventory: Inventory
  init(_ inventory: Inventory) { self.inventory = inventory }
  var name: String { "inventory" }
  var body: (text: String, parts: [any View]) {
    (inventory.title, inventory.articles.map(ArticleView.init) + [TotalView(inventory)])
  }
}

private final class ArticleView: View {
  let article: Article
  let name: String
  init(_ article: Article) {
    self.article = article
    name = "article \(ObjectIdentifier(article))"
  }
  var body: (text: String, parts: [any View]) { ("\(article.count) \(article.name)", []) }
}

private final class TotalView: View {
  let inventory: Inventory
  init(_ inventory: Inventory) { self.inventory = inventory }
  var name: String { "total" }
  var body: (text: String, parts: [any View]) { ("worth \(inventory.total)", []) }
}

@Suite("A renderer on withObservationTracking", .serialized, .oneAtATime)
struct RendererTests {
  private let inventory = Inventory(), bolts = Article("bolts", 5), nuts = Article("nuts", 3)
  private let renderer: Renderer

  init() {
    inventory.articles = [bolts, nuts]
    renderer = Renderer(InventoryView(inventory))
  }

  private func name(_ article: Article) -> String { ArticleView(article).name }

  @Test("all is drawn at first, and nothing while nothing changes")
  func first() {
    #expect(renderer.drawn == ["inventory", name(bolts), name(nuts), "total"])
    #expect(renderer.text == "Stock\n5 bolts\n3 nuts\nworth 16")
    #expect(renderer.redraw() == [])
  }

  @Test("a change draws those views anew that have read the property, and no others")
  func properties() throws {
    bolts.name = "screws"
    #expect(renderer.redraw() == [name(bolts)])
    nuts.count = 4
    #expect(renderer.redraw() == [name(nuts), "total"])
    try bolts.setValue(3, forKey: "price")
    #expect(renderer.redraw() == ["total"])
    bolts.note = "read by none"
    #expect(renderer.redraw() == [])
    #expect(renderer.text == "Stock\n5 screws\n4 nuts\nworth 23")
  }

  @Test("several changes of one property, and a transaction, draw a view once")
  func together() {
    for count in 6...9 { bolts.count = count }
    #expect(renderer.redraw() == [name(bolts), "total"])
    KVObject.transaction {
      bolts.name = "b"
      bolts.count = 1
      nuts.count = 1
    }
    #expect(renderer.redraw() == [name(bolts), name(nuts), "total"])
    #expect(renderer.text == "Stock\n1 b\n1 nuts\nworth 4")
  }

  @Test("of elements that come and go, those that are new are drawn, and those that stay are not")
  func elements() {
    let articles = inventory.mutableArrayValue(for: \.articles), pins = Article("pins", 1)
    articles.append(pins)
    #expect(renderer.redraw() == ["inventory", name(pins), "total"])
    articles.remove(at: 0)
    #expect(renderer.redraw() == ["inventory", "total"])
    bolts.count = 100
    #expect(renderer.redraw() == [])
    articles.reverse()
    inventory.title = "All"
    #expect(renderer.redraw() == ["inventory", "total"])
    #expect(renderer.text == "All\n1 pins\n3 nuts\nworth 8")
  }
}
