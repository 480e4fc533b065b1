/// How drawings look. Red and blue differ in lightness and hue for every eye, and wherever a colour
/// says something a second mark says it too.
enum GraphStyle {
  /// A colour by what it is for: in a file by itself, and on a page, which has its own for the dark.
  enum Ink: String, CaseIterable {
    case paper, ink, quiet, fill, made, swapped, observes, refers

    /// On white.
    var light: String {
      switch self {
      case .paper: "#ffffff"
      case .ink: "#1b1b1b"
      case .quiet: "#565656"
      case .fill: "#f3f3f3"
      case .made: "#fdeaea"
      case .swapped: "#c8202f"
      case .observes: "#0069a5"
      case .refers: "#00734f"
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
      case .refers: "#4cc9a0"
      }
    }
  }

  private static let letters = [
    "$mono": "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace",
    "$sans":
      "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK SC',sans-serif",
  ]

  /// The rules of a sheet, the letters that it names written out.
  static func lettered(_ sheet: String) -> String {
    letters.reduce(sheet) { $0.replacing($1.key, with: $1.value) }
  }

  /// The rules of drawings; `colour` tells how each ink is written.
  static func rules(_ colour: (Ink) -> String) -> String {
    Ink.allCases.reduce(lettered(PackageResources.graph_css)) {
      $0.replacing("$\($1)", with: colour($1))
    }
  }
}
