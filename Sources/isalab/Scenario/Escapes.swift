// Text that a terminal may be given: what would steer it is written out instead.

extension String {
  /// As between the quotes of a scenario's text.
  var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default: result += scalar.visible
      }
    }
    return result
  }

  /// With each control character but the tab written out, as `\u{1B}`.
  var withVisibleControls: String {
    unicodeScalars.map { $0 == "\t" ? "\t" : $0.visible }.joined()
  }

  var hasControls: Bool { unicodeScalars.contains { $0.isControl } }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }

  fileprivate var visible: String {
    isControl ? "\\u{\(String(value, radix: 16, uppercase: true))}" : String(self)
  }
}
