// The steps of a key path, as they stand in its memory, and the names that the source gave to the
// properties on it.
//
// A key path's description tells names and types in words only, and takes long. The key path's
// memory has the distance of a stored property, or the getter by which the compiler tells a
// computed property from others. The reader that has read the property knows which property that
// is; otherwise the program's symbols tell it, where an optimiser has left one. Nothing is
// evaluated.
//
// Owns:      the names that were found, for the life of the process: as many as the program has
//            such code.
// Locks:     its own, held for a look into the table only; a key path never changes.
// Invariant: no key path is looked into before a key path with steps of each kind has given its
//            types here.
internal import IsaKeyValue
internal import Observation
@_spi(Reflection) import Swift

/// A step of a key path that reads a property.
struct KeyPathStep {
  /// The type that the key path finds the property in.
  let owner: Any.Type
  /// The type of the property's values.
  let type: Any.Type
  fileprivate let property: Property
  /// Whether nil at this step stops the process.
  fileprivate(set) var isForced = false
  /// Whether nil at this step is the key path's value.
  fileprivate(set) var isChained = false

  fileprivate enum Property {
    /// Of an object: bytes from it on.
    case stored(Int)
    /// Of a structure: bytes from its start on.
    case part(Int)
    case computed(Accessor)
    /// A subscript, or a property of a generic class.
    case indexed(Accessor, Arguments)
  }

  /// The code that reads a computed property.
  fileprivate struct Accessor {
    let getter: UInt
    /// The identity that the compiler gave to the property.
    let identity: UInt
    /// Where it reads what its class stores, the property's place among the class's properties.
    let place: Int?

    var code: UnsafeRawPointer { UnsafeRawPointer(bitPattern: getter).unsafelyUnwrapped }

    /// A number that tells the property from the others of its class.
    var number: UInt { place == nil ? identity : getter }
  }

  /// Arguments in the memory of the key path.
  fileprivate struct Arguments {
    let all: UnsafeRawBufferPointer
    /// The first word of them, read while the key path was there.
    let first: UInt
  }

  /// Whether the property is of an object.
  var isOfObject: Bool {
    switch property {
    case .stored, .computed, .indexed: owner is AnyClass
    case .part: false
    }
  }

  /// The property's name in the source; nil for what has none, such as a subscript or a property of a
  /// structure, and for a computed property of a program that was stripped of its symbols.
  var name: String? { name(asking: true) }

  /// The same, unless it takes a look at the program's symbols that nobody has taken yet.
  ///
  /// - Parameter isAsking: Whether that look is taken.
  func name(asking isAsking: Bool) -> String? {
    guard let owner = owner as? AnyClass else { return nil }
    switch property {
    case .stored(let offset): return storedName(at: offset, of: owner)
    case .computed(let accessor), .indexed(let accessor, _):
      if let known = accessor.knownName(in: owner) { return known }
      return isAsking ? accessor.nameBySymbols(in: owner) : nil
    case .part: return nil
    }
  }

  /// The index, if it is the step from an array to an element.
  var index: Int? {
    guard case .indexed(let accessor, let arguments) = property,
      accessor.identity == elementIdentity, argument(of: owner, like: [Int].self) != nil
    else { return nil }
    return Int(bitPattern: arguments.first)
  }

  /// Whether both read the same property of a class, as the compiler tells.
  func isSame(as other: KeyPathStep) -> Bool {
    switch (property, other.property) {
    case (.stored(let own), .stored(let offset)): own == offset
    case (.computed(let own), .computed(let accessor)),
      (.indexed(let own, _), .indexed(let accessor, _)):
      own.number == accessor.number
    default: false
    }
  }
}

/// The identity of an array's elements in key paths; of nothing, where an index is not found in one.
private let elementIdentity: UInt = {
  let path: AnyKeyPath = \[Int].[54]
  guard case .indexed(let accessor, let arguments)? = path.steps.only?.property,
    arguments.first == 54
  else { return 0 }
  return accessor.identity
}()

private func storedName(at offset: Int, of type: AnyClass) -> String? {
  var name: String?
  forEachProperty(of: type) { property in
    if property.offset + SwiftLayout.known.firstProperty == offset { name = property.name }
  }
  return name
}

