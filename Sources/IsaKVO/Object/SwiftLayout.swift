// How the Swift runtime lays out objects, classes and reflection's notes, as far as no call of the
// runtime answers that; and the comparison of this layout with this process.
//
// Owns:      nothing.
// Lives:     as long as the process; compared once, before anything else is read by it.
// Locks:     none; metadata never changes once it is there.
// Invariant: the library believes nothing that it has not compared. Where the process differs, what
//            asks is given the answer that is right in any case, and the difference is reported once.
//            The comparison itself reads only the first words of classes that have many more, and
//            constants near the expected ones.
internal import CSwiftRuntime
internal import IsaKeyValue
@_spi(Reflection) import Swift

/// Where the Swift runtime keeps what is read here, in bytes.
package struct SwiftLayout: Sendable {
  /// From an object to its first stored property.
  package var firstProperty = headerOffset
  /// From a class's metadata to its own size, and to the size of what stands before it: four bytes
  /// each.
  package var classSize = fixedSize - 24
  package var sizeBefore = fixedSize - 20
  /// From a class's metadata to the members that its root class declares.
  package var members = fixedSize
  /// The first word of the metadata of protocols' types.
  package var existential: UInt = 0x303
  /// The distance from the metadata of structures and enums to the first of the types that a generic
  /// one is made with.
  package var argument = 2 * MemoryLayout<UInt>.size
  /// The distance from the metadata of `any P` to the address of what describes the protocol, which
  /// is not read.
  package var existentialProtocol = 2 * MemoryLayout<UInt>.size
  /// The distances, from reflection's note of a field, to whether it is strong, and whether it is a
  /// variable.
  package var isStrong = 2 * MemoryLayout<UInt>.size
  package var isVariable = 2 * MemoryLayout<UInt>.size + 1
  /// The distance from a class's description to its note of the methods; of a generic class, to its
  /// note of the parameters before that.
  package var methods = 11 * MemoryLayout<UInt32>.size
  /// The bits of a description that has a note of methods; of a generic class; and of a description
  /// that has more before the methods, which is not read here.
  package var hasMethods: UInt32 = 1 << 31
  package var isGeneric: UInt32 = 0x80
  package var hasMore: UInt32 = 3 << 16 | 1 << 29
  private let hasResilientSuperclass: UInt32 = 1 << 29
  /// The distances, from the note of parameters, to their number, to that of requirements, to
  /// whether there is more, which is not read here: two bytes each; and to the parameters, of a
  /// byte each.
  package var parameterCount = 8
  package var requirementCount = 10
  package var moreParameters = 14
  package var parameters = 16
  package var requirementSize = 12
  /// The bytes that a description has for each method, and the bits that tell its kind: the getter of
  /// a variable of the class's objects, and the setter.
  package var methodSize = 8
  package var kind = 0x1F
  package var getter = 0x12
  package var setter = 0x13
  /// The distance from a key path to the size of its steps.
  package var stepsSize = 3 * MemoryLayout<UInt>.size

  /// What cannot be answered by this layout.
  private(set) var unknown: Answers = []

  /// The layout that this library was written for.
  package init() {}

  /// The layout that is believed unless the process's differs. Tests change it before the first
  /// use.
  nonisolated(unsafe) package static var assumed = SwiftLayout()

  /// The layout of this process, as far as it is known.
  static let known: SwiftLayout = {
    var layout = assumed
    layout.unknown = layout.differences.reduce(into: []) { $0.formUnion($1.answers) }
    return layout
  }()

  /// Reports, once in a process, how it differs. No lock is held.
  package static func reportDifferences() {
    if known.unknown.isEmpty { return }
    let isFirst = isReported.withLock { isReported in
      defer { isReported = true }
      return !isReported
    }
    if !isFirst { return }
    let texts = assumed.differences.map { "\($0.text), so that \($0.answers.consequence)" }
    Misuse.report(
      KeyValueError(
        .unsupported,
        reason: "IsaKVO does not know how Swift \(_SwiftStdlibVersion.current) lays out classes: "
          + texts.joined(separator: "; ")))
  }

  private static let isReported = Locked(false)
}

