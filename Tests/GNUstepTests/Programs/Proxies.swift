/// Collections changed through proxies, over accessors, setters and ivars; what they hold in the
/// end is read from the object, since a proxy of the other side may not look again.
func writeProxies(_ generator: inout Generator) {
  let isArray = generator.chance(60), open = isArray ? "[" : "{", close = isArray ? "]" : "}"
  generator.line("class", "C0", "-")
  for ivar in ["byAccessors", "bySetter", "_byIvar"] {
    generator.line("ivar", "C0", "s\(ivar)", "@")
  }
  generator.line("ivar", "C0", "_c", "@")
  generator.line("ivar", "C0", "_o", "@")
  generator.line("method", "C0", "getter", "a", "sbyAccessors")
  if isArray {
    generator.line("method", "C0", "insert", "insertObject:inAAtIndex:", "sbyAccessors")
    generator.line("method", "C0", "removal", "removeObjectFromAAtIndex:", "sbyAccessors")
    if generator.chance(50) {
      generator.line(
        "method", "C0", "replace", "replaceObjectInAAtIndex:withObject:", "sbyAccessors")
    }
  } else {
    generator.line("method", "C0", "add", "addAObject:", "sbyAccessors")
    generator.line("method", "C0", "take", "removeAObject:", "sbyAccessors")
  }
  generator.line("method", "C0", "getter", "b", "sbySetter")
  generator.line("method", "C0", "setter", "setB:", "sbySetter")
  generator.line("new", "o1", "C0")
  generator.line("new", "o2", "C0")
  generator.line("poke", "o2", "_o", "o1")
  let ivars = ["a": "sbyAccessors", "b": "sbySetter", "c": "_c"]
  for (key, ivar) in ivars.sorted(by: { $0.key < $1.key }) {
    let members = generator.some(of: ["\"p\"", "\"q\"", "i:3", "o2"])
    generator.line("poke", "o1", ivar, "m\(open)\(members.joined(separator: " "))\(close)")
    let kind = isArray ? "array" : "set"
    if generator.chance(70) {
      generator.line("proxy", "\(key)proxy", kind, "o1", key)
    } else {
      generator.line("proxy", "\(key)proxy", kind, "o2", "o.\(key)")
    }
  }
  for _ in 0..<generator.number(5...15) {
    let key = generator.pick(["a", "b", "c"])
    if isArray {
      // Over a setter, theirs adds at the end that there was when the proxy was made.
      writeArrayChange("\(key)proxy", adds: key != "b", &generator)
    } else {
      writeSetChange("\(key)proxy", &generator)
    }
    generator.line("read", "o1", ivars[key]!)
  }
}

private func member(_ generator: inout Generator) -> String {
  generator.pick(["\"p\"", "\"q\"", "\"r\"", "i:3", "d:3", "o2", "null"])
}

private func writeArrayChange(_ proxy: String, adds: Bool, _ generator: inout Generator) {
  let index = "\(generator.number(0...3))"
  switch generator.number(1...6) {
  case 1 where adds, 2 where adds: generator.line("add", proxy, member(&generator))
  case 3: generator.line("insert", proxy, index, member(&generator))
  case 4: generator.line("remove", proxy, index)
  case 5: generator.line("replace", proxy, index, member(&generator))
  default: generator.line("insert", proxy, "0", member(&generator))
  }
}

private func writeSetChange(_ proxy: String, _ generator: inout Generator) {
  generator.line(generator.chance(60) ? "add" : "take", proxy, member(&generator))
}
