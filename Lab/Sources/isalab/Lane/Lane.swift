/// The way that the messages of one step take, station by station: from the sender over object, isa and
/// dispatch table to the code, and what the runtime does around it.
///
/// It is made from the event log and from the class's tables, and the same in every drawing.
struct Lane: Hashable, Sendable {
  struct Station: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
      /// The line of the scenario, or an observer that acts.
      case sender
      case object
      case isa
      /// The place in the dispatch table.
      case slot
      /// A method that nothing is wrapped around.
      case method
      case wrapper
      case will
      case old
      /// An observer that is told before the change.
      case prior
      case original
      case ivar
      case did
      case new
      case observer
      /// A registration of the runtime's own, by which a key path is followed.
      case forwarder
      /// A key path, or a key that depends on the one that is changed.
      case dependent
      /// The return to the sender.
      case back
      /// Anything else that the runtime did.
      case act
      /// Nothing, where another design's way has a station.
      case gap
    }

    var kind: Kind
    /// The event that it shows, or is a part of.
    var event: UInt64
    /// How many branches it is away from the line of the scenario: an observer that sends a message, a
    /// forwarder and a dependent key begin one, which comes back.
    var depth: Int
    /// One or two words.
    var title: String
    /// A sentence.
    var text: String
    /// The value that is there.
    var value: String?
    /// The nodes and edges of the drawing that it is about.
    var parts: [String] = []
  }

  var stations: [Station] = []

  /// The way of step `number`; empty at the start.
  init(_ run: Run, at number: Int, in language: Language = .english) {
    guard number > 0 else { return }
    var connections = Connections(run.program?.symbols, language)
    connections.follow(run.state(at: number - 1))
    self = Lane(run.steps[number - 1], connections, language)
  }

  /// The way of a step, before which objects are connected in a known way.
  init(_ step: Step, _ connections: Connections, _ language: Language) {
    var builder = LaneBuilder(step, connections, language)
    builder.addAll()
    stations = builder.stations
  }

  /// The station at which whoever is at `index` is once the present branch, or the whole way, is over.
  func end(of index: Int) -> Int {
    guard stations.indices.contains(index) else { return stations.count }
    let depth = stations[index].depth
    return stations[(index + 1)...].firstIndex { $0.depth < depth } ?? stations.count
  }

  /// The next station that is not inside a branch that begins at `index`.
  func over(_ index: Int) -> Int {
    guard stations.indices.contains(index) else { return stations.count }
    let depth = stations[index].depth
    return stations[(index + 1)...].firstIndex { $0.depth <= depth } ?? stations.count
  }

  /// Whether the way that is `depth` branches away from the line goes on after `index`: until then
  /// the message's sender waits there.
  func comesBack(to depth: Int, after index: Int) -> Bool {
    stations[index...].contains { $0.depth <= depth }
  }
}
