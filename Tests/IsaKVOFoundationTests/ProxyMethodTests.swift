import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Team: KVObject {
  @Dynamic var scores = [3, 1, 2, 3]
  @Dynamic var tags: Set<Int> = [1, 2, 3]
  @Dynamic var members: [Place] = [Place(), Place()]
}

private typealias Name = Notification.Name

private final class RawValues: KVObject {
  @Dynamic var list = [Mood.calm]
  @Dynamic var set: Set<Mood> = [.calm]
  @Dynamic var names = [Name("a"), Name("b")]
}

/// A method of a mutable collection, what it makes of [3, 1, 2, 3] or {1, 2, 3}, and the kinds of
/// the changes that it tells.
private struct Act<Collection>: Sendable, CustomTestStringConvertible {
  let name: String
  let result: [Int]
  let told: [NSKeyValueChange]
  let act: @Sendable (Collection) -> Void
  var testDescription: String { name }

  init(
    _ name: String, _ result: [Int], _ told: NSKeyValueChange...,
    act: @escaping @Sendable (Collection) -> Void
  ) {
    self.name = name
    self.result = result
    self.told = told
    self.act = act
  }
}

private func order(_ first: Any, _ second: Any) -> ComparisonResult {
  (first as! NSNumber).compare(second as! NSNumber)
}

private let arrayActs: [Act<NSMutableArray>] = [
  Act("add", [3, 1, 2, 3, 9], .insertion) { $0.add(9) },
  Act("addObjects(from:)", [3, 1, 2, 3, 8, 9], .insertion) { $0.addObjects(from: [8, 9]) },
  Act("addObjects(from:) of none", [3, 1, 2, 3]) { $0.addObjects(from: []) },
  Act("insert(_:at:)", [3, 9, 1, 2, 3], .insertion) { $0.insert(9, at: 1) },
  Act("insert(_:at:) of many", [8, 3, 1, 9, 2, 3], .insertion) { $0.insert([8, 9], at: [0, 3]) },
  Act("remove", [1, 2], .removal) { $0.remove(3) },
  Act("remove of what is not there", [3, 1, 2, 3]) { $0.remove(99) },
  Act("remove(_:in:)", [3, 1, 2], .removal) { $0.remove(3, in: NSRange(location: 1, length: 3)) },
  Act("removeObject(identicalTo:)", [1, 2], .removal) { $0.removeObject(identicalTo: 3) },
  Act("removeObject(identicalTo:in:)", [3, 1, 2], .removal) {
    $0.removeObject(identicalTo: 3, in: NSRange(location: 1, length: 3))
  },
  Act("removeAllObjects", [], .removal) { $0.removeAllObjects() },
  Act("removeLastObject", [3, 1, 2], .removal) { $0.removeLastObject() },
  Act("removeObject(at:)", [3, 2, 3], .removal) { $0.removeObject(at: 1) },
  Act("removeObjects(at:)", [1, 3], .removal) { $0.removeObjects(at: [0, 2]) },
  Act("removeObjects(in:)", [2], .removal) { $0.removeObjects(in: [3, 1]) },
  Act("removeObjects(in:) of a range", [3, 3], .removal) {
    $0.removeObjects(in: NSRange(location: 1, length: 2))
  },
  Act("replaceObject(at:with:)", [3, 1, 9, 3], .replacement) { $0.replaceObject(at: 2, with: 9) },
  Act("replaceObjects(at:with:)", [8, 1, 2, 9], .replacement) {
    $0.replaceObjects(at: [0, 3], with: [8, 9])
  },
  Act("replaceObjects(in:withObjectsFrom:) by as many", [3, 8, 9, 3], .replacement) {
    $0.replaceObjects(in: NSRange(location: 1, length: 2), withObjectsFrom: [8, 9])
  },
  Act(
    "replaceObjects(in:withObjectsFrom:) by more", [3, 7, 8, 9, 3], .replacement, .insertion
  ) {
    $0.replaceObjects(in: NSRange(location: 1, length: 2), withObjectsFrom: [7, 8, 9])
  },
  Act("replaceObjects(in:withObjectsFrom:) by fewer", [3, 9, 3], .replacement, .removal) {
    $0.replaceObjects(in: NSRange(location: 1, length: 2), withObjectsFrom: [9])
  },
  Act("replaceObjects(in:withObjectsFrom:range:)", [8, 1, 2, 3], .replacement) {
    $0.replaceObjects(
      in: NSRange(location: 0, length: 1), withObjectsFrom: [7, 8, 9],
      range: NSRange(location: 1, length: 1))
  },
  Act("setArray", [8, 9], .replacement, .removal) { $0.setArray([8, 9]) },
  Act("setArray of none", [], .removal) { $0.setArray([]) },
  Act("exchangeObject(at:withObjectAt:)", [2, 1, 3, 3], .replacement) {
    $0.exchangeObject(at: 2, withObjectAt: 0)
  },
  Act("sort(comparator:)", [1, 2, 3, 3], .replacement) { $0.sort(comparator: order) },
  Act("sort(options:usingComparator:)", [1, 2, 3, 3], .replacement) {
    $0.sort(options: .stable, usingComparator: order)
  },
  Act("sort(_:context:)", [1, 2, 3, 3], .replacement) { array in
    array.sort({ first, second, _ in order(first, second).rawValue }, context: nil)
  },
  Act("sort(using:)", [1, 2, 3, 3], .replacement) {
    $0.sort(using: [NSSortDescriptor(keyPath: \NSNumber.self, ascending: true, comparator: order)])
  },
  Act("subscript", [3, 9, 2, 3], .replacement) { $0[1] = 9 },
  Act("filter(using:)", [3, 3], .removal) {
    $0.filter(using: NSPredicate { value, _ in (value as? Int) == 3 })
  },
]

