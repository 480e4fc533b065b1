/// The metadata of a native Swift class, read as its ABI lays it out where there is no Objective-C.
///
///     address - classAddressPoint   layout string, deinit, value witnesses
///     address + 0                   kind: 0 for a class
///     address + 8                   superclass
///     address + 24, 32, 36          instance size, class size, class address point (UInt32 each)
///     address + 40                  description: flags, name, where the vtable stands
///     address + 8 × vtable offset   one word a method
///
/// Nothing is believed that was not compared with something else: one surprise, and there is none.
struct ClassMetadata {
  /// An entry of the vtable.
  struct Slot: Hashable, Sendable {
    enum Kind: UInt32, Hashable, Sendable {
      case method, initializer, getter, setter, modify, read
    }

    /// Words from the address.
    var word: Int
    var kind: Kind?
    /// The function that the description names; nil for one that the optimiser has taken out.
    var code: UInt?
  }

  /// Why the metadata is not what is expected.
  struct Surprise: Error, Hashable, Sendable {
    var sentence: Text
  }

  let address: UnsafeRawPointer
  /// Bytes in all, and those before the address.
  let size: Int
  let prefix: Int
  let slots: [Slot]

  /// Whether this program knows how the metadata of this platform is laid out.
  static var isKnownPlatform: Bool {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      true
    #else
      false
    #endif
  }

  /// Reads the metadata of a class that is neither generic nor a subclass.
  ///
  /// - Parameters:
  ///   - name: The name that the description must give it.
  ///   - instanceSize: The bytes that its instances must have.
  init(of cls: AnyClass, name: String, instanceSize: Int) throws(Surprise) {
    try ClassMetadata.expect(
      ClassMetadata.isKnownPlatform,
      Text("swiftisa.unknown-platform"))
    address = unsafeBitCast(cls, to: UnsafeRawPointer.self)
    size = Int(address.load(fromByteOffset: 32, as: UInt32.self))
    prefix = Int(address.load(fromByteOffset: 36, as: UInt32.self))
    try ClassMetadata.expect(
      address.load(as: UInt.self) == 0 && address.load(fromByteOffset: 8, as: UInt.self) == 0,
      Text("swiftisa.first-words"))
    try ClassMetadata.expect(
      address.load(fromByteOffset: 24, as: UInt32.self) == UInt32(instanceSize),
      Text("swiftisa.other-size", ["size": instanceSize]))
    try ClassMetadata.expect(
      prefix >= 16 && prefix <= 64 && prefix % 8 == 0 && size > prefix && size <= 1024
        && size % 8 == 0, Text("swiftisa.impossible-sizes"))
    let description = ClassDescription(
      address.load(fromByteOffset: 40, as: UnsafeRawPointer.self))
    try ClassMetadata.expect(
      description.isPlainClass && description.name == name,
      Text("swiftisa.not-plain", ["name": name]))
    try ClassMetadata.expect(
      description.words * 8 == size - prefix
        && description.vtableOffset + description.vtableCount <= description.words,
      Text("swiftisa.sizes-disagree"))
    slots = description.slots
  }

  private static func expect(_ holds: Bool, _ sentence: @autoclosure () -> Text) throws(Surprise) {
    if !holds { throw Surprise(sentence: sentence()) }
  }

  /// The one slot of that kind.
  func slot(_ kind: Slot.Kind) throws(Surprise) -> Slot {
    let found = slots.filter { $0.kind == kind }
    try ClassMetadata.expect(
      found.count == 1, Text("swiftisa.slot-count", ["count": found.count, "kind": "\(kind)"]))
    let slot = found[0]
    // A method that was taken out leaves one and the same function behind, in every such slot.
    let isRight =
      slot.code.map { $0 == word(slot) }
      ?? slots.allSatisfy { $0.code != nil || (word($0) == word(slot) && word($0) != 0) }
    try ClassMetadata.expect(
      isRight, Text("swiftisa.other-function", ["word": slot.word]))
    return slot
  }

  private func word(_ slot: Slot) -> UInt {
    address.load(fromByteOffset: slot.word * 8, as: UInt.self)
  }
}

/// The compiler's description of a class; offsets in it are relative to where they stand.
private struct ClassDescription {
  private let address: UnsafeRawPointer

  init(_ address: UnsafeRawPointer) { self.address = address }

  private func word(_ index: Int) -> UInt32 {
    address.load(fromByteOffset: index * 4, as: UInt32.self)
  }

  private func target(_ index: Int) -> UnsafeRawPointer {
    address + index * 4 + Int(Int32(bitPattern: word(index)))
  }

  /// A class, unique, with a vtable; neither generic nor resilient, nor one that overrides.
  var isPlainClass: Bool { word(0) == 0x8000_0050 }
  var name: String { String(cString: target(2).assumingMemoryBound(to: CChar.self)) }
  var words: Int { Int(word(7)) }
  var vtableOffset: Int { Int(word(11)) }
  var vtableCount: Int { Int(word(12)) }

  var slots: [ClassMetadata.Slot] {
    (0..<vtableCount).map { index in
      let flags = word(13 + index * 2)
      let offset = word(14 + index * 2)
      return ClassMetadata.Slot(
        word: vtableOffset + index, kind: ClassMetadata.Slot.Kind(rawValue: flags & 15),
        code: offset == 0 ? nil : UInt(bitPattern: target(14 + index * 2)))
    }
  }
}
