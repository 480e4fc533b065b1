import Testing

@testable import isalab

@Suite("Keys that nobody knows", .serialized, .oneAtATime)
struct UnknownKeyTests {
  private static let preamble = """
    class Home { city: string }
    class Person {
      name: string
      age: int
      home: Home
      isMember: bool
      ivar _size: int
      open: bool getter isOpen
      friends: mutable-array accessors
    }
    let p = Person()
    let d: mutable-dictionary = {a: 1}
    observer o

    """

  private func warnings(_ line: String) throws -> [String] {
    let text = UnknownKeyTests.preamble + line + "\n"
    return try Checker.check(try Parser.parse(text, file: "f")).unknownKeys
      .map { $0.text(in: .english) }
  }

  @Test(
    "are warned of, with the nearest name",
    arguments: [
      ("observe p.agee as t", "f:14:11: warning: Person knows no key 'agee', did you mean 'age'?"),
      (
        "observe p.home.ctiy by o",
        "f:14:16: warning: Home knows no key 'ctiy', did you mean 'city'?"
      ),
      ("observe p.salary as t", "f:14:11: warning: Person knows no key 'salary'"),
      (
        "remove o from p.nmae", "f:14:17: warning: Person knows no key 'nmae', did you mean 'name'?"
      ),
      ("get p.nam", "f:14:7: warning: Person knows no key 'nam', did you mean 'name'?"),
      (
        "set p.frends = nil",
        "f:14:7: warning: Person knows no key 'frends', did you mean 'friends'?"
      ),
      (
        "set p {name: \"Ada\", aeg: 1}",
        "f:14:21: warning: Person knows no key 'aeg', did you mean 'age'?"
      ),
      ("get p (name, agr)", "f:14:14: warning: Person knows no key 'agr', did you mean 'age'?"),
      ("validate p.aje 3", "f:14:12: warning: Person knows no key 'aje', did you mean 'age'?"),
      (
        "on thread observe p.agf by o",
        "f:14:21: warning: Person knows no key 'agf', did you mean 'age'?"
      ),
    ])
  func warned(_ line: String, _ says: String) throws {
    #expect(try warnings(line) == [says])
  }

  @Test(
    "are none where key-value coding finds something, where only the runtime knows, or on purpose",
    arguments: [
      "observe p.age as t", "observe p.Age as t", "get p.member", "get p.size", "get p._name",
      "get p.open",
      "get p.isOpen", "observe d.agee as t", "get p.friends.@count", "get p.friends.anything",
      "get p.\"agee\"", "observe p.self as t", "get p.agee\nexpect error NSUnknownKeyException",
      "isa p = Home\nobserve p.city as t",
    ])
  func known(_ text: String) throws {
    #expect(try warnings(text) == [])
  }

  @Test("are told under their line and on standard error, and change no exit code")
  func shown() {
    let text = UnknownKeyTests.preamble + "observe p.agee as t\n"
    let (code, output) = runScenario(text)
    #expect(code == 0)
    #expect(output.err.count == 1 && output.err[0].hasPrefix("test.kvo:14:11: warning: "))
    #expect(
      output.out.contains {
        $0.contains("warning: Person knows no key 'agee'; did you mean 'age'?")
      })
    let chinese = runScenario(text, TextOptions(language: .chinese)).output.out
    #expect(chinese.contains { $0.contains("警告：Person 没有键“agee”；是不是想写“age”？") })
  }
}
