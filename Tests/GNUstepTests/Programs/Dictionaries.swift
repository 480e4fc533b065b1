/// Dictionaries that change: by key and by path, watched or not, on their own and within an object.
func writeDictionaries(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  generator.line("ivar", "C0", "_a", "@")
  generator.line("method", "C0", "getter", "a", "_a")
  generator.line("method", "C0", "setter", "setA:", "_a")
  generator.line("new", "o1", "C0")
  generator.line("let", "d", "m(\"k\" i:1 \"sub\" m(\"x\" i:2) \"list\" [i:1 i:2])")
  if generator.chance(70) { generator.line("poke", "o1", "_a", "d") }
  let observes = generator.chance(50)
  if observes { generator.line("observe", "d", "k") }
  if observes && generator.chance(50) { generator.line("observe", "o1", "a.k") }
  for _ in 0..<generator.number(5...15) { writeDictionaryChange(&generator) }
  generator.line("show", "d")
}

private func writeDictionaryChange(_ generator: inout Generator) {
  let value = generator.pick(["i:7", "\"x\"", "nil", "null", "[i:3]"])
  let paths = [
    "k", "sub.x", "sub.y", "none", "none.x", "list.@count", "list.@sum.self", "sub.@count",
  ]
  switch generator.number(1...8) {
  case 1, 2: generator.line("set", "d", generator.pick(["k", "z"]), value)
  case 3: generator.line("setpath", "d", generator.pick(["k", "sub.x", "sub.y", "none.x"]), value)
  case 4: generator.line("setpath", "o1", generator.pick(["a.k", "a.sub.x", "a.none.x"]), value)
  case 5: generator.line("get", "d", generator.pick(["k", "z", "none", "@count"]))
  case 6: generator.line("path", "d", generator.pick(paths))
  case 7: generator.line("path", "o1", "a.\(generator.pick(paths))")
  default: generator.line("call", "o1", "setA:", generator.pick(["d", "d", "nil"]))
  }
}
