/// How pages look: on a projector, on a small screen, in the dark, on paper.
enum PageStyle {
  static var sheet: String {
    let light = inks(\.light)
    let dark = inks(\.dark)
    return """
      :root{color-scheme:light;\(light)}
      @media screen and (prefers-color-scheme:dark){
      :root:not([data-theme=light]){color-scheme:dark;\(dark)}}
      @media screen{:root[data-theme=dark]{color-scheme:dark;\(dark)}}
      \(GraphStyle.rules { "var(--\($0.rawValue))" })\(sheets.map(GraphStyle.lettered).joined())
      """
  }

  /// The rules for a screen's size and for paper stand last.
  private static let sheets = [
    PackageResources.page_css, PackageResources.stage_css, PackageResources.screens_css,
    PackageResources.framed_css, PackageResources.compare_css,
  ]

  private static func inks(_ value: (GraphStyle.Ink) -> String) -> String {
    GraphStyle.Ink.allCases.map { "--\($0.rawValue):\(value($0))" }.joined(separator: ";")
  }
}
