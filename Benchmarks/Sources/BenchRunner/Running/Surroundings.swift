import Foundation

extension Machine {
  /// The one that this program runs on.
  public static var current: Machine {
    Machine(processor: processorName, cores: ProcessInfo.processInfo.activeProcessorCount)
  }

  private static var processorName: String {
    let described = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = described?.split(separator: "\n").first { $0.hasPrefix("model name") }
    if let name = line?.split(separator: ":", maxSplits: 1).last {
      return name.trimmingCharacters(in: .whitespaces)
    }
    return output("sysctl", "-n", "machdep.cpu.brand_string") ?? output("uname", "-m") ?? "unknown"
  }
}

/// The first line that a program in PATH prints, if there is such a program and it succeeds.
func output(_ name: String, _ arguments: String...) -> String? {
  Child.find(name).flatMap { Child(path: $0, arguments: arguments).firstLine() }
}

/// The versions of compilers, libraries and peers, those that are here.
public func currentVersions() -> [String: String] {
  var versions = [
    "swift": output("swift", "--version"), "clang": output("clang", "--version"),
    "gcc": output("gcc", "--version"), "valgrind": output("valgrind", "--version"),
  ]
  let packages = [
    ("libffi", "libffi"), ("glib", "gobject-2.0"), ("qt", "Qt6Core"), ("gnustep", "gnustep-base"),
  ]
  for (name, package) in packages {
    versions[name] = output("pkg-config", "--modversion", package)
  }
  if versions["gnustep"] == nil {
    versions["gnustep"] = output("dpkg-query", "-W", "-f", "${Version}\n", "libgnustep-base-dev")
  }
  // Said by the package, exactly; a built program does not know it.
  versions["opencombine"] = "0.14.0"
  return versions.compactMapValues { $0 }
}

/// The commit of the clone that the runner was called in, with `-dirty` where files were changed.
public func currentCommit() -> String? {
  guard let commit = output("git", "rev-parse", "--short=12", "HEAD") else { return nil }
  let isChanged = output("git", "status", "--porcelain", "--untracked-files=no") != nil
  return isChanged ? commit + "-dirty" : commit
}
