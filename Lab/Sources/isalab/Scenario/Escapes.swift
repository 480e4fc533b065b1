// Text that a terminal or a page may be given: what would steer it is written out instead.

extension String {
  /// As between the quotes of a scenario's text.
  var escaped: String { escaped(\.visible) }

  /// As between quotes, what `written` makes of all but the quotes and what a backslash is for.
  func escaped(_ written: (Unicode.Scalar) -> String) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default: result += written(scalar)
      }
    }
    return result
  }

  /// With everything but the tab written out that would not be seen or would turn other text around,
  /// as `\u{1B}`: control characters, marks of direction, and what XML does not take.
  var shown: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 9 }) { return self }
    return unicodeScalars.map { $0 == "\t" ? "\t" : $0.visible }.joined()
  }

  var hasControls: Bool { unicodeScalars.contains { $0.isControl } }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }

  private var turnsText: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private var isForbidden: Bool {
    properties.isNoncharacterCodePoint || value == 0x2028 || value == 0x2029
  }

  fileprivate var visible: String {
    isControl || turnsText || isForbidden
      ? "\\u{\(String(value, radix: 16, uppercase: true))}" : String(self)
  }
}
