/// Every kind of value for keys of every type, through setters and ivars.
func writeConversion(_ generator: inout Generator) {
  generator.line("class", "C0", "-")
  let letters = generator.some(of: ValueType.letters, percent: 40)
  for letter in letters {
    generator.line("ivar", "C0", "_v\(letter)", "\(letter)")
    if generator.chance(50) {
      generator.line("ivar", "C0", "slot\(letter)", "\(letter)")
      generator.line("method", "C0", "getter", "v\(letter)", "slot\(letter)")
      generator.line("method", "C0", "setter", "setV\(letter):", "slot\(letter)")
    }
  }
  generator.line("new", "o1", "C0")
  guard !letters.isEmpty else { return }
  for _ in 0..<generator.number(5...20) {
    let letter = generator.pick(letters), key = "v\(letter)"
    generator.line("set", "o1", key, value(for: letter, &generator))
    generator.line("get", "o1", key)
  }
}

/// A value to set: mostly one that the type can take.
private func value(for letter: Character, _ generator: inout Generator) -> String {
  if generator.chance(10) { return "nil" }
  if ValueType.structs[letter] != nil {
    return generator.chance(80) ? literal(letter, &generator) : generator.pick(["\"text\"", "[]"])
  }
  switch letter {
  case "@": return literal(generator.pick(ValueType.letters.filter { $0 != "@" }), &generator)
  case "#": return "C0"
  default:
    if generator.chance(8) { return generator.pick(["o1", "[]", "null", "P:1,2"]) }
    if generator.chance(20), "iqfdB".contains(letter) { return text(&generator) }
    return literal(generator.pick("cCsSiIqQfdB"), &generator)
  }
}

/// Strings in the middle of every type's range: what happens at its ends differs.
private func text(_ generator: inout Generator) -> String {
  let texts = [
    "32", "-7", "+5", " 12", "3 apples", "apples", "1.5", "-2.75x", "1e2", "YES", "no", "true", "0",
    "00012", "0x10", ".5", "-", "",
  ]
  return "\"\(generator.pick(texts))\""
}

/// A number or struct of the type; floating numbers stay within the range of the narrowest integer,
/// since C leaves open what is beyond it.
func literal(_ letter: Character, _ generator: inout Generator) -> String {
  switch letter {
  case "f", "d":
    return "\(letter):\(generator.pick(["0", "0.5", "-0.75", "3.99", "100.25", "1.1", "126.5"]))"
  case "B": return "B:\(generator.number(0...1))"
  case "P", "Z": return "\(letter):\(generator.number(-9...9)),\(generator.pick(["0.5", "7"]))"
  case "R": return "R:1,2,3.5,\(generator.number(0...9))"
  case "N": return "N:\(generator.number(0...9)),\(generator.number(0...9))"
  case "T": return "T:\(generator.number(-300...300)),\(generator.number(-9...9)),2.5"
  case "C", "S", "I", "Q":
    let most: [Character: String] = [
      "C": "255", "S": "65535", "I": "4294967295", "Q": "18446744073709551615",
    ]
    return "\(letter):\(generator.pick(["0", "1", "77", "128", "200", most[letter]!]))"
  case "c": return "c:\(generator.pick(["0", "-1", "127", "-128"]))"
  case "s": return "s:\(generator.pick(["-1", "300", "32767", "-32768"]))"
  case "q": return "q:\(generator.pick(["-1", "4294967296", "9223372036854775807", "77"]))"
  case "i": return "i:\(generator.pick(["-1", "0", "65536", "2147483647", "-2147483648", "7"]))"
  default: return generator.pick(["\"text\"", "[i:1 \"two\"]", "{i:3}", "(\"k\" i:1)", "C0", "o1"])
  }
}

extension ValueType {
  static let letters = Array(scalars) + structs.keys.sorted()
}
