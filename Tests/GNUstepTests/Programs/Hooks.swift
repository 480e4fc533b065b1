/// Classes that answer for undefined keys and for nil, and classes that hide their ivars.
func writeHooks(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  for ivar in ["_a", "b"] {
    generator.line("ivar", "C0", ivar, generator.pick(["i", "d", "@", "P"]))
  }
  generator.line("ivar", "C0", "slot", "i")
  generator.line("method", "C0", "getter", "c", "slot")
  generator.line("method", "C0", "setter", "setC:", "slot")
  for hook in generator.some(of: ["undefined", "nilhook", "noivars"], percent: 50) {
    generator.line("method", "C0", hook)
  }
  generator.line("new", "o1", "C0")
  for _ in 0..<generator.number(4...12) {
    let key = generator.pick(["a", "b", "c", "none"])
    if generator.chance(40) {
      generator.line("get", "o1", key)
    } else {
      generator.line("set", "o1", key, generator.pick(["nil", "i:7", "\"8\"", "d:2.5"]))
    }
  }
}
