import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite("observe(_:options:changeHandler:)", .serialized, .leavesNoObjects)
struct ObserveTests {
  @Test("the handler gets the object and a change with what was asked for")
  func change() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.age, options: [.old, .new]) { object, change in
      #expect(object === person)
      notes.add("\(change.kind) \(change.oldValue!) \(change.newValue!) \(change.isPrior)")
    }
    person.age = 2
    token.invalidate()
    person.age = 3
    #expect(notes.all == ["setting 1 2 false"])
  }

  @Test("without options a change carries no values")
  func noOptions() {
    let person = Person(), notes = Recorder<Bool>()
    let token = person.observe(\.age) { notes.add($1.oldValue == nil && $1.newValue == nil) }
    person.age = 2
    token.invalidate()
    #expect(notes.all == [true])
  }

  @Test("dropping the token ends the observation")
  func dropped() {
    let person = Person(), notes = Recorder<Int>()
    _ = person.observe(\.age, options: .new) { notes.add($1.newValue!) }
    person.age = 2
    #expect(notes.count == 0 && person.observationInfo == nil)
  }

  @Test("the dictionary's numbers are those of NSKeyValueChange")
  func kinds() {
    #expect(NSKeyValueChange(rawValue: 1) == .setting && NSKeyValueChange.replacement.rawValue == 4)
    #expect(NSKeyValueSetMutationKind(rawValue: 4) == .set)
  }

  @Test("tokens can be kept in a set")
  func inSet() {
    let person = Person(), notes = Recorder<Int>()
    var tokens: Set<NSKeyValueObservation> = []
    tokens.insert(person.observe(\.age, options: .new) { notes.add($1.newValue!) })
    tokens.insert(person.observe(\.age, options: .new) { notes.add($1.newValue!) })
    #expect(tokens.count == 2)
    person.age = 2
    tokens.removeAll()
    person.age = 3
    #expect(notes.all == [2, 2])
  }

  @Test("fine-grained changes have the elements and an IndexSet")
  func elements() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.items, options: [.old, .new]) { _, change in
      notes.add("\(change.kind) \(Array(change.indexes ?? [])) \(change.newValue ?? [])")
    }
    person.mutableArrayValue(forKey: "items").add("c")
    person.items = ["z"]
    token.invalidate()
    #expect(notes.all == ["insertion [2] [\"c\"]", "setting [] [\"z\"]"])
  }

  @Test("a change is used as Apple's overlay has it")
  func ported() {
    final class Log {
      var kind: NSKeyValueObservedChange<Int>.Kind = .setting
      var indexes: [Int] = []
      var set: IndexSet?

      func note(_ change: NSKeyValueObservedChange<[String]>) {
        if let indexes: IndexSet = change.indexes { set = indexes }
        for index in change.indexes! { indexes.append(index) }
        if change.kind == NSKeyValueChange.insertion { kind = change.kind }
      }
    }
    let person = Person(), log = Log()
    let token: NSKeyValueObservation = person.observe(\.items) { _, change in log.note(change) }
    person.mutableArrayValue(forKey: "items").add("c")
    token.invalidate()
    #expect(log.kind == .insertion && log.indexes == [2] && log.set == IndexSet(integer: 2))
    let change = NSKeyValueObservedChange<Int>(indexes: [1, 2])
    #expect(change.indexes?.count == 2 && change.indexes?.contains(2) == true)
  }

  @Test("several options at once come in Apple's order")
  func options() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.age, options: [.initial, .prior, .old, .new]) { _, change in
      notes.add("\(change.isPrior) \(show(change.oldValue)) \(show(change.newValue))")
    }
    person.age = 2
    token.invalidate()
    #expect(notes.all == ["false nil 1", "true 1 nil", "false 1 2"])
  }

  @Test("a computed property is observed through what it reads")
  func computed() {
    final class Couple: KVObject {
      @Dynamic var first = "Ann"
      @Dynamic var last = "Lee"
      var full: String { "\(first) \(last)" }
    }
    let couple = Couple(), notes = Recorder<String>()
    let token = couple.observe(\.full, options: .new) { notes.add($1.newValue!) }
    couple.last = "Ray"
    token.invalidate()
    #expect(notes.all == ["Ann Ray"])
  }
}

func show<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }
