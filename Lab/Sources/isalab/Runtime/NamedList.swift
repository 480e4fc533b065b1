/// What stands in a list by a name, which may serve one after another, and by a symbol that is its own.
protocol Named: Hashable, Sendable, Codable {
  var name: String { get }
  var symbol: String { get }
}

/// Elements in the order in which they came, found by name. A run keeps one after each of its steps:
/// copies share all elements but those that changed.
struct NamedList<Element: Named>: Sequence, Hashable, Sendable, Codable {
  /// What is other than in an older copy, in the order of the list.
  struct Differences {
    /// The older copy's elements that are not there.
    var gone: [Element] = []
    /// The elements that are other now; `old` is nil for one that came.
    var changed: [(old: Element?, new: Element)] = []

    var came: [Element] { changed.compactMap { $0.old == nil ? $0.new : nil } }
    var altered: [(old: Element, new: Element)] {
      changed.compactMap { change in change.old.map { ($0, change.new) } }
    }
  }

  private struct Place: Sendable {
    var name: String
    var symbol: String
    var number: Int
  }

  private var elements = Trie<Element>()
  /// Where elements stand, by the hashes of their names.
  private var places = Trie<[Place]>()
  private(set) var count = 0
  private var next = 0

  init() {}

  init(from decoder: any Decoder) throws {
    for element in try [Element](from: decoder) { put(element) }
  }
  func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }

  var isEmpty: Bool { count == 0 }
  func makeIterator() -> some IteratorProtocol<Element> { elements.values.makeIterator() }

  /// The first one of that name.
  subscript(name: String) -> Element? {
    places(of: name).first { $0.name == name }.flatMap { elements[$0.number] }
  }

  /// The last one of that name.
  func last(_ name: String) -> Element? {
    places(of: name).last { $0.name == name }.flatMap { elements[$0.number] }
  }

  subscript(name: String, symbol symbol: String) -> Element? {
    place(of: name, symbol).flatMap { elements[$0.number] }
  }

  /// The element that has another one's name and symbol.
  private func same(as other: Element) -> Element? { self[other.name, symbol: other.symbol] }

  /// The last ones of some names, in their order.
  func named(_ names: Set<String>) -> [Element] {
    names.compactMap { name in places(of: name).last { $0.name == name } }
      .sorted { $0.number < $1.number }.compactMap { elements[$0.number] }
  }

  // MARK: Changes

  /// Puts an element into the place that it has, or behind all others.
  mutating func put(_ element: Element) {
    if let place = place(of: element.name, element.symbol) {
      return elements[place.number] = element
    }
    elements[next] = element
    places[hash(of: element.name), default: []].append(
      Place(name: element.name, symbol: element.symbol, number: next))
    next += 1
    count += 1
  }

  mutating func remove(_ element: Element) {
    guard let place = place(of: element.name, element.symbol) else { return }
    elements[place.number] = nil
    places[hash(of: element.name), default: []].removeAll { $0.number == place.number }
    count -= 1
  }

  /// - Complexity: O(*n*) in the number of changes between the copies.
  func differences(from older: NamedList) -> Differences {
    let found = elements.differences(from: older.elements)
    return Differences(
      gone: found.compactMap(\.old).filter { same(as: $0) == nil },
      changed: found.compactMap(\.new).map { (older.same(as: $0), $0) }.filter { $0.0 != $0.1 })
  }

  // MARK: Places

  private func hash(of name: String) -> Int { Int(UInt16(truncatingIfNeeded: name.hashValue)) }
  private func places(of name: String) -> [Place] { places[hash(of: name)] ?? [] }
  private func place(of name: String, _ symbol: String) -> Place? {
    places(of: name).first { $0.symbol == symbol && $0.name == name }
  }

  static func == (one: NamedList, other: NamedList) -> Bool {
    one.elements.isSame(as: other.elements) || one.elementsEqual(other)
  }
  func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}

extension Trie {
  fileprivate subscript(number: Int, default value: Value) -> Value {
    get { self[number] ?? value }
    set { self[number] = newValue }
  }
}
