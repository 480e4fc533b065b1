/// Objects whose keys are observed: setters called and values set by key, equal ones too.
func writeObserving(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  let types: [Character] = ["i", "q", "Q", "d", "@", "B", "s", "c", "f"]
  var keys: [(name: String, letter: Character, hasSetter: Bool)] = []
  for name in ["a", "b", "c"] {
    let letter = generator.pick(types), hasSetter = generator.chance(80)
    keys.append((name, letter, hasSetter))
    generator.line("ivar", "C0", "_\(name)", "\(letter)")
    if hasSetter {
      generator.line("method", "C0", "getter", name, "_\(name)")
      generator.line("method", "C0", "setter", "set\(name.uppercased()):", "_\(name)")
    }
  }
  let objects = ["o1", "o2"]
  for object in objects { generator.line("new", object, "C0") }
  // Half of what there is to observe is from the start.
  let all = objects.flatMap { object in keys.map { "\(object) \($0.name)" } }
  var observed = Set(generator.some(of: all, percent: 50))
  for registration in observed.sorted() { generator.line("observe", registration) }
  for _ in 0..<generator.number(6...20) {
    let object = generator.pick(objects), key = generator.pick(keys)
    let registration = "\(object) \(key.name)"
    if generator.chance(25) {
      let isObserved = observed.remove(registration) != nil
      if !isObserved { observed.insert(registration) }
      generator.line(isObserved ? "unobserve" : "observe", registration)
    } else if key.hasSetter && generator.chance(60) {
      let setter = "set\(key.name.uppercased()):"
      generator.line("call", object, setter, scalar(key.letter, &generator))
    } else {
      generator.line("set", registration, scalar(key.letter, &generator))
    }
    if generator.chance(15) { generator.line("get", registration) }
  }
}

private func scalar(_ letter: Character, _ generator: inout Generator) -> String {
  guard letter == "@" else { return literal(letter, &generator) }
  return generator.pick(["nil", "\"x\"", "\"y\"", "i:4", "o1", "o2", "[i:1]", "null"])
}

/// Paths of two keys: the leaf is set, and the object on the way replaced or taken away.
func writeObservingPaths(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  for (key, letter) in [("a", "@"), ("n", "i"), ("d", "d")] {
    generator.line("ivar", "C0", "_\(key)", letter)
    generator.line("method", "C0", "getter", key, "_\(key)")
    generator.line("method", "C0", "setter", "set\(key.uppercased()):", "_\(key)")
  }
  let roots = ["o1", "o2"], leaves = ["o3", "o4", "o5"]
  for object in roots + leaves { generator.line("new", object, "C0") }
  for root in roots where generator.chance(60) {
    generator.line("poke", root, "_a", generator.pick(leaves))
  }
  let all = roots.flatMap { ["\($0) a.n", "\($0) a.d", "\($0) a"] } + leaves.map { "\($0) n" }
  var observed = Set(generator.some(of: all, percent: 50))
  for registration in observed.sorted() { generator.line("observe", registration) }
  for _ in 0..<generator.number(6...20) {
    switch generator.number(1...10) {
    case 1...3:
      let registration = generator.pick(all)
      let isObserved = observed.remove(registration) != nil
      if !isObserved { observed.insert(registration) }
      generator.line(isObserved ? "unobserve" : "observe", registration)
    case 4...7: writeLeaf(generator.pick(leaves), &generator)
    case 8: generator.line("setpath", generator.pick(roots), "a.n", "i:\(generator.number(0...9))")
    default:
      generator.line("call", generator.pick(roots), "setA:", generator.pick(leaves + ["nil"]))
    }
  }
}

private func writeLeaf(_ leaf: String, _ generator: inout Generator) {
  let value = generator.number(0...9)
  switch generator.number(1...3) {
  case 1: generator.line("call", leaf, "setN:", "i:\(value)")
  case 2: generator.line("call", leaf, "setD:", "d:\(value).5")
  default: generator.line("set", leaf, generator.pick(["n", "d"]), "i:\(value)")
  }
}

/// A path of three keys through objects that are always there.
func writeObservingLongPaths(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  for (key, letter) in [("a", "@"), ("n", "i")] {
    generator.line("ivar", "C0", "_\(key)", letter)
    generator.line("method", "C0", "getter", key, "_\(key)")
    generator.line("method", "C0", "setter", "set\(key.uppercased()):", "_\(key)")
  }
  for object in ["o1", "o2", "o3", "o4", "o5"] { generator.line("new", object, "C0") }
  let links = [("o1", ["o2", "o3"]), ("o2", ["o4", "o5"]), ("o3", ["o4", "o5"])]
  for (object, targets) in links { generator.line("poke", object, "_a", generator.pick(targets)) }
  generator.line("observe", "o1", "a.a.n")
  for _ in 0..<generator.number(5...15) {
    if generator.chance(50) {
      let leaf = generator.pick(["o4", "o5"])
      generator.line("call", leaf, "setN:", "i:\(generator.number(0...9))")
    } else {
      let (object, targets) = generator.pick(links)
      generator.line("call", object, "setA:", generator.pick(targets))
    }
  }
  generator.line("unobserve", "o1", "a.a.n")
  generator.line("call", "o4", "setN:", "i:1")
}
