/// How drawings look. Red and blue differ in lightness and hue for every eye, and wherever a colour
/// says something a second mark says it too.
enum GraphStyle {
  /// A colour by what it is for: in a file by itself, and on a page, which has its own for the dark.
  enum Ink: String, CaseIterable {
    case paper, ink, quiet, fill, made, swapped, observes

    /// On white.
    var light: String {
      switch self {
      case .paper: "#ffffff"
      case .ink: "#1b1b1b"
      case .quiet: "#565656"
      case .fill: "#f3f3f3"
      case .made: "#fdeaea"
      case .swapped: "#c8202f"
      case .observes: "#0072b2"
      }
    }

    /// On near black.
    var dark: String {
      switch self {
      case .paper: "#15171a"
      case .ink: "#f0efec"
      case .quiet: "#b4b4b0"
      case .fill: "#24272c"
      case .made: "#3d1f21"
      case .swapped: "#ff6b6b"
      case .observes: "#56b4e9"
      }
    }
  }

  static let mono = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"
  static let sans =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK SC',sans-serif"

  /// The rules; `colour` tells how each ink is written.
  static func rules(_ colour: (Ink) -> String) -> String {
    let ink = colour(.ink)
    let quiet = colour(.quiet)
    let swapped = colour(.swapped)
    let observes = colour(.observes)
    return """
      .graph text{fill:\(ink);font:15px \(mono);text-anchor:middle;unicode-bidi:isolate}
      .graph .note,.graph .label,.graph .legend text{font-size:12px}
      .graph .note,.graph .head{fill:\(quiet)}
      .graph .head{font:600 14px \(sans);letter-spacing:.04em}
      .graph .legend text{font-family:\(sans);text-anchor:start}
      .graph rect{fill:\(colour(.paper));stroke:\(ink);stroke-width:1.5}
      .graph .observer rect{stroke:\(observes)}
      .graph .metaclass rect{fill:\(colour(.fill))}
      .graph .notifying rect{fill:\(colour(.made));stroke:\(swapped);stroke-width:2}
      .graph .notifying-metaclass rect{fill:\(colour(.made));stroke:\(quiet)}
      .graph path{fill:none;stroke:\(ink);stroke-width:1.8}
      .graph .superclass path{stroke:\(quiet);stroke-dasharray:7 5;stroke-width:1.6}
      .graph .observes path{stroke:\(observes);stroke-dasharray:.1 5.5;stroke-linecap:round;\
      stroke-width:2.8}
      .graph .observes .label{fill:\(observes);font-weight:600}
      .graph .forwarded path{stroke-width:1.8}
      .graph .forwarded .label{font-weight:400;font-style:italic}
      .graph .swapped path{stroke:\(swapped);stroke-width:4.5}
      .graph .swapped .mark{fill:\(colour(.paper));stroke:\(swapped);stroke-width:1.5}
      .graph .mark-text{font:700 12px \(sans)}
      .graph marker path{stroke-dasharray:none;stroke-width:1.6}
      .graph .tip-isa{fill:\(ink);stroke:none}
      .graph .tip-swapped{fill:\(swapped);stroke:none}
      .graph .tip-superclass{fill:\(colour(.paper));stroke:\(quiet)}
      .graph .tip-observes{fill:none;stroke:\(observes)}

      """
  }
}
