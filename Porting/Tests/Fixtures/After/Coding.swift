import Foundation
import IsaKVO
import IsaKVOFoundation

/// A record that is filled by key, and refuses what it does not know.
final class Entry: KVObject {
  @Dynamic var title = ""
  @Dynamic var pages = 0
  @Dynamic var unknown: [String: Any] = [:]
  private var secret = 1

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    unknown[key] = value
  }

  override func setNilValueForKey(_ key: String) {
    if key == "pages" { pages = 0 } else { super.setNilValueForKey(key) }
  }
}

/// A shelf that counts what is set by key.
final class Shelf: NSKVObject {
  @Dynamic var entries: [Entry] = []
  @Dynamic var marks: Set<String> = []
  @Dynamic var owner: String?
  var sets = 0

  override func setValue(_ value: Any?, forKey key: String) {
    sets += 1
    super.setValue(value, forKey: key)
  }
}

func showCoding() {
  let shelf = Shelf()
  let token = shelf.observe(\.entries, options: [.old, .new]) { _, change in
    print(change.kind == .insertion ? "insertion" : "other", change.indexes.map(Array.init) ?? [])
  }
  for (title, pages) in [("Emma", 400), ("Momo", 300)] {
    let entry = Entry()
    entry.setValuesForKeys(["title": title, "pages": NSNumber(value: pages), "shape": "thin"])
    shelf.mutableArrayValue(forKey: "entries").add(entry)
  }
  shelf.mutableSetValue(forKey: "marks").add("new")
  shelf.setValue("Ann", forKey: "owner")
  shelf.entries[0].setValue(nil, forKey: "pages")
  print(shelf.value(forKeyPath: "entries.@sum.pages") as! Int, shelf.entries[1].unknown)
  print(shelf.value(forKeyPath: "entries.title") as! [String], shelf.marks, shelf.sets)
  print(shelf.dictionaryWithValues(forKeys: ["owner"]))
  token.invalidate()
}