// MARK: - Names

extension KeyPathStep.Accessor {
  /// A class and the number of a property in it.
  fileprivate struct Key: Hashable {
    let owner: ObjectIdentifier
    let number: UInt
  }

  /// The name, nil in it for what has none; nil as long as it has not been looked for.
  fileprivate func knownName(in type: AnyClass) -> String?? {
    knownNames.withLock { names in
      for owner in sequence(first: type, next: { _getSuperclass($0) }) {
        if let name = names[Key(owner: ObjectIdentifier(owner), number: number)] { return name }
      }
      return nil
    }
  }

  fileprivate func nameBySymbols(in type: AnyClass) -> String? {
    let name = variableName(of: identity, in: type) ?? variableNames(at: [getter])[getter]
    note(name, in: type)
    return name
  }

  fileprivate func note(_ name: String?, in type: AnyClass) {
    knownNames.withLock { $0[Key(owner: ObjectIdentifier(type), number: number)] = .some(name) }
  }
}

private let knownNames = Locked<[KeyPathStep.Accessor.Key: String?]>([:])

extension KeyPathStep {
  /// The code that reads a wrapped property, unless it is that which serves all properties by name.
  fileprivate func accessor(of field: Field) -> Accessor? {
    switch property {
    case .computed(let accessor): return accessor
    case .indexed(let accessor, _):
      let named = field.path(from: field.owner).steps.only
      return named.map(isSame) == false ? accessor : nil
    default: return nil
    }
  }
}

extension Field {
  /// Notes that a key path of one step is the property's own.
  func noteName(of path: AnyKeyPath) {
    // A property that a class hides has another key than name.
    guard let step = path.steps.only, let accessor = step.accessor(of: self),
      let owner = step.owner as? AnyClass, !key.hasSuffix(")")
    else { return }
    if (accessor.knownName(in: owner) ?? nil) == nil { accessor.note(key, in: owner) }
  }
}

extension Array {
  /// The element, if there is only one.
  var only: Element? { count == 1 ? self[0] : nil }
}

// MARK: - Variables that nobody hears of

extension KeyPathStep {
  /// Whether Observation alone can tell of changes of the property.
  var isOfOtherClass: Bool { isOfObject && !(owner is KVObject.Type) }

  /// The variable that the step reads, if nobody tells of its changes: a stored variable that
  /// neither a wrapper nor the macro stands before. A computed step is known by its name, or else
  /// by its place: a compiler of whole modules may leave the code that reads it without a symbol.
  var unheardVariable: String? {
    guard isOfObject, let owner = owner as? AnyClass else { return nil }
    let registration = (owner as? KVObject.Type).flatMap { try? ClassRegistration.of($0) }
    if let registration, !registration.hasUnheardVariables { return nil }
    // What the library itself keeps in an object is no variable of the program's.
    let first = isOfOtherClass ? 0 : instanceSize(of: KVObject.self)
    var found: String?
    var place = 0
    if let above = _getSuperclass(owner) { forEachProperty(of: above) { _ in place -= 1 } }
    forEachProperty(of: owner) { stored in
      if stored.offset >= first, stored.isVariable, fieldStorage(of: stored.type) == nil,
        reads(stored, at: place)
      {
        found = stored.name
      }
      place += 1
    }
    // A class may announce changes of a variable by hand.
    return found.flatMap { registration?.fieldsByKey[KeyName($0)] == nil ? $0 : nil }
  }

  private func reads(_ stored: StoredProperty, at place: Int) -> Bool {
    switch property {
    case .stored(let offset): stored.offset + SwiftLayout.known.firstProperty == offset
    case .computed(let accessor), .indexed(let accessor, _):
      name.map { $0 == stored.name } ?? (accessor.place == place)
    case .part: false
    }
  }

  /// The way to have changes of a variable told.
  var cure: String {
    if !isOfOtherClass { return "wrap it with @Dynamic" }
    if #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *),
      owner is any Observable.Type
    {
      return "have @Observable track it, or declare it by let"
    }
    return "have the macro @Observable write its class, or declare it by let"
  }
}

