import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct AnnouncementTests {
  @Test(
    "a change announced by hand is told, whether or not its key notifies by itself",
    arguments: Announcement.all(Announcement.Spelling.allCases))
  func told(_ announcement: Announcement) throws {
    try announcement.check { object in
      switch announcement.spelling {
      case .named: named(announcement, object)
      case .typed: try typed(announcement, object)
      case .bracket: try bracket(announcement, object)
      }
    }
  }

  private final class Page: KVObject {
    @Dynamic var tags: Set<String>? = ["a"]
  }

  @Test("a change by elements is announced of a set that may be missing, too")
  func optionalSet() {
    let page = Page()
    var told: [String] = []
    let token = page.observe(\.tags, options: [.old, .new]) { _, change in
      let values = [change.oldValue, change.newValue].map { $0??.sorted() ?? [] }
      told.append("\(change.kind) \(values)")
    }
    page.willChangeValue(for: \.tags, withSetMutation: .union, using: ["a", "b"])
    page.setPrimitiveValue(["a", "b"], for: \.tags)
    page.didChangeValue(for: \.tags, withSetMutation: .union, using: ["a", "b"])
    page.withChange(of: \.tags, .minus, by: ["a"]) { page.setPrimitiveValue(["b"], for: \.tags) }
    page.setPrimitiveValue(nil, for: \.tags)
    page.withChange(of: \.tags, .union, by: ["c"]) { page.setPrimitiveValue(["c"], for: \.tags) }
    #expect(
      told == [
        #"insertion [[], ["b"]]"#, #"removal [["a"], []]"#, #"insertion [[], ["c"]]"#,
      ])
    token.invalidate()
  }

  private func named(_ announcement: Announcement, _ object: Announced) {
    let key = announcement.key
    switch announcement.form {
    case .setting:
      object.willChangeValue(forKey: key)
      object.didChangeValue(forKey: key)
    case .indexed:
      object.willChange(.removal, valuesAt: [0], forKey: key)
      object.didChange(.removal, valuesAt: [0], forKey: key)
    case .set:
      object.willChangeValue(forKey: key, withSetMutation: .union, using: ["b"])
      object.didChangeValue(forKey: key, withSetMutation: .union, using: ["b"])
    }
  }

  private func typed(_ announcement: Announcement, _ object: Announced) throws {
    switch announcement.form {
    case .setting:
      object.willChangeValue(for: announcement.name)
      object.didChangeValue(for: announcement.name)
    case .indexed:
      object.willChange(.removal, valuesAt: [0], for: announcement.list)
      object.didChange(.removal, valuesAt: [0], for: announcement.list)
    case .set:
      let tags = announcement.tags
      object.willChangeValue(for: tags, withSetMutation: .union, using: ["b"])
      object.didChangeValue(for: tags, withSetMutation: .union, using: ["b"])
    }
  }

  private func bracket(_ announcement: Announcement, _ object: Announced) throws {
    switch announcement.form {
    case .setting: object.withChange(of: announcement.name) {}
    case .indexed: object.withChange(of: announcement.list, .removal, at: [0]) {}
    case .set: object.withChange(of: announcement.tags, .union, by: ["b"]) {}
    }
  }
}
