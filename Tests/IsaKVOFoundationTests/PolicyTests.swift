import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Store: KVObject, MainActorObject {
  @Dynamic var count = 0
  @Dynamic var tags: [String] = []
  @Dynamic var marks: Set<String> = []
}

@Suite("The misuse policy", .serialized, .leavesNoObjects)
struct PolicyTests {
  @Test("it is to report, and to carry on")
  func report() {
    #expect(KeyValueSettings.misusePolicy == .report)
    let person = Person()
    #expect(reports { person.removeObserver(person, forKeyPath: "age") }.count == 1)
  }

  @Test("strict stops at a removal that matches nothing")
  func strictRemoval() async {
    await #expect(processExitsWith: .failure) {
      KeyValueSettings.misusePolicy = .strict
      let person = Person()
      person.removeObserver(person, forKeyPath: "age")
    }
  }

  @Test("strict stops at an unknown key, and at a change that nobody handles")
  func strictKey() async {
    await #expect(processExitsWith: .failure) {
      KeyValueSettings.misusePolicy = .strict
      Person().setValue(1, forKey: "nope")
    }
    await #expect(processExitsWith: .failure) {
      KeyValueSettings.misusePolicy = .strict
      let person = Person(), other = Person()
      person.addObserver(other, forKeyPath: "age", options: [], context: nil)
      person.age = 2
    }
  }

  @Test("an object of the main actor that is used elsewhere is reported, and left as it was")
  @MainActor
  func mainActor() async {
    let store = Store()
    let told = await Task.detached {
      reports {
        store.setValue(7, forKey: "count")
        store.setValue(7, forKeyPath: "count")
        store.setValuesForKeys(["count": 7])
        store.mutableArrayValue(forKey: "tags").add("b")
        #expect(store.value(forKey: "count") == nil)
        #expect(store.dictionaryWithValues(forKeys: ["count"]).isEmpty)
      }
    }.value
    #expect(told.count == 6 && told.allSatisfy { $0.reason.contains("main actor") })
    #expect(store.count == 0 && store.tags == [])
  }

  @Test("a change of such an object that is announced elsewhere is reported, and nobody is told")
  @MainActor
  func announcedElsewhere() async {
    let store = Store()
    let tokens = [
      store.observe(\.count) { _, _ in Issue.record("told") },
      store.observe(\.tags) { _, _ in Issue.record("told") },
      store.observe(\.marks) { _, _ in Issue.record("told") },
    ]
    let told = await Task.detached {
      reports {
        store.willChangeValue(forKey: "count")
        store.didChangeValue(forKey: "count")
        store.willChange(NSKeyValueChange.insertion, valuesAt: [0], forKey: "tags")
        store.didChange(NSKeyValueChange.insertion, valuesAt: [0], forKey: "tags")
        let union = NSKeyValueSetMutationKind.union
        store.willChangeValue(forKey: "marks", withSetMutation: union, using: ["a"])
        store.didChangeValue(forKey: "marks", withSetMutation: union, using: ["a"])
      }
    }.value
    let sentence = "was used elsewhere than on the main actor, to which it belongs"
    #expect(told.count == 6 && told.allSatisfy { $0.reason.hasSuffix(sentence) }, "\(told)")
    tokens.forEach { $0.invalidate() }
  }

  @Test("a value below a path that belongs to the main actor is not read elsewhere, which is said")
  @MainActor
  func pathIntoMainActor() async {
    final class Holder: KVObject, @unchecked Sendable {
      @Dynamic var store: Store?
    }
    let holder = Holder()
    holder.store = Store()
    let observer = Person()
    holder.addObserver(observer, forKeyPath: "store.count", options: [.old], context: nil)
    let told = await Task.detached { reports { holder.store = nil } }.value
    holder.removeObserver(observer, forKeyPath: "store.count")
    #expect(holder.store == nil)
    let sentence = "Store was used elsewhere than on the main actor"
    #expect(told.contains { $0.reason.contains(sentence) }, "\(told)")
  }

  @Test("strict lets pass what is right")
  func strictIsQuiet() async {
    await #expect(processExitsWith: .success) {
      KeyValueSettings.misusePolicy = .strict
      let person = Person()
      let token = person.observe(\.age) { _, _ in }
      person.setValue(2, forKey: "age")
      token.invalidate()
    }
  }
}
