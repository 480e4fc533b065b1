// Numbers of closure observers: by one a change finds the registration that it is told to, as long as
// that is there, and its texts for ever.
//
// Owns:  nothing; the owner of a number gives it back before it goes.
// Locks: each table has its own; nobody's code runs under it. An observer has its number in a table
//        that its address tells, so that threads seldom wait for one another.

/// A place for one observer of a key path at a time. Its number is made of the place and of how many
/// had it before.
private struct NumberPlace {
  let keyPath: LastingText
  /// The keys that have caused changes, by which tags tell them: the first, once there is one, and
  /// others.
  private var firstCause: LastingText??
  private var otherCauses: [LastingText?] = []
  var uses: UInt64 = 1
  unowned(unsafe) var control: (any RegistrationControl)?
  /// The next free place of the key path, if this one is.
  var next = -1

  init(_ keyPath: LastingText) { self.keyPath = keyPath }

  /// Where a cause is among them, which may be a new one; nil if there are too many.
  mutating func index(of cause: LastingText?) -> Int? {
    guard let firstCause else {
      self.firstCause = .some(cause)
      return 0
    }
    if firstCause?.number == cause?.number { return 0 }
    if let index = otherCauses.firstIndex(where: { $0?.number == cause?.number }) {
      return index + 1
    }
    if otherCauses.count == mostOtherCauses { return nil }
    otherCauses.append(cause)
    return otherCauses.count
  }

  func cause(_ index: Int) -> LastingText? {
    index == 0 ? firstCause ?? nil : otherCauses[index - 1]
  }
}

private struct NumberTable {
  /// What the numbers of this table have in their lowest bits.
  let index: Int
  /// Blocks of places. None moves when there are more: others would wait for the lock meanwhile.
  private var blocks: [UnsafeMutablePointer<NumberPlace>] = []
  private var count = 0
  /// The first free place of each key path, by its text's address, apart from those in `recent`.
  private var free: [UInt: Int] = [:]
  /// The same of key paths that have had a place given back lately: what comes and goes asks for the
  /// same ones.
  private var recent = [(text: UInt, first: Int)](repeating: (0, -1), count: recentTexts)

  init(index: Int) { self.index = index }

  subscript(at: Int) -> UnsafeMutablePointer<NumberPlace> {
    blocks[at / blockSize] + at % blockSize
  }

  private mutating func add(_ place: NumberPlace) -> Int? {
    if count >> indexBits != 0 { return nil }
    if count == blocks.count * blockSize { blocks.append(.allocate(capacity: blockSize)) }
    self[count].initialize(to: place)
    count += 1
    return count - 1
  }

  /// Where in `recent` the first free place of a key path is; -1 there if it has none.
  private mutating func slot(of keyPath: LastingText) -> Int {
    let text = keyPath.number, slot = Int(bitPattern: text >> 4) & (recentTexts - 1)
    if recent[slot].text == text { return slot }
    if recent[slot].first >= 0 { free[recent[slot].text] = recent[slot].first }
    recent[slot] = (text, free.removeValue(forKey: text) ?? -1)
    return slot
  }

  /// A number; nil if there are too many.
  mutating func take(for control: any RegistrationControl, _ keyPath: LastingText) -> UInt64? {
    let slot = slot(of: keyPath), free = recent[slot].first
    if free >= 0 { recent[slot].first = self[free].pointee.next }
    guard let at = free >= 0 ? free : add(NumberPlace(keyPath)) else { return nil }
    self[at].pointee.control = control
    return self[at].pointee.uses << UInt64(placeBits) | UInt64(at << tableBits | index)
  }

  mutating func giveBack(_ number: UInt64) {
    let at = indexInTable(number), place = self[at]
    place.pointee.control = nil
    if place.pointee.uses >> useBits != 0 { return }
    place.pointee.uses += 1
    let slot = slot(of: place.pointee.keyPath)
    place.pointee.next = recent[slot].first
    recent[slot].first = at
  }

