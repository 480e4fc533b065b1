import Foundation

/// A student's code built together with the driver.
struct SceneProgram: Sendable {
  var file: URL
  /// How long a scene may take.
  var seconds: Double
  /// The student's folder, as the compiler was given it.
  var sources: URL
  /// Whether Swift's runtime may take its time to say where a crash was.
  var hasBacktrace = false

  private static let mostFrames = 12

  var variables: [String: String] {
    let wishes = "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none"
    return hasBacktrace ? ["SWIFT_BACKTRACE": wishes] : [:]
  }

  /// Where the student's code was, such as `collect, change.c:41`, and which functions of the
  /// runtime it had called.
  ///
  /// - Parameters:
  ///   - places: The driver's: distances from the program's beginning.
  ///   - errors: What Swift's runtime may have said of it.
  func frames(at places: [String], _ errors: String) -> [Text] {
    let found = places.isEmpty ? swiftFrames(errors) : read(places)
    return Array(found.prefix(SceneProgram.mostFrames))
  }

  private func read(_ places: [String]) -> [Text] {
    guard let tool = Tool.find("addr2line") ?? Tool.find("llvm-addr2line"),
      let run = ChildProcess(executable: tool, seconds: 20)
        .run(["-f", "-e", file.path] + places.map { "0x" + $0 }), run.hasSucceeded
    else { return [] }
    let lines = run.output.split(separator: "\n").map(String.init)
    return stride(from: 0, to: lines.count - 1, by: 2).compactMap {
      frame(lines[$0], at: lines[$0 + 1])
    }
  }

  /// The driver's own functions are left out; the core's are shown as far as they are public.
  private func frame(_ function: String, at place: String) -> Text? {
    let name = function.hasPrefix("$s") ? nil : function
    if let local = local(place) { return Text(same: (name.map { "\($0), " } ?? "") + local) }
    let isPublic = name?.contains(#/^(isa|kvc|kvo)_[a-z]/#) == true && name?.contains("__") == false
    return isPublic ? Text("lab.of-runtime", ["function": function]) : nil
  }

  private func local(_ place: String) -> String? {
    let words = place.split(separator: " ").first.map(String.init) ?? place
    let folder = sources.path + "/"
    return words.hasPrefix(folder) ? String(words.dropFirst(folder.count)) : nil
  }

  /// Lines such as `2 StudentList.tell() in grade at /…/Student.swift:41:7`.
  private func swiftFrames(_ errors: String) -> [Text] {
    errors.split(separator: "\n").compactMap { line in
      guard
        let frame = line.firstMatch(
          of: #/^\s*\d+ (?:\[[^\]]*\] )*(?:0x\S+ )?(.+) in \S+ at (\S+)$/#)
      else { return nil }
      return local(String(frame.2)).map { Text(same: "\(frame.1), \($0)") }
    }
  }
}
