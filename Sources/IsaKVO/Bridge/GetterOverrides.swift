// Which getters of wrapped properties a Swift class overrides, by its method table; and how such a
// getter is asked, since nobody but the compiler knows how it is called.
//
// A subclass's method table begins with its superclass's, in which the places of overridden methods
// lead elsewhere. A class's description tells what kind of method stands in each of the places, and
// the program's symbols of what name it is.
//
// Owns:  nothing.
// Locks: none; metadata never changes once it is there.
// Invariant: no getter is called unless a symbol says that it is a wrapped property's, whose code is
//            the wrapper's.
internal import CSwiftMemory

/// What a class overrides of the getters that a superclass declares.
enum GetterOverrides {
  /// Those of the variables of these names, by their places in words.
  case some([String: Int])
  /// Some, and which cannot be told.
  case unknown
}

/// The getters of variables declared by `owner` that `type`, or a class between, overrides.
func getterOverrides(in type: KVObject.Type, of owner: KVObject.Type) -> GetterOverrides {
  let own = unsafeBitCast(owner, to: UnsafePointer<UInt>.self)
  let other = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  guard let notes = SwiftLayout.known.methodNotes(of: owner) else {
    let same = declaredWords(of: owner).allSatisfy { own[$0] == other[$0] }
    return same ? .some([:]) : .unknown
  }
  let overridden = notes.variableGetters.filter {
    own[notes.firstWord + $0] != other[notes.firstWord + $0]
  }
  if overridden.isEmpty { return .some([:]) }
  let names = notes.variableNames()
  var words: [String: Int] = [:]
  for index in overridden {
    guard let name = names[index] else { return .unknown }
    words[name] = notes.firstWord + index
  }
  return .some(words)
}

/// Where a class has the members of its metadata that its superclass has not.
private func declaredWords(of type: KVObject.Type) -> Range<Int> {
  let start = _getSuperclass(type).map { methodTableWords($0).upperBound } ?? fixedWords
  return start..<methodTableWords(type).upperBound
}

extension MethodNotes {
  /// The numbers of the getters of objects that a setter follows.
  fileprivate var variableGetters: [Int] {
    let layout = SwiftLayout.known
    return kinds.indices.dropLast().filter {
      kinds[$0] == layout.getter && kinds[$0 + 1] == layout.setter
    }
  }

  /// What the methods that have a symbol are called, by their numbers: getters of variables by the
  /// variable's name, all else by none.
  fileprivate func variableNames() -> [Int: String] {
    let search = NameSearch(self)
    swift_memory_symbols(
      start, bytes * kinds.count,
      { context, address, symbol in
        let search = Unmanaged<NameSearch>.fromOpaque(context!).takeUnretainedValue()
        search.note(symbol!, at: address!)
      }, Unmanaged.passUnretained(search).toOpaque())
    return withExtendedLifetime(search) { search.names }
  }
}

private final class NameSearch {
  private let notes: MethodNotes
  private(set) var names: [Int: String] = [:]

  init(_ notes: MethodNotes) { self.notes = notes }

  func note(_ symbol: UnsafePointer<CChar>, at address: UnsafeRawPointer) {
    let text = String(cString: symbol)
    guard text.hasPrefix("$s") else { return }
    let name = text.hasSuffix("vgTq") ? describedVariable(symbol, text.utf8.count) : nil
    names[(address - notes.start) / notes.bytes] = name ?? ""
  }
}

/// The name of the variable whose getter a symbol describes.
private func describedVariable(_ symbol: UnsafePointer<CChar>, _ length: Int) -> String? {
  // What is cut off is the end of the type.
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
    var size = room.count
    guard swift_demangle(symbol, length, room.baseAddress, &size, 0) != nil else { return nil }
    room[room.count - 1] = 0
    return variableName(String(cString: room.baseAddress!))
  }
}

/// The variable in `method descriptor for Module.Person.age.getter : Swift.Int`; of a private one
/// there stands `(age in _0A…)`, of one whose class is a function's, `age` alone.
private func variableName(_ text: String) -> String? {
  guard let end = text.firstRange(of: ".getter : ")?.lowerBound else { return nil }
  var name = text[..<end]
  if name.last == ")", let open = name.lastIndex(of: "(") {
    name = name[open...].dropFirst()
    name = name.firstRange(of: " in _").map { name[..<$0.lowerBound] } ?? name
  }
  // A name with blanks or dots stands between backticks.
  if name.last == "`" {
    return sourceName("`" + suffix(of: name.dropLast(), after: ["`"]) + "`")
  }
  return String(suffix(of: name, after: [".", " "]))
}

private func suffix(of text: Substring, after ends: Set<Character>) -> Substring {
  text.lastIndex(where: ends.contains).map { text[text.index(after: $0)...] } ?? text
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
  return withExtendedLifetime(path) {
    let size = words[3] & 0xFF_FFFF
    return size >= 24 && words[4] >> 24 & 0x7F == 2 ? words[5] : nil
  }
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
