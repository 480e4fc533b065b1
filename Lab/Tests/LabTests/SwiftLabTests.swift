import Foundation
import Testing

@testable import isalab

@Suite("The labs in Swift", .serialized, .oneAtATime)
struct SwiftLabTests {
  @Test("a level in Swift is a package, with what it adds, told in Swift's words", arguments: 1...8)
  func start(_ number: Int) throws {
    let student = try StudentFolder(level: number, language: "swift")
    let readme = try text(student.url, "README.md")
    let level = try #require(Level.find(number)).told(in: .swift)
    for scene in level.scenes { #expect(readme.contains("- \(scene.id): \(scene.title.english)")) }
    let names = /\b(isa|kvc|kvo|student|has|pthread)_|NULL|STUDENT_|\.[ch]\b/
    let hints = level.scenes.flatMap { [$0.hint.english, $0.hint.chinese] }
    for told in [readme] + hints {
      #expect(!told.contains(names), "\(told)")
    }
    for file in ["Interface.swift", "Student.swift"] {
      let code = try text(student.code, file)
      #expect(code.contains("func setKeyPaths(") == (number >= 6))
      #expect(code.contains("func willChange(") == (number >= 7))
    }
    #expect(try text(student.url, "Package.swift").contains("IsaKVO"))
  }

  @Test("what a student begins with builds and fails in the first case")
  func skeleton() throws {
    let (code, output) = try StudentFolder(level: 8, language: "swift").grade()
    #expect(code == 1)
    #expect(output.err == [])
    #expect(output.text.contains("\nFailed: "))
    #expect(output.out.filter { $0.count > 80 } == [])
  }

  @Test("the model solution passes every case", arguments: 1...8)
  func model(_ number: Int) throws {
    let student = try StudentFolder(level: number, solution: "Swift", language: "swift")
    let (code, output) = student.grade()
    let count = try #require(Level.find(number)).scenes.count
    #expect(code == 0, "\(output.text)\(output.err)")
    #expect(output.out.last == "Passed: all \(count) cases.")
  }

  @Test("a wrong solution fails in the case that says why", arguments: WrongSolution.inSwift)
  func wrong(_ solution: WrongSolution) throws {
    try StudentFolder(level: solution.level, solution: "Swift", language: "swift")
      .expectFailure(of: solution)
  }

  @Test("code that does not build says where, in the student's own file")
  func buildErrors() throws {
    let student = try StudentFolder(level: 6, solution: "Swift", language: "swift")
    try student.change("Student.swift", "func setKeyPaths(", to: "func setPaths(")
    let (code, output) = student.grade()
    #expect(code == 1)
    let said = try #require(output.err.first)
    #expect(said.hasPrefix("your code does not build:\n\(student.code.path)/Student.swift:"))
    #expect(said.contains("protocol requires function 'setKeyPaths(_:affecting:of:)'"))
  }

  @Test("code without the class that is to be written does not go together with the level")
  func noClass() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    try Data("public final class Pupil {}\n".utf8)
      .write(to: student.code.appendingPathComponent("Student.swift"))
    let (code, output) = student.grade()
    #expect(code == 1)
    let said = try #require(output.err.first)
    #expect(
      said.hasPrefix("your code does not go together with level 1:\nthe grader's Stage.swift:"))
    #expect(said.contains("cannot find 'Student' in scope"))
  }

  @Test("the library's own observing fails the case in which it is used")
  func forbidden() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    try student.change(
      "Student.swift", "throw NotRegistered()  // make",
      to: """
        kept.append(try object.observe(keyPath) { _ in
          tell(observer, StudentChange(object: object, keyPath: keyPath))
        })  // make
        """)
    try student.change(
      "Student.swift", "public init() {}",
      to: "public init() {}\nvar kept: [KeyValueObservation] = []")
    let (code, output) = student.grade()
    #expect(code == 1)
    #expect(output.out.first { $0.hasPrefix("  failed") }?.hasPrefix("  failed  REG-01 ") == true)
    #expect(output.text.contains("! the library's own observing was"), "\(output.text)")
  }

  @Test("a folder without Swift code is a wrong call")
  func noCode() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    try FileManager.default.removeItem(at: student.code)
    let (code, output) = student.grade()
    #expect(code == 2)
    #expect(output.err.count == 1)
    #expect(output.err.first?.hasPrefix("there is no Swift code in ") == true)
  }

  private func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}

extension WrongSolution {
  static let inSwift = [
    WrongSolution(
      level: 1, mistake: "throws something else than a refusal", file: "Student.swift",
      from: "if options.contains(.initial) {",
      to:
        "if context == 0 { throw KeyValueError(.notFound, key: \"class\") }\n"
        + "if options.contains(.initial) {",
      caseID: "REG-01", says: "throws “class”: nothing of that"),
    WrongSolution(
      level: 2, mistake: "tells in the order of adding", file: "Change.swift",
      from: "for each in pending.reversed() {", to: "for each in pending {", caseID: "REG-07"),
    WrongSolution(
      level: 4, mistake: "finds an observer by its weak reference", file: "Student.swift",
      from: "$0.observerAddress == observer.address", to: "$0.observer.object == observer",
      caseID: "LIF-02"),
    WrongSolution(
      level: 4, mistake: "crashes where an observer is dead", file: "Change.swift",
      from: "let observer = registration.observer.object,",
      to: "let observer = Optional(registration.observer.object!),", caseID: "LIF-04",
      says: "Fatal error: Unexpectedly"),
    WrongSolution(
      level: 5, mistake: "does not move along", file: "Change.swift",
      from: "for each in pending { try? student.follow(each.registration) }", to: "",
      caseID: "PATH-04"),
    WrongSolution(
      level: 6, mistake: "asks the class alone", file: "Places.swift",
      from: "sequence(first: object.class) { $0.superclass }", to: "[object.class]",
      caseID: "DEP-27"),
    WrongSolution(
      level: 7, mistake: "forgets the kind at the end of a path", file: "Change.swift",
      from: "kind: watch.isEnd ? kind", to: "kind: watch.isEnd && root == object ? kind",
      caseID: "PATH-26"),
    WrongSolution(
      level: 8, mistake: "holds its lock while it tells", file: "Change.swift",
      from: "if !isRemoved { pending.registration.tell(pending.observer, change) }",
      to: "student.lock.withLock {\n"
        + "if !isRemoved { pending.registration.tell(pending.observer, change) } }",
      caseID: "THR-06", says: "a lock that is held", limit: 2),
  ]
}
