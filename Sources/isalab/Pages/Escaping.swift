// Text of a scenario, which may hold anything, on its way into SVG, HTML and JSON.

extension String {
  /// With everything written out that would not be seen or would turn other text around: control
  /// characters, marks of direction, and what XML does not take.
  var shown: String {
    withVisibleControls.unicodeScalars.map { scalar in
      scalar.turnsText || scalar.isForbidden
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }.joined()
  }

  /// For the text and the quoted attributes of XML and HTML.
  var markup: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var turnsText: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  fileprivate var isForbidden: Bool {
    properties.isNoncharacterCodePoint || value == 0x2028 || value == 0x2029
  }
}
