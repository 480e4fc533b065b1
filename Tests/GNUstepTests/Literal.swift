/// A value as a program writes it.
///
///     nil  null  "text"  i:42  d:1.5  P:1,2  C0  o1  [i:1 o1]  {i:1}  <i:1>  ("key" i:1)
///
/// A letter and a colon make a number of that encoding, or a struct of the language's own letters;
/// `m` before a bracket makes a collection that can change.
indirect enum Literal {
  case name(String)
  case text(String)
  case numbers(ValueType, [Substring])
  case collection(Character, isMutable: Bool, [Literal])
}

/// The types that the language has: those of one scalar, and five structs.
///
/// `l` and `L` are none of them: a long has 32 bits here, as in Apple's encodings, and 64 there.
struct ValueType {
  let letter: Character
  let encoding: String

  init?(_ letter: Character) {
    guard let encoding = Self.structs[letter] ?? (Self.scalars.contains(letter) ? "\(letter)" : nil)
    else { return nil }
    self.letter = letter
    self.encoding = encoding
  }

  static let integers = "cCsSiIqQ"
  static let scalars = integers + "fdB@#"
  static let structs: [Character: String] = [
    "P": "{CGPoint=dd}", "Z": "{CGSize=dd}", "R": "{CGRect={CGPoint=dd}{CGSize=dd}}",
    "N": "{_NSRange=QQ}", "T": "{Trio=sid}",
  ]
}

/// Reads literals off the front of a text.
struct LiteralReader {
  private var rest: Substring

  init(_ text: Substring) { rest = text }

  mutating func read() -> Literal {
    rest = rest.drop { $0 == " " }
    guard let first = rest.first else { return .name("") }
    let second = rest.dropFirst().first
    if first == "\"" { return readText() }
    if second == ":", let type = ValueType(first) { return readNumbers(type) }
    if first == "m", let second, Self.ends[second] != nil {
      rest.removeFirst()
      return readCollection(isMutable: true)
    }
    return Self.ends[first] != nil ? readCollection(isMutable: false) : readName()
  }

  private static let ends: [Character: Character] = ["[": "]", "{": "}", "<": ">", "(": ")"]

  private mutating func take(while condition: (Character) -> Bool) -> Substring {
    let taken = rest.prefix(while: condition)
    rest.removeFirst(taken.count)
    return taken
  }

  private mutating func readText() -> Literal {
    rest.removeFirst()
    let text = take { $0 != "\"" }
    rest = rest.dropFirst()
    return .text(String(text))
  }

  private mutating func readNumbers(_ type: ValueType) -> Literal {
    rest.removeFirst(2)
    return .numbers(type, take { !" ]}>)".contains($0) }.split(separator: ","))
  }

  private mutating func readCollection(isMutable: Bool) -> Literal {
    let start = rest.removeFirst()
    var members: [Literal] = []
    while true {
      rest = rest.drop { $0 == " " }
      guard let next = rest.first, next != Self.ends[start] else { break }
      members.append(read())
    }
    rest = rest.dropFirst()
    return .collection(start, isMutable: isMutable, members)
  }

  private mutating func readName() -> Literal {
    let name = take { $0.isLetter || $0.isNumber }
    if name.isEmpty { rest = rest.dropFirst() }
    return .name(String(name))
  }
}
