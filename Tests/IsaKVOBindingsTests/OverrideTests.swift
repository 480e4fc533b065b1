import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// Has its name and its items in other properties.
private final class Alias: Twig, @unchecked Sendable {
  @Dynamic var other = "a"
  @Dynamic var others: [Twig] = []

  override var name: String {
    get { other }
    set { other = newValue }
  }
  override var items: [Twig] {
    get { others }
    set { others = newValue }
  }
}

@Suite(.serialized, .oneAtATime) struct OverrideTests {
  private let alias = Alias("-")

  /// Changes the name in each way, and gives what `shown` says after each.
  private func changes(_ shown: () -> String) throws -> [String] {
    var lines: [String] = []
    alias.name = "b"
    lines.append(shown())
    alias.other = "c"
    lines.append(shown())
    try alias.setValue("d", forKey: "name")
    return lines + [shown()]
  }

  @Test("a property that is bound to an overridden one follows it, both ways, once each")
  func bound() throws {
    let field = Field(), other = Field(), named = Field()
    try field.follow(\.text, of: alias, \.name)
    try other.bind(\.text, to: alias, \.name)
    try named.bind("text", to: alias, withKeyPath: "name")
    let told = ToldValues(field, \.text)
    let shown = try changes { "\(field.text) \(other.text) \(named.text)" }
    #expect(shown == ["b b b", "c c c", "d d d"])
    #expect(told.values == ["b", "c", "d"])
    other.text = "e"
    #expect(alias.other == "e" && field.text == "e" && told.values == ["b", "c", "d", "e"])
  }

  @Test("a controller's selection tells an overridden property once")
  func selection() throws {
    let controller = ArrayController<Twig>()
    controller.content = [alias]
    controller.select(0)
    var lines: [String] = []
    let token = try controller.observe("selection.name", as: String.self, options: .new) {
      _, change in
      lines.append(change.newValue ?? "-")
    }
    let shown = try changes { lines.joined() }
    #expect(shown == ["b", "bc", "bcd"])
    token.invalidate()
  }

  @Test("rows tell an overridden property once, and rearrange by it")
  func rows() throws {
    let controller = ArrayController<Twig>()
    controller.content = [Twig("c5"), alias]
    controller.sort = [.ascending(\.name)]
    controller.automaticallyRearranges = true
    var lines: [String] = []
    let token = controller.rows(\.name) { row, name in lines.append("\(row) \(name)") }
    lines = []
    _ = try changes { "" }
    #expect(lines.count == 3)
    #expect(controller.arrangedObjects.map(\.name) == ["c5", "d"])
    withExtendedLifetime(token) {}
  }

  @Test("a tree shows the children that an overridden property gives")
  func children() {
    let tree = TreeController<Twig>([alias])
    alias.items = [Twig("x")]
    alias.others.append(Twig("y"))
    #expect(tree.arrangedObjects.children[0].children.map { $0.object?.name } == ["x", "y"])
  }
}
