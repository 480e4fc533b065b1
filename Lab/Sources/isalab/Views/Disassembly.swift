import Foundation

/// Machine code as assembly, by the system's objdump.
enum Disassembly {
  /// The instructions up to the first that leaves for good, or a line that says why there are none.
  ///
  /// - Parameter searchPath: The folders in which to look for objdump, as in `PATH`.
  static func lines(
    of code: [UInt8], at address: UInt, language: Language = .english,
    searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
  ) -> [String] {
    guard !code.isEmpty else { return [language.say("code.hidden")] }
    guard let objdump = path(of: "objdump", searchPath) else {
      return [language.say("code.no-objdump")]
    }
    let lines = run(objdump, on: code, at: address).map { instructions(in: $0) } ?? ["…"]
    return lines == ["…"] ? [language.say("code.foreign")] : lines
  }

  /// The instruction lines of objdump's output, their blanks evened, up to the first that leaves
  /// the code; "…" if there is more of it than is shown.
  static func instructions(in output: String, limit: Int = 20) -> [String] {
    var lines: [String] = []
    for line in output.split(separator: "\n") {
      let columns = line.split(separator: "\t")
      guard columns.count >= 3, columns[0].hasSuffix(":") else { continue }
      if lines.count == limit { break }
      let address = columns[0].split(separator: " ").joined()
      let words = columns.dropFirst(2).joined(separator: " ").split(separator: " ")
      lines.append("\(address) " + words.joined(separator: " "))
      if leaves(words) { return lines }
    }
    return lines + ["…"]
  }

  /// A return, or a jump to an address that is not in the text.
  private static func leaves(_ words: [Substring]) -> Bool {
    guard let name = words.first else { return false }
    if ["ret", "retq", "br"].contains(name) { return true }
    return ["jmp", "jmpq"].contains(name) && words.dropFirst().first?.hasPrefix("*") == true
  }

  private static func path(of tool: String, _ searchPath: String) -> String? {
    searchPath.split(separator: ":").map { "\($0)/\(tool)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private static var machine: String {
    #if arch(x86_64)
      "i386:x86-64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "unknown"
    #endif
  }

  private static func run(_ objdump: String, on code: [UInt8], at address: UInt) -> String? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("isalab-\(UUID()).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    guard (try? Data(code).write(to: file)) != nil else { return nil }
    let offset = "--adjust-vma=0x" + String(address, radix: 16)
    let words = [objdump, "-D", "-b", "binary", "-m", machine, offset, file.path]
    return output(ofCommand: words.map(quoted).joined(separator: " ") + " 2>/dev/null")
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// The output of a shell command; nil if it fails. Foundation's Process would do the same, but
  /// leaks a little on Linux, which the address sanitizer reports.
  private static func output(ofCommand command: String) -> String? {
    guard let pipe = popen(command, "r") else { return nil }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      output += buffer[..<count]
    }
    return pclose(pipe) == 0 ? String(decoding: output, as: UTF8.self) : nil
  }
}
