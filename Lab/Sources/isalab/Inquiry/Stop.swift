/// A place at which one looks at a run: after a step, `7`, or at a station of the way in its course,
/// `7.3`, as the link of a page names it.
struct Stop: Hashable, Sendable {
  var step: Int
  /// From 1.
  var station: Int?
}

extension Stop {
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let step = Int(parts[0]), parts.count < 3 else { return nil }
    if parts.count == 2, Int(parts[1]) == nil { return nil }
    self.init(step: step, station: parts.count == 2 ? Int(parts[1]) : nil)
  }
}

extension Run {
  /// The moment at which the event of a station, from 0, has just happened; the step's end without one.
  func moment(ofStep number: Int, at station: Int?) -> Moment {
    let stations = station == nil ? [] : Lane(self, at: number).stations
    guard let station, stations.indices.contains(station) else { return Moment(step: number) }
    return moment(ofEvent: stations[station].event, in: number)
  }
}

extension Inquiry {
  /// The moment of a stop; the end of the run if none is named.
  func moment(_ stop: Stop?) throws(InquiryError) -> Moment {
    let number = try step(stop?.step)
    guard let station = stop?.station else { return Moment(step: number) }
    let count = Lane(run, at: number).stations.count
    guard (1...max(count, 1)).contains(station), count > 0 else {
      throw InquiryError(
        problem: Text("inquiry.no-station", ["number": number, "station": station]),
        expected: count == 0
          ? Text("inquiry.no-stations", ["number": number])
          : Text("inquiry.station-from-1", ["last": count]),
        step: number)
    }
    return run.moment(ofStep: number, at: station - 1)
  }
}