// MARK: - Reading

extension KeyPathStep {
  /// Where the value stands that is read of what stands at `base`; nil if code makes it.
  func address(in base: UnsafeRawPointer) -> UnsafeRawPointer? {
    switch property {
    case .stored(let offset): base.load(as: UnsafeRawPointer.self) + offset
    case .part(let offset): base + offset
    case .computed, .indexed: nil
    }
  }

  /// The code that makes the value otherwise, and its arguments, which the key path owns.
  var code: (getter: UnsafeRawPointer, arguments: UnsafeRawBufferPointer)? {
    switch property {
    case .stored, .part: nil
    case .computed(let accessor): (accessor.code, UnsafeRawBufferPointer(start: nil, count: 0))
    case .indexed(let accessor, let arguments): (accessor.code, arguments.all)
    }
  }
}

extension AnyKeyPath {
  /// The steps that read properties; none for the object itself, and where key paths are not laid out
  /// as this library knows it.
  var steps: [KeyPathStep] { knowsSteps ? assumedSteps ?? [] : [] }

  /// The same, as the layout is assumed to be; nil if it cannot be that.
  fileprivate var assumedSteps: [KeyPathStep]? {
    withExtendedLifetime(self) {
      var reader = StepReader(self)
      var steps: [KeyPathStep] = []
      while !reader.isAtEnd {
        let owner = reader.owner
        guard let part = reader.takePart() else { return nil }
        reader.takeType()
        switch part {
        case .property(let property):
          steps.append(KeyPathStep(owner: owner, type: reader.owner, property: property))
        case .chain where !steps.isEmpty: steps[steps.count - 1].isChained = true
        case .force where !steps.isEmpty: steps[steps.count - 1].isForced = true
        default: break
        }
      }
      return reader.hasReadAll ? steps : nil
    }
  }

  /// The key path for people: `\Person.home?.<computed (Bool)>`.
  var text: String {
    if !knowsSteps { return "\(self)" }
    return steps.reduce("\\" + _typeName(type(of: self).rootType, qualified: false)) { text, step in
      "\(text).\(step.text)\(step.isForced ? "!" : step.isChained ? "?" : "")"
    }
  }

  /// Whether it may stop at nil or at no element, or lead through a variable that nobody tells of, as
  /// far as its description says: for where its memory tells no steps.
  var mayStop: Bool {
    if knowsSteps { return false }
    let parts = "\(self)".split(separator: ".<computed ", omittingEmptySubsequences: false)
    // A step that is stored stands there by its name.
    return parts[0] != "\\" + _typeName(type(of: self).rootType, qualified: false)
      || parts.dropFirst().contains { !$0.hasSuffix(")>") && !$0.hasSuffix(")>?") }
      || parts.dropFirst().dropLast().contains { $0.contains("Array<") }
  }

  /// Whether there is another step behind the steps that read these properties, if they are its
  /// first.
  func goesOn(behind fields: [Field]) -> Bool {
    var rest = steps[...]
    for field in fields {
      guard let found = rest.firstIndex(where: { $0.mayRead(field) }) else { return false }
      rest = rest[(found + 1)...]
    }
    return !rest.isEmpty
  }
}

extension KeyPathStep {
  /// Whether it may be a wrapped property, which is a computed one.
  fileprivate func mayRead(_ field: Field) -> Bool {
    switch property {
    case .computed, .indexed: type == field.valueType
    default: false
    }
  }

  fileprivate var text: String {
    switch property {
    case .stored: name ?? "<stored>"
    case .part(let offset): partName(at: offset) ?? "<stored>"
    default: "<computed (\(_typeName(type, qualified: false)))>"
    }
  }

  private func partName(at offset: Int) -> String? {
    var name: String?
    _ = _forEachField(of: owner) { start, at, _, _ in
      if at == offset { name = String(cString: start) }
      return name == nil
    }
    return name
  }
}

