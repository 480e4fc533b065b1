/// A class as one writes it, with a property that may be overridden and one that may not.
class NativePerson {
  var age = 0
  final var height = 0
}

/// Laid out like NativePerson, with a setter that tells: the subclass that observing makes, by hand.
class ToldPerson {
  final var stored = 0
  final var height = 0

  var age: Int {
    get { stored }
    set {
      let old = stored
      stored = newValue
      NativeSwizzle.told.append("\(old) → \(newValue)")
    }
  }
}

/// An isa swap on a native Swift object: its metadata copied, the setter's slot patched, word 0 of
/// the object set to the copy.
///
/// Lives: the object has its own metadata again when `perform` returns.
struct NativeSwizzle {
  /// One assignment, and what the patched setter said of it.
  struct Assignment: Hashable, Sendable {
    enum Way: Hashable, Sendable {
      case set, inPlace, final, restored
    }

    var way: Way
    var code: String
    var told: [String]
  }

  nonisolated(unsafe) fileprivate(set) static var told: [String] = []

  let original: ClassMetadata
  let replacement: ClassMetadata
  /// The setter's place in the vtable, and the code to be put there.
  let slot: ClassMetadata.Slot
  private let teller: UInt

  /// Looks at both classes and writes nothing.
  init() throws(ClassMetadata.Surprise) {
    let instanceSize = 16 + 2 * MemoryLayout<Int>.size
    original = try ClassMetadata(
      of: NativePerson.self, name: "NativePerson", instanceSize: instanceSize)
    replacement = try ClassMetadata(
      of: ToldPerson.self, name: "ToldPerson", instanceSize: instanceSize)
    slot = try original.slot(.setter)
    let code = try replacement.slot(.setter).code
    guard let code, code != slot.code, rehearsed() else {
      throw ClassMetadata.Surprise(sentence: Text("swiftisa.no-telling-setter"))
    }
    teller = code
  }

  /// Makes the assignments and says what was heard of each.
  ///
  /// - Throws: before anything is written, if word 0 is not the address of the class's metadata.
  func perform() throws(ClassMetadata.Surprise) -> [Assignment] {
    let person = NativePerson()
    let words = Unmanaged.passUnretained(person).toOpaque().assumingMemoryBound(to: UInt.self)
    guard words[0] == UInt(bitPattern: original.address) else {
      throw ClassMetadata.Surprise(sentence: Text("swiftisa.not-metadata"))
    }
    let copy = copied()
    defer { copy.start.deallocate() }
    words[0] = UInt(bitPattern: copy.address)
    var assignments = [
      assignment(.set, "person.age = 36") { set(person, 36) },
      assignment(.inPlace, "person.age += 1") { add(person, 1) },
      assignment(.final, "person.height = 180") { setHeight(person, 180) },
    ]
    words[0] = UInt(bitPattern: original.address)
    let between = read(person)
    assignments.append(assignment(.restored, "person.age = 40") { set(person, 40) })
    guard between == [37, 180], read(person) == [40, 180] else {
      throw ClassMetadata.Surprise(sentence: Text("swiftisa.values-astray"))
    }
    return assignments
  }

  private func assignment(
    _ way: Assignment.Way, _ code: String, _ body: () -> Void
  ) -> Assignment {
    NativeSwizzle.told = []
    body()
    return Assignment(way: way, code: code, told: NativeSwizzle.told)
  }

  /// The metadata with all that stands before its address, the slot patched.
  private func copied() -> (start: UnsafeMutableRawPointer, address: UnsafeMutableRawPointer) {
    let start = UnsafeMutableRawPointer.allocate(byteCount: original.size, alignment: 16)
    start.copyMemory(from: original.address - original.prefix, byteCount: original.size)
    let address = start + original.prefix
    address.storeBytes(of: teller, toByteOffset: slot.word * 8, as: UInt.self)
    return (start, address)
  }
}

/// Whether the setter that tells does so when it is called through its own vtable: not optimised, or
/// the optimiser would see that nobody needs that.
@_optimize(none) private func rehearsed() -> Bool {
  let person = ToldPerson()
  NativeSwizzle.told = []
  person.age = 1
  return NativeSwizzle.told == ["0 → 1"] && person.age == 1
}

// Each in a function of its own: what kind of object it gets is not known there.

@inline(never) private func set(_ person: NativePerson, _ age: Int) { person.age = age }
@inline(never) private func add(_ person: NativePerson, _ years: Int) { person.age += years }
@inline(never) private func setHeight(_ person: NativePerson, _ height: Int) {
  person.height = height
}
@inline(never) private func read(_ person: NativePerson) -> [Int] { [person.age, person.height] }
