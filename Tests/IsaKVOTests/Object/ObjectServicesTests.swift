import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// A class whose objects are equal only if they are the same.
private class Member: KVObject {
  @Dynamic var name: String

  init(_ name: String) { self.name = name }
}

/// A class whose objects are equal by their numbers.
private class Coin: KVObject {
  @Dynamic var number: Int
  @Dynamic var label = ""

  init(_ number: Int) { self.number = number }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? Coin)?.number == number || object as? Int == number
  }
  override var hash: Int { number }
  override var description: String { "coin \(number)" }
}

private final class Gold: Coin {}

private final class Loud: Coin {
  override var debugDescription: String { "LOUD \(number)" }
}

private final class Purse: KVObject {
  @Dynamic var members: [Member] = []
  @Dynamic var coins: [Coin] = []
  @Dynamic var kept: Set<Coin> = []
  @Dynamic var known: Set<Member> = []
  let fixed = 1
}

@Suite(.serialized, .leavesNoObjects)
struct ObjectServicesTests {
  @Test("objects are equal if they are the same, and collections find them by that")
  func identity() {
    let ann = Member("a"), twin = Member("a")
    #expect(ann == ann && ann != twin && ann.isEqual(ann) && !ann.isEqual(twin))
    #expect(!ann.isEqual(nil) && !ann.isEqual("a"))
    #expect([twin, ann].firstIndex(of: ann) == 1)
    #expect(Set([ann, twin, ann]).count == 2)
    #expect([ann: 1, twin: 2][twin] == 2)
    #expect(ann.hash == ann.hash && AnyHashable(ann) == AnyHashable(ann))
    #expect(AnyHashable(ann) != AnyHashable(twin))
  }

  @Test("a class's own isEqual and hash are what == and collections ask")
  func overridden() {
    let one = Coin(1), same = Gold(1), two = Coin(2)
    #expect(one == same && one != two && one.isEqual(1))
    #expect([two, one].firstIndex(of: same) == 1)
    #expect(Set([one, same, two]).count == 2 && Set([one]).contains(same))
    #expect([one: "x"][same] == "x")
    #expect(AnyHashable(one) == AnyHashable(same))
  }

  @Test("proxies find and remove elements by it, observed or not", arguments: [false, true])
  func proxies(isObserved: Bool) throws {
    let purse = Purse(), ann = Member("a"), bob = Member("b")
    var told = 0
    let tokens =
      isObserved
      ? [
        purse.observe(\.members) { _, _ in told += 1 },
        purse.observe(\.kept) { _, _ in told += 1 },
      ] : []
    purse.members = [ann, bob]
    let members = purse.mutableArrayValue(for: \.members)
    #expect(members.firstIndex(of: bob) == 1 && members.contains(ann))
    members.removeAll { $0 == ann }
    #expect(purse.members.map(\.name) == ["b"])
    purse.kept = [Coin(1)]
    let kept = purse.mutableSetValue(for: \.kept)
    kept.insert(Gold(1))
    #expect(purse.kept.count == 1)
    kept.remove(Gold(1))
    #expect(purse.kept.isEmpty && told == (isObserved ? 5 : 0))
    tokens.forEach { $0.invalidate() }
  }

  @Test("proxies by name find and remove by it too")
  func proxiesByName() throws {
    let purse = Purse(), ann = Member("a"), same = try RuntimeValue(RuntimeObject(Gold(1)))
    purse.members = [Member("z"), ann]
    purse.coins = [Coin(1), Coin(2)]
    purse.kept = [Coin(1)]
    let members = try purse.mutableArrayValue(forKey: "members")
    #expect(members.firstIndex(of: RuntimeValue(try RuntimeObject(ann))) == 1)
    let coins = try purse.mutableArrayValue(forKey: "coins")
    #expect(coins.firstIndex(of: same) == 0)
    try coins.removeAll(equalTo: same)
    #expect(purse.coins.map(\.number) == [2])
    let kept = try purse.mutableSetValue(forKey: "kept")
    #expect(kept.contains(same))
    try kept.remove(same)
    #expect(purse.kept.isEmpty)
  }

  @Test("the runtime's own collections and operators ask a Swift class's isEqual and hash")
  func core() throws {
    let objects = try [Coin(1), Gold(1), Coin(2)].map { RuntimeValue(try RuntimeObject($0)) }
    #expect(RuntimeValue.set(objects).elements?.count == 2)
    #expect(RuntimeValue.orderedSet(objects).elements?.count == 2)
    let purse = Purse()
    purse.coins = [Coin(1), Gold(1), Coin(2)]
    let distinct = try purse.value(forKeyPath: "coins.@distinctUnionOfObjects.self") as? [Any]
    #expect(distinct?.count == 2)
    #expect(objects[0] == objects[1] && objects[0] != objects[2])
    #expect(objects[0].hashValue == objects[1].hashValue)
  }

  @Test("the runtime shows a Swift object by its own description")
  func descriptions() throws {
    let coin = Coin(7)
    #expect("\(coin)" == "coin 7" && String(reflecting: coin) == "coin 7")
    #expect(String(reflecting: Loud(7)) == "LOUD 7" && "\(Loud(7))" == "coin 7")
    #expect(
      RuntimeValue.array([RuntimeValue(try RuntimeObject(coin))]).description.contains("coin 7"))
    let plain = Member("a")
    let address = "0x" + String(try RuntimeObject(plain).address, radix: 16)
    #expect("\(plain)".hasSuffix("Member: \(address)>") && "\(plain)".hasPrefix("<IsaKVOTests."))
    #expect(String(reflecting: plain) == "\(plain)")
  }

  @Test("an object tells what class it is of, observed or not, and which keys it answers")
  func questions() throws {
    let gold = Gold(1)
    let token = gold.observe(\.number) { _, _ in }
    #expect(gold.isKind(of: Coin.self) && gold.isKind(of: KVObject.self))
    #expect(gold.isKind(of: Gold.self) && !gold.isKind(of: Purse.self))
    #expect(gold.isMember(of: Gold.self) && !gold.isMember(of: Coin.self))
    #expect(gold.responds(toKey: "number") && !gold.responds(toKey: "weight"))
    #expect(!Purse().responds(toKey: "fixed"))
    token.invalidate()
  }

  @Test("an observed object is equal to what it was, and its hash stays")
  func observed() throws {
    let ann = Member("a"), before = ann.hash, set: Set = [ann]
    let token = ann.observe(\.name) { _, _ in }
    #expect(ann.hash == before && set.contains(ann))
    token.invalidate()
  }
}
