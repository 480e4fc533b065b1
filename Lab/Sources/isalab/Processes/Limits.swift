import Foundation

/// The limits of a process that runs what others wrote: time, memory and files, and no network where
/// the system allows that.
struct Limits: Hashable, Sendable {
  /// Of the processor's time.
  var seconds: Int
  /// Of address space.
  var megabytes: Int
  /// The most that a file may hold.
  var fileMegabytes: Int
  var openFiles: Int

  /// For a scene.
  static let scene = Limits(seconds: 60, megabytes: 4096, fileMegabytes: 4, openFiles: 128)
  /// For a scenario that somebody wrote into the editor.
  static let scenario = Limits(seconds: 60, megabytes: 4096, fileMegabytes: 64, openFiles: 256)
  /// For a compiler, which takes more of all.
  static let build = Limits(seconds: 300, megabytes: 16384, fileMegabytes: 256, openFiles: 1024)

  /// The command as it is run within the limits. The shell's `ulimit` is `setrlimit`, for itself and
  /// all that it becomes; its files are counted in blocks of 512 bytes.
  func around(_ command: [String]) -> [String] {
    let script = """
      { ulimit -c 0; ulimit -t \(seconds); ulimit -v \(megabytes * 1024); ulimit -n \(openFiles)
      ulimit -f \(fileMegabytes * 2048); } 2>/dev/null
      exec "$@"
      """
    return NetworkFence.found.words + ["/bin/sh", "-c", script, "sh"] + command
  }
}

/// A program that starts another one without a network.
enum NetworkFence: String, Sendable {
  case bubblewrap = "bwrap"
  case unshare
  /// The system has none, or does not let this user have one.
  case none

  /// The first that works here.
  static let found: NetworkFence = [.bubblewrap, .unshare].first { $0.works } ?? .none

  /// The words before a command.
  var words: [String] {
    guard self != .none, let program = Tool.find(rawValue) else { return [] }
    switch self {
    case .bubblewrap:
      return [program.path, "--dev-bind", "/", "/", "--unshare-net", "--die-with-parent"]
    case .unshare: return [program.path, "--map-root-user", "--net"]
    case .none: return []
    }
  }

  private var works: Bool {
    guard let first = words.first else { return false }
    let process = ChildProcess(executable: URL(fileURLWithPath: first), seconds: 10)
    return process.run(Array(words.dropFirst()) + ["/bin/sh", "-c", ":"])?.hasSucceeded == true
  }

  /// How a report says it.
  var text: Text {
    switch self {
    case .bubblewrap: Text("lab.no-network-bwrap")
    case .unshare: Text("lab.no-network-unshare")
    case .none: Text("lab.network-open")
    }
  }
}
