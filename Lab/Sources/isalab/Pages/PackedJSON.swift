import Foundation

/// JSON made small: each text and each set of keys is written once, and of each element of one list
/// only the difference from the element before it.
///
///     {"texts": [text, …], "shapes": [[key, …], …], "root": VALUE, "LIST": [VALUE, DELTA, …]}
///
/// A VALUE is a number, true or false as itself; `"1z"` for the text of that number, in base 36;
/// `[0, VALUE, …]` for a list; `[n, VALUE, …]` for a record with the keys of shape n - 1; and
/// `[-1, text, VALUE, …]` for a map. A DELTA is 0 for no difference; `[1, VALUE]` for another value;
/// `[2, before, behind, VALUE, …]` for a list that keeps so many elements at its ends;
/// `[3, key, DELTA, …]` for a record of the same shape; `[4, [text, …], text, DELTA, …]` for a map of which
/// some keys are gone; `[5, place, DELTA, …]` for a list of the same length; and `[6, DELTA, …]` for
/// differences one after another.
struct PackedJSON {
  private var texts: [String] = []
  private var textPlaces: [String: Int] = [:]
  private var shapes: [[String]] = []
  private var shapePlaces: [[String]: Int] = [:]

  /// All that was written, with a root and the elements of a list.
  ///
  /// - Returns: JSON that may stand in a `script` element.
  func whole(root: String, _ key: String, _ elements: [String]) -> String {
    "{\"texts\":\(PackedJSON.json(texts)),\"shapes\":\(PackedJSON.json(shapes)),\"root\":\(root),"
      + "\"\(key)\":[\(elements.joined(separator: ","))]}"
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    return text.replacing("<", with: "\\u003c")
      .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
  }

  static func array(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }

  // MARK: Values

  mutating func value(_ json: JSON) -> String {
    switch json {
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .text(let text): "\"\(String(number(of: text), radix: 36))\""
    case .list(let items): PackedJSON.list(items.map { value($0) })
    case .record(let keys, let values): record(keys, values.map { value($0) })
    case .map(let map):
      self.map(map.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) })
    }
  }

  static func list(_ values: [String]) -> String { PackedJSON.array(["0"] + values) }

  mutating func record(_ keys: [String], _ values: [String]) -> String {
    let shape = shapePlaces[keys] ?? shapes.count
    if shape == shapes.count {
      shapes.append(keys)
      shapePlaces[keys] = shape
    }
    return PackedJSON.array(["\(shape + 1)"] + values)
  }

  mutating func map(_ values: [(key: String, value: String)]) -> String {
    PackedJSON.array(["-1"] + values.flatMap { ["\(number(of: $0.key))", $0.value] })
  }

  mutating func number(of text: String) -> Int {
    if let place = textPlaces[text] { return place }
    textPlaces[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  // MARK: Differences

  mutating func delta(_ old: JSON, _ new: JSON) -> String {
    if old == new { return "0" }
    switch (old, new) {
    case (.list(let old), .list(let new)): return listDelta(old, new)
    case (.record(let keys, let old), .record(let others, let new)) where keys == others:
      return PackedJSON.recordDelta(zip(old, new).map { delta($0, $1) })
    case (.map(let old), .map(let new)): return mapDelta(old, new)
    default: return PackedJSON.array(["1", value(new)])
    }
  }

  static func recordDelta(_ deltas: [String]) -> String {
    let changes = deltas.enumerated().filter { $0.element != "0" }
    if changes.isEmpty { return "0" }
    return PackedJSON.array(["3"] + changes.flatMap { ["\($0.offset)", $0.element] })
  }

  private mutating func listDelta(_ old: [JSON], _ new: [JSON]) -> String {
    let before = zip(old, new).prefix { $0 == $1 }.count
    let rest = min(old.count, new.count) - before
    let behind = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let items = new[before..<(new.count - behind)].map { value($0) }
    return PackedJSON.array(["2", "\(before)", "\(behind)"] + items)
  }

  private mutating func mapDelta(_ old: [String: JSON], _ new: [String: JSON]) -> String {
    var map = PackedMap(old)
    for key in Set(old.keys).union(new.keys).sorted() { map.put(new[key], at: key, &self) }
    return map.takeDelta()
  }
}

/// What a page's data are made of.
indirect enum JSON: Hashable, Sendable {
  case number(Int)
  case flag(Bool)
  case text(String)
  case list([JSON])
  /// With keys that stand in the code, sorted.
  case record(keys: [String], [JSON])
  case map([String: JSON])

  static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }
  static func text(_ text: String?) -> JSON? { text.map { JSON.text($0) } }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// A record without the keys that have no value.
  init(dictionaryLiteral elements: (String, JSON?)...) {
    let members = elements.compactMap { key, value in value.map { (key, $0) } }
      .sorted { $0.0 < $1.0 }
    self = .record(keys: members.map(\.0), members.map(\.1))
  }
}

