import Foundation

/// The data of a page, read as `unpack.js` reads them.
struct Unpacked {
  private(set) var data: [String: Any] = [:]
  private let texts: [String]
  private let shapes: [[String]]

  init(_ packed: [String: Any]) {
    texts = packed["texts"] as? [String] ?? []
    shapes = packed["shapes"] as? [[String]] ?? []
    guard let root = packed["root"], let deltas = packed["moments"] as? [Any] else { return }
    var moments: [Any] = []
    for delta in deltas {
      moments.append(moments.last.map { changed($0, delta) } ?? read(delta))
    }
    data = read(root) as? [String: Any] ?? [:]
    data["moments"] = moments
  }

  private func read(_ value: Any) -> Any {
    if let text = value as? String { return texts[Int(text, radix: 36)!] }
    guard let parts = value as? [Any] else { return value }
    let kind = parts[0] as! Int, values = parts.dropFirst()
    if kind == 0 { return values.map(read) }
    let keys = kind > 0 ? shapes[kind - 1] : pairs(values).map { texts[$0.0] }
    let read = kind > 0 ? values.map(self.read) : pairs(values).map { self.read($0.1) }
    return Dictionary(uniqueKeysWithValues: zip(keys, read))
  }

  private func pairs(_ values: ArraySlice<Any>) -> [(Int, Any)] {
    stride(from: values.startIndex, to: values.endIndex, by: 2).map {
      (values[$0] as! Int, values[$0 + 1])
    }
  }

  private func changed(_ old: Any, _ delta: Any) -> Any {
    guard let parts = delta as? [Any] else { return old }
    switch parts[0] as! Int {
    case 1: return read(parts[1])
    case 2:
      let list = old as! [Any]
      let middle: [Any] = parts.dropFirst(3).map(read)
      return Array(list.prefix(parts[1] as! Int)) + middle + Array(list.suffix(parts[2] as! Int))
    case 3:
      let object = old as! [String: Any]
      // The keys of a shape are sorted.
      return merged(object, object.keys.sorted(), pairs(parts.dropFirst()))
    case 5:
      var list = old as! [Any]
      for (place, part) in pairs(parts.dropFirst()) { list[place] = changed(list[place], part) }
      return list
    case 6: return parts.dropFirst().reduce(old, changed)
    default:
      let gone = Set((parts[1] as! [Int]).map { texts[$0] })
      let kept = (old as! [String: Any]).filter { !gone.contains($0.key) }
      return merged(kept, texts, pairs(parts.dropFirst(2)))
    }
  }

  private func merged(
    _ object: [String: Any], _ keys: [String], _ changes: [(Int, Any)]
  ) -> [String: Any] {
    changes.reduce(into: object) { made, change in
      let key = keys[change.0]
      made[key] = changed(made[key] as Any, change.1)
    }
  }
}
