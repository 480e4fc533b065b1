import IsaKVO
import IsaKVOBindings
import IsaKVOTestModels
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Gauge: KVObject {
  @Dynamic var number = 0
}

/// Bindings and controllers follow an object, whatever holds it.
@Suite(.serialized, .oneAtATime) struct ContainerTests {
  @Test(
    "a property that follows a computed one hears an object, whatever holds it",
    arguments: containers)
  func follow(kind: any AnyContainer) throws {
    func test<Kind: AnyContainer>(_ kind: Kind) throws {
      let leaf = Leaf(), other = Leaf(), holder = Holder(kind.container, [leaf]), gauge = Gauge()
      try gauge.follow(\.number, of: holder, \.total)
      leaf.size = 5
      #expect(gauge.number == holder.total)
      holder.content = kind.container.make([other])
      other.size = 7
      #expect(gauge.number == holder.total)
      withExtendedLifetime((leaf, other)) {}
    }
    try test(kind)
  }

  @Test(
    "a controller sorts and filters anew by an object, whatever holds it", arguments: containers)
  func arranging(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let leaves = [Leaf(), Leaf()]
      let holders = leaves.map { Holder(kind.container, [$0]) }
      let controller = ArrayController<Holder<Kind.Content>>()
      controller.content = holders
      controller.automaticallyRearranges = true
      controller.sort = [.descending(\.total)]
      leaves[1].size = 5
      #expect(controller.arrangedObjects == holders.reversed())
      controller.filter = .where(\.total, >, 100)
      #expect(controller.arrangedObjects.isEmpty)
      leaves[0].size = 200
      #expect(controller.arrangedObjects == [holders[0]])
      withExtendedLifetime(leaves) {}
    }
    test(kind)
  }

  @Test("the rows of a controller hear an object, whatever holds it", arguments: containers)
  func rows(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let leaves = [Leaf(), Leaf()]
      let controller = ArrayController<Holder<Kind.Content>>()
      controller.content = leaves.map { Holder(kind.container, [$0]) }
      var told: [String] = []
      let token = controller.rows(\.total) { told.append("\($0) \($1)") }
      leaves[1].size = 5
      #expect(told == ["1 \(controller.content[1].total)"])
      token.invalidate()
      withExtendedLifetime(leaves) {}
    }
    test(kind)
  }

  @Test("a getter that reads the selection or a property of a controller is told of a change")
  func selection() throws {
    let people = ArrayController<Citizen>(), reader = SelectionReader(people)
    people.content = [Citizen(), Citizen()]
    people.select([0])
    var names: [String] = [], counts: [Int] = []
    let tokens = [
      reader.observe(\.name, options: .new) { names.append($1.newValue!) },
      reader.observe(\.count, options: .new) { counts.append($1.newValue!) },
    ]
    people.content[0].name = "Bob"
    #expect(names == ["Bob"])
    people.content.append(Citizen())
    #expect(counts.last == 3)
    tokens.forEach { $0.invalidate() }
  }
}

/// Reads a controller by name and by type.
private final class SelectionReader: KVObject {
  let people: ArrayController<Citizen>

  init(_ people: ArrayController<Citizen>) { self.people = people }

  var name: String { (try? people.value(forKeyPath: "selection.name") as? String) ?? "" }
  var count: Int { people.arrangedObjects.count }
}
