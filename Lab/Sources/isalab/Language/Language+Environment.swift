extension Language {
  /// The language of a user who asked for none: Chinese where the locale is.
  ///
  /// - Parameter environment: `LC_ALL` goes before `LC_MESSAGES`, and that before `LANG`, as
  ///   everywhere; an empty one counts for nothing.
  static func suited(to environment: [String: String]) -> Language {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return locale?.lowercased().hasPrefix("zh") == true ? .chinese : .english
  }
}
