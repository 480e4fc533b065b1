import Foundation
import KVOTrace
import Testing

@Suite("A trace as Perfetto reads it")
struct PerfettoTests {
  private struct File: Decodable {
    struct Entry: Decodable {
      let ph: String
      let pid: UInt64
      let tid: UInt64
      let name: String?
      let ts: Double?
      let id: UInt64?
    }
    let traceEvents: [Entry]
  }

  @Test("slices nest on each thread, and arrows lead from sent to arrived")
  func nesting() throws {
    var story = Story()
    story.object(0x1000, "Or\"der\u{1}")
    story.observe(0x1000, "total", 1, line: 7)
    let change = story.change(0x1000, "total")
    let told = story.about(.notification, 0x1000, "total", 1, cause: change)
    let sent = story.about(.handlerSent, 0x1000, "total", 1, cause: told)
    story.about(.notificationEnded, 0x1000, "total", 1, cause: told)
    story.change(0x1000, "total")
    story.thread = 2
    story.about(.handlerArrived, 0x1000, "total", 1, cause: sent)
    var text = ""
    try story.trace().writePerfetto { text += $0 }
    let entries = try JSONDecoder().decode(File.self, from: Data(text.utf8)).traceEvents
    #expect(entries.map(\.ph).joined() == "MMiBBisEEBMBfEE")
    #expect(entries.filter { $0.ph == "s" || $0.ph == "f" }.map(\.id) == [sent, sent])
    #expect(entries[3].name == "change Or\"der\u{1}.total")
    var depths: [UInt64: Int] = [:]
    for entry in entries where "BE".contains(entry.ph) {
      depths[entry.tid, default: 0] += entry.ph == "B" ? 1 : -1
      #expect(depths[entry.tid]! >= 0)
    }
    #expect(depths.values.allSatisfy { $0 == 0 })
    #expect(entries.allSatisfy { $0.pid == 4711 })
    #expect(entries[2].ts == 0.001)
  }
}
