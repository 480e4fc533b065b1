import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Album: KVObject {
  @Dynamic var songs: NSArray = ["a", "b"]
  @Dynamic var queue: NSMutableArray = ["a", "b"]
  @Dynamic var genres = NSSet(array: ["rock"])
  @Dynamic var places = NSMutableSet(array: ["Rome"])
  @Dynamic var charts: NSOrderedSet = ["one", "two"]
  @Dynamic var lengths: NSArray = [1, 2, 3]
  @Dynamic var authors: NSArray = []
  @Dynamic var info: NSDictionary = ["year": 2000]
  @Dynamic var notes: NSMutableDictionary = ["year": 2000]
  @Dynamic var extras: NSArray?
  @Dynamic var frame = CGRect(x: 1, y: 2, width: 3, height: 4)
  @Dynamic var size = CGSize(width: 3, height: 4)
  @Dynamic var origin = CGPoint(x: 1, y: 2)
  @Dynamic var part = NSRange(location: 1, length: 2)
  @Dynamic var crop: CGRect?
}

/// Properties of the types of Foundation's collections and geometry.
@Suite(.serialized, .leavesNoObjects)
struct FoundationPropertyTests {
  private func watch(_ album: Album, _ key: String) -> Watcher {
    let watcher = Watcher()
    album.addObserver(watcher, forKeyPath: key, options: [.old, .new], context: nil)
    return watcher
  }

  /// Kind, indexes, and the elements that went and came.
  private func told(_ watcher: Watcher) -> [String] {
    watcher.changes.map { change in
      let kind = change[.kindKey] as? UInt ?? 0
      let indexes = (change[.indexesKey] as? NSIndexSet).map { Array($0 as IndexSet) } ?? []
      let old = change[.oldKey] as? [String] ?? [], new = change[.newKey] as? [String] ?? []
      return "\(kind) \(indexes) \(old) \(new)"
    }
  }

