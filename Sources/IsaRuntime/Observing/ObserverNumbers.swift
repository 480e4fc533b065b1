// Numbers of closure observers: by one a change finds what it comes from, as long as that is there.
//
// Owns:  nothing; the owner of a number gives it back before it goes.
// Locks: `places` has its own; nobody's code runs under it.

/// A place for one observer at a time. Its number is made of the place and of how many had it before.
private struct NumberPlace {
  var uses: UInt32 = 1
  var source: Unmanaged<ChangeSource>?
  /// The next free place, if this one is.
  var next = -1
}

private struct NumberPlaces {
  var all: [NumberPlace] = []
  var free = -1

  mutating func take(for source: ChangeSource) -> UInt64 {
    var at = free
    if at >= 0 {
      free = all[at].next
    } else {
      at = all.count
      if at >> placeBits != 0 { return 0 }
      all.append(NumberPlace())
    }
    all[at].source = Unmanaged.passUnretained(source)
    return UInt64(all[at].uses) << UInt64(placeBits) | UInt64(at)
  }
}

private let places = Locked(NumberPlaces())

/// Bits of a number that tell the place; as many are left as a change's mark has room for.
private let placeBits = 24

/// Gives a source a number, which its owner gives back before it goes; 0 if there are too many.
package func takeNumber(for source: ChangeSource) -> UInt64 {
  places.withLock { $0.take(for: source) }
}

/// Gives a source a number, of which `mark` becomes the mark of its changes, unless it has one.
func giveNumber(to mark: UnsafeMutablePointer<UInt64>, of source: ChangeSource) {
  if loadWord(mark) != 0 { return }
  places.withLock { places in
    if loadWord(mark) != 0 { return }
    let number = places.take(for: source)
    storeWord(mark, ChangeMark(registration: number).number)
  }
}

/// Gives a number back, for no other to have it ever.
package func giveBack(number: UInt64) {
  if number == 0 { return }
  places.withLock { places in
    let at = Int(number) & (1 << placeBits - 1)
    places.all[at].source = nil
    let (uses, isLast) = places.all[at].uses.addingReportingOverflow(1)
    if isLast { return }
    places.all[at].uses = uses
    places.all[at].next = places.free
    places.free = at
  }
}

/// The source that has the number; nil if none has.
func findSource(_ number: UInt64) -> ChangeSource? {
  places.withLock { places in
    let at = Int(number) & (1 << placeBits - 1)
    guard number != 0, at < places.all.count, let source = places.all[at].source,
      UInt64(places.all[at].uses) == number >> UInt64(placeBits)
    else { return nil }
    // It waits for the lock to give the number back, if it is going.
    return livingObject(source)
  }
}
