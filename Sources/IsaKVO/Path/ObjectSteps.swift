// The steps of a key path that read a property of an object, with the classes that it finds them in.
//
// A key path's description tells the names of its steps and the types of their values in words only. The
// types themselves stand between the steps in the key path's own memory.
//
// Owns:      nothing.
// Locks:     none; a key path never changes.
// Invariant: no key path is looked into before one with steps of each kind has given its types here.
internal import IsaRuntime
internal import Observation

/// A step of a key path that reads a property of an object.
struct ObjectStep {
  /// The class that the key path finds the property in.
  let owner: AnyClass
  fileprivate let property: Property

  fileprivate enum Property {
    /// Bytes from the object on.
    case stored(Int)
    /// And where it reads what its class stores, the property's place among those of the class.
    case computed(KeyPathStep, Int?)
  }

  /// Whether Observation alone can tell of changes of the property.
  var isOfOtherClass: Bool { !(owner is KVObject.Type) }

  /// The variable that the step reads, if nobody tells of its changes: a stored one that neither a
  /// wrapper nor the macro stands before. A computed step is known by its name, or else by its place:
  /// a compiler of whole modules may leave the code that reads it without a symbol.
  var unheardVariable: String? {
    var found: String?
    var place = 0
    if let above = _getSuperclass(owner) { forEachProperty(of: above) { _ in place -= 1 } }
    forEachProperty(of: owner) { stored in
      if stored.isVariable, !(stored.type is any FieldStorage.Type), reads(stored, at: place) {
        found = stored.name
      }
      place += 1
    }
    return found.flatMap { isDeclared($0) ? nil : $0 }
  }

  /// Whether the class announces changes of a variable by hand.
  private func isDeclared(_ name: String) -> Bool {
    guard let type = owner as? KVObject.Type, let known = try? ClassRegistration.of(type) else {
      return false
    }
    return known.fieldsByKey[name] != nil
  }

  private func reads(_ stored: StoredProperty, at place: Int) -> Bool {
    switch property {
    case .stored(let offset): stored.offset + SwiftLayout.known.firstProperty == offset
    case .computed(let step, let own):
      step.name(in: owner).map { $0 == stored.name } ?? (own == place)
    }
  }

  /// The way to have changes of a variable told.
  var cure: String {
    if #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *),
      owner is any Observable.Type
    {
      return "have @Observable track it, or declare it by let"
    }
    return "have the macro @Observable write its class, or declare it by let"
  }
}

extension AnyKeyPath {
  /// The steps that read a property of an object; none where key paths are not laid out as this library
  /// knows it.
  var objectSteps: [ObjectStep] { knowsSteps ? assumedObjectSteps ?? [] : [] }

  /// The same, as the layout is assumed to be; nil if it cannot be that.
  private var assumedObjectSteps: [ObjectStep]? {
    withExtendedLifetime(self) {
      var reader = StepReader(self)
      var steps: [ObjectStep] = []
      while !reader.isAtEnd {
        guard let property = reader.takeProperty() else { return nil }
        if let property, let owner = reader.owner as? AnyClass {
          steps.append(ObjectStep(owner: owner, property: property))
        }
        reader.takeType()
      }
      return reader.hasReadAll ? steps : nil
    }
  }
}

/// Reads the steps of a key path one after the other.
private struct StepReader {
  private let start: UnsafeRawPointer
  private let size: Int
  private var at = 0
  /// The type that the next step is of.
  private(set) var owner: Any.Type

  /// Behind the object's header and the name of the key path stand the size of the steps, and these.
  init(_ path: AnyKeyPath) {
    let object = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
    size = Int(object.load(fromByteOffset: 3 * word, as: UInt32.self) & 0xFF_FFFF)
    start = object + 4 * word
    owner = type(of: path).rootType
  }

  var isAtEnd: Bool { at >= size }
  var hasReadAll: Bool { at == size }

  /// Takes a step but for the type of its value; the property of an object that it reads, if it may be
  /// one. Nil for a step of an unknown kind.
  mutating func takeProperty() -> ObjectStep.Property?? {
    let head: UInt32 = take()
    switch head >> 24 & 0x7F {
    case 1:
      _ = takeOffset(head)
      return .some(nil)
    case 2: return takeComputed(head)
    case 3: return ObjectStep.Property.stored(takeOffset(head))
    case 4: return .some(nil)
    default: return nil
    }
  }

  /// Takes the type of the step's value, unless that is the key path's.
  mutating func takeType() {
    if isAtEnd { return }
    align()
    owner = unsafeBitCast(take() as UInt, to: Any.Type.self)
  }

  /// An offset stands in the head, or behind it if it is a large one.
  private mutating func takeOffset(_ head: UInt32) -> Int {
    let inside = head & 0x7F_FFFF
    return Int(inside == 0x7F_FFFF ? take() as UInt32 : inside)
  }

  /// The identity and the code of a computed step, and the arguments of a subscript.
  private mutating func takeComputed(_ head: UInt32) -> ObjectStep.Property {
    align()
    let identity: UInt = take(), getter: UInt = take()
    if head & 0x40_0000 != 0 { at += word }
    if head & 0x08_0000 != 0 {
      let room: UInt = take()
      at += word + Int(room & (.max >> 1)) + (room > .max >> 1 ? word : 0)
      if head & 0x10 != 0 { at += word }
    }
    return .computed(
      KeyPathStep(readAt: getter, [getter: identity]), head & 0x20_0000 != 0 ? Int(identity) : nil)
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
private let knowsSteps: Bool = {
  // Where code has signed addresses, no word is one.
  #if _ptrauth(_arm64e) || !(arch(x86_64) || arch(arm64))
    return false
  #else
    return [\StepProbe.pair.second.next?.constant, \StepProbe.computed[1][2].next!.constant]
      .allSatisfy { (path: AnyKeyPath) in
        var reader = StepReader(path)
        var types: [Any.Type] = []
        for _ in 0..<16 where !reader.isAtEnd {
          types.append(reader.owner)
          guard reader.takeProperty() != nil else { return false }
          // No word is taken for a type that is none of these.
          guard reader.isAtEnd || reader.isBeforeType(among: StepProbe.types) else { return false }
          reader.takeType()
        }
        return reader.hasReadAll && types.contains { $0 == StepProbe.self }
          && types.contains { $0 == StepProbe?.self }
      }
  #endif
}()

extension StepReader {
  /// Whether the word that comes next is one of these types.
  fileprivate func isBeforeType(among types: [Any.Type]) -> Bool {
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
  let constant = 54
  var next: StepProbe?
  var pair: Pair { Pair(second: self) }
  var computed: StepProbe {
    get { self }
    set { print(newValue) }
  }
  subscript(index: Int) -> StepProbe { self }
}
