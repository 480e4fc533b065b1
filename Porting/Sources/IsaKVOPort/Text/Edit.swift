/// The replacement of a range of a file by a text.
struct Edit: Sendable {
  let range: Range<Int>
  let text: String
  let rule: Rule

  var change: Int { text.utf8.count - range.count }
}

/// The edits of one file, which are applied at once.
///
/// Invariant: no two overlap. An edit within the range of a longer one gives way to it.
struct EditList: Sendable {
  private(set) var edits: [Edit]

  /// The edits in the order of their places; those at one place stay in the order given, but that an
  /// insertion comes before what is replaced there.
  init(_ given: [Edit]) {
    let sorted = given.enumerated().sorted { first, second in
      let (one, other) = (first.element.range, second.element.range)
      if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
      if one.isEmpty != other.isEmpty { return one.isEmpty }
      if one.count != other.count { return one.count > other.count }
      return first.offset < second.offset
    }
    edits = []
    var end = 0
    for (_, edit) in sorted where edit.range.lowerBound >= end {
      edits.append(edit)
      end = edit.range.upperBound
    }
  }

  func applied(to text: SourceText) -> [UInt8] {
    var result: [UInt8] = [], offset = 0
    for edit in edits {
      result += text.bytes[offset..<edit.range.lowerBound]
      result += edit.text.utf8
      offset = edit.range.upperBound
    }
    return result + text.bytes[offset...]
  }

  /// The place of `offset` in the edited text.
  func moved(_ offset: Int) -> Int {
    var change = 0
    for edit in edits {
      if edit.range.upperBound <= offset {
        change += edit.change
      } else if edit.range.lowerBound <= offset {
        return edit.range.lowerBound + change
      } else {
        break
      }
    }
    return offset + change
  }
}
