/// A class with one key of each kind that paths are made of, and three objects that may lead to one
/// another.
func writeGraph(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  for (key, letter) in [("a", "@"), ("n", "i"), ("d", "d"), ("s", "@")] {
    generator.line("ivar", "C0", "_\(key)", letter)
    if generator.chance(60) {
      generator.line("method", "C0", "getter", key, "_\(key)")
      generator.line("method", "C0", "setter", "set\(key.uppercased()):", "_\(key)")
    }
  }
  for object in ["o1", "o2", "o3"] { generator.line("new", object, "C0") }
  for (index, object) in ["o1", "o2", "o3"].enumerated() {
    generator.line("poke", object, "_n", "i:\(index + 1)")
    generator.line("poke", object, "_d", "d:\(generator.pick(["0.5", "2.25", "-1"]))")
    if generator.chance(60) { generator.line("poke", object, "_s", generator.pick(texts)) }
    if generator.chance(60) { generator.line("poke", object, "_a", generator.pick(targets)) }
  }
}

private let texts = ["\"x\"", "\"y\"", "\"12\""]
private let targets = [
  "o1", "o2", "o3", "[o1 o2]", "[]", "[[o1] [o2 o3]]", "(\"n\" i:9 \"a\" o2)", "i:4",
  "m(\"n\" i:8)",
]

/// Values read and set through paths: past nil, objects, arrays, sets and dictionaries.
func writePaths(_ generator: inout Generator) {
  // Sets are read through only: theirs do not set their members' values.
  let hasSets = generator.chance(30), targets = hasSets ? targets + ["{o2 o3}", "{}"] : targets
  writeGraph(&generator)
  for _ in 0..<generator.number(6...16) {
    let object = generator.pick(["o1", "o2", "o3"]), path = randomPath(&generator)
    switch generator.number(1...10) {
    case 1...6: generator.line("path", object, path)
    case 7...8 where !hasSets:
      generator.line("setpath", object, path, generator.pick(["i:7", "\"5\"", "d:1.5"]))
    default: generator.line("set", object, "a", generator.pick(targets + ["nil"]))
    }
  }
}

private func randomPath(_ generator: inout Generator) -> String {
  var keys = (0..<generator.number(0...2)).map { _ in "a" }
  keys.append(generator.pick(["n", "d", "s", "a", "none"]))
  return keys.joined(separator: ".")
}

/// Arrays and sets asked for a key, and what operators make of the answers.
func writeOperators(_ generator: inout Generator) {
  writeGraph(&generator)
  for object in ["o1", "o2", "o3"] { generator.line("poke", object, "_s", generator.pick(texts)) }
  let isArray = generator.chance(70)
  let members = (0..<generator.number(0...5)).map { _ in generator.pick(["o1", "o2", "o3"]) }
  let list = members.joined(separator: " ")
  generator.line("let", "list", isArray ? "[\(list)]" : "{\(list)}")
  generator.line("let", "lists", "[[\(list)] [] [o1 o2]]")
  generator.line("poke", "o1", "_a", isArray ? "[o2 o3]" : "{o2 o3}")
  for _ in 0..<generator.number(5...12) { writeOperator(isArray, &generator) }
}

private func writeOperator(_ isArray: Bool, _ generator: inout Generator) {
  let leaf = generator.pick(["n", "d"])
  let object = generator.pick(["list", "list", "list", "o1"])
  let prefix = object == "o1" ? "a." : ""
  switch generator.number(1...10) {
  case 1: generator.line("path", object, "\(prefix)@count")
  case 2...4:
    generator.line("path", object, "\(prefix)@\(generator.pick(["sum", "max", "min"])).\(leaf)")
  case 5: generator.line("path", object, "\(prefix)@\(generator.pick(["max", "min"])).s")
  case 6: generator.line("path", object, "\(prefix)\(generator.pick(["n", "s", "d", "none"]))")
  case 7 where isArray:
    let name = generator.pick(["unionOfObjects", "distinctUnionOfObjects"])
    generator.line("path", object, "\(prefix)@\(name).\(generator.pick(["n", "d", "s"]))")
  case 8:
    let name = generator.pick(["unionOfArrays", "distinctUnionOfArrays"])
    generator.line("path", "lists", "@\(name).\(generator.pick(["n", "d", "s"]))")
  case 9:
    generator.line("path", "lists", generator.pick(["@sum.@count", "n", "@count", "@max.@count"]))
  default: generator.line("path", object, "\(prefix)\(generator.pick(["@sum", "@max", "@bogus"]))")
  }
}
