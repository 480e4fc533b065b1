import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// The event log says where a program bound and observed: in the line of its own call.
@Suite(.serialized, .oneAtATime) struct PlaceTests {
  private final class Model: KVObject {
    @Dynamic var headers = ["a": "1"]
    @Dynamic var note: String?
  }

  private let field = Field(), person = Person("a"), team = Team(people("x", "y")), model = Model()

  /// What `body` registers has to have the place of the call that is in the same line.
  private func expectPlace(
    spans: Int = 1, line: UInt = #line, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) throws {
    let log = try RuntimeEventLog([.spanBegan, .observerAdded])
    defer { log.stop() }
    try body()
    let events = log.events
    #expect(events.filter { $0.kind == .spanBegan }.count == spans, sourceLocation: location)
    #expect(events.contains { $0.kind == .observerAdded }, sourceLocation: location)
    for event in events {
      let name = event.name ?? "none"
      #expect(event.file == #fileID && event.line == line, "\(name)", sourceLocation: location)
    }
  }

  @Test("a binding of two properties has the place of the call that made it")
  func typed() throws {
    try expectPlace { try field.follow(\.text, of: person, \.name) }
    try expectPlace { try field.follow(\.text, of: person, \.age) { "\($0)" } }
    try expectPlace { try field.follow(\.text, of: person, \.age, .text) }
    try expectPlace { try field.follow(\.text, of: model, \.note, ifNil: "") }
    try expectPlace { try field.bind(\.text, to: person, \.name) }
    try expectPlace { try field.bind(\.text, to: person, \.age, .text) }
    try expectPlace { try field.bind(\.text, to: model, \.note, ifNil: "") }
    // And one of the key path that is observed behind the optional.
    try expectPlace(spans: 2) { try field.bind(\.text, to: team, \.leader, \.name, ifNil: "") }
  }

  @Test("so has one whose pushes are delivered elsewhere")
  @MainActor func delivered() throws {
    try expectPlace { try field.follow(\.text, of: person, \.name, delivery: .mainActor) }
    let (source, path) = (person, "name")
    try expectPlace { try field.bind("text", to: source, withKeyPath: path, delivery: .mainActor) }
  }

  @Test("so has one by name, and what a controller binds its content to")
  func named() throws {
    let list = ArrayController<Person>(), pairs = DictionaryController<String>()
    try expectPlace { try field.bind("text", to: person, withKeyPath: "name") }
    try expectPlace(spans: 0) { try list.bindContent(to: team, withKeyPath: "members") }
    try expectPlace(spans: 0) { list.bindContent(to: team, \.members) }
    try expectPlace(spans: 0) { try pairs.bindContentDictionary(to: model, withKeyPath: "headers") }
  }

  @Test("so have observations by name, of objects of the runtime, too")
  func observed() throws {
    var tokens: [KeyValueObservation] = []
    let object = try RuntimeObject(person)
    try expectPlace(spans: 0) { tokens += [try person.observe(keyPath: "name") { _, _ in }] }
    try expectPlace(spans: 0) { tokens += [try person.observe("age", as: Int.self) { _, _ in }] }
    try expectPlace(spans: 0) { tokens += [try object.observe("name") { _ in }] }
    try expectPlace(spans: 0) { tokens += [try object.observe("age", as: Int.self) { _ in }] }
    tokens.forEach { $0.invalidate() }
  }
}