/// A value of which only differences are written.
struct PackedValue {
  var now = JSON.list([])
  private var written = JSON.list([])

  mutating func whole(_ packer: inout PackedJSON) -> String {
    written = now
    return packer.value(now)
  }

  /// The difference since the last time.
  mutating func takeDelta(_ packer: inout PackedJSON) -> String {
    defer { written = now }
    return packer.delta(written, now)
  }
}

/// A map of which only differences are written.
struct PackedMap {
  private var values: [String: JSON]
  private var gone: [String] = []
  private var changes: [String] = []

  init(_ values: [String: JSON] = [:]) { self.values = values }

  /// Puts a value under a key, or nothing.
  mutating func put(_ value: JSON?, at key: String, _ packer: inout PackedJSON) {
    let old = values[key]
    if old == value { return }
    values[key] = value
    let number = "\(packer.number(of: key))"
    guard let value else { return gone.append(number) }
    changes += [number, old.map { packer.delta($0, value) } ?? "[1,\(packer.value(value))]"]
  }

  mutating func whole(_ packer: inout PackedJSON) -> String {
    (gone, changes) = ([], [])
    return packer.value(.map(values))
  }

  /// The difference since the last time.
  mutating func takeDelta() -> String {
    defer { (gone, changes) = ([], []) }
    if gone.isEmpty, changes.isEmpty { return "0" }
    return PackedJSON.array(["4", PackedJSON.array(gone)] + changes)
  }
}

/// A list, in the order of its elements' numbers, of which only differences are written.
struct PackedRows {
  private var numbers: [Int] = []
  private var values: [JSON] = []
  private var deltas: [String] = []
  /// The elements that changed since the list had another length.
  private var changes: [String] = []

  /// Puts an element under a number, or nothing.
  mutating func put(_ value: JSON?, at number: Int, _ packer: inout PackedJSON) {
    let place = numbers.place(of: number)
    if place < numbers.count, numbers[place] == number {
      guard let value else { return remove(at: place) }
      if value == values[place] { return }
      changes += ["\(place)", packer.delta(values[place], value)]
      values[place] = value
    } else if let value {
      flush()
      deltas.append("[2,\(place),\(numbers.count - place),\(packer.value(value))]")
      numbers.insert(number, at: place)
      values.insert(value, at: place)
    }
  }

  private mutating func remove(at place: Int) {
    flush()
    numbers.remove(at: place)
    values.remove(at: place)
    deltas.append("[2,\(place),\(numbers.count - place)]")
  }

  private mutating func flush() {
    if !changes.isEmpty { deltas.append(PackedJSON.array(["5"] + changes)) }
    changes = []
  }

  mutating func whole(_ packer: inout PackedJSON) -> String {
    (deltas, changes) = ([], [])
    return packer.value(.list(values))
  }

  /// The difference since the last time.
  mutating func takeDelta() -> String {
    flush()
    defer { deltas = [] }
    if deltas.isEmpty { return "0" }
    return deltas.count == 1 ? deltas[0] : PackedJSON.array(["6"] + deltas)
  }
}

extension Array {
  /// How many elements at the beginning are less than one, of a sorted list.
  func place(of element: Element) -> Int where Element: Comparable {
    place { $0 < element }
  }

  /// How many elements at the beginning have something that those behind them have not.
  func place(_ isBefore: (Element) -> Bool) -> Int {
    var places = 0..<count
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      places =
        isBefore(self[middle])
        ? (middle + 1)..<places.upperBound : places.lowerBound..<middle
    }
    return places.lowerBound
  }
}
