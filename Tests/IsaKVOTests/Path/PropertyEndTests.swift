import IsaKVOTestSupport
import Testing

@testable import IsaKVO

private class Sign: KVObject {
  @Dynamic var text = "" { didSet { heard.append("didSet \(oldValue)") } }
  @Dynamic var size = 1
  @Dynamic var next: Sign?
  @WeakDynamic var owner: Sign?
  @LazyDynamic var lazy = "made"
  var plain = 3.5
  var heard: [String] = []
  var doubled: Int {
    get { size * 2 }
    set { size = newValue / 2 }
  }
}

private final class Neon: Sign {
  override var size: Int {
    get { super.size + 100 }
    set { super.size = newValue - 100 }
  }
}

private final class Shelf<Item>: KVObject {
  @Dynamic var items: [Item] = []
}

private final class MainSign: KVObject, @unchecked Sendable {
  @MainActor @Dynamic var title = ""
}

@Suite(.serialized, .oneAtATime) struct PropertyEndTests {
  @Test("an end reads and sets what the key path does, by the class's own code")
  func readsAndSets() {
    let sign = Sign()
    let text = PropertyEnd(\Sign.text), size = PropertyEnd(\Sign.size)
    text.set("a text that is too long for its own words", of: sign)
    size.set(4, of: sign)
    #expect(text.value(of: sign) == sign.text && sign.text.hasPrefix("a text"))
    #expect(size.value(of: sign) == 4)
    #expect(sign.heard == ["didSet "])
    let doubled = PropertyEnd(\Sign.doubled)
    doubled.set(20, of: sign)
    #expect(sign.size == 10 && doubled.value(of: sign) == 20)
  }

  @Test("overrides answer and set")
  func overrides() {
    let neon = Neon()
    let size = PropertyEnd<Sign, Int>(\Sign.size)
    size.set(150, of: neon)
    #expect(neon.size == 150 && size.value(of: neon) == 150)
    #expect(PropertyEnd(\Neon.size).value(of: neon) == 150)
  }

  @Test("objects, weak and lazy ones, and stored properties, have no reference too many")
  func references() {
    let sign = Sign()
    weak var gone: Sign?
    do {
      let other = Sign()
      gone = other
      PropertyEnd(\Sign.next).set(other, of: sign)
      PropertyEnd(\Sign.owner).set(other, of: sign)
      #expect(PropertyEnd(\Sign.next).value(of: sign) === other)
      #expect(PropertyEnd(\Sign.owner).value(of: sign) === other)
      PropertyEnd(\Sign.next).set(nil, of: sign)
    }
    #expect(gone == nil && sign.owner == nil)
    let lazy = PropertyEnd(\Sign.lazy)
    #expect(lazy.value(of: sign) == "made")
    lazy.set("set", of: sign)
    PropertyEnd(\Sign.plain).set(1.5, of: sign)
    #expect(sign.lazy == "set" && PropertyEnd(\Sign.plain).value(of: sign) == 1.5)
  }

  @Test("key paths of several steps, with arguments and of generic classes are followed")
  func others() {
    let sign = Sign()
    sign.next = Sign()
    let deep = PropertyEnd<Sign, String>(\Sign.next!.text)
    deep.set("deep", of: sign)
    #expect(sign.next?.text == "deep" && deep.value(of: sign) == "deep")
    func fill<Item>(_ item: Item) -> Int {
      let shelf = Shelf<Item>()
      PropertyEnd(\Shelf<Item>.items).set([item, item], of: shelf)
      return PropertyEnd(\Shelf<Item>.items).value(of: shelf).count
    }
    #expect(fill("a") == 2 && fill(3) == 2)
  }

  @Test("a set is told to observers, and an observed end tells where the new value stands")
  func observed() throws {
    let sign = Sign()
    var told: [Int] = []
    let end = PropertyEnd(\Sign.size)
    let control = try end.observe(on: sign) { told.append($0.load(as: Int.self)) }
    for value in 1...3 { end.set(value, of: sign) }
    KVObject.transaction {
      sign.size = 8
      sign.size = 9
    }
    sign.muting { sign.size = 10 }
    #expect(told == [1, 2, 3, 9])
    control.invalidate()
    sign.size = 11
    #expect(told.count == 4)
  }

  @Test("of a change of elements the whole collection is told")
  func elements() throws {
    let shelf = Shelf<Int>()
    var told: [[Int]] = []
    let control = try PropertyEnd(\Shelf<Int>.items).observe(on: shelf) {
      told.append($0.load(as: [Int].self))
    }
    shelf.items = [1]
    shelf.mutableArrayValue(for: \.items).append(2)
    #expect(told == [[1], [1, 2]])
    control.invalidate()
  }

  @Test("properties of the main actor are read and set there")
  @MainActor func mainActor() {
    let sign = MainSign()
    PropertyEnd(\MainSign.title).set("main", of: sign)
    #expect(sign.title == "main")
  }
}