private let setActs: [Act<NSMutableSet>] = [
  Act("add", [1, 2, 3, 9], .insertion) { $0.add(9) },
  Act("add of what is there", [1, 2, 3], .insertion) { $0.add(1) },
  Act("addObjects(from:)", [1, 2, 3, 8, 9], .insertion) { $0.addObjects(from: [8, 9]) },
  Act("remove", [1, 3], .removal) { $0.remove(2) },
  Act("remove of what is not there", [1, 2, 3], .removal) { $0.remove(9) },
  Act("removeAllObjects", [], .removal) { $0.removeAllObjects() },
  Act("union", [1, 2, 3, 4], .insertion) { $0.union([3, 4]) },
  Act("minus", [1, 2], .removal) { $0.minus([3, 4]) },
  Act("intersect", [3], .removal) { $0.intersect([3, 4]) },
  Act("setSet", [3, 4], .replacement) { $0.setSet([3, 4]) },
  Act("filter(using:)", [1, 3], .removal) {
    $0.filter(using: NSPredicate { value, _ in (value as? Int) != 2 })
  },
]

private func kinds(_ watcher: Watcher) -> [NSKeyValueChange] {
  watcher.changes.compactMap { $0[.kindKey] as? UInt }.compactMap { NSKeyValueChange(rawValue: $0) }
}

@Suite("Every method of the proxies", .serialized, .leavesNoObjects)
struct ProxyMethodTests {
  @Test("an NSMutableArray's method does what its documentation says", arguments: arrayActs)
  private func array(_ act: Act<NSMutableArray>) {
    let team = Team(), watcher = Watcher()
    team.addObserver(watcher, forKeyPath: "scores", options: [.old, .new], context: nil)
    act.act(team.mutableArrayValue(forKey: "scores"))
    team.removeObserver(watcher, forKeyPath: "scores")
    #expect(team.scores == act.result)
    #expect(kinds(watcher) == act.told)
  }

