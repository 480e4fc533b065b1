/// Finds phrases in a text, all of them in one pass: the automaton of Aho and Corasick.
///
/// The case of letters counts for nothing, and white space of any length is one blank: a log that
/// was pasted may be wrapped.
struct PhraseFinder {
  /// The place in a text at which a search stands, to go on from in the next part of it.
  struct Place {
    var state: Int32 = 0
    var isBlank = true
    var line = 1
  }

  private static let blank: UInt8 = 1

  /// Of each byte; 0 stands in no phrase.
  private var classes = [UInt8](repeating: 0, count: 256)
  private var width = 2
  /// The state after each state and class.
  private var next: [Int32] = []
  /// The phrases that end in each state, by their number in `ends`; 0 for none.
  private var endings: [Int32] = [0]
  private var ends: [[Int]] = [[]]

  init(_ phrases: [String]) {
    let phrases = phrases.map { Array($0.utf8) }
    for byte in phrases.joined() { addClass(of: byte) }
    for byte in " \t\r\n".utf8 { classes[Int(byte)] = PhraseFinder.blank }
    next = [Int32](repeating: -1, count: width)
    for (number, phrase) in phrases.enumerated() { insert(phrase, number) }
    link()
  }

  private mutating func addClass(of byte: UInt8) {
    if classes[Int(byte)] != 0 || byte == UInt8(ascii: " ") { return }
    let isLetter = (0x41...0x5A).contains(byte & 0xDF)
    for form in isLetter ? [byte | 0x20, byte & 0xDF] : [byte] {
      classes[Int(form)] = UInt8(width)
    }
    width += 1
  }

  private mutating func insert(_ phrase: [UInt8], _ number: Int) {
    var state = 0
    for byte in phrase {
      let edge = state * width + Int(classes[Int(byte)])
      if next[edge] < 0 {
        next[edge] = Int32(endings.count)
        endings.append(0)
        next.append(contentsOf: repeatElement(-1, count: width))
      }
      state = Int(next[edge])
    }
    add([number], to: state)
  }

  private mutating func add(_ numbers: [Int], to state: Int) {
    if endings[state] == 0 {
      endings[state] = Int32(ends.count)
      ends.append([])
    }
    ends[Int(endings[state])] += numbers
  }

  /// Leads each missing edge to where the longest end of what was read goes on.
  private mutating func link() {
    var fallbacks = [Int](repeating: 0, count: endings.count)
    var queue = [0]
    var first = 0
    while first < queue.count {
      let state = queue[first]
      first += 1
      let shorter = fallbacks[state]
      for edge in 0..<width {
        let target = Int(next[state * width + edge])
        let other = state == 0 ? 0 : next[shorter * width + edge]
        guard target >= 0 else {
          next[state * width + edge] = other
          continue
        }
        fallbacks[target] = Int(other)
        if endings[Int(other)] != 0 { add(ends[Int(endings[Int(other)])], to: target) }
        queue.append(target)
      }
    }
  }
}

extension PhraseFinder {
  /// Goes through a part of a text, and hands on the phrases that end in it.
  ///
  /// - Parameter found: The number of a phrase, and the index behind its end.
  func search(
    _ bytes: [UInt8], in part: Range<Int>, from place: inout Place,
    _ found: (_ phrase: Int, _ end: Int, _ line: Int) -> Void
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      classes.withUnsafeBufferPointer { classes in
        next.withUnsafeBufferPointer { next in
          endings.withUnsafeBufferPointer { endings in
            let tables = Tables(
              bytes: bytes.baseAddress!, classes: classes.baseAddress!, next: next.baseAddress!,
              endings: endings.baseAddress!, width: width)
            var index = part.lowerBound
            while let end = tables.search(from: index, to: part.upperBound, &place) {
              for phrase in ends[Int(endings[Int(place.state)])] { found(phrase, end, place.line) }
              index = end
            }
          }
        }
      }
    }
  }

  /// Bare tables: logs are long, and the loop over them calls nothing, in debug builds too.
  private struct Tables {
    var bytes: UnsafePointer<UInt8>
    var classes: UnsafePointer<UInt8>
    var next: UnsafePointer<Int32>
    var endings: UnsafePointer<Int32>
    var width: Int

    /// The index behind the next place at which a phrase ends; nil if none does.
    func search(from start: Int, to end: Int, _ place: inout Place) -> Int? {
      let (bytes, classes, next, endings, width) = (bytes, classes, next, endings, width)
      var (index, state, line) = (start, Int(place.state), place.line)
      var before: UInt8 = place.isBlank ? 1 : 0
      var isFound = false
      while index < end, !isFound {
        let byte = bytes[index]
        let kind = classes[Int(byte)]
        index &+= 1
        if kind == 1 {
          if byte == 10 { line &+= 1 }
          if before == 1 { continue }
        }
        before = kind
        state = Int(next[state &* width &+ Int(kind)])
        isFound = endings[state] != 0
      }
      place = Place(state: Int32(state), isBlank: before == 1, line: line)
      return isFound ? index : nil
    }
  }
}
