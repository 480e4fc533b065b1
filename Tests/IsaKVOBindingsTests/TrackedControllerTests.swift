import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Observation
import Testing

@Suite("Controllers that trackings of Observation read", .serialized, .oneAtATime)
struct TrackedControllerTests {
  private final class Count: @unchecked Sendable {
    // Sendable because one thread counts.
    var value = 0
  }

  /// Whether a tracking of what `read` reads fires, once, while `change` runs.
  private func fires<Value>(
    _ read: @autoclosure () -> Value, _ change: () throws -> Void
  ) rethrows -> Bool {
    let count = Count()
    withObservationTracking {
      _ = read()
    } onChange: {
      count.value += 1
    }
    try change()
    #expect(count.value < 2)
    return count.value == 1
  }

  @Test("what an array controller has is tracked")
  func arrays() {
    let all = people("Ann", "Bob", "Cid"), controller = ArrayController(all)
    #expect(fires(controller.arrangedObjects.count) { controller.content = people("Dan", "Eve") })
    #expect(fires(controller.content) { controller.add(Person("Fay")) })
    #expect(fires(controller.selectionIndexes) { controller.select(1) })
    #expect(fires(controller.selectionIndex) { controller.select(0) })
    #expect(fires(controller.selectedObjects) { controller.select(1) })
    #expect(fires(controller.canSelectNext) { controller.select(2) })
    #expect(fires(controller.canSelectPrevious) { controller.select(0) })
    #expect(fires(controller.canRemove) { controller.content = [] })
    controller.content = all
    #expect(fires(controller.arrangedObjects) { controller.sort = [.descending(\.name)] })
    #expect(fires(controller.sort.count) { controller.sort = [] })
    #expect(fires(controller.filter == nil) { controller.filter = .where(\.age, >, 0) })
    #expect(fires(controller.automaticallyRearranges) { controller.automaticallyRearranges = true })
    #expect(fires(controller.arrangedObjects) { all[0].age = 7 })
  }

  @Test("an arrangement that does not change fires nothing")
  func unchanged() {
    let controller = ArrayController(people("Ann", "Bob"))
    #expect(!fires(controller.arrangedObjects) { controller.select(1) })
    #expect(!fires(controller.selectionIndex) { controller.select(1) })
    #expect(!fires(controller.content) { controller.sort = [.descending(\.name)] })
  }

  @Test("what controllers of an object, a tree, a dictionary and settings have is tracked")
  func others() {
    let object = ObjectController<Person>()
    #expect(fires(object.content) { object.content = Person("Ann") })
    #expect(fires(object.selectedObjects) { object.content = nil })
    #expect(fires(object.canRemove) { object.content = Person("Bob") })

    let tree = TreeController(children: \Twig.items)
    #expect(fires(tree.content) { tree.content = [Twig("a", Twig("b")), Twig("c")] })
    #expect(fires(tree.arrangedObjects.children) { tree.content.removeLast() })
    #expect(fires(tree.selectionIndexPath) { tree.select([TreePath([0, 0])]) })
    #expect(fires(tree.selectedObjects) { tree.select([TreePath([0])]) })

    let dictionary = DictionaryController<String>()
    #expect(fires(dictionary.contentDictionary) { dictionary.contentDictionary = ["a": "1"] })
    let pair = dictionary.arrangedObjects[0]
    #expect(fires(pair.value) { dictionary.contentDictionary = ["a": "2"] })
    #expect(fires(pair.key) { pair.key = "b" })

    let defaults = DefaultsController(MemoryDefaults(), initialValues: ["size": 12])
    #expect(fires(defaults.initialValues.count) { defaults.initialValues = [:] })
  }
}
