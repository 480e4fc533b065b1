import IsaKVO
import IsaKVOTestSupport
import Testing

private final class View {
  let notes = Recorder<String>()
  func changed() { notes.add("changed") }
  func ageChanged(_ change: ValueChange<Int>) { notes.add("\(change.newValue ?? -1)") }
  func humanChanged(_ human: Human, _ change: ValueChange<Int>) {
    notes.add("\(human.name) \(change.newValue ?? -1)")
  }
}

private final class Model: KVObject {
  @Dynamic var sum = 0
  func add(_ change: ValueChange<Int>) { sum += change.newValue ?? 0 }
}

@Suite(.serialized, .leavesNoObjects)
struct TargetActionTests {
  @Test("a method of the target is called, with as much as it wants to know")
  func action() throws {
    let human = Human(), view = View()
    let tokens = [
      human.observe(\.age, target: view, action: View.changed),
      human.observe(\.age, options: .new, target: view, action: View.ageChanged),
      human.observe(\.age, options: .new, target: view, action: View.humanChanged),
    ]
    human.age = 7
    #expect(Set(view.notes.all) == ["changed", "7", "Ann 7"])
    tokens.forEach { $0.invalidate() }
    human.age = 8
    #expect(view.notes.count == 3)
  }

  @Test("the target is not kept, and the observation ends with it")
  func targetDies() throws {
    let human = Human()
    var view: View? = View()
    weak let reference = view
    let token = human.observe(\.age, target: view!, action: View.changed)
    human.age = 2
    view = nil
    #expect(reference == nil)
    human.age = 3
    #expect(!token.isValid)
  }

  @Test("with an observable target the observation ends at once")
  func observableTargetDies() throws {
    let human = Human()
    var model: Model? = Model()
    let token = human.observe(\.age, options: .new, target: model!, action: Model.add)
    human.age = 2
    human.age = 3
    #expect(model?.sum == 5)
    model = nil
    #expect(!token.isValid)
    human.age = 4
  }

  @Test("an object may be its own target")
  func ownTarget() throws {
    var model: Model? = Model()
    weak let reference = model
    let token = model!.observe(\.sum, options: .new, target: model!, action: Model.add)
    model = nil
    #expect(reference == nil)
    #expect(!token.isValid)
  }
}
