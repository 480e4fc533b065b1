import Foundation
import Testing

@testable import isalab

/// Checks the Objective-C of the articles, which nothing runs here, with the compiler.
@Suite("The articles' listings")
struct ListingTests {
  private static let compiler = Tool.find("clang")
  private static let headers = Folder.tests.appendingPathComponent("Solutions/ObjectiveC")

  @Test(
    "are Objective-C", .enabled(if: compiler != nil, "clang reads Objective-C"),
    arguments: Exhibit.stages.indices)
  func compile(_ stage: Int) throws {
    let exhibit = Exhibit.stages[stage]
    let compiler = ChildProcess(executable: try #require(ListingTests.compiler), seconds: 60)
    let flags = [
      "-x", "objective-c", "-fsyntax-only", "-fobjc-arc", "-fobjc-runtime=macosx-12", "-fblocks",
      "-Wall", "-Wno-unused", "-Werror", "-DSTAGE=\(stage + 1)", "-I", ListingTests.headers.path,
      "-",
    ]
    let listing = Listing(try #require(exhibit.code))
    let result = try #require(compiler.run(flags, input: listing.file))
    #expect(result.end == .exit(0), "\(exhibit.name): \(result.errors)")
  }
}

/// A listing's declarations, and the methods that stand in no class: they are the observed object's.
private struct Listing {
  private var declarations: [Substring] = []
  private var methods: [Substring] = []

  init(_ code: String) {
    var isInClass = false
    var isInMethod = false
    for line in code.split(separator: "\n") {
      if line.hasPrefix("@interface") || line.hasPrefix("@implementation") { isInClass = true }
      if !isInClass, line.hasPrefix("- (") { isInMethod = true }
      if isInMethod { methods.append(line) } else { declarations.append(line) }
      if line == "}" { isInMethod = false }
      if line == "@end" { isInClass = false }
    }
  }

  var file: String {
    (["#include \"articles.h\""] + declarations
      + ["@interface Observed : NSObject @end", "@implementation Observed"] + methods + [
        "@end", "",
      ])
      .joined(separator: "\n")
  }
}
