import Foundation

/// JSON made small: each text and each set of keys is written once, and of each element of one list
/// only the difference from the element before it.
///
///     {"texts": [text, …], "shapes": [[key, …], …], "root": VALUE, "LIST": [VALUE, DELTA, …]}
///
/// A VALUE is a number, true, false or null as itself; `"1z"` for the text of that number, in base 36;
/// `[0, VALUE, …]` for a list; `[n, VALUE, …]` for an object with the keys of shape n - 1; and
/// `[-1, text, VALUE, …]` for one with many keys. A DELTA is 0 for no difference; `[1, VALUE]` for another
/// value; `[2, before, behind, VALUE, …]` for a list that keeps so many elements at its ends;
/// `[3, key, DELTA, …]` for an object of the same shape; and `[4, [text, …], text, DELTA, …]` for one with
/// many keys, of which some are gone.
struct PackedJSON {
  /// A value whose texts are numbers, so that values are compared fast.
  fileprivate indirect enum Tree: Hashable {
    case plain(String)
    case text(Int)
    case list([Tree])
    case record(shape: Int, [Tree])
    case map([Int: Tree])
  }

  private static let mostKeys = 16
  private var texts: [String] = []
  private var textPlaces: [String: Int] = [:]
  private var shapes: [[String]] = []
  private var shapePlaces: [[String]: Int] = [:]

  /// Packs an object of JSON, of which the list under `key` is written by differences.
  ///
  /// - Returns: Nil if it is no object with such a list.
  static func packed(_ data: Data, list key: String) -> String? {
    guard var root = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
      let list = root.removeValue(forKey: key) as? [Any]
    else { return nil }
    var packer = PackedJSON()
    let trees = list.map { packer.tree($0) }
    let rest = packer.written(packer.tree(root))
    let deltas = zip([nil] + trees, trees).map { old, new in
      old.map { packer.delta($0, new) } ?? packer.written(new)
    }
    return "{\"texts\":\(json(packer.texts)),\"shapes\":\(json(packer.shapes)),\"root\":\(rest),"
      + "\"\(key)\":[\(deltas.joined(separator: ","))]}"
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  // MARK: Trees

  private mutating func tree(_ value: Any) -> Tree {
    switch value {
    case let text as String: return .text(number(ofText: text))
    case let list as [Any]: return .list(list.map { tree($0) })
    case let object as [String: Any]: return tree(of: object)
    case let number as NSNumber:
      return .plain("\(PackedJSON.isFlag(number) ? "\(number.boolValue)" : "\(number)")")
    default: return .plain("null")
    }
  }

  private static func isFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

  private mutating func tree(of object: [String: Any]) -> Tree {
    let keys = object.keys.sorted()
    if keys.count > PackedJSON.mostKeys {
      var map: [Int: Tree] = [:]
      for key in keys { map[number(ofText: key)] = tree(object[key]!) }
      return .map(map)
    }
    let shape = shapePlaces[keys] ?? shapes.count
    if shape == shapes.count {
      shapes.append(keys)
      shapePlaces[keys] = shape
    }
    return .record(shape: shape, keys.map { tree(object[$0]!) })
  }

  private mutating func number(ofText text: String) -> Int {
    if let place = textPlaces[text] { return place }
    textPlaces[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  // MARK: Writing

  private func written(_ tree: Tree) -> String {
    switch tree {
    case .plain(let text): text
    case .text(let number): "\"\(String(number, radix: 36))\""
    case .list(let items): array(["0"] + items.map(written))
    case .record(let shape, let values): array(["\(shape + 1)"] + values.map(written))
    case .map(let map):
      array(["-1"] + map.sorted { $0.key < $1.key }.flatMap { ["\($0.key)", written($0.value)] })
    }
  }

  private func array(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }

  private func delta(_ old: Tree, _ new: Tree) -> String {
    if old == new { return "0" }
    switch (old, new) {
    case (.list(let old), .list(let new)): return listDelta(old, new)
    case (.record(let one, let old), .record(let other, let new)) where one == other:
      let changes = zip(old, new).enumerated().filter { $1.0 != $1.1 }
      return array(["3"] + changes.flatMap { ["\($0)", delta($1.0, $1.1)] })
    case (.map(let old), .map(let new)): return mapDelta(old, new)
    default: return array(["1", written(new)])
    }
  }

  private func listDelta(_ old: [Tree], _ new: [Tree]) -> String {
    let before = zip(old, new).prefix { $0 == $1 }.count
    let rest = min(old.count, new.count) - before
    let behind = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let items = new[before..<(new.count - behind)]
    return array(["2", "\(before)", "\(behind)"] + items.map(written))
  }

  private func mapDelta(_ old: [Int: Tree], _ new: [Int: Tree]) -> String {
    let gone = old.keys.filter { new[$0] == nil }.sorted().map(String.init)
    let changes = new.sorted { $0.key < $1.key }.filter { old[$0.key] != $0.value }.flatMap {
      key, value in
      ["\(key)", old[key].map { delta($0, value) } ?? array(["1", written(value)])]
    }
    return array(["4", array(gone)] + changes)
  }
}
