import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct ObjectControllerTests {
  private final class Team: KVObject {
    @Dynamic var leader: Person?
  }

  @Test("BND-89: a fresh controller has nothing, and may add")
  func fresh() {
    let controller = ObjectController<Person>()
    #expect(controller.content == nil && controller.selectedObjects.isEmpty)
    #expect(controller.isEditable && controller.canAdd && !controller.canRemove)
    controller.isEditable = false
    #expect(!controller.canAdd)
  }

  @Test("BND-89: adding sets the content, removing that object clears it")
  func addsAndRemoves() throws {
    let controller = ObjectController<Person>(), ann = Person("ann"), bob = Person("bob")
    var told: [String] = []
    var tokens: [KeyValueObservation] = []
    for key in ["content", "selectedObjects", "canRemove"] {
      tokens.append(try controller.observe(key, as: Any?.self) { _, _ in told.append(key) })
    }
    controller.add(ann)
    #expect(controller.content === ann && controller.selectedObjects == [ann])
    #expect(told == ["canRemove", "selectedObjects", "content"])
    controller.remove(bob)
    controller.content = ann
    #expect(controller.content === ann && controller.canRemove && told.count == 3)
    controller.remove(ann)
    #expect(controller.content == nil && !controller.canRemove)
    controller.makeObject = { bob }
    controller.add()
    #expect(controller.content === bob)
    tokens = []
  }

  @Test("BND-89: both write back to the model that the content is bound to")
  func bound() {
    let controller = ObjectController<Person>(), team = Team(), ann = Person("ann")
    team.leader = ann
    controller.bindContent(to: team, \.leader)
    #expect(controller.content === ann)
    controller.remove()
    #expect(team.leader == nil && controller.content == nil)
    controller.add(ann)
    #expect(team.leader === ann && controller.content === ann)
    team.leader = Person("bob")
    #expect(controller.content?.name == "bob")
    controller.unbindContent()
    team.leader = nil
    #expect(controller.content?.name == "bob")
  }
}
