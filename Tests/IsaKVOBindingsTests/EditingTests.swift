import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A text field for a key of the selection.
private final class NameField: Editor {
  let controller: ArrayController<Person>
  var text: String
  var refusal: KeyValueError?
  var log: [String] = []

  init(_ controller: ArrayController<Person>) {
    self.controller = controller
    text = controller.selectedObjects.first?.name ?? ""
  }

  func type(_ text: String) {
    self.text = text
    controller.objectDidBeginEditing(self)
  }

  func commitEditing() throws(KeyValueError) {
    log.append("commit")
    if let refusal { throw refusal }
    try controller.setValue(text, forKeyPath: "selection.name")
    controller.objectDidEndEditing(self)
  }

  func discardEditing() {
    log.append("discard")
    text = controller.selectedObjects.first?.name ?? ""
    controller.objectDidEndEditing(self)
  }
}

@Suite(.serialized, .oneAtATime) struct EditingTests {
  private let controller = ArrayController(people("a", "b", "c"))

  @Test("BND-101: one registration however many edits, until the end")
  func registers() throws {
    let field = NameField(controller)
    var told = 0
    let token = try controller.observe("editing", as: Bool.self) { _, _ in told += 1 }
    #expect(!controller.isEditing)
    field.type("x")
    field.type("xy")
    #expect(controller.isEditing && told == 1)
    try controller.commitEditing()
    #expect(!controller.isEditing && told == 2)
    #expect(controller.content[0].name == "xy" && field.log == ["commit"])
    try controller.commitEditing()
    #expect(field.log == ["commit"])
    token.invalidate()
  }

  @Test("BND-102: editors commit in order, the first refusal stops, and those before it stay")
  func commitsInOrder() {
    let fields = (0..<3).map { _ in NameField(controller) }
    for (number, field) in fields.enumerated() { field.type("\(number)") }
    fields[1].refusal = KeyValueError(.invalid, key: "name")
    #expect(throws: KeyValueError.self) { try controller.commitEditing() }
    #expect(fields.map(\.log) == [["commit"], ["commit"], []])
    #expect(controller.content[0].name == "0" && controller.isEditing)
    controller.discardEditing()
    #expect(fields.map(\.log) == [["commit"], ["commit", "discard"], ["discard"]])
    #expect(!controller.isEditing)
  }

  @Test("BND-102: an editor that is committing already is not asked again")
  func notAskedAgain() throws {
    let field = NameField(controller)
    let token = controller.content[0].observe(\.name) { [controller] _, _ in controller.select(1) }
    field.type("x")
    try controller.commitEditing()
    #expect(field.log == ["commit"] && !controller.isEditing)
    #expect(controller.names[0] == "x" && controller.selectedNames == ["b"])
    token.invalidate()
  }

  @Test("BND-56, BND-124: a selection that a user makes by name is refused if an editor refuses")
  func refusedByName() throws {
    let popup = Field(), tree = TreeController<Twig>(children: \.items), refusing = Refusing()
    tree.content = [Twig("a"), Twig("b")]
    let binding = try popup.bind("number", to: controller, withKeyPath: "selectionIndex")
    var refused: [Any?] = []
    binding.onError = { _, value in refused.append(value) }
    controller.objectDidBeginEditing(refusing)
    tree.objectDidBeginEditing(refusing)
    binding.userDidEdit(1)
    #expect(!binding.userDidEndEditing() && refused.count == 1 && binding.isEditing)
    #expect(controller.selectionIndexes == [0] && controller.isEditing)
    #expect(throws: KeyValueError.self) {
      try tree.setValue([TreePath([1])], forKey: "selectionIndexPaths")
    }
    controller.objectDidEndEditing(refusing)
    #expect(binding.userDidEndEditing() && controller.selectionIndexes == [1])
    #expect(!controller.isEditing && !binding.isEditing)
  }

  @Test("BND-103, BND-104: discarding shows the model, also as it has changed meanwhile")
  func discards() {
    let field = NameField(controller)
    field.type("x")
    controller.content[0].name = "new"
    #expect(field.text == "x")
    controller.discardEditing()
    #expect(field.text == "new" && controller.content[0].name == "new")
  }

  @Test("BND-56, BND-123: selecting commits first, and a refusal keeps the selection")
  func selecting() {
    let field = NameField(controller)
    field.type("x")
    #expect(controller.select(1))
    #expect(controller.names == ["x", "b", "c"] && controller.selectedNames == ["b"])
    field.type("y")
    field.refusal = KeyValueError(.invalid, key: "name", reason: "no")
    #expect(!controller.select(2) && !controller.selectNext())
    #expect(controller.selectedNames == ["b"] && controller.isEditing)
    let reasons = Reasons()
    KeyValueSettings.misuseHandler = { reasons.add($0) }
    controller.selectionIndexes = [0]
    KeyValueSettings.misuseHandler = nil
    #expect(controller.selectionIndexes == [1] && reasons.codes.count == 1)
    controller.add(Person("d"))
    #expect(controller.selectionIndexes == [1] && controller.names.last == "d")
    field.refusal = nil
    #expect(controller.select(0) && controller.content[1].name == "y")
  }

  @Test("BND-123: rows that a commit moves are selected wherever they are then")
  func movedByCommit() {
    controller.sort = [.ascending(\.name)]
    controller.automaticallyRearranges = true
    let field = NameField(controller)
    field.type("z")
    #expect(controller.select(1))
    #expect(controller.names == ["b", "c", "z"] && controller.selectedNames == ["b"])
  }

  @Test("BND-123: the edit of an object that leaves by the model is discarded, and lands nowhere")
  func leavesByModel() {
    let team = Team(people("a", "b", "c"))
    controller.bindContent(to: team, \.members)
    controller.select(0)
    let field = NameField(controller)
    field.type("x")
    team.mutableArrayValue(for: \.members).remove(at: 0)
    #expect(field.log == ["discard"] && controller.names == ["b", "c"] && !controller.isEditing)
  }

  @Test("BND-123: an edit of an object that a filter would hide is committed before")
  func hidden() {
    let field = NameField(controller)
    field.type("x")
    controller.filter = .where(\.age, >, 0)
    #expect(field.log == ["commit"])
    #expect(controller.content.map(\.name) == ["x", "b", "c"] && controller.names == ["b", "c"])
  }

  @Test("BND-99: an editor that goes while it edits is forgotten")
  func goes() throws {
    do { NameField(controller).type("x") }
    #expect(!controller.isEditing)
    try controller.commitEditing()
    #expect(controller.names == ["a", "b", "c"])
  }

  @Test("BND-101: a controller is an editor of another one")
  func chained() throws {
    let master = ArrayController([Person("master")]), field = NameField(controller)
    field.type("x")
    master.objectDidBeginEditing(controller)
    #expect(master.isEditing)
    try master.commitEditing()
    #expect(controller.names == ["x", "b", "c"] && !master.isEditing)
  }
}
