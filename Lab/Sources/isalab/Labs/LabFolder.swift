import Foundation

/// A folder that `lab start` made and a student fills.
struct LabFolder: Sendable {
  let url: URL
  let language: LabLanguage

  /// - Throws: Code 2 if it is no such folder; `hint` says what to do then.
  init(_ url: URL, hint: Text) throws(LabFailure) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if !exists || !isFolder.boolValue {
      throw LabFailure(message: Text("lab.no-folder", ["folder": url.relativePath, "hint": hint]))
    }
    self.url = url
    if FileManager.default.fileExists(atPath: url.appendingPathComponent("Package.swift").path) {
      language = .swift
    } else if CGrader.sources(in: url).isEmpty {
      throw LabFailure(
        message: Text("lab.no-sources", ["folder": url.relativePath, "hint": hint]))
    } else {
      language = .c
    }
  }

  init(url: URL, language: LabLanguage) {
    self.url = url
    self.language = language
  }

  /// The same for the same code, the file's names included.
  var digest: String {
    let files = url.files { $0.hasSuffix(".c") || $0.hasSuffix(".h") || $0.hasSuffix(".swift") }
    let prefix = url.path.count
    return files.reduce(language.rawValue) { before, file in
      let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(before)\n\(file.path.dropFirst(prefix))\n\(text)".stableHash
    }
  }

  /// The level that its Makefile names.
  static func level(of url: URL) -> Int? {
    let file = url.appendingPathComponent("Makefile")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").lazy.compactMap { $0.wholeMatch(of: /LEVEL := (\d+)/) }
      .first.flatMap { Int($0.1) }
  }
}