  @Test(
    "elements of an array of Foundation's are counted and changed, with their indexes told",
    arguments: ["songs", "queue"])
  func arrays(_ key: String) {
    let album = Album(), watcher = watch(album, key)
    let songs = album.mutableArrayValue(forKey: key)
    #expect(songs.count == 2 && songs[1] as? String == "b" && songs.contains("a"))
    songs.add("c")
    songs.insert("z", at: 0)
    songs.removeObject(at: 1)
    songs.replaceObject(at: 0, with: "y")
    #expect(songs.count == 3 && album.value(forKey: key) as? [String] == ["y", "b", "c"])
    #expect(
      told(watcher) == [
        #"2 [2] [] ["c"]"#, #"2 [0] [] ["z"]"#, #"3 [1] ["a"] []"#, #"4 [0] ["z"] ["y"]"#,
      ])
    album.removeObserver(watcher, forKeyPath: key)
    #expect(album.songs.isEqual(to: key == "songs" ? ["y", "b", "c"] : ["a", "b"]))
  }

  @Test(
    "members of a set of Foundation's are counted and changed, and told",
    arguments: ["genres", "places"])
  func sets(_ key: String) {
    let album = Album(), watcher = watch(album, key)
    let members = album.mutableSetValue(forKey: key)
    let first = members.anyObject() as? String ?? ""
    #expect(members.count == 1 && members.contains(first))
    members.add("new")
    members.remove(first)
    #expect(album.value(forKey: key) as? Set<String> == ["new"])
    #expect(watcher.changes.map { $0[.kindKey] as? UInt } == [2, 3])
    #expect(watcher.changes.first?[.newKey] as? Set<String> == ["new"])
    #expect(watcher.changes.last?[.oldKey] as? Set<String> == [first])
    album.removeObserver(watcher, forKeyPath: key)
  }

  @Test("operators and keys reach the elements")
  func operators() {
    let album = Album(), ann = Person(), bob = Person()
    (bob.name, bob.age) = ("Bob", 3)
    album.authors = [ann, bob]
    #expect(album.value(forKeyPath: "lengths.@sum.self") as? Int == 6)
    #expect(album.value(forKeyPath: "lengths.@max.self") as? Int == 3)
    #expect(album.value(forKeyPath: "lengths.@count") as? Int == 3)
    #expect(album.value(forKeyPath: "genres.@count") as? Int == 1)
    #expect(album.value(forKeyPath: "charts.@count") as? Int == 2)
    #expect(album.value(forKeyPath: "authors.name") as? [String] == ["Ann", "Bob"])
    #expect(album.value(forKeyPath: "authors.@avg.age") as? Int == 2)
    #expect(album.value(forKeyPath: "info.year") as? Int == 2000)
    #expect(album.value(forKeyPath: "notes.year") as? Int == 2000)
  }

  @Test("Swift collections set by name become Foundation's of the property's type, and come back")
  func setByName() {
    let album = Album()
    for key in ["songs", "queue", "charts", "extras"] {
      album.setValue(["x", "y"], forKey: key)
      let value = album.value(forKey: key)
      #expect(((value as? NSOrderedSet)?.array ?? value) as? [String] == ["x", "y"])
    }
    album.setValue(["x"] as Set<String>, forKey: "genres")
    album.setValue(["y"] as Set<String>, forKey: "places")
    album.setValue(["k": 1], forKey: "info")
    album.setValue(["k": 2], forKey: "notes")
    #expect(album.value(forKey: "genres") as? Set<String> == ["x"])
    #expect(album.value(forKey: "places") as? Set<String> == ["y"])
    #expect(album.value(forKey: "info") as? [String: Int] == ["k": 1])
    #expect(album.value(forKey: "notes") as? [String: Int] == ["k": 2])
    album.queue.add("z")
    album.notes["m"] = 3
    #expect(album.queue.count == 3 && album.notes.count == 2)
    album.setValue(nil, forKey: "extras")
    #expect(album.extras == nil)
  }

  @Test("Swift observers are told of Foundation's collections as these")
  func typed() {
    let album = Album()
    var told: [[String]] = []
    let token = album.observe(\.songs, options: [.old, .new]) { _, change in
      told.append(change.oldValue as? [String] ?? [])
      told.append(change.newValue as? [String] ?? [])
    }
    album.songs = ["q"]
    album.setValue(["r"], forKey: "songs")
    #expect(told == [["a", "b"], ["q"], ["q"], ["r"]])
    token.invalidate()
  }

  @Test("geometry comes as NSValue by name, and is set from one")
  func geometry() throws {
    let album = Album()
    let frame = CGRect(x: 5, y: 6, width: 7, height: 8)
    #expect((album.value(forKey: "frame") as? NSValue)?.rectValue == album.frame)
    #expect((album.value(forKey: "size") as? NSValue)?.sizeValue == album.size)
    #expect((album.value(forKey: "origin") as? NSValue)?.pointValue == album.origin)
    #expect((album.value(forKey: "part") as? NSValue)?.rangeValue == album.part)
    #expect(album.value(forKey: "frame") as? CGRect == album.frame)
    album.setValue(NSValue(rect: frame), forKey: "frame")
    album.setValue(NSValue(size: frame.size), forKey: "size")
    album.setValue(NSValue(point: frame.origin), forKey: "origin")
    album.setValue(NSValue(range: NSRange(location: 3, length: 4)), forKey: "part")
    #expect(album.frame == frame && album.size == frame.size && album.origin == frame.origin)
    #expect(album.part == NSRange(location: 3, length: 4))
    album.setValue(CGRect.zero, forKey: "frame")
    #expect(album.frame == .zero)
    #expect(album.value(forKey: "crop") == nil)
    album.setValue(NSValue(rect: frame), forKey: "crop")
    #expect(album.crop == frame && (album.value(forKey: "crop") as? NSValue)?.rectValue == frame)
  }

  @Test("an observer object is told of geometry in NSValues, and one of another kind is refused")
  func toldGeometry() {
    let album = Album(), watcher = watch(album, "size")
    let old = album.size, new = CGSize(width: 9, height: 9)
    album.size = new
    #expect((watcher.changes.first?[.oldKey] as? NSValue)?.sizeValue == old)
    #expect((watcher.changes.first?[.newKey] as? NSValue)?.sizeValue == new)
    let other = NSValue(range: NSRange(location: 0, length: 1))
    #expect(reports { album.setValue(other, forKey: "size") }.count == 1 && album.size == new)
    album.removeObserver(watcher, forKeyPath: "size")
  }
}
