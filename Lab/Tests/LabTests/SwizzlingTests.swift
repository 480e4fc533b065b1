import Testing

@testable import isalab

@Suite("Method swizzling in scenarios", .serialized, .oneAtATime)
struct SwizzlingTests {
  private static let preamble = """
    struct Point { x: double, y: double }
    class Person {
      name: string
      age: int
      place: Point
      born: int readonly
    }
    class Student : Person { school: string }
    let ada = Person()
    let bob = Student()

    """

  private func run(_ lines: String) -> (code: Int32, output: Output) {
    runScenario(SwizzlingTests.preamble + lines + "\n")
  }

  @Test("reaches every object of the class and its subclasses, and calls the old code")
  func reaches() {
    let before = liveCounts()
    let (code, output) = run(
      """
      swizzle Person.age as logger
      ada.age = 36
      bob.age = 20
      expect logger count 2
      expect logger first of ada old 0 new 36
      expect logger last of bob old 0 new 20
      expect ada.age == 36
      expect methods Person has logger_setAge:
      expect isa ada == Person
      """)
    #expect(code == 0, "\(output.err)")
    #expect(liveCounts() == before)
  }

  @Test("of an inherited method reaches the subclass alone")
  func inherited() {
    let (code, output) = run(
      """
      swizzle Student.name as logger
      ada.name = "Ada"
      expect no notification
      bob.name = "Bob"
      expect logger last old nil new "Bob"
      expect methods Student has setName:
      """)
    #expect(code == 0, "\(output.err)")
  }

  @Test("and observing find each other, in any order, for any type")
  func observed() {
    let (code, output) = run(
      """
      observe ada.place as t
      swizzle Person.place as logger
      ada.place = (1, 2)
      expect notifications 2
      expect t last new (1, 2)
      expect logger last old (0, 0) new (1, 2)
      swizzle Person.place as second
      ada.place = (3, 4)
      expect notifications 3
      remove t
      ada.place = (5, 6)
      expect notifications 2
      """)
    #expect(code == 0, "\(output.err)")
  }

  @Test("of a notifying class's method is refused")
  func notifying() {
    let (code, output) = run(
      """
      observe ada.age as t
      swizzle NSKVONotifying_Person.age as stray
      expect error NSInvalidArgumentException
      ada.age = 1
      expect notifications 1
      """)
    #expect(code == 0, "\(output.err)")
  }

  @Test(
    "is refused where there is no such setter, name or place",
    arguments: [
      ("swizzle Person.height as l", "11:16: Person has no setter for 'height', expected"),
      ("swizzle Person.born as l", "11:16: Person has no setter for 'born', expected"),
      ("swizzle Nobody.age as l", "11:9: unknown class 'Nobody', expected"),
      ("swizzle SwiftView.width as l", "11:9: SwiftView is a class of Swift's"),
      ("swizzle Person.age as ada", "11:23: 'ada' is taken already"),
      ("swizzle Person.age", "11:19: unexpected the end of the line, expected 'as'"),
      ("swizzle Person.age as l\nremove l", "12:8: unknown observer 'l'"),
      ("repeat 2: swizzle Person.age as l", "11:11: 'swizzle' cannot stand behind 'repeat'"),
    ])
  func refused(_ line: String, _ says: String) {
    let (code, output) = run(line)
    #expect(code == 2)
    #expect(output.err.joined().contains("test.kvo:" + says))
  }

  @Test("a callback may have another thread act, and waits for it")
  func threads() {
    let (code, output) = run(
      """
      observe ada.age as a
      observe ada.age as b
      when b hears: on thread ada.age = 2
      ada.age = 1
      expect notifications 4
      expect b last old 1 new 2
      """)
    #expect(code == 0, "\(output.err)")
  }
}
