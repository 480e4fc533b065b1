// Which getters of wrapped properties a Swift class overrides, by its method table; and how such a
// getter is asked, since nobody but the compiler knows how it is called.
//
// A subclass's method table begins with its superclass's, in which the places of overridden methods
// lead elsewhere. A class's description tells what stands in each of the places, not by what name,
// but in the order of the source, in which stored variables come in reflection too.
//
// Owns:  nothing.
// Locks: none; metadata never changes once it is there.

/// What a class overrides of the getters that a superclass declares.
enum GetterOverrides {
  /// Those of the stored variables at these distances from the header, by their places in words.
  case some([Int: Int])
  /// Some, and which cannot be told.
  case unknown
}

/// The getters of variables declared by `owner` that `type`, or a class between, overrides.
func getterOverrides(in type: KVObject.Type, of owner: KVObject.Type) -> GetterOverrides {
  let own = unsafeBitCast(owner, to: UnsafePointer<UInt>.self)
  let other = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  guard let getters = ClassDescription(owner)?.variableGetters else {
    let same = declaredWords(of: owner).allSatisfy { own[$0] == other[$0] }
    return same ? .some([:]) : .unknown
  }
  if getters.allSatisfy({ own[$0] == other[$0] }) { return .some([:]) }
  let variables = ownVariables(of: owner)
  // A settable property that computes has a getter but no storage, a `final` one the reverse.
  guard variables.count == getters.count else { return .unknown }
  let overridden = zip(variables, getters).filter { own[$0.1] != other[$0.1] }
  return .some(Dictionary(uniqueKeysWithValues: overridden))
}

/// Where a class has the members of its metadata that its superclass has not.
private func declaredWords(of type: KVObject.Type) -> Range<Int> {
  let start = _getSuperclass(type).map { methodTableWords($0).upperBound } ?? fixedWords
  return start..<methodTableWords(type).upperBound
}

/// The stored variables that a class itself declares, by their distances from the header.
private func ownVariables(of type: KVObject.Type) -> [Int] {
  let start = (_getSuperclass(type) as? KVObject.Type).map { instanceSize(of: $0) } ?? 0
  var offsets: [Int] = []
  forEachProperty(of: type) { property in
    if property.offset >= start, !property.isConstant { offsets.append(property.offset) }
  }
  return offsets
}

/// What the compiler notes of a class: laid out as the Swift ABI has it.
private struct ClassDescription {
  private let address: UnsafeRawPointer
  private let table: Int

  /// Nil for a class whose description has parts of unknown length before the method table.
  init?(_ type: AnyClass) {
    let words = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    guard let address = UnsafeRawPointer(bitPattern: words[fixedWords - 2]) else { return nil }
    let flags = address.load(as: UInt32.self)
    let isGeneric = flags & 0x80 != 0, hasTable = flags >> 31 == 1
    // Neither initialised at run time nor of a superclass whose layout is not known.
    guard hasTable, flags >> 16 & 3 == 0, flags >> 29 & 1 == 0 else { return nil }
    var table = 11 * MemoryLayout<UInt32>.size
    if isGeneric {
      let header = address + table + 8
      guard header.load(fromByteOffset: 6, as: UInt16.self) == 0 else { return nil }
      let parameters = Int(header.load(as: UInt16.self))
      let requirements = Int(header.load(fromByteOffset: 2, as: UInt16.self))
      table += 16 + (parameters + 3) / 4 * 4 + 12 * requirements
    }
    self.address = address
    self.table = table
  }

  private func number(_ offset: Int) -> Int {
    Int((address + table + offset).load(as: UInt32.self))
  }

  /// The places, in words, of the getters of objects that a setter follows; a settable variable of
  /// the class itself has a getter too.
  var variableGetters: [Int] {
    let first = number(0), count = number(4)
    let kinds = (0..<count).map { number(8 + 8 * $0) & 0x1f }
    return zip(kinds.indices, kinds.indices.dropFirst())
      .filter { kinds[$0] == 0x12 && kinds[$1] == 0x13 }.map { first + $0.0 }
  }
}

/// The code of the method at a place of a class's method table.
func methodAddress(of type: KVObject.Type, at word: Int) -> UInt {
  unsafeBitCast(type, to: UnsafePointer<UInt>.self)[word]
}

/// What the compiler tells a key path of one computed step from others by: of a `final` property,
/// the address of the getter. Nil for any other key path.
func getterIdentity(of path: AnyKeyPath) -> UInt? {
  // Behind the object's header and the name of the key path: the size of the steps, the kind of the
  // first, its identity.
  let words = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
    .assumingMemoryBound(to: UInt.self)
  let size = words[3] & 0xFF_FFFF, kind = words[4] >> 24 & 0x7F
  return withExtendedLifetime(path) { size >= 24 && kind == 2 ? words[5] : nil }
}

// MARK: - Asking

extension KeyPathProbe {
  /// The key path of the property whose getter stands at a place of the method table of `owner`, if
  /// it is that of the wrapped property `field`. Nil, too, if the optimiser has taken it out.
  ///
  /// The getter is called on `object`, and answers nobody's bits once it has said who it is.
  static func keyPath(
    of field: Field, getter word: Int, of owner: KVObject.Type, on object: KVObject
  ) -> AnyKeyPath? {
    let getter = methodAddress(of: owner, at: word)
    if isDeletedMethod(getter) { return nil }
    // No value that stands in an object takes more room than the object.
    let room = max(instanceSize(of: type(of: object)), 4096)
    return withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { place in
      identify(field, on: object) {
        callGetter(getter, of: object, to: place.baseAddress!)
      }
    }
  }
}

/// A value of bits that nobody owns, which is moved and dropped, never looked at.
func nobodysBits<Value>(_ type: Value.Type) -> Value {
  let size = MemoryLayout<Value>.size, alignment = MemoryLayout<Value>.alignment
  return withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: alignment) { bytes in
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return bytes.baseAddress!.assumingMemoryBound(to: Value.self).move()
  }
}
