import Foundation
import Testing

@testable import isalab

@Suite("The labs in Swift", .serialized)
struct SwiftLabTests {
  @Test("a level in Swift is a package with the interface and a class to write")
  func start() throws {
    let room = try TemporaryFolder()
    let folder = room.url.appendingPathComponent("mine")
    let output = Output()
    #expect(LabRun(console: output.console).start(2, language: "swift", folder: folder.path) == 0)
    for file in ["README.md", "Package.swift", "Sources/StudentKVO/Interface.swift"] {
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path))
    }
  }

  @Test(
    "the model passes levels 1 to 3, a wrong one fails in its case, one that does not build says so"
  )
  func model() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    let target = student.url.appendingPathComponent("Sources/StudentKVO/Student.swift")
    let model = try String(
      contentsOf: Folder.models.appendingPathComponent("Swift/Student.swift"), encoding: .utf8)
    try Data(model.utf8).write(to: target)
    for level in 1...3 {
      let (code, output) = student.grade(level: level)
      #expect(code == 0, "\(output.text)\(output.err)")
    }
    let wrong = model.replacingOccurrences(of: "told.reversed()", with: "told")
    #expect(wrong != model)
    try Data(wrong.utf8).write(to: target)
    let (code, output) = student.grade(level: 2)
    #expect(code == 1)
    #expect(output.out.first { $0.hasPrefix("  failed") }?.hasPrefix("  failed  REG-07") == true)
    try Data("import IsaKVO\npublic final class Student {}\n".utf8).write(to: target)
    let broken = student.grade(level: 1)
    #expect(broken.code == 1)
    #expect(broken.output.err.first?.hasPrefix("your code does not build:") == true)
    #expect(student.grade(level: 4).code == 2)
  }
}
