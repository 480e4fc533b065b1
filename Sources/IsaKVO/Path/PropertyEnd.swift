// A property that a key path leads to, read and set by the code that the key path would call.
//
// Following a key path takes long: it holds each object that it meets, and asks for the layout of
// each step. If the key path is one computed property, as a wrapped property is, the getter and the
// setter stand in it. They are the class's own: overrides run, `didSet` does, and exclusivity is
// checked.
//
// Owns:      the key path, whose code it calls.
// Lives:     as long as an observation or a binding.
// Locks:     none; it never changes.
// Invariant: no code is called before the layout of key paths was compared with this process.
internal import CIsa
internal import CSwiftRuntime
package import IsaKeyValue

/// The end of a key path.
package struct PropertyEnd<Root: KVObject, Value>: @unchecked Sendable {
  // Sendable because key paths without captured values never change.
  package let keyPath: KeyPath<Root, Value>
  /// The code that reads it; nil if it is more than one computed property.
  let getter: PropertyGetter?
  private let setter: UnsafeRawPointer?

  package init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    getter = PropertyGetter(keyPath)
    setter = accessors(of: keyPath).setter
  }

  /// Makes the value of the property at `place`, which has none.
  package func read(_ root: Root, to place: UnsafeMutableRawPointer) {
    if let getter {
      getter.read(root, to: place)
    } else {
      place.assumingMemoryBound(to: Value.self).initialize(to: root[keyPath: keyPath])
    }
  }

  /// The value of the property.
  package func value(of root: Root) -> Value {
    if getter == nil { return root[keyPath: keyPath] }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      read(root, to: place.baseAddress!)
      return place.baseAddress!.move()
    }
  }

  /// Calls `body` with the address of the property's value, which is `body`'s to end.
  ///
  /// Nothing is looked up for the type, which is not known where neither it nor `body` is compiled
  /// for it.
  package func withValue(of root: Root, _ body: (UnsafeMutableRawPointer) -> Void) {
    withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
    ) { place in
      read(root, to: place.baseAddress!)
      body(place.baseAddress!)
    }
  }

  /// The values of the property in several objects.
  package func values(of roots: [Root]) -> [Value] {
    // Made of no room, an array writes its count where all empty ones stand.
    if roots.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: roots.count) { room, count in
      let start = UnsafeMutableRawPointer(room.baseAddress!)
      // An array of a class has the layout of one of its superclass, whose code is compiled for it.
      for root in unsafeBitCast(roots, to: [KVObject].self) {
        read(unsafeDowncast(root, to: Root.self), to: start + count * MemoryLayout<Value>.stride)
        count += 1
      }
    }
  }

  /// Sets the property to a copy of the value at `place`; the key path is writable.
  package func write(at place: UnsafeRawPointer, to root: Root) {
    if let setter {
      withReference(to: root) { swift_runtime_write_property(setter, place, $0) }
    } else {
      let writable = unsafeDowncast(keyPath, to: ReferenceWritableKeyPath<Root, Value>.self)
      root[keyPath: writable] = place.assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Sets the property; the key path is writable.
  package func set(_ value: Value, of root: Root) {
    withUnsafePointer(to: value) { write(at: $0, to: root) }
  }
}

/// The code by which a key path reads its only, computed property, of any type.
@frozen @usableFromInline
struct PropertyGetter: @unchecked Sendable {
  // Sendable because code never changes.
  private let code: UnsafeRawPointer

  /// The getter of a key path; nil if that is more than such a property, or stored.
  init?(_ keyPath: AnyKeyPath) {
    guard let getter = accessors(of: keyPath).getter else { return nil }
    code = getter
  }

  /// Makes the value of the property at `place`, which has none.
  @usableFromInline
  func read(_ root: KVObject, to place: UnsafeMutableRawPointer) {
    withReference(to: root) { swift_runtime_read_property(code, place, $0) }
  }
}

@inline(__always)
private func withReference(to root: KVObject, _ body: (UnsafePointer<UnsafeRawPointer?>) -> Void) {
  // The caller holds the object.
  var reference: UnsafeRawPointer? = UnsafeRawPointer(Unmanaged.passUnretained(root).toOpaque())
  body(&reference)
}

/// Has the code of a key path's step make the value, at `place`, that is read of what stands at `base`.
func readStep(
  _ code: (getter: UnsafeRawPointer, arguments: UnsafeRawBufferPointer), of base: UnsafeRawPointer,
  to place: UnsafeMutableRawPointer
) {
  swift_runtime_read_step(
    code.getter, place, base, code.arguments.baseAddress, code.arguments.count)
}

/// The value that a property has when it is asked for, read by code that is compiled for its type.
@frozen @usableFromInline
struct CurrentValue<Root: KVObject, Value> {
  @usableFromInline let keyPath: KeyPath<Root, Value>
  @usableFromInline let walk: PathWalk?
  @usableFromInline let getter: PropertyGetter?

  @usableFromInline
  init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    walk = PathWalk(keyPath)
    getter = PropertyGetter(keyPath)
  }

  @inlinable
  func value(of root: Root) -> Value? {
    if let getter {
      return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
        getter.read(root, to: UnsafeMutableRawPointer(place.baseAddress.unsafelyUnwrapped))
        return place.baseAddress.unsafelyUnwrapped.move()
      }
    }
    if let walk, walk.stops(at: root) { return nil }
    return root[keyPath: keyPath]
  }
}

