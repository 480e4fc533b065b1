// Which getters of wrapped properties a Swift class overrides, by its method table; and how to call
// such a getter, since only the compiler knows its calling convention.
//
// A subclass's method table begins with its superclass's, in which the places of overridden methods
// lead elsewhere. The compiler's notes of a class tell which kind of method stands in each place,
// and the program's symbols tell the method's name.
//
// Owns:  nothing.
// Locks: none; metadata never changes once it is there.
// Invariant: no getter is called unless a symbol says that it is a wrapped property's, whose code
//            is the wrapper's.
internal import CSwiftRuntime
internal import IsaKeyValue

/// The getters of a superclass that a class overrides.
enum GetterOverrides {
  /// The getters of the variables of these names.
  case some([KeyName: GetterPlace])
  /// Some, and which cannot be told.
  case unknown
}

/// Where a getter stands in a method table.
struct GetterPlace {
  let word: Int
  /// Whether a symbol names the superclass's getter, and not just the overriding getter.
  let isNamed: Bool
}

/// The getters of variables declared by `owner` that `type`, or a class between, overrides.
func getterOverrides(in type: KVObject.Type, of owner: KVObject.Type) -> GetterOverrides {
  let own = MethodTable(owner), other = MethodTable(type)
  guard let notes = SwiftLayout.known.methodNotes(of: owner) else {
    let same = declaredWords(of: owner)?.allSatisfy { own[$0] == other[$0] }
    return same == true ? .some([:]) : .unknown
  }
  let overridden = notes.variableGetters.map {
    (word: notes.firstWord + $0, note: notes.address($0))
  }
  .filter { own[$0.word] != other[$0.word] }
  // An optimiser takes out symbols: symbols of the notes of private classes, and of code with the
  // code.
  let names = variableNames(at: overridden.flatMap { [$0.note, own[$0.word]] })
  var places: [KeyName: GetterPlace] = [:]
  for (word, note) in overridden {
    let name = names[note] ?? names[own[word]]
    guard let known = name ?? variableNames(at: [other[word]])[other[word]] else { return .unknown }
    places[known] = GetterPlace(word: word, isNamed: name != nil)
  }
  return .some(places)
}

/// Where a class has the members of its metadata that its superclass has not; nil if it is not known.
private func declaredWords(of type: KVObject.Type) -> Range<Int>? {
  guard let words = methodTableWords(type) else { return nil }
  let above = _getSuperclass(type).flatMap { methodTableWords($0) }
  return (above?.upperBound ?? fixedWords)..<words.upperBound
}

extension MethodNotes {
  /// The numbers of the getters of objects that a setter follows.
  fileprivate var variableGetters: [Int] {
    let layout = SwiftLayout.known
    return kinds.indices.dropLast().filter {
      kinds[$0] == layout.getter && kinds[$0 + 1] == layout.setter
    }
  }

  fileprivate func address(_ index: Int) -> UInt { UInt(bitPattern: start + bytes * index) }
}

/// The variables whose getters, notes of them, or code that reads them for key paths stand at these
/// addresses of one program or library; no name for what is no variable's. An address with two names
/// has none here, nor one without any.
func variableNames(at addresses: [UInt]) -> [UInt: String] {
  let search = NameSearch()
  swift_runtime_symbols(
    addresses.map { UnsafeRawPointer(bitPattern: $0) }, addresses.count,
    { context, address, symbol in
      let search = Unmanaged<NameSearch>.fromOpaque(context!).takeUnretainedValue()
      search.note(symbol!, at: UInt(bitPattern: address))
    }, Unmanaged.passUnretained(search).toOpaque())
  return search.names.compactMapValues { $0.count == 1 ? $0.first : nil }
}

private final class NameSearch {
  private(set) var names: [UInt: Set<String>] = [:]

  func note(_ symbol: UnsafePointer<CChar>, at address: UInt) {
    let text = String(cString: symbol)
    guard text.hasPrefix("$s") else { return }
    let isGetter = ["vg", "vgTq", "TK"].contains { text.hasSuffix($0) }
    names[address, default: []].insert(
      isGetter ? describedVariable(symbol, text.utf8.count) ?? "" : "")
  }
}