  @Test("the changes that are told lead from the old elements to the new", arguments: arrayActs)
  private func deltas(_ act: Act<NSMutableArray>) throws {
    let team = Team(), watcher = Watcher(), followed = NSMutableArray(array: team.scores)
    team.addObserver(watcher, forKeyPath: "scores", options: [.old, .new], context: nil)
    act.act(team.mutableArrayValue(forKey: "scores"))
    team.removeObserver(watcher, forKeyPath: "scores")
    for (kind, change) in zip(kinds(watcher), watcher.changes) {
      let indexes = try #require(change[.indexesKey] as? IndexSet)
      switch kind {
      case .insertion: followed.insert(try #require(change[.newKey] as? [Any]), at: indexes)
      case .removal: followed.removeObjects(at: indexes)
      default: followed.replaceObjects(at: indexes, with: try #require(change[.newKey] as? [Any]))
      }
    }
    #expect(team.scores == followed as? [Int])
  }

  /// The methods that Foundation's own class here does otherwise: it removes one equal object of
  /// all, of numbers none, from a range another one, and stops when an array becomes shorter.
  private static let differing: Set = [
    "remove", "remove(_:in:)", "removeObject(identicalTo:)", "removeObject(identicalTo:in:)",
    "removeObjects(in:)", "replaceObjects(in:withObjectsFrom:) by fewer", "setArray",
  ]

  @Test(
    "it is what it does to a plain array, where Foundation does what its documentation says",
    arguments: arrayActs.filter { !differing.contains($0.name) })
  private func plainArray(_ act: Act<NSMutableArray>) {
    let plain = NSMutableArray(array: [3, 1, 2, 3])
    act.act(plain)
    #expect(plain as? [Int] == act.result)
  }

  @Test("an NSMutableSet's method does what it does to a plain one", arguments: setActs)
  private func set(_ act: Act<NSMutableSet>) {
    let team = Team(), watcher = Watcher(), plain = NSMutableSet(array: Array(team.tags))
    act.act(plain)
    team.addObserver(watcher, forKeyPath: "tags", options: [.old, .new], context: nil)
    act.act(team.mutableSetValue(forKey: "tags"))
    team.removeObserver(watcher, forKeyPath: "tags")
    #expect(team.tags == Set(act.result) && plain as? Set<Int> == team.tags)
    #expect(kinds(watcher) == act.told)
  }

  @Test("objects are found and removed by the equality that they have: identity")
  func identity() {
    let team = Team(), first = team.members[0], members = team.mutableArrayValue(forKey: "members")
    #expect(members.contains(first) && members.index(of: team.members[1]) == 1)
    #expect(members.indexOfObjectIdentical(to: team.members[1]) == 1)
    #expect(!members.contains(Place()))
    members.removeObject(identicalTo: team.members[1])
    #expect(team.members.count == 1)
    members.remove(first)
    #expect(team.members.isEmpty)
  }

  @Test("values that stand for a number or a text are found and removed by it")
  func rawValues() {
    let bag = RawValues(), list = bag.mutableArrayValue(forKey: "list")
    list.add(Mood.glad)
    #expect(list.contains(Mood.glad) && list.contains(1) && !list.contains(Name("x")))
    #expect(list.index(of: Mood.glad) == 1 && list.indexOfObjectIdentical(to: Mood.glad) == 1)
    list.remove(Mood.glad)
    #expect(bag.list == [.calm])
    list.removeObjects(in: [Mood.calm])
    #expect(bag.list.isEmpty)
    let names = bag.mutableArrayValue(forKey: "names")
    names.remove(Name("a"))
    #expect(bag.names == [Name("b")] && names.contains(Name("b")) && names.contains("b"))
    let set = bag.mutableSetValue(forKey: "set")
    #expect(set.contains(Mood.calm) && set.member(Mood.calm) as? Int == 0)
    #expect(!set.contains(Mood.glad) && set.intersects([Mood.calm]))
    set.remove(Mood.calm)
    #expect(bag.set.isEmpty)
  }

  @Test("a set proxy of an array adds what is not there only")
  func setOfArray() throws {
    let team = Team(), watcher = Watcher(), set = team.mutableSetValue(forKey: "scores")
    team.addObserver(watcher, forKeyPath: "scores", options: .new, context: nil)
    set.add(1)
    #expect(team.scores == [3, 1, 2, 3])
    set.add(9)
    #expect(team.scores == [3, 1, 2, 3, 9])
    team.removeObserver(watcher, forKeyPath: "scores")
    #expect(watcher.changes.map { ($0[.newKey] as? Set<AnyHashable>)?.count } == [0, 1])
  }

  @Test("what is read of an array proxy is what is read of a plain array")
  func readingArrays() {
    let team = Team(), array = team.mutableArrayValue(forKey: "scores")
    let plain = NSArray(array: team.scores)
    #expect(array as? [Int] == [3, 1, 2, 3] && array as? [Double] == [3, 1, 2, 3])
    #expect((array as Any) as? NSArray === array)
    #expect(array.map { $0 as? Int } == [3, 1, 2, 3])
    #expect(array.isEqual(plain) && plain.isEqual(array) && array.isEqual(to: [3, 1, 2, 3]))
    #expect(array.description == plain.description && array.hash == plain.hash)
    #expect(array.copy() as? [Int] == team.scores && array.copy() as AnyObject !== array)
    let copy = array.mutableCopy() as! NSMutableArray
    copy.add(9)
    #expect(copy.count == 5 && array.count == 4 && team.scores.count == 4)
    #expect(array.firstObject as? Int == 3 && array.lastObject as? Int == 3)
    #expect(array.sortedArray(comparator: order) as? [Int] == [1, 2, 3, 3])
    #expect(array.subarray(with: NSRange(location: 1, length: 2)) as? [Int] == [1, 2])
    #expect(array.objects(at: [0, 2]) as? [Int] == [3, 2])
    #expect(array.adding(4) as? [Int] == [3, 1, 2, 3, 4])
    #expect(array.componentsJoined(by: "-") == "3-1-2-3")
    #expect(array.objectEnumerator().allObjects as? [Int] == [3, 1, 2, 3])
    #expect(array.reverseObjectEnumerator().allObjects as? [Int] == [3, 2, 1, 3])
    #expect(array.firstObjectCommon(with: [2, 1]) as? Int == 1)
    #expect(array.indexesOfObjects { value, _, _ in value as? Int == 3 } == [0, 3])
    #expect(array.filtered(using: NSPredicate { value, _ in value as? Int == 3 }).count == 2)
  }

  @Test("what is read of a set proxy is what is read of a plain set")
  func readingSets() {
    let team = Team(), set = team.mutableSetValue(forKey: "tags"), plain = NSSet(array: [1, 2, 3])
    #expect(set.count == 3 && set.contains(2) && set.member(9) == nil && set.anyObject() != nil)
    #expect(Set(set.allObjects.compactMap { $0 as? Int }) == [1, 2, 3])
    #expect(Set(set.compactMap { $0 as? Int }) == [1, 2, 3])
    #expect(set.isEqual(plain) && plain.isEqual(set) && set.isEqual(to: [1, 2, 3]))
    #expect(set.hash == plain.hash && set.description.contains("2"))
    #expect(set.intersects([3, 4]) && set.isSubset(of: [1, 2, 3, 4]) && !set.isSubset(of: [1]))
    let copy = set.mutableCopy() as! NSMutableSet
    copy.add(9)
    #expect(copy.count == 4 && set.count == 3 && team.tags.count == 3)
    #expect(set.adding(9).count == 4 && set.addingObjects(from: [8, 9] as [Any]).count == 5)
    #expect(set.objects { value, _ in value as? Int == 1 }.count == 1)
  }

  @Test("a set proxy finds a member of any type as Foundation does, by what it amounts to")
  func membersOfAnyType() {
    final class Bag: KVObject {
      @Dynamic var members: Set<AnyHashable> = [
        1, NSNumber(value: 2), "a", NSString(string: "b"), NSNumber(value: 2.5), UInt8(4),
      ]
    }
    let bag = Bag(), set = bag.mutableSetValue(forKey: "members")
    set.add(NSNumber(value: 1))
    set.add(2)
    set.addObjects(from: [NSString(string: "a"), "b", 2.5, NSNumber(value: 4)])
    set.union([NSNumber(value: 1), 2, "b"])
    #expect(bag.members.count == 6)
    set.intersect([2, NSString(string: "a"), NSNumber(value: 4), 9])
    #expect(bag.members == [NSNumber(value: 2), "a", UInt8(4)])
    set.minus([NSNumber(value: 4)])
    #expect(bag.members == [NSNumber(value: 2), "a"])
    set.filter(using: NSPredicate { value, _ in value as? String == "a" })
    #expect(bag.members == ["a"])
    set.setSet([1, NSNumber(value: 2), NSString(string: "a")])
    for member in set.allObjects { set.remove(member) }
    #expect(bag.members.isEmpty)
  }

  /// Foundation asks nothing of a set that is not of its own classes: no class can do better.
  @Test("a set proxy casts to a Swift set by its copy; by itself, as any foreign class, to none")
  func castingSets() {
    let team = Team(), set = team.mutableSetValue(forKey: "tags")
    final class Foreign: NSMutableSet {
      override var count: Int { 1 }
      override func objectEnumerator() -> NSEnumerator { NSArray(array: [1]).objectEnumerator() }
    }
    #expect(set.copy() as? Set<Int> == [1, 2, 3])
    #expect((Foreign() as NSSet) as? Set<Int> == [] && (set as NSSet) as? Set<Int> == [])
  }
}
