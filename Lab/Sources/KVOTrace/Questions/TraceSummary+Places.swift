extension TraceSummary {
  /// The summary with one entry for each place in the sources. Without places, an entry whose line
  /// is not in the trace stands for the calls that have led to it, and a line has several such.
  ///
  /// An entry's origin is then that of the first of those that were joined.
  package func joined(by places: TracePlaces) -> TraceSummary {
    var summary = self
    summary.handlers = Self.join(handlers, { Same(places, $0.origin, $0.key) }) { $0.add($1) }
    summary.open = Self.join(open, { Same(places, $0.origin, $0.key) }) { $0 = $0.with($1) }
    summary.refusals = Self.join(refusals, { Same(places, $0.origin, $0.key, $0.status) }) {
      $0.count += $1.count
    }
    summary.deaths = Self.join(
      deaths, { Same(places, $0.origin, $0.key, UInt32($0.reason.rawValue)) }
    ) { $0.count += $1.count }
    summary.sort()
    return summary
  }

  /// What entries that are joined have in common.
  private struct Same: Hashable {
    let place: TracePlace
    let key: TraceKey
    let kind: UInt32

    init(_ places: TracePlaces, _ origin: TraceOrigin, _ key: TraceKey, _ kind: UInt32 = 0) {
      (place, self.key, self.kind) = (places.place(of: origin), key, kind)
    }
  }

  private static func join<Entry>(
    _ entries: [Entry], _ same: (Entry) -> Same, _ add: (inout Entry, Entry) -> Void
  ) -> [Entry] {
    var joined: [Entry] = []
    var places: [Same: Int] = [:]
    for entry in entries {
      let same = same(entry)
      if let place = places[same] {
        add(&joined[place], entry)
      } else {
        places[same] = joined.count
        joined.append(entry)
      }
    }
    return joined
  }

  /// Has what matters most stand first.
  mutating func sort() {
    keys.sort { ($1.changes, $1.notifications) < ($0.changes, $0.notifications) }
    handlers.sort { ($1.total, $1.runs) < ($0.total, $0.runs) }
    open.sort { $1.count < $0.count }
    rings.sort { $1.count < $0.count }
    refusals.sort { $1.count < $0.count }
    misuses.sort { $1.count < $0.count }
    deaths.sort { $1.count < $0.count }
  }
}

extension TraceSummary.HandlerUse {
  fileprivate mutating func add(_ other: Self) {
    runs += other.runs
    total &+= other.total
    own &+= other.own
    sent += other.sent
    arrived += other.arrived
    latency &+= other.latency
    if other.longest > longest {
      (longest, longestEvent) = (other.longest, other.longestEvent)
    }
    if other.longestLatency > longestLatency {
      (longestLatency, longestLatencyEvent) = (other.longestLatency, other.longestLatencyEvent)
    }
  }
}

extension TraceSummary.OpenRegistrations {
  fileprivate func with(_ other: Self) -> Self {
    let isOlder = other.oldest.seen < oldest.seen
    return Self(
      key: key, origin: origin, count: count + other.count,
      oldest: isOlder ? other.oldest : oldest)
  }
}
