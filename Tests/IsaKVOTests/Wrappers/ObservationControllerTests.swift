import IsaKVO
import IsaKVOTestSupport
import IsaKVOWrappers
import Testing

private final class View {
  let notes = Recorder<String>()
  private(set) lazy var observing = ObservationController(observer: self)
  func changed() { notes.add("changed") }
  func ageChanged(_ human: Human, _ change: ValueChange<Int>) {
    notes.add("\(human.name) \(change.newValue ?? -1)")
  }
}

private final class Watcher: KVObject {
  let notes = Recorder<String>()
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let values = change.map { "\($0[.oldKey] ?? "none") \($0[.newKey] ?? "none")" }
    notes.add("\(keyPath ?? "") \(values ?? "") \(UInt(bitPattern: context))")
  }
}

@Suite(.serialized, .leavesNoObjects)
struct ObservationControllerTests {
  @Test("an observer is told by closures and by its methods")
  func told() throws {
    let human = Human(), view = View()
    view.observing.observe(human, \.name) { view, human, change in
      view.notes.add(human.name)
    }
    view.observing.observe(human, \.age, options: .new, action: View.ageChanged)
    view.observing.observe(human, \.ratio, action: View.changed)
    view.observing.observe(human, anyOf: [\.small, \.full]) { view, human, keyPath in
      view.notes.add(keyPath == \Human.small ? "small" : "full")
    }
    human.name = "Bob"
    #expect(Set(view.notes.all) == ["Bob", "full"])
    human.age = 2
    human.ratio = 1
    human.small = 2
    #expect(view.notes.all.suffix(3) == ["Bob 2", "changed", "small"])
    view.observing.unobserveAll()
  }

  @Test("an observable observer is told by observeValue, with the context")
  func dispatched() throws {
    let human = Human(), watcher = Watcher()
    let controller = ObservationController(observer: watcher)
    let context = ObservationContext()
    try controller.observe(human, "age", options: [.old, .new], context: context)
    try controller.observe(human, "home.city", options: .new)
    human.age = 2
    human.home.city = "Rome"
    #expect(watcher.notes.all == ["age 1 2 \(context.address)", "home.city none Rome 0"])
    #expect(throws: KeyValueError.self) { try controller.observe(human, "nothing") }
  }

  @Test("the same registration twice tells once")
  func twice() throws {
    let human = Human(), view = View()
    #expect(view.observing.observe(human, \.age, action: View.changed))
    #expect(!view.observing.observe(human, \.age, action: View.changed))
    human.age = 2
    #expect(view.notes.count == 1)
    #expect(view.observing.unobserve(human, \.age))
    #expect(!view.observing.unobserve(human, \.age))
    human.age = 3
    #expect(view.notes.count == 1)
    #expect(view.observing.observe(human, \.age, action: View.changed))
    view.observing.unobserveAll()
  }

  @Test("KVOController's bug: other options the second time are refused, not ignored silently")
  func otherOptions() throws {
    let human = Human(), view = View()
    view.observing.observe(human, \.age, options: .new, action: View.ageChanged)
    let reason = expectMisuse {
      view.observing.observe(human, \.age, options: [.new, .initial], action: View.ageChanged)
    }
    #expect(reason == "“age” is observed already, with the options [new]")
    human.age = 2
    #expect(view.notes.all == ["Ann 2"])
    view.observing.unobserve(human, "age")
    view.observing.observe(human, \.age, options: [.new, .initial], action: View.ageChanged)
    #expect(view.notes.all == ["Ann 2", "Ann 2"])
    view.observing.unobserveAll()
  }

  @Test("KVOController's bug: without retaining, an observed object that goes does no harm")
  func nonRetaining() throws {
    let view = View()
    let controller = ObservationController(observer: view, retainsObserved: false)
    // An object that takes the place of one that has gone is not taken for it.
    for age in 2...50 {
      var human: Human? = Human()
      weak let reference = human
      #expect(controller.observe(human!, \.age, options: .new, action: View.ageChanged))
      human?.age = age
      human = nil
      #expect(reference == nil)
    }
    #expect(view.notes.all == (2...50).map { "Ann \($0)" })
    controller.unobserveAll()
  }

  @Test("with retaining, an observed object stays until it is not observed any more")
  func retaining() throws {
    let view = View()
    var human: Human? = Human()
    weak let reference = human
    view.observing.observe(human!, \.age, action: View.changed)
    view.observing.observe(human!, \.name, action: View.changed)
    human = nil
    #expect(reference != nil)
    reference?.age = 3
    #expect(view.notes.count == 1)
    view.observing.unobserve(reference!, \.age)
    #expect(reference != nil)
    view.observing.unobserve(reference!)
    #expect(reference == nil)
  }

  @Test("everything ends with the observer, which is not kept")
  func observerDies() throws {
    let human = Human()
    let notes: Recorder<String>
    weak var reference: View?
    do {
      let view = View()
      reference = view
      notes = view.notes
      view.observing.observe(human, \.age, action: View.changed)
      view.observing.observe(human, \.full, action: View.changed)
      human.age = 2
    }
    #expect(reference == nil)
    human.age = 3
    #expect(notes.count == 1)
  }

  @Test("a key path is the same through a class and its superclass")
  func inherited() throws {
    let worker = Worker(), view = View()
    #expect(view.observing.observe(worker, \Worker.age, action: View.changed))
    #expect(!view.observing.observe(worker as Human, \Human.age, action: View.changed))
    #expect(view.observing.unobserve(worker, "age"))
  }

  @Test("an initial notification may end its own observation, and make it again")
  func initialEnds() throws {
    let human = Human(), view = View()
    view.observing.observe(human, \.age, options: .initial) { view, human, _ in
      view.notes.add("initial")
      view.observing.unobserve(human, \.age)
    }
    human.age = 2
    #expect(view.notes.all == ["initial"])
    #expect(view.observing.observe(human, \.age, action: View.changed))
    view.observing.unobserveAll()
  }

  @Test("one thread sets while others observe and end")
  func threads() async throws {
    let object = Shared(), observer = Shared()
    let controller = ObservationController(observer: observer)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            _ = controller.observe(object, \.number) { _, _, _ in }
            controller.unobserve(object, \.number)
          }
        }
      }
      group.addTask { for number in 0..<300 { object.number = number } }
    }
    controller.unobserveAll()
    #expect(object.number == 299)
  }
}

private final class Shared: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
}
