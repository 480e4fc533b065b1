import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// Transactions that controllers and bindings are told of, and changes by controllers within them.
@Suite(.serialized, .oneAtATime) struct TransactionTests {
  private let team = Team(people("c", "a", "b"))
  private let controller = ArrayController<Person>()
  private let field = Field()

  private var members: ArrayProxy<Person> { team.mutableArrayValue(for: \.members) }

  /// A list that has to be what is arranged once `body` has been done in a transaction, and a field
  /// that has to show the selected one.
  private func expectInStep(_ body: () -> Void) throws {
    let list = ListCopy(controller)
    try field.bind("text", to: controller, withKeyPath: "selection.name")
    KVObject.transaction(body)
    #expect(isSame(list.rows, controller.arrangedObjects))
    #expect(field.text == controller.selectedObjects.first?.name)
  }

  @Test("BND-122: what the model loses and what is sorted in a transaction is told in that order")
  func sorted() throws {
    controller.bindContent(to: team, \.members)
    try expectInStep {
      members.remove(at: 0)
      controller.sort = [.descending(\.name)]
    }
    #expect(controller.names == ["b", "a"])
  }

  @Test("BND-122: what is filtered and selected in a transaction is told in that order")
  func filtered() throws {
    controller.bindContent(to: team, \.members)
    try expectInStep {
      members.insert(Person("0"), at: 0)
      controller.filter = .where(\.name, <, "c")
      controller.select(1)
      members.remove(at: 2)
    }
    #expect(controller.names == ["0", "b"] && controller.selectedNames == ["b"])
  }

  @Test("BND-122: a list by name is told in order, too, and so is its binding contentArray")
  func byName() throws {
    try controller.bindContent(to: team, withKeyPath: "members")
    try expectInStep {
      members.remove(at: 0)
      controller.sort = [.descending(\.name)]
    }
    controller.unbindContent()
    try controller.bind(.contentArray, to: team, withKeyPath: "members")
    try expectInStep {
      members.append(Person("d"))
      controller.sort = [.ascending(\.name)]
      members.remove(at: 0)
    }
    #expect(controller.names == ["b", "d"])
  }

  @Test("elements that change together, and those that come meanwhile, are in order at the end")
  func together() {
    var state: UInt64 = 88_172_645_463_325_252
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    controller.automaticallyRearranges = true
    controller.clearsFilterOnInsertion = false
    controller.filter = .where(\.age, >=, 5)
    controller.sort = [.ascending(\.age)]
    controller.content = (0..<12).map { Person("\($0)", $0 * 2) }
    let list = ListCopy(controller)
    for round in 0..<300 {
      KVObject.transaction {
        for _ in 0...random(5) {
          let content = controller.content
          switch random(8) {
          case 0: controller.add(Person("new", random(30)))
          case 1 where content.count > 6: controller.remove(content[random(content.count)])
          default: content[random(content.count)].age = random(30)
          }
        }
      }
      let expected = controller.content.filter { $0.age >= 5 }.enumerated().sorted {
        ($0.element.age, $0.offset) < ($1.element.age, $1.offset)
      }
      #expect(isSame(controller.arrangedObjects, expected.map(\.element)), "round \(round)")
      #expect(isSame(list.rows, controller.arrangedObjects), "round \(round)")
    }
  }

  @Test("BND-122: what is inserted at a place in a transaction keeps it, until it changes")
  func placed() throws {
    controller.automaticallyRearranges = true
    controller.sort = [.ascending(\.name)]
    for isBound in [false, true] {
      controller.unbindContent()
      if isBound { controller.bindContent(to: team, \.members) }
      controller.content = people("a", "b", "c")
      let new = Person("z")
      try expectInStep { controller.insert(new, atArranged: 1) }
      #expect(controller.names == ["a", "z", "b", "c"], "bound: \(isBound)")
      try expectInStep { controller.add(Person("aa")) }
      #expect(controller.names.firstIndex(of: "aa") == 1, "bound: \(isBound)")
      KVObject.transaction {
        controller.insert(Person("y"), atArranged: 0)
        new.name = "d"
      }
      #expect(controller.names == ["y", "a", "aa", "b", "c", "d"], "bound: \(isBound)")
    }
  }

  @Test("BND-122: an observer that sorts at the end of a transaction is told of in order")
  func meddling() throws {
    controller.bindContent(to: team, \.members)
    let token = team.observe(\.name) { [controller] _, _ in
      controller.sort = [.descending(\.name)]
      controller.filter = .where(\.name, >, "a")
    }
    try expectInStep {
      team.name = "red"
      members.append(Person("d"))
    }
    #expect(controller.names == ["d", "c", "b"])
    token.invalidate()
  }

  @Test("BND-122: a binding ends with the last value that its source was set to")
  func bindings() throws {
    let first = Field(), source = Field(), targets = (0..<4).map { _ in Field() }
    let token = first.observe(\.number) { _, _ in source.number = 2 }
    try targets[0].follow(\.number, of: source, \.number)
    try targets[1].bind(\.number, to: source, \.number)
    try targets[2].bind("number", to: source, withKeyPath: "number")
    try targets[3].follow(\.number, of: source, \.number.byteSwapped) { $0.byteSwapped }
    KVObject.transaction {
      first.number = 1
      source.number = 1
    }
    #expect(source.number == 2 && targets.map(\.number) == [2, 2, 2, 2])
    token.invalidate()
  }

