import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct AppleAnnouncementTests {
  @Test(
    "a change announced under Apple's names is told, whether or not its key notifies by itself",
    arguments: Announcement.all([.named, .typed]))
  func told(_ announcement: Announcement) throws {
    try announcement.check { object in
      if announcement.spelling == .named {
        named(announcement, object)
      } else {
        typed(announcement, object)
      }
    }
  }

  @Test("options are made of Foundation's unsigned bits")
  func options() {
    let bits: UInt = 3
    let options: NSKeyValueObservingOptions = [.new, .old]
    #expect(NSKeyValueObservingOptions(rawValue: bits) == options)
    #expect(options.rawValue == bits)
  }

  private func named(_ announcement: Announcement, _ object: Announced) {
    let key = announcement.key, indexes: IndexSet = [0]
    switch announcement.form {
    case .setting:
      object.willChangeValue(forKey: key)
      object.didChangeValue(forKey: key)
    case .indexed:
      object.willChange(NSKeyValueChange.removal, valuesAt: indexes, forKey: key)
      object.didChange(NSKeyValueChange.removal, valuesAt: indexes, forKey: key)
    case .set:
      let union = NSKeyValueSetMutationKind.union
      object.willChangeValue(forKey: key, withSetMutation: union, using: ["b"])
      object.didChangeValue(forKey: key, withSetMutation: union, using: ["b"])
    }
  }

  private func typed(_ announcement: Announcement, _ object: Announced) {
    let indexes: IndexSet = [0]
    switch announcement.form {
    case .setting:
      object.willChangeValue(for: announcement.name)
      object.didChangeValue(for: announcement.name)
    case .indexed:
      object.willChange(.removal, valuesAt: indexes, for: announcement.list)
      object.didChange(.removal, valuesAt: indexes, for: announcement.list)
    case .set:
      let tags = announcement.tags
      object.willChangeValue(for: tags, withSetMutation: .union, using: ["b"])
      object.didChangeValue(for: tags, withSetMutation: .union, using: ["b"])
    }
  }
}
