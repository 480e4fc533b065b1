/// Which events of a trace are meant.
package enum TraceWindow: Hashable, Sendable {
  case all
  /// The events with these ids.
  case ids(ClosedRange<UInt64>)
  /// The events in these nanoseconds of the header's clock.
  case times(ClosedRange<UInt64>)
}

/// Some events of a trace, and how many are left out.
package struct TraceSelection: Sendable {
  /// By id.
  package let events: [TraceEvent]
  /// Before the first of them, and behind the last.
  package let before: Int
  package let behind: Int
}

extension Trace {
  /// The events of the window; of more than `limit`, the last.
  package func select(_ window: TraceWindow, limit: Int = 50_000) -> TraceSelection {
    select(window, limit: limit) { _ in true }
  }

  /// The events about an object, by id; of more than `limit`, the last.
  package func history(of object: TraceObject, limit: Int = 1000) -> TraceSelection {
    select(.all, limit: limit) {
      $0.object == object.address
        && self.structure.objects.index(of: $0.object, at: $0.id) == object.index
    }
  }

  /// The events of the window that `isMeant` takes; only such are counted.
  func select(
    _ window: TraceWindow, limit: Int, _ isMeant: (TraceEvent) -> Bool
  ) -> TraceSelection {
    var (recent, before, behind) = (RecentEvents(limit: max(0, limit)), 0, 0)
    for event in events where isMeant(event) {
      switch window.place(of: event) {
      case .before: before += 1
      case .inside: before += recent.append(event)
      case .behind: behind += 1
      }
    }
    return TraceSelection(events: recent.inOrder, before: before, behind: behind)
  }
}

extension TraceWindow {
  fileprivate enum Place {
    case before
    case inside
    case behind
  }

  fileprivate func place(of event: TraceEvent) -> Place {
    switch self {
    case .all: .inside
    case .ids(let ids): Self.place(event.id, ids)
    case .times(let times): Self.place(event.time, times)
    }
  }

  private static func place(_ number: UInt64, _ range: ClosedRange<UInt64>) -> Place {
    number < range.lowerBound ? .before : number > range.upperBound ? .behind : .inside
  }
}

/// The last of some events.
private struct RecentEvents {
  let limit: Int
  private var events: [TraceEvent] = []
  private var oldest = 0

  init(limit: Int) { self.limit = limit }

  /// Returns how many events had to go: 0 or 1.
  mutating func append(_ event: TraceEvent) -> Int {
    if events.count < limit {
      events.append(event)
      return 0
    }
    if limit > 0 {
      events[oldest] = event
      oldest = (oldest + 1) % limit
    }
    return 1
  }

  var inOrder: [TraceEvent] { Array(events[oldest...] + events[..<oldest]) }
}
