import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct ContentBindingTests {
  private let team = Team(people("c", "a", "b"))
  private let controller = ArrayController<Person>()

  /// The indexes of the changes that the team tells.
  private func changes(during body: () -> Void) -> [String] {
    var lines: [String] = []
    let token = team.observe(\.members) { _, change in
      lines.append("\(change.kind)\(change.indexes.map { " \($0)" } ?? "")")
    }
    body()
    token.invalidate()
    return lines
  }

  @Test("BND-70: the content follows insertions, removals, replacements and settings of the model")
  func follows() {
    controller.sort = [.ascending(\.name)]
    controller.bindContent(to: team, \.members)
    #expect(controller.names == ["a", "b", "c"])
    let told = Told(controller, ["content", "arrangedObjects"])
    let members = team.mutableArrayValue(for: \.members)
    members.insert(contentsOf: people("d", "0"), at: 1)
    #expect(told.take() == ["content insertion [1, 2]", "arrangedObjects insertion [0, 4]"])
    members.remove(at: 0)
    #expect(told.take() == ["content removal [0]", "arrangedObjects removal [3]"])
    members[0] = Person("e")
    #expect(
      told.take() == [
        "content replacement [0]", "arrangedObjects removal [3]", "arrangedObjects insertion [3]",
      ])
    #expect(controller.names == ["0", "a", "b", "e"])
    team.members = [team.members[3], Person("x"), team.members[2]]
    #expect(
      told.take() == [
        "content setting: [e, 0, a, b] to [b, x, a]", "arrangedObjects removal [0, 3]",
        "arrangedObjects insertion [2]",
      ])
    #expect(isSame(controller.content, team.members))
  }

  @Test(
    "BND-71: adding and removing changes the model's list, told by indexes, and is applied once")
  func changesModel() {
    controller.bindContent(to: team, \.members)
    #expect(changes { controller.add(contentsOf: people("x", "y")) } == ["insertion [3, 4]"])
    #expect(controller.names == ["c", "a", "b", "x", "y"])
    #expect(controller.selectedNames == ["x", "y"])
    #expect(changes { controller.insert(Person("0"), atArranged: 1) } == ["insertion [1]"])
    #expect(controller.names == ["c", "0", "a", "b", "x", "y"] && controller.selectionIndex == 1)
    #expect(changes { controller.remove(atArranged: [0, 2]) } == ["removal [0, 2]"])
    #expect(isSame(controller.content, team.members) && controller.content.count == 4)
    controller.sort = [.ascending(\.name)]
    controller.insert(Person("z"), atArranged: 0)
    #expect(controller.names == ["z", "0", "b", "x", "y"])
    #expect(changes { controller.content = people("n") } == ["setting"])
    #expect(team.members.map(\.name) == ["n"])
  }

  @Test("BND-72: a compound value is set as a whole")
  func compound() {
    controller.bindContent(to: team, \.members, asCompoundValue: true)
    #expect(changes { controller.add(Person("x")) } == ["setting"])
    #expect(controller.selectedNames == ["x"])
    #expect(changes { controller.remove(atArranged: 0) } == ["setting"])
    #expect(controller.names == ["a", "b", "x"] && isSame(controller.content, team.members))
  }

  @Test("BND-72: by name, too")
  func compoundByName() throws {
    try controller.bind(
      .contentArray, to: team, withKeyPath: "members",
      options: .with { $0.handlesContentAsCompoundValue = true })
    #expect(changes { controller.add(Person("x")) } == ["setting"])
    #expect(controller.selectedNames == ["x"])
    #expect(changes { controller.insert(Person("y"), atArranged: 0) } == ["setting"])
    #expect(controller.names == ["y", "c", "a", "b", "x"])
    #expect(changes { controller.remove(atArranged: 1) } == ["setting"])
    #expect(controller.names == ["y", "a", "b", "x"] && isSame(controller.content, team.members))
  }

  @Test("BND-72: content that a transformer makes is set as a whole", arguments: [true, false])
  func transformedContent(eachElement: Bool) throws {
    let field = Field()
    let named = Transformer<String, Person> {
      Person($0)
    } back: {
      $0.name
    }
    let all = Transformer<[String], [Person]> {
      $0.map { Person($0) }
    } back: {
      $0.map(\.name)
    }
    field.list = ["a", "b"]
    try controller.bind(
      .contentArray, to: field, withKeyPath: "list",
      options: .with {
        $0.transformer = eachElement ? named.erased() : all.erased()
        $0.transformsElements = eachElement
      })
    controller.add(Person("c"))
    #expect(field.list == ["a", "b", "c"] && controller.names == field.list)
    controller.insert(Person("0"), atArranged: 1)
    #expect(field.list == ["a", "0", "b", "c"] && controller.names == field.list)
    controller.remove(atArranged: [0, 2])
    #expect(field.list == ["0", "c"] && controller.names == field.list)
    let leader = ObjectController<Person>()
    try leader.bind(
      .contentObject, to: field, withKeyPath: "text",
      options: .with { $0.transformer = named.erased() })
    leader.add(Person("d"))
    #expect(field.text == "d" && leader.content?.name == "d")
  }

  @Test("BND-70: the content is what a set has")
  func sets() {
    let all = people("a", "b")
    team.guests = Set(all)
    controller.sort = [.ascending(\.name)]
    controller.bindContent(to: team, \.guests)
    #expect(controller.names == ["a", "b"])
    controller.add(Person("c"))
    #expect(team.guests.count == 3 && controller.names == ["a", "b", "c"])
    #expect(controller.selectedNames == ["c"])
    team.mutableSetValue(for: \.guests).remove(all[0])
    #expect(controller.names == ["b", "c"])
    controller.remove(all[1])
    #expect(team.guests.count == 1)
  }

  @Test("BND-114: an insertion by the model shifts the selection, though insertions are selected")
  func modelInserts() {
    controller.bindContent(to: team, \.members)
    controller.select(0)
    team.mutableArrayValue(for: \.members).insert(Person("x"), at: 0)
    #expect(controller.selectedNames == ["c"] && controller.selectionIndexes == [1])
  }

  @Test("BND-126: a row that should not be there any more is still that object")
  func staleRow() {
    controller.bindContent(to: team, \.members)
    controller.filter = .where(\.name, <, "c")
    team.members[1].name = "x"
    #expect(controller.names == ["x", "b"])
    controller.remove(atArranged: 0)
    #expect(controller.names == ["b"] && team.members.map(\.name) == ["c", "b"])
  }

  @Test("BND-122: changes of a transaction are applied at its end, the controller's own among them")
  func transactions() {
    controller.bindContent(to: team, \.members)
    let told = Told(controller, ["content"])
    KVObject.transaction {
      team.mutableArrayValue(for: \.members).insert(Person("x"), at: 0)
      controller.add(Person("y"))
      team.mutableArrayValue(for: \.members).remove(at: 1)
    }
    #expect(controller.names == ["x", "a", "b", "y"] && isSame(controller.content, team.members))
    #expect(controller.selectedNames == ["y"])
    KVObject.transaction { controller.add(Person("z")) }
    #expect(controller.names.last == "z" && controller.selectedNames == ["z"])
    withExtendedLifetime(told) {}
  }

  @Test("BND-128: what a model refuses, sorts or undoes is shown as the model has it")
  func stubbornModel() {
    let told = Told(controller, [])
    controller.bindContent(to: team, \.members)
    let sorting = team.observe(\.members) { team, _ in
      let sorted = team.members.sorted { $0.name < $1.name }
      if !isSame(sorted, team.members) { team.members = sorted }
    }
    controller.add(Person("aa"))
    #expect(controller.names == ["a", "aa", "b", "c"])
    #expect(controller.selectedNames == ["aa"])
    sorting.invalidate()
    let undoing = team.observe(\.members) { team, _ in
      let members = team.mutableArrayValue(for: \.members)
      if members.count > 4 { members.removeLast() }
    }
    controller.add(Person("x"))
    #expect(controller.names == ["a", "aa", "b", "c"])
    undoing.invalidate()
    #expect(isSame(controller.content, team.members))
    withExtendedLifetime(told) {}
  }

  // MARK: Of another controller's selection

  @Test("BND-73: content of a selection is empty if nothing is selected")
  func noMaster() throws {
    let masters = ArrayController<Team>()
    try controller.bindContent(to: masters, withKeyPath: "selection.members")
    #expect(controller.content.isEmpty)
    masters.content = [team]
    #expect(controller.names == ["c", "a", "b"])
    masters.content = []
    #expect(controller.content.isEmpty)
  }

  @Test("BND-74: one selection of the master tells each of master and detail once")
  func masterAndDetail() throws {
    let masters = ArrayController<Team>()
    masters.content = [team, Team(people("x", "y"))]
    masters.content[1].name = "second"
    try controller.bindContent(to: masters, withKeyPath: "selection.members")
    var lines: [String] = []
    var tokens: [KeyValueObservation] = []
    func watch(_ name: String, _ object: KVObject, _ path: String) throws {
      tokens.append(
        try object.observe(path, as: Any?.self, options: .new) { _, change in
          lines.append("\(name).\(path) \(change.kind)")
        })
    }
    for key in ["selectionIndexes", "selection.name"] { try watch("master", masters, key) }
    for key in ["content", "arrangedObjects", "selectedObjects", "selection.name"] {
      try watch("detail", controller, key)
    }
    let told = Told(controller, [])
    masters.select(1)
    #expect(controller.names == ["x", "y"] && controller.selectedNames == ["x"])
    #expect(
      lines.sorted() == [
        "detail.arrangedObjects insertion", "detail.arrangedObjects removal",
        "detail.content setting", "detail.selectedObjects setting", "detail.selection.name setting",
        "master.selection.name setting", "master.selectionIndexes setting",
      ])
    controller.add(Person("z"))
    #expect(masters.content[1].members.map(\.name) == ["x", "y", "z"])
    controller.remove(atArranged: 0)
    #expect(
      masters.content[1].members.map(\.name) == ["y", "z"] && controller.names == ["y", "z"])
    tokens = []
    withExtendedLifetime(told) {}
  }

  @Test("BND-127: of several masters nothing is shown, or all in order; nothing is added to them")
  func severalMasters() throws {
    let masters = ArrayController<Team>(), both = ArrayController<Person>()
    let shared = team.members[0]
    masters.content = [team, Team([Person("x"), shared])]
    try controller.bindContent(to: masters, withKeyPath: "selection.members")
    try both.bindContent(to: masters, withKeyPath: "selection.members", unitingSelection: true)
    masters.select([0, 1])
    #expect(controller.content.isEmpty && both.names == ["c", "a", "b", "x"])
    masters.content[1].mutableArrayValue(for: \.members).append(Person("y"))
    #expect(both.names == ["c", "a", "b", "x", "y"])
    let reasons = Reasons()
    KeyValueSettings.misuseHandler = { reasons.add($0) }
    controller.add(Person("no"))
    KeyValueSettings.misuseHandler = nil
    #expect(reasons.codes == [.notFound] && controller.content.isEmpty)
    masters.select(1)
    #expect(controller.names == ["x", "c", "y"])
  }

  @Test(
    "BND-56, BND-123: an edit of a detail is committed before its master selects another, or keeps it",
    arguments: 0..<3)
  func editedDetail(way: Int) throws {
    let masters = ArrayController<Team>(), field = Field()
    let objects = ObjectController<Person>(), detail = way == 2 ? objects : controller as Controller
    masters.content = [team, Team(people("x", "y"))]
    for team in masters.content { team.leader = team.members[0] }
    switch way {
    case 0: try controller.bindContent(to: masters, withKeyPath: "selection.members")
    case 1: try controller.bind(.contentArray, to: masters, withKeyPath: "selection.members")
    default: try objects.bind(.contentObject, to: masters, withKeyPath: "selection.leader")
    }
    let binding = try field.bind("text", to: detail, withKeyPath: "selection.name")
    binding.userDidEdit("z")
    #expect(detail.isEditing && masters.isEditing)
    #expect(masters.select(1) && field.text == "x")
    #expect(team.members[0].name == "z" && masters.content[1].members[0].name == "x")
    #expect(!detail.isEditing && !masters.isEditing && !binding.isEditing)
    let refusing = Refusing()
    detail.objectDidBeginEditing(refusing)
    #expect(!masters.select(0) && masters.selectionIndexes == [1] && masters.isEditing)
    detail.discardEditing()
    #expect(masters.select(0) && !masters.isEditing)
  }

  @Test("BND-136: nothing can be added without a master, which is told", arguments: 0..<4)
  func noPlace(way: Int) throws {
    let masters = ArrayController<Team>(), objects = ObjectController<Person>()
    let headers = DictionaryController<String>()
    let detail = [controller, controller, objects, headers][way] as Controller
    switch way {
    case 0: try controller.bindContent(to: masters, withKeyPath: "selection.members")
    case 1: try controller.bind(.contentArray, to: masters, withKeyPath: "selection.members")
    case 2: try objects.bind(.contentObject, to: masters, withKeyPath: "selection.leader")
    default: try headers.bindContentDictionary(to: masters, withKeyPath: "selection.name")
    }
    func canAdd() throws -> Bool { try detail.value(forKey: "canAdd", as: Bool.self) }
    var told: [String] = []
    let token = try detail.observe("canAdd", as: Bool.self, options: [.old, .new]) { _, change in
      told.append("\(change.oldValue!) to \(change.newValue!)")
    }
    #expect(try !canAdd())
    masters.content = [Team(), Team()]
    #expect(try canAdd() && told == ["false to true"])
    masters.select([0, 1])
    #expect(try canAdd() == (way == 2))
    masters.select([])
    #expect(try !canAdd() && told.last == "true to false")
    switch way {
    case 0: controller.unbindContent()
    case 1: controller.unbind(.contentArray)
    case 2: objects.unbind(.contentObject)
    default: headers.unbindContentDictionary()
    }
    #expect(try canAdd() && told.last == "false to true")
    token.invalidate()
  }

  // MARK: By name

  @Test("BND-71, BND-73: by name, the content follows, and adding and removing changes the model")
  func byName() throws {
    let masters = ArrayController<Team>(), leader = ObjectController<Person>()
    try controller.bind(.contentArray, to: masters, withKeyPath: "selection.members")
    try leader.bind(.contentObject, to: masters, withKeyPath: "selection.leader")
    #expect(controller.content.isEmpty && leader.content == nil)
    team.leader = team.members[0]
    masters.content = [team, Team(people("x"))]
    #expect(controller.names == ["c", "a", "b"] && leader.content?.name == "c")
    #expect(changes { controller.add(Person("d")) } == ["insertion [3]"])
    #expect(changes { controller.remove(atArranged: [0, 1]) } == ["removal [0, 1]"])
    #expect(controller.names == ["b", "d"] && controller.selectedNames == ["d"])
    leader.remove()
    #expect(team.leader == nil)
    leader.add(team.members[1])
    #expect(team.leader?.name == "d" && leader.content?.name == "d")
    masters.select([0, 1])
    #expect(controller.content.isEmpty)
    masters.select(1)
    #expect(controller.names == ["x"])
    controller.unbind(.contentArray)
    controller.add(Person("y"))
    #expect(masters.content[1].members.count == 1 && controller.names == ["x", "y"])
  }

  @Test("BND-125: a stored selection that is bound before there is content is not overwritten")
  func storedSelection() throws {
    team.stored = [2]
    try controller.bind(\.selectionIndexes, to: team, \.stored)
    #expect(controller.selectionIndexes == [] && team.stored == [2])
    controller.content = people("a", "b", "c")
    #expect(controller.selectionIndexes == [2] && team.stored == [2])
    controller.select(0)
    #expect(team.stored == [0])
  }

  // MARK: Ending

  @Test("BND-120: a binding that fails leaves the one that there is")
  func failure() throws {
    controller.bindContent(to: team, \.members)
    #expect(throws: KeyValueError.self) {
      try controller.bindContent(to: team, withKeyPath: "nothing")
    }
    team.members = people("n")
    #expect(controller.names == ["n"])
    controller.unbindContent()
    controller.add(Person("m"))
    #expect(controller.names == ["n", "m"] && team.members.count == 1)
  }

  @Test("BND-121: an observer of the model's list that is told before may change it")
  func changedBefore() throws {
    let team = Team(people("a", "b", "c")), twig = Twig("/", Twig("a"), Twig("b"), Twig("c"))
    let tree = TreeController<Twig>(children: \.items)
    controller.bindContent(to: team, \.members)
    tree.bindContent(to: twig, \.items)
    var rest: [Person]?, twigs: [Twig]?
    let token = team.observe(\.members, options: .prior) { team, _ in
      guard let next = rest else { return }
      rest = nil
      team.members = next
    }
    let other = twig.observe(\.items, options: .prior) { twig, _ in
      guard let next = twigs else { return }
      twigs = nil
      twig.items = next
    }
    rest = [team.members[0]]
    controller.add(Person("d"))
    #expect(controller.names == ["a", "d"] && team.members.map(\.name) == ["a", "d"])
    rest = [team.members[1]]
    controller.remove(atArranged: 1)
    #expect(controller.names == [] && team.members == [])
    twigs = [twig.items[0]]
    try tree.insert(Twig("d"), at: [3])
    #expect(tree.text == "a d" && twig.items.map(\.name) == ["a", "d"])
    twigs = [twig.items[1]]
    tree.remove(at: [1])
    #expect(tree.text == "" && twig.items == [])
    token.invalidate()
    other.invalidate()
  }

  @Test("BND-96: once the model has gone, the content is the controller's own")
  func modelGone() throws {
    func check(_ bind: (ArrayController<Person>, Team) throws -> Void) throws {
      let controller = ArrayController<Person>()
      do {
        let team = Team(people("a"))
        try bind(controller, team)
        withExtendedLifetime(team) { #expect(controller.names == ["a"]) }
      }
      controller.add(Person("b"))
      #expect(controller.names == ["a", "b"])
      controller.remove(atArranged: 0)
      #expect(controller.names == ["b"])
      controller.content = []
      #expect(controller.names == [])
    }
    try check { $0.bindContent(to: $1, \.members) }
    try check { try $0.bindContent(to: $1, withKeyPath: "members") }
    try check { try $0.bind(.contentArray, to: $1, withKeyPath: "members") }
    let leader = ObjectController<Person>(), tree = TreeController<Twig>(children: \.items)
    do {
      let team = Team(), twig = Twig("a", Twig("b"))
      team.leader = Person("a")
      leader.bindContent(to: team, \.leader)
      tree.bindContent(to: twig, \.items)
    }
    #expect(leader.content?.name == "a" && tree.text == "b")
    leader.add(Person("b"))
    #expect(leader.content?.name == "b")
    leader.remove()
    #expect(leader.content == nil)
    try tree.insert(Twig("c"), at: [1])
    #expect(tree.text == "b c")
    tree.remove(at: [0])
    #expect(tree.text == "c")
    tree.content = []
    #expect(tree.text == "")
  }

  @Test("BND-96, BND-97: neither end keeps the other, and the content stays")
  func lifetimes() {
    weak var gone: ArrayController<Person>?
    do {
      let controller = ArrayController<Person>()
      controller.bindContent(to: team, \.members)
      controller.select(1)
      gone = controller
    }
    #expect(gone == nil)
    weak var model: Team?
    do {
      let team = Team(people("a"))
      controller.bindContent(to: team, \.members)
      model = team
    }
    #expect(model == nil && controller.names == ["a"])
  }
}

/// The misuses that a handler is told.
final class Reasons: @unchecked Sendable {
  private(set) var codes: [KeyValueError.Code] = []

  func add(_ misuse: Misuse) { codes.append(misuse.code) }
}

/// An editor whose changes nobody takes.
final class Refusing: Editor {
  func commitEditing() throws(KeyValueError) { throw KeyValueError(.invalid, key: "name") }
  func discardEditing() {}
}
