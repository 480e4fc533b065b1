/// The words around all lessons.
enum Tour {
  private static let words = builtIn { () throws(Diagnostic) in
    let fields = try TextFields(
      PackageResources.tour_txt, file: "tour.txt",
      keys: ["preface", "preface zh", "farewell", "farewell zh"])
    return (try fields.words("preface"), try fields.words("farewell"))
  }
  static let preface = words.0
  /// Where to go on.
  static let farewell = words.1
}