extension PropertyEnd {
  /// Registers code that is told of each change of the property, by the address of its new value:
  /// of a change of elements, of the whole collection. A value that there is none of is not told.
  ///
  /// `tell` runs where a handler of a typed observation does, scopes being heeded.
  package func observe(
    on root: Root, telling notify: @escaping (UnsafeRawPointer) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    let sink = Sink { object, old, new, tag in
      if _fastPath(tag.isSet), let new { return notify(new) }
      notifyOther(ChangeInPlace(object, old, new, tag), notify)
    }
    return try root.register(keyPath, .new, sink)
  }

  /// Tells of an unusual change. Its code is made for each: few observers ever hear of one.
  @inline(never)
  private func notifyOther(
    _ change: ChangeInPlace, _ notify: @escaping (UnsafeRawPointer) -> Void
  ) {
    let handler: (Root, ValueChange<Value>) -> Void = { root, change in
      if change.kind != .setting {
        withUnsafePointer(to: value(of: root)) { notify($0) }
      } else if let new = change.newValue {
        withUnsafePointer(to: new) { notify($0) }
      }
    }
    change.notifyOther(handler)
  }
}

extension PropertyEnd {
  /// Registers code that is told of each change and reads what it needs; scopes are heeded.
  package func observe(
    on root: Root, _ options: ObservationOptions, reading read: @escaping (Root) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    let handler: (Root, ValueChange<Value>) -> Void = { root, _ in read(root) }
    let sink = Sink { object, old, new, tag in
      guard _fastPath(tag.isSet) else {
        return ChangeInPlace(object, old, new, tag).notifyOther(handler)
      }
      // The caller of the setter holds the object.
      Unmanaged<KVObject>.fromOpaque(object - headerOffset)._withUnsafeGuaranteedRef {
        read(unsafeDowncast($0, to: Root.self))
      }
    }
    return try root.register(keyPath, options.subtracting([.old, .new]), sink)
  }
}

// MARK: - The code in a key path

/// The words of a key path's object: behind its header and the name of the key path stand the size of
/// the steps, the kind of the first, its identity, and its code.
private enum Word {
  static let size = 3, kind = 4, getter = 6, setter = 7
}

/// A computed step as `kind` tells it: without a setter, or with a setter that leaves the reference
/// alone, and with no arguments. The highest bit tells where a chain of references ends.
private let readOnlyKind: UInt32 = 0x0200_0000
private let writableKind: UInt32 = 0x0240_0000

/// The code that reads what the key path leads to, and that which sets it; nil unless it is one
/// computed property.
private func accessors(
  of keyPath: AnyKeyPath
) -> (getter: UnsafeRawPointer?, setter: UnsafeRawPointer?) {
  knowsKeyPaths ? accessors(assumedIn: keyPath) : (nil, nil)
}

private func accessors(
  assumedIn keyPath: AnyKeyPath
) -> (getter: UnsafeRawPointer?, setter: UnsafeRawPointer?) {
  let words = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    .assumingMemoryBound(to: UInt.self)
  return withExtendedLifetime(keyPath) {
    let size = words[Word.size] & 0xFF_FFFF
    let kind = UInt32(truncatingIfNeeded: words[Word.kind]) & 0x7FFF_FFFF
    switch (size, kind) {
    case (24, readOnlyKind): return (code(words[Word.getter]), nil)
    case (32, writableKind): return (code(words[Word.getter]), code(words[Word.setter]))
    default: return (nil, nil)
    }
  }
}

private func code(_ word: UInt) -> UnsafeRawPointer? { UnsafeRawPointer(bitPattern: word) }

/// Whether key paths are laid out as this library knows it: key paths of known properties are.
private let knowsKeyPaths: Bool = {
  // Where code has signed addresses, no word is one.
  #if _ptrauth(_arm64e) || !(arch(x86_64) || arch(arm64))
    return false
  #else
    let number = accessors(assumedIn: \PropertyProbe.number)
    let text = accessors(assumedIn: \PropertyProbe.text)
    let constant = accessors(assumedIn: \PropertyProbe.constant)
    let both = accessors(assumedIn: \PropertyProbe.next.number)
    let indexed = accessors(assumedIn: \PropertyProbe.[1])
    let codes = [number.getter, number.setter, text.getter, text.setter, constant.getter]
    return codes.allSatisfy { $0 != nil } && Set(codes).count == codes.count
      && constant.setter == nil && both.getter == nil && indexed.getter == nil
      && accessors(assumedIn: \Int.magnitude).setter == nil
  #endif
}()

/// A class whose computed properties are known; as users see it, so that their code stays.
@usableFromInline
class PropertyProbe {
  @usableFromInline var number: Int {
    get { 51 }
    set { print(newValue, 51) }
  }
  @usableFromInline var text: String {
    get { "52" }
    set { print(newValue, 52) }
  }
  @usableFromInline var constant: Int { 53 }
  @usableFromInline var next: PropertyProbe { self }
  @usableFromInline subscript(index: Int) -> Int { index }
  @usableFromInline init() {}
}
