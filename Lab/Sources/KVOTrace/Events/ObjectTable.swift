/// An object that the trace has seen.
package struct TraceObject: Hashable, Sendable {
  /// Its place among the trace's objects, from 0 on; no other object has it.
  package let index: Int
  package let address: UInt64
  package let className: TextNumber
  /// Its place among the objects of its class, from 1 on, in the order in which they were seen.
  package let ordinal: Int
  /// The id of the event at which it was first seen.
  package let first: UInt64
}

/// The objects of a trace, by address and time.
struct ObjectTable {
  private struct Entry {
    let address: UInt64
    let first: UInt64
    let className: TextNumber
    var ordinal: UInt32 = 0
  }

  /// In order of address, then of the first event, once `finish` was called.
  private var entries: [Entry] = []
  /// Open addressing by address; the place of the first entry of an address plus one.
  private var places: [UInt32] = []

  var count: Int { entries.count }

  mutating func append(address: UInt64, className: TextNumber, first: UInt64) {
    entries.append(Entry(address: address, first: first, className: className))
  }

  /// The event at which the object was first seen that was appended last at the address; 0: it was
  /// not among the last ones.
  func lastSeen(at address: UInt64) -> UInt64 {
    entries.suffix(1000).last { $0.address == address }?.first ?? 0
  }

  /// To be called when all objects are there, before any is asked for.
  mutating func finish() {
    numberByClass()
    entries.sort { ($0.address, $0.first) < ($1.address, $1.first) }
    var size = 16
    while size < entries.count * 2 { size *= 2 }
    places = Array(repeating: 0, count: size)
    for index in entries.indices where index == 0 || !isSame(index, index - 1) {
      places[freePlace(of: entries[index].address)] = UInt32(index + 1)
    }
  }

  private mutating func numberByClass() {
    entries.sort { $0.first < $1.first }
    var counts: [TextNumber: UInt32] = [:]
    for index in entries.indices {
      counts[entries[index].className, default: 0] += 1
      entries[index].ordinal = counts[entries[index].className]!
    }
  }

  private func isSame(_ index: Int, _ other: Int) -> Bool {
    entries[index].address == entries[other].address
  }

  private func start(of address: UInt64) -> Int {
    let hash = (address >> 3) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
  }

  private func freePlace(of address: UInt64) -> Int {
    var place = start(of: address)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    return place
  }

  /// The index of the object that had the address at the event: the last that was seen until then,
  /// or the first one. Nil: none was ever seen there.
  func index(of address: UInt64, at event: UInt64) -> Int? {
    guard !places.isEmpty else { return nil }
    var place = start(of: address)
    while places[place] != 0 {
      let index = Int(places[place]) - 1
      if entries[index].address == address { return last(from: index, at: event) }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private func last(from index: Int, at event: UInt64) -> Int {
    var index = index
    while index + 1 < entries.count, isSame(index, index + 1), entries[index + 1].first <= event {
      index += 1
    }
    return index
  }

  func className(_ index: Int) -> TextNumber { entries[index].className }

  subscript(index: Int) -> TraceObject {
    let entry = entries[index]
    return TraceObject(
      index: index, address: entry.address, className: entry.className,
      ordinal: Int(entry.ordinal), first: entry.first)
  }
}