  @Test("BND-122: a column is told rows that a list has which heard what came and went")
  func columns() {
    let list = ListCopy(controller)
    var told: [String] = []
    let column = controller.rows(\.name) { row, name in
      told.append("\(row) \(name) \(list.rows.count > row ? list.rows[row].name : "none")")
    }
    for isNested in [false, true] {
      for isBound in [false, true] {
        controller.unbindContent()
        if isBound { controller.bindContent(to: team, \.members) }
        controller.content = people("c", "a", "b")
        told = []
        func change() {
          let shown = controller.arrangedObjects
          shown[2].name = "z"
          controller.remove(shown[0])
          let new = Person("n")
          controller.add(new)
          new.name = "m"
        }
        KVObject.transaction { if isNested { KVObject.transaction(change) } else { change() } }
        #expect(isSame(list.rows, controller.arrangedObjects))
        #expect(told.contains("1 z z") && Set(told).isSubset(of: ["1 z z", "2 m m"]), "\(told)")
      }
    }
    column.invalidate()
  }

  @Test("BND-122: a tree is told in order of what its model and its user change in a transaction")
  func trees() {
    let root = Twig("root", Twig("c"), Twig("a"), Twig("b"))
    let tree = TreeController<Twig>([root]), outline = Outline(tree)
    outline.inTransaction {
      root.mutableArrayValue(for: \.items).remove(at: 0)
      tree.sort = [.descending(\.name)]
      root.items[0].items = [Twig("x")]
      tree.select([0, 1])
    }
    #expect(tree.text == "root(b a(x))" && tree.selectedNames == ["a"])
  }

  // MARK: The model within a transaction

  @Test("BND-122: what was added in a transaction is removed in it, typed and by name")
  func addsAndRemoves() throws {
    let x = Person("x"), y = Person("y")
    func expectRemoval() {
      KVObject.transaction {
        controller.add(x)
        controller.remove(x)
        controller.insert(y, atArranged: 1)
        controller.remove(contentsOf: [x, y])
        #expect(controller.names == ["c", "a", "b"])
      }
      #expect(
        team.members.map(\.name) == ["c", "a", "b"] && isSame(controller.content, team.members))
    }
    controller.bindContent(to: team, \.members)
    expectRemoval()
    controller.bindContent(to: team, \.members, asCompoundValue: true)
    expectRemoval()
    try controller.bindContent(to: team, withKeyPath: "members")
    expectRemoval()
    controller.unbindContent()
    try controller.bind(.contentArray, to: team, withKeyPath: "members")
    expectRemoval()
  }

  @Test("BND-122: what was removed again in it is not selected when the model inserts it")
  func forgets() {
    let x = Person("x")
    controller.bindContent(to: team, \.members)
    KVObject.transaction {
      controller.add(x)
      controller.remove(x)
    }
    controller.select(0)
    members.append(x)
    #expect(controller.selectedNames == ["c"])
  }

  @Test("BND-122: a row in a transaction is the object that was shown there")
  func rows() {
    controller.bindContent(to: team, \.members)
    KVObject.transaction {
      members.insert(contentsOf: people("x", "y"), at: 0)
      controller.insert(Person("z"), atArranged: 1)
      controller.remove(atArranged: 0)
      controller.remove(atArranged: 0)
    }
    #expect(team.members.map(\.name) == ["x", "y", "z", "a", "b"])
    #expect(isSame(controller.content, team.members))
  }

  @Test("BND-122: a set's elements are added and removed in a transaction")
  func sets() {
    let x = Person("x")
    controller.bindContent(to: team, \.guests)
    KVObject.transaction {
      controller.add(x)
      controller.remove(x)
    }
    #expect(team.guests.isEmpty && controller.content.isEmpty)
  }

  @Test("BND-122: an object controller removes in a transaction what it has added")
  func objects() throws {
    let editor = ObjectController<Person>(), x = Person("x")
    func expectRemoval() {
      KVObject.transaction {
        editor.add(x)
        editor.remove(x)
      }
      #expect(team.leader == nil && editor.content == nil)
      KVObject.transaction {
        editor.add(x)
        team.leader = nil
        editor.remove(x)
        team.leader = x
      }
      #expect(team.leader === x && editor.content === x)
      editor.remove()
    }
    editor.bindContent(to: team, \.leader)
    expectRemoval()
    editor.unbindContent()
    try editor.bind(.contentObject, to: team, withKeyPath: "leader")
    expectRemoval()
  }

  @Test("BND-122: a tree shows and removes in a transaction what it has inserted")
  func ownTree() throws {
    let forest = Forest(), tree = TreeController<Twig>(children: \.items)
    forest.roots = [Twig("a", Twig("b"))]
    tree.bindContent(to: forest, \.roots)
    let outline = Outline(tree)
    try outline.inTransaction {
      forest.roots.insert(Twig("0"), at: 0)
      try tree.insert(Twig("x"), at: [1])
      #expect(tree.selectedNames == ["x"])
      tree.removeSelected()
      tree.select([1])
      try tree.addChild(Twig("y"))
      tree.removeSelected()
    }
    #expect(forest.roots.map(\.name) == ["0", "a"] && tree.text == "0 a(b)")
  }

  @Test("BND-122: a dictionary controller keeps what a transaction has put into the model")
  func dictionaries() throws {
    final class Request: KVObject { @Dynamic var headers = ["a": "1"] }
    let request = Request(), headers = DictionaryController<String>()
    func expectAll() {
      request.headers = ["a": "1"]
      let pair = DictionaryPair("x", "2"), list = ListCopy(headers)
      KVObject.transaction {
        request.headers["b"] = "3"
        headers.add(pair)
        request.headers["c"] = "4"
        headers.arrangedObjects[0].value = "0"
        headers.remove(pair)
      }
      #expect(request.headers == ["a": "0", "b": "3", "c": "4"])
      #expect(headers.contentDictionary == request.headers && list.rows.count == 3)
    }
    headers.bindContentDictionary(to: request, \.headers)
    expectAll()
    try headers.bindContentDictionary(to: request, withKeyPath: "headers")
    expectAll()
  }
}
