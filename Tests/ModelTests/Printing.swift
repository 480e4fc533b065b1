// Programs and traces as a person reads them.

extension Value: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .word(let number): Self.letter(number)
    case .derivedWord(let number): "!\(Self.letter(number))!"
    case .node(let number): "n\(number)"
    case .list(let words): "[" + words.map(Self.letter).joined(separator: " ") + "]"
    case .set(let words): "{" + words.map(Self.letter).joined(separator: " ") + "}"
    case .unknown: "?"
    }
  }

  static func letter(_ number: Int) -> String {
    String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(number))))
  }
}

extension NodeValues: CustomStringConvertible {
  var description: String {
    var parts: [String] = []
    if let name { parts.append("name \(Value.letter(name))") }
    for (key, value) in [("count", count), ("m", m), ("x", x), ("y", y), ("leaf", leaf)]
    where value != 0 { parts.append("\(key) \(value)") }
    if let rank { parts.append("rank \(rank)") }
    if let child { parts.append("child n\(child)") }
    if let other { parts.append("other n\(other)") }
    if let items { parts.append("items \(Value.list(items))") }
    if let tags { parts.append("tags \(Value.set(tags))") }
    if !row.isEmpty { parts.append("row \(Value.list(row))") }
    if let bag { parts.append("bag \(Value.list(bag))") }
    if let pouch { parts.append("pouch \(Value.set(pouch))") }
    return parts.joined(separator: ", ")
  }
}

extension Observer: CustomStringConvertible {
  var description: String {
    switch self {
    case .function(let label): "f\(label)"
    case .object(let number): "P\(number)"
    }
  }
}

extension Options: CustomStringConvertible {
  var description: String {
    let names = [(Options.old, "old"), (.new, "new"), (.initial, "initial"), (.prior, "prior")]
    let set = names.filter { contains($0.0) }.map(\.1)
    return set.isEmpty ? "0" : set.joined(separator: "|")
  }
}

extension OrderedChange: CustomStringConvertible {
  var description: String {
    switch self {
    case .insert(let words, let indexes): "insert \(Value.list(words)) at \(indexes)"
    case .remove(let indexes): "remove at \(indexes)"
    case .replace(let words, let indexes): "replace at \(indexes) with \(Value.list(words))"
    }
  }
}

extension SetChange: CustomStringConvertible {
  var description: String { "\(mutation) \(isSingle ? "one of " : "")\(Value.set(words))" }
}

extension Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .observe(let label, let registration):
      "\(label): \(registration.observer) observes n\(registration.node) "
        + "\(registration.path.text)\(registration.isEvaluated ? " by evaluation" : ""), "
        + "options \(registration.options), context \(registration.context)"
    case .invalidate(let label): "invalidate \(label)"
    case .remove(let observer, let node, let path, let context):
      "remove P\(observer) from n\(node) \(path.text)"
        + (context.map { ", context \($0)" } ?? "")
    case .set(let node, let key, let value, let way): "n\(node).\(key) = \(value), by \(way)"
    case .setAlong(let node, let link, let key, let value):
      "n\(node).\(link).\(key) = \(value), by key path"
    case .changeList(let node, let key, let change, let way):
      "n\(node).\(key): \(change), by \(way)"
    case .changeSet(let node, let key, let change, let way):
      "n\(node).\(key): \(change), by \(way)"
    case .observeEach(let nodes, let registration):
      "\(registration.observer) observes each of \(nodes) \(registration.path.text), "
        + "options \(registration.options), context \(registration.context)"
    case .removeEach(let nodes, let observer, let path, let context):
      "remove P\(observer) from each of \(nodes) \(path.text)"
        + (context.map { ", context \($0)" } ?? "")
    case .giveUp(let node): "give up n\(node)"
    case .giveUpObserver(let number): "give up P\(number)"
    case .list(let node): "who stands at n\(node)?"
    case .ask(let node, let key): "whom would n\(node).\(key) tell?"
    case .will(let node, let key): "will n\(node).\(key)"
    case .did(let node, let key): "did n\(node).\(key)"
    }
  }
}

extension Reaction: CustomStringConvertible {
  var description: String { "\(observer), told \(phase), \(times) times: \(step)" }
}

extension Program: CustomStringConvertible {
  var description: String {
    var lines = nodes.enumerated().map { "  n\($0): \($1)" }
    lines += reactions.map { "  \($0)" }
    lines += steps.enumerated().map { "  (\($0)) \($1)" }
    if nodesGoFirst { lines.append("  nodes go before registrations") }
    return lines.joined(separator: "\n")
  }
}

extension Note: CustomStringConvertible {
  var description: String {
    var text = "\(observer) \(phase): n\(node) \(path.text) kind \(kind)"
    if let old { text += " old \(old)" }
    if let new { text += " new \(new)" }
    if let indexes { text += " indexes \(indexes)" }
    return context == 0 ? text : text + " context \(context)"
  }
}

extension Place: CustomStringConvertible {
  var description: String {
    let own = keys.map(\.text).joined(separator: ".")
    let root = "\(observer) n\(node) \(path.text) context \(context)"
    return isForwarder ? "forwarder \(own) of \(root)" : root
  }
}

extension Line: CustomStringConvertible {
  var description: String {
    switch self {
    case .step(let number): "(\(number))"
    case .places(let places): "    \(places)"
    case .failure(let status): "    status \(status)"
    case .told(let note): "    \(note)"
    }
  }
}
