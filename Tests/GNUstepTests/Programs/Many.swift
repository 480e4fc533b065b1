/// Many keys at once, of objects and dictionaries, and validation.
func writeMany(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  for (key, letter) in [("n", "i"), ("s", "@"), ("d", "d"), ("o", "@")] {
    generator.line("ivar", "C0", "_\(key)", letter)
    if generator.chance(40) {
      generator.line("method", "C0", "validator", "validate\(key.uppercased()):error:")
    }
  }
  generator.line("new", "o1", "C0")
  generator.line("new", "o2", "C0")
  generator.line("poke", "o1", "_o", "o2")
  generator.line("let", "dict", "m(\"n\" i:4)")
  for _ in 0..<generator.number(4...12) { writeManyKeys(&generator) }
}

private func writeManyKeys(_ generator: inout Generator) {
  let object = generator.pick(["o1", "o2", "dict"])
  let keys =
    generator.some(of: ["n", "s", "d"], percent: 60) + generator.some(of: ["none"], percent: 10)
  let value = generator.pick(["i:3", "\"x\"", "[]", "nil"])
  switch generator.number(1...4) {
  case 1: generator.line("values", object, "[\(keys.map { "\"\($0)\"" }.joined(separator: " "))]")
  case 2:
    // One key that fails: of several, which were set before it is left to luck.
    let pairs = keys.count > 1 ? keys.filter { $0 != "none" } : keys
    let texts = pairs.map { "\"\($0)\" \(generator.pick(["i:5", "d:1.5", "\"7\""]))" }
    generator.line("setvalues", object, "(\(texts.joined(separator: " ")))")
  case 3: generator.line("validate", object, generator.pick(["n", "s", "d", "none"]), value)
  default:
    generator.line(
      "validatepath", "o1", generator.pick(["o.n", "o.s", "n", "o.none", "none.n"]), value)
  }
}