/// The kinds of answers that are read in the runtime's memory, for which there is no call.
package struct Answers: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Which stored properties a class has.
  package static let properties = Answers(rawValue: 1)
  /// Whether a stored property is a variable, and strong: else none is a constant, and none is read.
  package static let natures = Answers(rawValue: 2)
  /// How large the metadata of a class is: else its notes of methods say where these stand.
  package static let sizes = Answers(rawValue: 4)
  /// Which methods are getters, and of which property: else any may be.
  package static let getters = Answers(rawValue: 8)
  /// The same of generic classes.
  package static let genericGetters = Answers(rawValue: 16)
  /// Whether a type is a protocol's: else values are looked into.
  package static let kinds = Answers(rawValue: 32)
  /// What a generic type is made with: else types are cast.
  package static let arguments = Answers(rawValue: 64)
  /// Which steps a key path has: else it is evaluated.
  package static let steps = Answers(rawValue: 128)

  /// What follows where these are unknown, for people.
  fileprivate var consequence: String {
    if contains(.properties) { return "objects of this library's classes cannot be observed" }
    if contains(.natures) { return "constants are taken for variables" }
    if contains(.sizes) { return "methods are found by the compiler's notes of them alone" }
    if !isDisjoint(with: [.getters, .genericGetters]) {
      return "subclasses are taken to override getters of wrapped properties where any method "
        + "differs, and not to override declared computed ones"
    }
    if contains(.steps) {
      return
        "key paths through what has no wrapper, elements and `!` are refused, and overrides of "
        + "declared computed properties are not followed"
    }
    return "what it says is found out in a slower way"
  }
}

#if canImport(ObjectiveC)
  private let fixedSize = 80
#else
  private let fixedSize = 56
#endif

/// The classes that are compared have fewer words of metadata: a number that says more is no size.
private let mostProbed = 64

/// A generic class has fewer bytes of notes of parameters: a note that says more is no such note.
private let mostGenericBytes = 4096

// MARK: - Reading

// The function behind the standard library's own walk, which leaves out what is a `let`.
@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(
  _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutableRawPointer
) -> Any.Type

// The compiler's notes of a class.
@_silgen_name("swift_getTypeContextDescriptor")
private func description(of type: Any.Type) -> UnsafeRawPointer?

/// The compiler's notes of the methods that a class declares, in the order of the source.
struct MethodNotes {
  let start: UnsafeRawPointer
  /// The size of each method's note.
  let bytes: Int
  /// The place of the first method in the class's metadata, in words.
  let firstWord: Int
  let kinds: [Int]
}

extension SwiftLayout {
  private func half(_ cls: AnyClass, _ offset: Int) -> Int {
    Int(unsafeBitCast(cls, to: UnsafeRawPointer.self).load(fromByteOffset: offset, as: UInt32.self))
  }

  /// Where the metadata of a class has its members and those of the classes above it, in words; nil if
  /// that is not known.
  func memberWords(of cls: AnyClass) -> Range<Int>? {
    if unknown.contains(.sizes) { return notedWords(of: cls) }
    let word = MemoryLayout<UInt>.size
    let size = half(cls, classSize) - half(cls, sizeBefore)
    guard size % word == 0, members...(1 << 20) ~= size else { return nil }
    return members / word..<size / word
  }

  /// The same by the notes of methods, from the first to the last.
  private func notedWords(of cls: AnyClass) -> Range<Int>? {
    var all: Range<Int>?
    for owner in sequence(first: cls, next: { _getSuperclass($0) }) where declaresMethods(owner) {
      guard let notes = methodNotes(of: owner) else { return nil }
      let own = notes.firstWord..<notes.firstWord + notes.kinds.count
      all =
        all.map { min($0.lowerBound, own.lowerBound)..<max($0.upperBound, own.upperBound) } ?? own
    }
    return all
  }

  private func declaresMethods(_ type: AnyClass) -> Bool {
    guard !unknown.contains(.getters), let description = description(of: type) else { return true }
    return description.load(as: UInt32.self) & hasMethods != 0
  }

  /// The words in which two classes differ.
  func differing(_ words: Range<Int>, _ first: AnyClass, _ second: AnyClass) -> Set<Int> {
    let one = unsafeBitCast(first, to: UnsafePointer<UInt>.self)
    let other = unsafeBitCast(second, to: UnsafePointer<UInt>.self)
    return Set(words.filter { one[$0] != other[$0] })
  }

