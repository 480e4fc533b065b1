import CPaired
import Foundation
import Testing

@Suite struct DriverTests {
  @Test(
    "a row that is bounded is done once as often as its bound, and no more: exit code 2",
    .serialized, arguments: [(4, Int32(0)), (5, 2)])
  func bound(count: Int, code: Int32) {
    #expect(exitCode(of: ["driver", "--once", "few", "\(count)"]) == code)
  }

  /// The exit code of a driver that has one row, of four times at most.
  private func exitCode(of words: [String]) -> Int32 {
    let texts = (["few", "test", "Swift"] + words).map { strdup($0) }
    defer { texts.forEach { free($0) } }
    var row = paired_workload()
    (row.name, row.subject, row.language) = (
      UnsafePointer(texts[0]), UnsafePointer(texts[1]), UnsafePointer(texts[2])
    )
    row.largest_count = 4
    row.setup = { _, _ in PAIRED_READY }
    row.run = { _, _ in }
    row.check = { _, count in count == 4 }
    row.teardown = { _ in }
    var arguments = Array(texts[3...]) + [nil]
    return paired_main(&row, 1, Int32(words.count), &arguments)
  }
}
