// The lines that wait for one browser until they are written.
import Plant
import Synchronization

/// Lines that wait: the newest one of each property, or every one, in the order in which they came.
final class Outbox: Sendable {
  private struct Waiting {
    var lines: [String] = []
    /// Where the line of each property stands; nil if none waits, or if all are kept.
    var places: [Int?] = []
  }

  private let buffering: Buffering
  private let waiting = Mutex(Waiting())

  init(_ buffering: Buffering) { self.buffering = buffering }

  /// The number of one more property.
  func addProperty() -> Int {
    waiting.withLock { waiting in
      waiting.places.append(nil)
      return waiting.places.count - 1
    }
  }

  func put(_ line: String, of property: Int) {
    waiting.withLock { waiting in
      if let place = waiting.places[property] {
        waiting.lines[place] = line
      } else {
        if buffering == .newest { waiting.places[property] = waiting.lines.count }
        waiting.lines.append(line)
      }
    }
  }

  /// All that waits, as server-sent events; empty if nothing does.
  func take() -> String {
    let lines = waiting.withLock { waiting in
      defer {
        waiting.lines = []
        for property in waiting.places.indices { waiting.places[property] = nil }
      }
      return waiting.lines
    }
    return lines.reduce(into: "") { events, line in
      events += "data: "
      events += line
      events += "\n\n"
    }
  }
}