/// The name of the variable whose getter a symbol is, or is of the note of, or of a reader of.
private func describedVariable(_ symbol: UnsafePointer<CChar>, _ length: Int) -> String? {
  // Only the end of the type is cut off.
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
    var size = room.count
    guard swift_demangle(symbol, length, room.baseAddress, &size, 0) != nil else { return nil }
    room[room.count - 1] = 0
    return variableName(String(cString: room.baseAddress!))
  }
}

/// The variable in `Module.Person.age.getter : Swift.Int`, or in `key path getter for Module.Person.age
/// : Swift.Int : …`; of a private one there stands `(age in _0A…)`, of one whose class is a function's,
/// `age` alone.
private func variableName(_ text: String) -> String? {
  let reader = "key path getter for "
  let isReader = text.hasPrefix(reader)
  let rest = isReader ? text.dropFirst(reader.count) : text[...]
  let behind = isReader ? " : " : ".getter : "
  guard let end = rest.firstRange(of: behind)?.lowerBound else { return nil }
  var name = rest[..<end]
  if isReader, name.contains(".subscript(") { return nil }
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

/// The code of a class's methods, by their places in words.
struct MethodTable {
  private let words: UnsafePointer<UInt>

  init(_ type: AnyClass) { words = unsafeBitCast(type, to: UnsafePointer<UInt>.self) }

  /// 0 where the optimiser has taken out the method; a generic class has 0 there itself.
  subscript(word: Int) -> UInt { isDeletedMethod(words[word]) ? 0 : words[word] }
}

/// The identity by which the compiler tells a key path of one computed step from others: of a
/// `final` property, the address of the getter. Nil for any other key path.
func getterIdentity(of path: AnyKeyPath) -> UInt? {
  if !knowsSteps { return nil }
  // Behind the object's header and the name of the key path: the size of the steps, the kind of the
  // first, its identity.
  let words = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
    .assumingMemoryBound(to: UInt.self)
  return withExtendedLifetime(path) {
    let size = words[3] & 0xFF_FFFF
    return size >= 24 && words[4] >> 24 & 0x7F == 2 ? words[5] : nil
  }
}

/// The variable of a class or one above it that the compiler gives this identity in key paths.
func variableName(of identity: UInt, in type: AnyClass) -> String? {
  if let name = variableNames(at: [identity])[identity] { return name }
  // The symbols of a private class's notes are taken out, and not the symbols of its getters.
  guard let (owner, word) = place(of: identity, in: type) else { return nil }
  let code = MethodTable(owner)[word]
  return variableNames(at: [code])[code]
}

/// Where the getter of an identity stands in method tables, and the class, `type` or one above it, that
/// has it first.
private func place(of identity: UInt, in type: AnyClass) -> (owner: AnyClass, word: Int)? {
  for owner in sequence(first: type, next: { _getSuperclass($0) }) {
    guard let notes = SwiftLayout.known.methodNotes(of: owner),
      let index = notes.kinds.indices.first(where: { notes.address($0) == identity })
    else { continue }
    return (owner, notes.firstWord + index)
  }
  return nil
}

/// Where a class has a getter of its own for the computed property of a class above it that a key path
/// leads to; nil if it has none.
func overriddenGetter(of path: AnyKeyPath, in type: KVObject.Type) -> Int? {
  guard let root = Swift.type(of: path).rootType as? KVObject.Type, root != type,
    let identity = getterIdentity(of: path), let (_, word) = place(of: identity, in: root)
  else { return nil }
  return MethodTable(root)[word] == MethodTable(type)[word] ? nil : word
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
    let getter = MethodTable(owner)[word]
    if getter == 0 { return nil }
    // No value that stands in an object takes more room than the object.
    let room = max(instanceSize(of: type(of: object)), 4096)
    return withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { place in
      identify(field) {
        callGetter(getter, of: object, to: place.baseAddress!)
      }
    }
  }
}

/// A value of bits that nobody owns, which is moved and dropped, never looked at.
@usableFromInline
func nobodysBits<Value>(_ type: Value.Type) -> Value {
  let size = MemoryLayout<Value>.size, alignment = MemoryLayout<Value>.alignment
  return withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: alignment) { bytes in
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return bytes.baseAddress!.assumingMemoryBound(to: Value.self).move()
  }
}
