import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct ManualChangeTests {
  @Test("a poke between will and did is told with old and new")
  func pokes() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let token = try person.observe("age", options: [.old, .new]) { told.add("\($0)") }
      try person.willChangeValue(forKey: "age")
      try person.poke(ivar: "_age", 7)
      #expect(told.count == 0)
      try person.didChangeValue(forKey: "age")
      #expect(told.all == ["age: 0 → 7"])
      token.invalidate()
    }
  }

  @Test("a change is ended however its body ends")
  func brackets() throws {
    struct Stop: Error {}
    try withPerson { person in
      let told = Recorder<String>()
      let token = try person.observe("age", options: [.new]) { told.add("\($0)") }
      let answer = try person.change("age") { () throws(KeyValueError) in
        try person.poke(ivar: "_age", 8)
        return 1
      }
      #expect(answer == 1)
      #expect(throws: Stop.self) {
        try person.change("age") { () throws(Stop) in throw Stop() }
      }
      #expect(told.all == ["age: → 8", "age: → 8"])
      token.invalidate()
    }
  }

  @Test("a did without a will says nothing")
  func loneDid() throws {
    try withPerson { person in
      let told = Recorder<Void>()
      let token = try person.observe("age") { _ in told.add(()) }
      try person.didChangeValue(forKey: "age")
      #expect(told.count == 0)
      token.invalidate()
    }
  }

  @Test("a did on another thread than its will throws")
  func wrongThread() throws {
    let misuses = Recorder<Misuse>()
    KeyValueSettings.misuseHandler = { misuses.add($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    try withPerson { person in
      let token = try person.observe("age") { _ in }
      try person.willChangeValue(forKey: "age")
      let failure = Recorder<KeyValueError>()
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        do throws(KeyValueError) { try person.didChangeValue(forKey: "age") } catch {
          failure.add(error)
        }
      }
      group.wait()
      #expect(failure.all.map(\.code) == [.wrongThread])
      #expect(misuses.count == 1)
      try person.didChangeValue(forKey: "age")
      token.invalidate()
    }
  }
}
