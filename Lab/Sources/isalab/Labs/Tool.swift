import Foundation

/// Something that ends a command with a sentence.
struct LabFailure: Error, Hashable, Sendable {
  var message: Text
  /// 1 where the student's code is to blame, 2 where the call or the machine is.
  var code: Int32 = 2
}

extension LabFailure {
  /// The student's code is to blame: a complaint, and below it the compiler's words.
  init(_ complaint: Text, _ words: String) {
    let message = Text { $0.say("lab.complaint", ["complaint": complaint]) + "\n" + words }
    self.init(message: message, code: 1)
  }
}

/// Finds programs where the shell would.
enum Tool {
  static func find(
    _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL? {
    if name.contains("/") { return isProgram(name) ? URL(fileURLWithPath: name) : nil }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
      .map { URL(fileURLWithPath: $0) }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  /// The answer of pkg-config, a word each; nil if it or the package is not there.
  static func packageWords(_ arguments: [String]) -> [String]? {
    guard let tool = find("pkg-config"),
      let run = ChildProcess(executable: tool, seconds: 10).run(arguments), run.hasSucceeded
    else { return nil }
    return run.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