  /// Whether a type is that of values of any type that conforms; true, too, if it is not known.
  func isExistential(_ type: Any.Type) -> Bool {
    unknown.contains(.kinds)
      || unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == existential
  }

  /// The first type that a structure or enum is made with, if `sample` is of the same generic one.
  func argument(of type: Any.Type, like sample: Any.Type) -> Any.Type? {
    guard let described = description(of: sample), description(of: type) == described else {
      return nil
    }
    if unknown.contains(.arguments) { return castArgument(of: type) }
    return unsafeBitCast(type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: argument, as: Any.Type.self)
  }

  /// What describes the protocol of a type `any P`.
  func onlyProtocol(of type: Any.Type) -> UnsafeRawPointer? {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: existentialProtocol, as: UnsafeRawPointer?.self)
  }

  /// The compiler's notes of a class.
  func notes(of type: AnyClass) -> UnsafeRawPointer? { description(of: type) }

  /// Whether the compiler reaches the properties of a class by code alone, as it does in a generic
  /// class below one whose size another module may change.
  func hidesPlaces(of type: AnyClass) -> Bool {
    if unknown.contains(.getters) { return false }
    func flags(_ type: AnyClass) -> UInt32 { description(of: type)?.load(as: UInt32.self) ?? 0 }
    return flags(type) & isGeneric != 0
      && sequence(first: type, next: { _getSuperclass($0) }).contains {
        flags($0) & hasResilientSuperclass != 0
      }
  }

  /// Calls `body` with the stored properties of a class, inherited ones first.
  func forEachProperty(of type: AnyClass, _ body: (StoredProperty) -> Void) {
    if unknown.contains(.properties) { return }
    var index = 0
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, at, field, _ in
      defer { index += 1 }
      let nature = nature(of: type, at: index)
      body(
        StoredProperty(
          name: sourceName(String(cString: name)), offset: at - firstProperty, type: field,
          isStrong: nature.isStrong, isVariable: nature.isVariable))
      return true
    }
  }

  /// The compiler's notes of a class's methods; nil where that has parts of unknown length before
  /// it.
  ///
  /// - Parameter most: More words than the class's metadata has.
  func methodNotes(of type: AnyClass, most: Int = 1 << 16) -> MethodNotes? {
    guard !unknown.contains(.getters), let description = description(of: type) else { return nil }
    let flags = description.load(as: UInt32.self)
    // Neither initialised at run time nor below a class whose layout is not known.
    guard flags & hasMethods != 0, flags & hasMore == 0,
      flags & isGeneric == 0 || !unknown.contains(.genericGetters),
      let generic = flags & isGeneric == 0 ? 0 : genericBytes(at: description + methods)
    else { return nil }
    let table = description + methods + generic
    func number(_ offset: Int) -> Int { Int(swift_runtime_note32(table + offset)) }
    let first = number(0), count = number(4)
    let words =
      unknown.contains(.sizes) ? most : half(type, classSize) / MemoryLayout<UInt>.size
    guard first <= words, count <= words - first else { return nil }
    return MethodNotes(
      start: table + 8, bytes: methodSize, firstWord: first,
      kinds: (0..<count).map { number(8 + methodSize * $0) & kind })
  }

  /// The bytes that a generic class's parameters take in its description; nil if they have parts of
  /// unknown length.
  private func genericBytes(at start: UnsafeRawPointer) -> Int? {
    func half(_ offset: Int) -> Int { Int(swift_runtime_note16(start + offset)) }
    let bytes =
      parameters + (half(parameterCount) + 3) / 4 * 4 + half(requirementCount) * requirementSize
    return half(moreParameters) == 0 && bytes < mostGenericBytes ? bytes : nil
  }

  private func nature(of type: AnyClass, at index: Int) -> (isStrong: Bool, isVariable: Bool) {
    if unknown.contains(.natures) { return (false, true) }
    // More room than is known to be needed.
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      // The name in it is the class's own, which nobody frees.
      _ = childMetadata(type, index: index, fieldMetadata: room.baseAddress!)
      return (room[isStrong] != 0, room[isVariable] != 0)
    }
  }
}

