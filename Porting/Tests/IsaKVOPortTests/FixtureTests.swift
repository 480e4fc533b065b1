import Foundation
import Testing

@testable import IsaKVOPort

/// Sources before and after; those after are compiled and run by `make test-consumer`.
@Suite struct FixtureTests {
  static let names = (try? swiftFiles(in: Folder.fixtures.appendingPathComponent("Before"))) ?? []

  /// The files before, ported once for all tests.
  private static let ported = port((try? fixtures("Before")) ?? [])

  private static func fixtures(_ folder: String) throws -> [(path: String, text: String)] {
    try names.map {
      ($0, try read(Folder.fixtures.appendingPathComponent(folder).appendingPathComponent($0)))
    }
  }

  @Test("a file of Apple's idiom becomes the file that compiles and behaves", arguments: names)
  func ports(_ name: String) throws {
    let ported = try #require(Self.ported.first { $0.path == name })
    let after = try #require(try Self.fixtures("After").first { $0.path == name })
    #expect(ported.text == after.text)
  }

  @Test("nothing is left to do by hand")
  func leavesNothing() {
    #expect(Self.ported.flatMap(\.findings).allSatisfy { $0.kind == .note })
  }

  @Test("porting what is ported changes nothing")
  func isIdempotent() throws {
    for file in port(try Self.fixtures("After")) { #expect(!file.isChanged, "\(file.path)") }
  }

  @Test("line ends of Windows stay, and are those of what is added")
  func keepsLineEnds() throws {
    let windows = try Self.fixtures("Before").map {
      (path: $0.path, text: $0.text.replacingOccurrences(of: "\n", with: "\r\n"))
    }
    for (file, after) in zip(port(windows), try Self.fixtures("After")) {
      #expect(file.text == after.text.replacingOccurrences(of: "\n", with: "\r\n"), "\(file.path)")
    }
  }

  @Test("a class of each pair is told of by the program that runs them all")
  func areRun() throws {
    let main = try read(Folder.fixtures.appendingPathComponent("After/main.swift"))
    #expect(Self.names.count >= 13)
    for name in Self.names { #expect(main.contains("show\(name.dropLast(6))"), "\(name)") }
  }
}

/// The example of a whole model layer.
@Suite struct ExampleTests {
  private func sources(_ folder: String) throws -> [(path: String, text: String)] {
    let url = Folder.example.appendingPathComponent(folder)
    return try swiftFiles(in: url).map {
      ("Apple/\($0)", try read(url.appendingPathComponent($0)))
    }
  }

  @Test("the example's port is the tool's, without a further edit")
  func isTheTools() throws {
    let ported = port(try sources("Apple")), expected = try sources("Ported/Sources/Ported")
    #expect(ported.map(\.path) == expected.map(\.path))
    for (file, expected) in zip(ported, expected) { #expect(file.text == expected.text) }
  }

  @Test("the example's output is the tool's")
  func hasTheToolsOutput() throws {
    let files = try sources("Apple").map {
      Porter.File(path: $0.path, bytes: Array($0.text.utf8))
    }
    let report = Report(Porter().port(files), isWritten: false)
    #expect(
      report.lines + report.closing
        == (try read(Folder.example.appendingPathComponent("output.txt"))))
    #expect(report.exitCode == 0)
  }
}
