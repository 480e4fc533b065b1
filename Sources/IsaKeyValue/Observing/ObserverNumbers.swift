// Numbers of closure observers: by one a change finds the registration that it is told to, as long as
// that is there, and its texts for ever.
//
// Owns:  nothing; the owner of a number gives it back before it goes.
// Locks: `places` has its own; nobody's code runs under it.

/// A place for one observer of a key path at a time. Its number is made of the place and of how many
/// had it before.
private struct NumberPlace {
  let keyPath: LastingText
  /// The keys that have caused changes, by which tags tell them.
  var causes: [LastingText?]
  var uses: UInt64 = 1
  unowned(unsafe) var control: (any RegistrationControl)?
  /// The next free place of the key path, if this one is.
  var next = -1
}

private struct NumberPlaces {
  var all: [NumberPlace] = []
  /// The first free place of each key path, by its text's address, apart from those in `recent`.
  private var free: [UInt: Int] = [:]
  /// The same of key paths that have had a place given back lately: what comes and goes asks for the
  /// same ones.
  private var recent = [(text: UInt, first: Int)](repeating: (0, -1), count: recentTexts)

  /// Where in `recent` the first free place of a key path is; -1 there if it has none.
  private mutating func slot(of keyPath: LastingText) -> Int {
    let text = keyPath.number, slot = Int(bitPattern: text >> 4) & (recentTexts - 1)
    if recent[slot].text == text { return slot }
    if recent[slot].first >= 0 { free[recent[slot].text] = recent[slot].first }
    recent[slot] = (text, free.removeValue(forKey: text) ?? -1)
    return slot
  }

  /// A number; 0 if there are too many.
  mutating func take(for control: any RegistrationControl, _ keyPath: LastingText) -> UInt64 {
    let slot = slot(of: keyPath)
    var at = recent[slot].first
    if at >= 0 {
      recent[slot].first = all[at].next
    } else {
      at = all.count
      if at >> placeBits != 0 { return 0 }
      all.append(NumberPlace(keyPath: keyPath, causes: []))
    }
    all[at].control = control
    return all[at].uses << UInt64(placeBits) | UInt64(at)
  }

  mutating func giveBack(_ number: UInt64) {
    let at = place(of: number)
    all[at].control = nil
    if all[at].uses >> useBits != 0 { return }
    all[at].uses += 1
    let slot = slot(of: all[at].keyPath)
    all[at].next = recent[slot].first
    recent[slot].first = at
  }

  /// The tag of changes that a key causes; nil if there are too many such keys, or no number.
  mutating func tag(of number: UInt64, _ cause: LastingText?) -> ChangeTag? {
    if number == 0 { return nil }
    let at = place(of: number), known = all[at].causes
    let index = known.firstIndex { $0?.number == cause?.number } ?? known.count
    if index > 0xFF { return nil }
    if index == known.count { all[at].causes.append(cause) }
    return ChangeTag(registration: number, cause: index)
  }
}

private let recentTexts = 64

private let places = Locked(NumberPlaces())

/// Bits of a number that tell the place, and the place's use.
private let placeBits = 24
private let useBits = 23

private func place(of number: UInt64) -> Int { Int(number) & (1 << placeBits - 1) }

/// Gives a registration for a key path a number, which it gives back before it goes; 0 if there are too
/// many.
package func takeNumber(
  for control: any RegistrationControl, _ keyPath: LastingText
) -> UInt64 {
  places.withLock { $0.take(for: control, keyPath) }
}

/// The tag of changes that a key causes, told to the registration of the number; nil if there is
/// none.
package func tag(of number: UInt64, _ cause: LastingText?) -> ChangeTag? {
  places.withLock { $0.tag(of: number, cause) }
}

/// Gives a registration a number, and puts the tag of changes that a key causes where it has none yet.
func giveTag(
  to tag: UnsafeMutablePointer<UInt64>, of control: any RegistrationControl,
  _ keyPath: LastingText, _ cause: LastingText?
) {
  if loadWord(tag) != 0 { return }
  places.withLock { places in
    if loadWord(tag) != 0 { return }
    let number = places.take(for: control, keyPath)
    if let made = places.tag(of: number, cause) {
      storeWord(tag, made.number)
    } else if number != 0 {
      places.giveBack(number)
    }
  }
}

/// Gives a number back, for no other to have it ever.
package func giveBack(number: UInt64) {
  if number != 0 { places.withLock { $0.giveBack(number) } }
}

/// The registration that changes with that tag are told to; nil if it has gone.
func findControl(_ tag: ChangeTag) -> (any RegistrationControl)? {
  places.withLock { places in
    let number = tag.registration, at = place(of: number)
    guard number != 0, let control = places.all[at].control,
      places.all[at].uses == number >> UInt64(placeBits)
    else { return nil }
    // It waits for the lock to give the number back, if it is going.
    return livingObject(Unmanaged.passUnretained(control as AnyObject)) == nil ? nil : control
  }
}

/// The texts of a change with the tag of one.
func texts(of tag: ChangeTag) -> (keyPath: LastingText, cause: LastingText?) {
  places.withLock { places in
    let place = places.all[place(of: tag.registration)]
    return (place.keyPath, place.causes[tag.cause])
  }
}