/// Where in the object stands what the key path's only step reads, if it is stored in there; nil also
/// where key paths are not laid out as this library knows it.
@usableFromInline
func address(storedBy path: AnyKeyPath, in object: AnyObject) -> UnsafeMutableRawPointer? {
  guard knowsSteps, let offset = StepReader.onlyOffset(path) else { return nil }
  return Unmanaged.passUnretained(object).toOpaque() + offset
}

/// A key path that leads to where it starts, whatever stands there.
@usableFromInline
func pathToItself<Start, Value>() -> WritableKeyPath<Start, Value> {
  unsafeBitCast(FirstMember.path, to: WritableKeyPath<Start, Value>.self)
}

/// A structure that begins where its member does.
private struct FirstMember {
  static let path: any WritableKeyPath<FirstMember, Int> & Sendable = \.member

  /// Whether the path leads to where it starts for other types too.
  static var isFollowed: Bool {
    var probes = [StepProbe()]
    let other = StepProbe()
    probes.withUnsafeMutableBufferPointer {
      let path: WritableKeyPath<StepProbe, StepProbe> = pathToItself()
      $0.baseAddress.unsafelyUnwrapped.pointee[keyPath: path] = other
    }
    return probes[0] === other
  }

  var member = 0
}

/// Reads the steps of a key path one after the other.
private struct StepReader {
  /// A part of a key path.
  enum Part {
    case property(KeyPathStep.Property)
    /// The mark behind an optional, `?`; the optional that such marks make at the end; and `!`.
    case chain, wrap, force
  }

  private let start: UnsafeRawPointer
  private let size: Int
  private var at = 0
  /// The type that the next step is of; at the end, the key path's.
  private(set) var owner: Any.Type
  private let valueType: Any.Type

  init(_ path: AnyKeyPath) {
    self.init(path, from: type(of: path).rootType, to: type(of: path).valueType)
  }

  /// Behind the object's header and the name of the key path stand the size of the steps, and these.
  private init(_ path: AnyKeyPath, from owner: Any.Type, to valueType: Any.Type) {
    let object = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
    let place = SwiftLayout.assumed.stepsSize
    size = Int(object.load(fromByteOffset: place, as: UInt32.self) & 0xFF_FFFF)
    start = object + place + word
    self.owner = owner
    self.valueType = valueType
  }

  /// How many bytes behind the object's start stands what the key path's only step reads; nil if that
  /// is not one stored property of an object.
  static func onlyOffset(_ path: AnyKeyPath) -> Int? {
    withExtendedLifetime(path) {
      // No type is asked for.
      var reader = StepReader(path, from: Never.self, to: Never.self)
      guard case .property(.stored(let offset))? = reader.takePart(), reader.hasReadAll else {
        return nil
      }
      return offset
    }
  }

  var isAtEnd: Bool { at >= size }
  var hasReadAll: Bool { at == size }

  /// Takes a part but for the type of its value; nil for one of an unknown kind.
  mutating func takePart() -> Part? {
    let head: UInt32 = take()
    switch (head >> 24 & 0x7F, head & 0xFF_FFFF) {
    case (1, _): return .property(.part(takeOffset(head)))
    case (2, _): return .property(takeComputed(head))
    case (3, _): return .property(.stored(takeOffset(head)))
    case (4, 0): return .chain
    case (4, 1): return .wrap
    case (4, 2): return .force
    default: return nil
    }
  }

  /// Takes the type of the part's value, unless that is the key path's.
  mutating func takeType() {
    if isAtEnd { return owner = valueType }
    align()
    owner = unsafeBitCast(take() as UInt, to: Any.Type.self)
  }

  /// An offset stands in the head, or behind it if it is a large one.
  private mutating func takeOffset(_ head: UInt32) -> Int {
    let inside = head & 0x7F_FFFF
    return Int(inside == 0x7F_FFFF ? take() as UInt32 : inside)
  }