/// A name as it stands in the source between backticks; the compiler leaves these on a name that has
/// blanks, and writes no-break ones for them.
func sourceName(_ name: String) -> String {
  guard name.hasPrefix("`"), name.hasSuffix("`") else { return name }
  return String(name.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 })
}

// MARK: - Comparing

extension SwiftLayout {
  /// The differences between this process and the layout assumed, with what cannot be answered then.
  package var differences: [(answers: Answers, text: String)] {
    let probe = StoringProbe()
    let size = sizeDifference
    // The notes are compared without the sizes where these are not known.
    var rest = self
    if size != nil { rest.unknown = .sizes }
    let all: [(Answers, String?)] = withExtendedLifetime(probe) {
      [
        (.properties, objectDifference(probe) ?? fieldDifference(probe)),
        (.natures, natureDifference), (.sizes, size), (.getters, rest.notesDifference),
        (.genericGetters, rest.genericDifference), (.kinds, kindDifference),
        (.arguments, argumentDifference),
        (.steps, knowsSteps ? nil : "key paths do not tell their steps as expected"),
      ]
    }
    return all.compactMap { answers, text in text.map { (answers, $0) } }
  }

  /// Compares with the address that Swift gives of an object's first property.
  private func objectDifference(_ probe: StoringProbe) -> String? {
    let object = UnsafeRawPointer(Unmanaged.passUnretained(probe).toOpaque())
    let first = probe.address(of: &probe.first) - object
    return first == firstProperty
      ? nil : "the first property of an object is \(first) bytes from it, not \(firstProperty)"
  }

  /// Compares with classes that differ in a method which is known.
  private var sizeDifference: String? {
    // So small a class has no more, whatever stands where its size is read.
    guard let words = memberWords(of: TableProbe.self), words.count < mostProbed,
      let more = memberWords(of: LongerTableProbe.self), more.count == words.count + 1
    else { return "a class with one method more is not stated to be one word longer" }
    let always = differing(words, TableProbe.self, SameProbe.self)
    let first = differing(words, TableProbe.self, FirstProbe.self).subtracting(always)
    if first != [words.lowerBound] {
      return "the first method of a class is not at word \(words.lowerBound) of its metadata"
    }
    let last = differing(words, TableProbe.self, LastProbe.self).subtracting(always)
    return last == [words.upperBound - 1]
      ? nil : "the last method of a class is not at word \(words.upperBound - 1) of its metadata"
  }

  /// Compares with types whose kind is known.
  private var kindDifference: String? {
    let types: [(Any.Type, Bool)] = [
      (Any.self, true), ((any Equatable).self, true), (Int.self, false), ((Int, Int).self, false),
      (Int?.self, false), ((() -> Void).self, false),
    ]
    let wrong = types.first { isExistential($0.0) != $0.1 }
    return wrong.map { "the metadata of \($0.0) does not state its kind as expected" }
  }

  /// Compares with generic types that are known.
  private var argumentDifference: String? {
    let types: [(Any.Type, like: Any.Type, Any.Type?)] = [
      ([UInt8].self, [Int].self, UInt8.self), (String?.self, Int?.self, String.self),
      (Set<Int>.self, [Int].self, nil), (Int.self, [Int].self, nil), ([Int].self, Int?.self, nil),
      (StoringProbe.self, Int?.self, nil),
    ]
    // Only compared: nothing is known yet of what stands there.
    let wrong = types.first { argument(of: $0.0, like: $0.like) != $0.2 }
    return wrong.map { "the metadata of \($0.0) does not state what it is made with as expected" }
  }

  /// Compares with the properties of a class.
  private func fieldDifference(_ probe: StoringProbe) -> String? {
    var found: [StoredProperty] = []
    forEachProperty(of: StoringProbe.self) { found.append($0) }
    // Of a constant and of a weak variable Swift gives no address.
    let last = probe.address(of: &probe.last) - probe.address(of: &probe.first)
    let expected: [(name: String, offset: Int?)] = [
      ("first", 0), ("constant", nil), ("object", nil), ("last", last),
    ]
    guard found.map(\.name) == expected.map(\.name) else {
      return "reflection names properties \(found.map(\.name)), not \(expected.map(\.name))"
    }
    for (property, known) in zip(found, expected) {
      if let offset = known.offset, property.offset != offset {
        return "reflection finds property \(known.name) at \(property.offset), not \(offset)"
      }
    }
    return nil
  }