  /// The place, as long as it is that of the number's owner still.
  func placeStill(of number: UInt64) -> UnsafeMutablePointer<NumberPlace>? {
    let place = self[indexInTable(number)]
    return place.pointee.uses == number >> UInt64(placeBits) ? place : nil
  }
}

private let recentTexts = 64
private let blockSize = 256
/// As many as the byte of a tag tells from the first.
private let mostOtherCauses = 0xFF

/// Bits of a number that tell its table, the place there, and the place's use.
private let tableBits = 4
private let indexBits = 20
private let placeBits = tableBits + indexBits
private let useBits = 23

private let tables = (0..<1 << tableBits).map { Locked(NumberTable(index: $0)) }

private func indexInTable(_ number: UInt64) -> Int {
  Int(number) >> tableBits & (1 << indexBits - 1)
}

/// The table that an observer has its number in.
private func table(of control: any RegistrationControl) -> Locked<NumberTable> {
  // The factor spreads addresses over the bits that are left.
  let address = UInt32(truncatingIfNeeded: identity(of: control) >> 4)
  return tables[Int((address &* 0x9E37_79B1) >> UInt32(32 - tableBits))]
}

private func table(of number: UInt64) -> Locked<NumberTable> {
  tables[Int(number) & (1 << tableBits - 1)]
}

/// Gives a registration for a key path a number, which it gives back before it goes; 0 if there are too
/// many.
package func takeNumber(
  for control: any RegistrationControl, _ keyPath: LastingText
) -> UInt64 {
  table(of: control).withLock { $0.take(for: control, keyPath) } ?? 0
}

/// The tag of changes that a key causes, told to the registration of the number; nil if there are too
/// many such keys, or no number.
package func tag(of number: UInt64, _ cause: LastingText?) -> ChangeTag? {
  if number == 0 { return nil }
  return table(of: number).withLock { $0[indexInTable(number)].pointee.index(of: cause) }
    .map { ChangeTag(registration: number, cause: $0) }
}

/// Gives a registration a number, and puts the tag of changes that a key causes where it has none yet.
///
/// - Returns: The key that causes the changes of that tag; nil for none, or if there is no tag.
func giveTag(
  to tag: UnsafeMutablePointer<UInt64>, of control: any RegistrationControl,
  _ keyPath: LastingText, _ cause: LastingText?
) -> LastingText? {
  table(of: control).withLock { table in
    let known = ChangeTag(number: loadWord(tag))
    if known.number != 0 {
      return table[indexInTable(known.registration)].pointee.cause(known.cause)
    }
    guard let number = table.take(for: control, keyPath) else { return nil }
    guard let place = table[indexInTable(number)].pointee.index(of: cause) else {
      table.giveBack(number)
      return nil
    }
    storeWord(tag, ChangeTag(registration: number, cause: place).number)
    return cause
  }
}

/// Gives a number back, for no other to have it ever.
package func giveBack(number: UInt64) {
  if number != 0 { table(of: number).withLock { $0.giveBack(number) } }
}

/// The registration that changes with that tag are told to; nil if it has gone.
func findControl(_ tag: ChangeTag) -> (any RegistrationControl)? {
  let number = tag.registration
  if number == 0 { return nil }
  return table(of: number).withLock { table in
    guard let control = table.placeStill(of: number)?.pointee.control else { return nil }
    // It waits for the lock to give the number back, if it is going.
    return livingObject(Unmanaged.passUnretained(control as AnyObject)) == nil ? nil : control
  }
}

/// The texts of a change with the tag of one.
func texts(of tag: ChangeTag) -> (keyPath: LastingText, cause: LastingText?) {
  table(of: tag.registration).withLock { table in
    let place = table[indexInTable(tag.registration)].pointee
    return (place.keyPath, place.cause(tag.cause))
  }
}
