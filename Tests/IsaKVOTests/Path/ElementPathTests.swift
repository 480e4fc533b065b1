import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Deck: KVObject {
  @Dynamic var cards: [Card] = []
  @Dynamic var numbers = [1]
  @Dynamic var maybe: [Int?] = []
  @Dynamic var other: Deck?
}

private final class Card: KVObject {
  @Dynamic var title = "ace"
}

/// Key paths to an element of an array, which may not be there.
@Suite(.serialized, .leavesNoObjects)
struct ElementPathTests {
  @Test("an element that is gone is no value, and one that comes is told")
  func comesAndGoes() {
    let deck = Deck()
    var told: [[Int?]] = []
    let token = deck.observe(\.numbers[0], options: [.old, .new]) {
      told.append([$1.oldValue, $1.newValue])
    }
    deck.numbers = []
    deck.numbers = [2, 3]
    deck.numbers.removeAll()
    #expect(told == [[1, nil], [nil, 2], [2, nil]])
    token.invalidate()
  }

  @Test("a path may lead on from an element that is not there yet, and through an optional to it")
  func leadsOn() {
    let deck = Deck()
    var titles: [String?] = [], numbers: [Int?] = [], nils: [Int??] = []
    let tokens = [
      deck.observe(\.cards[1].title, options: .new) { titles.append($1.newValue) },
      deck.observe(\.other!.numbers[1], options: .new) { numbers.append($1.newValue) },
      deck.observe(\.maybe[0], options: .new) { nils.append($1.newValue) },
    ]
    deck.cards = [Card()]
    deck.cards = [Card(), Card()]
    deck.cards[1].title = "king"
    deck.cards = []
    deck.other = Deck()
    deck.other!.numbers = [4, 5]
    deck.other = nil
    deck.maybe = [nil]
    deck.maybe = []
    #expect(titles.compactMap { $0 } == ["ace", "king"] && titles.last == .some(nil))
    #expect(numbers.compactMap { $0 } == [5] && numbers.last == .some(nil))
    #expect(nils.first == .some(.some(nil)) && nils.last == .some(nil))
    tokens.forEach { $0.invalidate() }
  }

  @Test("nil on the way to an element is nil, not no value")
  func chained() {
    let deck = Deck()
    var told: [Int??] = []
    let token = deck.observe(\.other?.numbers[1], options: .new) { told.append($1.newValue) }
    deck.other = Deck()
    deck.other?.numbers = [4, 5]
    deck.other = nil
    #expect(told == [.none, 5, .some(nil)])
    token.invalidate()
  }
}