  /// The identity and the code of a computed step, and the arguments of a subscript.
  private mutating func takeComputed(_ head: UInt32) -> KeyPathStep.Property {
    align()
    let identity: UInt = take(), getter: UInt = take()
    if head & 0x40_0000 != 0 { at += word }
    let place = head & 0x20_0000 != 0 ? Int(identity) : nil
    let plain = KeyPathStep.Accessor(getter: getter, identity: identity, place: place)
    if head & 0x08_0000 == 0 { return .computed(plain) }
    // Two bits say whether the arguments are aligned to more than words, and a word before them is free.
    let size: UInt = take(), room = Int(size & .max >> 2)
    at += word + (head & 0x10 != 0 ? word : 0) + (size & 1 << (UInt.bitWidth - 2) != 0 ? word : 0)
    var arguments = self
    let all = UnsafeRawBufferPointer(start: start + at, count: room)
    at += room
    // Beside a subscript's, a property has arguments too: none.
    return room == 0
      ? .computed(plain) : .indexed(plain, .init(all: all, first: arguments.take()))
  }

  private mutating func take<Number: FixedWidthInteger & BitwiseCopyable>() -> Number {
    defer { at += MemoryLayout<Number>.size }
    return at + MemoryLayout<Number>.size > size
      ? 0 : start.loadUnaligned(fromByteOffset: at, as: Number.self)
  }

  private mutating func align() { at = (at + word - 1) / word * word }
}

private let word = MemoryLayout<UInt>.size

/// Whether key paths are laid out as this library knows it: one with steps of each kind is.
let knowsSteps: Bool = {
  // Where code has signed addresses, no word is one.
  #if _ptrauth(_arm64e) || !(arch(x86_64) || arch(arm64))
    return false
  #else
    let chained: AnyKeyPath = \StepProbe.pair.second.next?.constant
    let forced: AnyKeyPath = \StepProbe.computed[1][2].next!.constant
    return StepReader.fits(chained, 100) && StepReader.fits(forced, 204)
      && chained.assumedSteps?.map(\.isChained) == [false, false, true, false]
      && forced.assumedSteps?.map(\.isForced) == [false, false, false, true, false]
      && StepProbe.areOffsetsRead && FirstMember.isFollowed
  #endif
}()

extension StepReader {
  /// Whether a key path's steps take so many bytes, and what stands between them are types of the probe's.
  fileprivate static func fits(_ path: AnyKeyPath, _ size: Int) -> Bool {
    var reader = StepReader(path)
    if reader.size != size { return false }
    var types: [Any.Type] = []
    for _ in 0..<16 where !reader.isAtEnd {
      types.append(reader.owner)
      guard reader.takePart() != nil else { return false }
      // No word is taken for a type that is none of these.
      guard reader.isAtEnd || reader.isBeforeType(among: StepProbe.types) else { return false }
      reader.takeType()
    }
    return reader.hasReadAll && types.contains { $0 == StepProbe.self }
      && types.contains { $0 == StepProbe?.self }
  }

  /// Whether the word that comes next is one of these types.
  private func isBeforeType(among types: [Any.Type]) -> Bool {
    var copy = self
    copy.align()
    let next: UInt = copy.take()
    return types.contains { unsafeBitCast($0, to: UInt.self) == next }
  }
}

/// A class with a property of each kind.
private final class StepProbe {
  struct Pair {
    var first = 1
    var second: StepProbe
  }

  static let types: [Any.Type] = [
    StepProbe.self, StepProbe?.self, Pair.self, Int.self, Int?.self,
  ]
  /// Whether key paths tell where stored properties stand.
  static var areOffsetsRead: Bool {
    let probe = StepProbe()
    let object = UnsafeRawPointer(Unmanaged.passUnretained(probe).toOpaque())
    let next = withUnsafeMutablePointer(to: &probe.next) { UnsafeRawPointer($0) - object }
    let last = withUnsafeMutablePointer(to: &probe.last) { UnsafeRawPointer($0) - object }
    return withExtendedLifetime(probe) {
      StepReader.onlyOffset(\StepProbe.next) == next
        && StepReader.onlyOffset(\StepProbe.last) == last
    }
  }

  let constant = 54
  var next: StepProbe?
  var last: UInt8 = 0
  var pair: Pair { Pair(second: self) }
  var computed: StepProbe {
    get { self }
    set { print(newValue) }
  }
  subscript(index: Int) -> StepProbe { self }
}