  /// The same with what they are.
  private var natureDifference: String? {
    var wrong: String?
    forEachProperty(of: StoringProbe.self) { property in
      let (isStrong, isVariable) = (property.name != "object", property.name != "constant")
      if property.isStrong != isStrong {
        wrong =
          "reflection takes property \(property.name) for a \(isStrong ? "weak" : "strong") one"
      } else if property.isVariable != isVariable {
        wrong = "reflection takes property \(property.name) for a \(isVariable ? "let" : "var")"
      }
    }
    return wrong
  }
}

extension SwiftLayout {
  /// Compares with classes whose methods are known.
  private var notesDifference: String? { difference(of: VariableProbe.self, OtherVariable.self) }
  private var genericDifference: String? {
    difference(of: GenericProbe<Int, Int>.self, OtherGeneric.self)
  }

  /// Compares with a class that begins with a variable, which a subclass overrides.
  private func difference(of first: AnyClass, _ second: AnyClass) -> String? {
    let kinds = [getter, setter]
    guard let notes = methodNotes(of: first, most: mostProbed), notes.kinds.count > kinds.count
    else {
      return "the methods of class \(first) are not where its description has them"
    }
    if Array(notes.kinds.prefix(kinds.count)) != kinds {
      return "the description of class \(first) does not begin with a getter and a setter"
    }
    let words = notes.firstWord..<notes.firstWord + kinds.count
    return differing(words, first, second).count == kinds.count
      ? nil : "the first variable of class \(first) is not at word \(notes.firstWord)"
  }
}

/// A class whose properties are known.
private final class StoringProbe {
  var first: UInt = 1
  let constant: UInt = 2
  weak var object: AnyObject?
  var last: UInt8 = 3

  func address<Value>(of value: inout Value) -> UnsafeRawPointer {
    withUnsafeMutablePointer(to: &value) { UnsafeRawPointer($0) }
  }
}

/// A class whose methods are known; as users see it, so that no compiler takes out what nobody calls.
@usableFromInline
class TableProbe {
  @usableFromInline func first() -> Int { 1 }
  @usableFromInline init() {}
  @usableFromInline func second() -> Int { 2 }
  @usableFromInline func third() -> Int { 3 }
  @usableFromInline func fourth() -> Int { 4 }
  @usableFromInline func fifth() -> Int { 5 }
  @usableFromInline func last() -> Int { 6 }
}

/// A class that has a method more.
@usableFromInline
class LongerTableProbe {
  @usableFromInline func first() -> Int { 11 }
  @usableFromInline init() {}
  @usableFromInline func second() -> Int { 12 }
  @usableFromInline func third() -> Int { 13 }
  @usableFromInline func fourth() -> Int { 14 }
  @usableFromInline func fifth() -> Int { 15 }
  @usableFromInline func sixth() -> Int { 16 }
  @usableFromInline func last() -> Int { 17 }
}

private final class SameProbe: TableProbe {}
private final class FirstProbe: TableProbe {
  override func first() -> Int { 21 }
}
private final class LastProbe: TableProbe {
  override func last() -> Int { 22 }
}

/// Classes that begin with a variable.
@usableFromInline
class VariableProbe {
  @usableFromInline var variable: Int {
    get { 31 }
    set { print(newValue, 31) }
  }
  @usableFromInline init() {}
  @usableFromInline func last() -> Int { 32 }
}

@usableFromInline
class GenericProbe<First: Hashable, Second> {
  @usableFromInline var variable: Int {
    get { 41 }
    set { print(newValue, 41) }
  }
  @usableFromInline init() {}
  @usableFromInline func last() -> Int { 42 }
}

private final class OtherVariable: VariableProbe {
  override var variable: Int {
    get { 33 }
    set { print(newValue, 33) }
  }
}
private final class OtherGeneric: GenericProbe<Int, Int> {
  override var variable: Int {
    get { 43 }
    set { print(newValue, 43) }
  }
}
