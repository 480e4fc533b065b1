// The options of the command line.
import Foundation

struct Options: Sendable {
  var host = "127.0.0.1"
  var port = 8080
  /// Bottles a second that are filled out of turn, for a test of load.
  var changes = 0
  /// Seconds after which a connection that takes nothing is closed.
  var patience = 30

  init(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      switch option {
      case "--host": host = Options.value(of: option, &rest)
      case "--port": port = Options.number(of: option, &rest, 0...65_535)
      case "--changes": changes = Options.number(of: option, &rest, 0...1_000_000)
      case "--patience": patience = Options.number(of: option, &rest, 1...3600)
      default: Options.fail("\(option) is no option")
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) -> String {
    guard let value = rest.popFirst() else { fail("\(option) needs a value") }
    return value
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
  ) -> Int {
    let text = value(of: option, &rest)
    guard let number = Int(text), range.contains(number) else {
      fail("\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
    }
    return number
  }

  private static func fail(_ reason: String) -> Never {
    let usage = "Dashboard [--host ADDRESS] [--port NUMBER] [--patience SECONDS] [--changes NUMBER]"
    FileHandle.standardError.write(Data("\(reason)\n\(usage)\n".utf8))
    exit(2)
  }
}
