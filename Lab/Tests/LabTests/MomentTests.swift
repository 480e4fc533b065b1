// The classes that are being made are looked at through the core, hence CIsa.
import CIsa
import CIsa.Testing
import IsaRuntime
import Testing

@testable import isalab

/// The classes as they are when events happen to them: the runtime tells of some later.
private final class ClassEvents {
  struct Seen {
    var kind: String
    var className: String
    var selector: String?
    var methods: [String]
  }

  nonisolated(unsafe) private static var current: ClassEvents?
  private(set) var all: [Seen] = []

  init() {
    ClassEvents.current = self
    isa__event_peek(
      { event, _ in ClassEvents.current?.note(event!.pointee) }, nil)
  }

  func end() {
    isa__event_peek(nil, nil)
    ClassEvents.current = nil
  }

  private func note(_ event: isa_event) {
    let kinds = [
      ISA_EVENT_CLASS_ALLOCATED, ISA_EVENT_CLASS_REGISTERED, ISA_EVENT_METHOD_ADDED,
      ISA_EVENT_METHOD_REPLACED,
    ]
    guard kinds.contains(where: { $0 == event.kind }) else { return }
    let cls = RuntimeClass(unsafeAddress: UInt(bitPattern: event.cls))
    let name = SwiftView.shownName(of: cls.name)
    all.append(
      Seen(
        kind: String(cString: isa_event_kind_name(event.kind)),
        className: cls.isMetaclass ? name.metaclassName : name,
        selector: event.selector.map { String(cString: isa_sel_name($0)) },
        methods: cls.methods.map(\.selector.name)))
  }

  /// Takes what was seen at an event, if it is one of a class.
  func take(_ event: Event) -> Seen? {
    guard let first = all.first, first.kind == event.kind.name, first.className == event.className,
      first.selector == event.selector
    else { return nil }
    return all.removeFirst()
  }
}

@Suite("The state at each event", .serialized, .oneAtATime)
struct MomentTests {
  @Test(
    "is the one that a run has that is stopped there, of each lesson",
    arguments: Lessons.all.map(\.name))
  func lesson(_ name: String) throws {
    let lesson = try #require(Lessons.find(name))
    try compare(try ScenarioFile.program(of: lesson.lines + "\n", file: lesson.file))
  }

  @Test("is so, too, where classes come and go, and objects that observers make")
  func comingAndGoing() throws {
    let text = """
      class Person {
        name: string
        age: int
        friend: object weak
      }
      let ada = Person()
      let bob = Person()
      ada.friend = bob
      observe ada.age options(old, new, prior) as watcher
      observe ada.name by bob
      when watcher hears: ada.name = "Ada"
      ada.age = 36
      will ada.age
      did ada.age
      remove watcher
      release bob
      release ada
      """
    try compare(try Checker.check(try Parser.parse(text, file: "test.kvo")))
  }

  private func compare(_ program: Program) throws {
    let run = Runner.run(program)
    var found: [UInt64: WorldState] = [:]
    let seen = ClassEvents()
    defer { seen.end() }
    let again = Runner.run(program) { world, event in
      // A watch's first look is at all that there is.
      found[event.id] = StateWatch(world, Inspector(names: world.names))
        .look(after: "", told: NamedList())
    }
    #expect(again.steps.map(\.text) == run.steps.map(\.text))
    var count = 0
    for step in run.steps {
      for (place, event) in step.events.enumerated() {
        let drawn = run.state(at: Moment(step: step.number, events: place + 1))
        let real = try #require(found[event.id]), text = "\(step.text): \(event.kind.name)"
        compareObjects(drawn, real, step, text)
        if let cls = seen.take(event) {
          compare(drawn, cls, text)
        } else {
          compareClasses(drawn, real, text)
        }
        count += 1
      }
      #expect(run.states(ofStep: step.number).last! == step.state)
    }
    #expect(count > 0 && seen.all.isEmpty)
  }

  private func compareObjects(
    _ drawn: WorldState, _ real: WorldState, _ step: Step, _ place: String
  ) {
    for object in real.objects {
      var (ours, theirs) = (drawn.object(object.name), object)
      ours?.address = 0
      theirs.address = 0
      #expect(ours == theirs, "\(place)")
    }
    // An object has no name yet while the statement is carried out that makes it.
    let new = drawn.objects.filter { real.object($0.name) == nil }
    #expect(new.allSatisfy { step.state.object($0.name)?.symbol == $0.symbol }, "\(place)")
  }

  private func compareClasses(_ drawn: WorldState, _ real: WorldState, _ place: String) {
    func plain(_ cls: ClassState) -> ClassState {
      var cls = cls
      cls.address = 0
      func known(_ methods: [ImplementationView]) -> [ImplementationView] {
        methods.map {
          var method = $0
          method.address = 0
          return method
        }
      }
      cls.methods = known(cls.methods)
      cls.metaclass.methods = known(cls.metaclass.methods)
      return cls
    }
    for cls in real.classes { #expect(drawn.cls(cls.name).map(plain) == plain(cls), "\(place)") }
    // The notifying class of Swift's objects stays once there is one.
    let names = Set(real.classes.map(\.name)),
      others = drawn.classes.filter { !names.contains($0.name) }
    #expect(others.allSatisfy { $0.isNotifying && $0.original == SwiftView.name }, "\(place)")
  }

  private func compare(_ drawn: WorldState, _ seen: ClassEvents.Seen, _ place: String) {
    let cls = drawn.cls(seen.className.classOfMetaclass.map(String.init) ?? seen.className)
    let methods = seen.className.classOfMetaclass == nil ? cls?.methods : cls?.metaclass.methods
    #expect(methods?.map(\.selector) == seen.methods, "\(place)")
  }
}
