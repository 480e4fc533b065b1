// The names of key paths, and key paths by name: of properties that have a key, and of constants.
//
// Owns:  the names of the key paths that were made, for the life of the process.
// Locks: its own, held for a look into the table only.
internal import IsaKeyValue

extension KVObject {
  /// The keys that a key path is made of, joined by dots; nil for what has no name.
  ///
  ///     KVObject.keyPath(of: \Person.address.city)  // "address.city"
  ///
  /// Wrapped properties have a name, properties that are declared in ``keys``, by the name that is
  /// declared there, and `let` properties. It makes no difference whether the key path unwraps
  /// optionals (`\Person.home?.city`, `\Person.home!.city`). A computed property that is not declared,
  /// a `var` without a wrapper, an element and a property of anything but a ``KVObject`` have none.
  ///
  /// No object is needed, and nothing is evaluated: the names are the compiler's. In a program that
  /// was stripped of its symbols, those key paths have a name that have been observed, or that
  /// ``KeyValueObservable/keyPath(named:)`` made.
  ///
  /// - Note: Source `#keyPath`, and `_kvcKeyPathString` of Foundation's Swift overlay.
  public static func keyPath(of keyPath: AnyKeyPath) -> String? {
    guard let root = Swift.type(of: keyPath).rootType as? KVObject.Type,
      let registration = try? ClassRegistration.of(root)
    else { return nil }
    if let name = madePaths.withLock({ $0[keyPath] }) { return name }
    if let known = registration.knownPaths.find(keyPath), known.isMadeOfKeys { return known.keys }
    if let key = registration.knownKey(keyPath) ?? registration.followedKey(keyPath) { return key }
    let steps = keyPath.steps, properties = registration.properties(along: steps)
    guard !steps.isEmpty, properties.count == steps.count else { return nil }
    return properties.map(\.name).joined(separator: ".")
  }
}

extension KVObject {
  /// The type of a key's values, as the class declares it; nil for a key that it does not know.
  package static func valueType(forKey key: String) -> Any.Type? {
    (try? ClassRegistration.of(self))?.fieldsByKey[key]?.valueType
  }
}

extension KeyValueObservable {
  /// The same, for a key path that begins with a dot: `Person.keyPath(of: \.address.city)`.
  public static func keyPath(of keyPath: PartialKeyPath<Self>) -> String? {
    KVObject.keyPath(of: keyPath as AnyKeyPath)
  }

  /// The key path that names lead along; nil if the class has no such property.
  ///
  ///     let path = Person.keyPath(named: "address.city")
  ///     if let city = path as? ReferenceWritableKeyPath<Person, String> { person[keyPath: city] = "Rome" }
  ///
  /// It is of the types that one in the source has: a `ReferenceWritableKeyPath` unless the property
  /// is a `let`, or is declared and has no setter, and a `KeyPath` to an optional value where it
  /// leads through an optional. It reads, sets and observes the properties as key-value coding does,
  /// and is the same each time. A key path that is written in the source is none that is equal to it:
  /// compare these by ``KVObject/keyPath(of:)``.
  ///
  /// - Parameter name: Keys joined by dots; the types of all but the last are classes of this kind.
  public static func keyPath(named name: String) -> PartialKeyPath<Self>? {
    guard let registration = try? ClassRegistration.of(Self.self) else { return nil }
    let keys = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let properties = registration.properties(alongKeys: keys)
    guard properties.count == keys.count,
      let path = makeKeyPath(along: properties, from: Self.self) as? PartialKeyPath<Self>
    else { return nil }
    madePaths.withLock { $0[path] = name }
    if properties.allSatisfy(\.isKey) {
      _ = registration.knownPaths.add(path, name, of: properties.last!.valueType)
    }
    return path
  }
}

private let madePaths = Locked<[AnyKeyPath: String]>([:])

// MARK: - Properties

/// A property that has a name.
enum NamedProperty {
  /// A property that key-value coding knows, and whether typed observations follow its getter all
  /// the same.
  case key(Field, isFollowed: Bool)
  /// A constant without a wrapper.
  case constant(StoredProperty)

  var name: String {
    switch self {
    case .key(let field, _): field.key
    case .constant(let property): property.name
    }
  }

  /// Whether observing it is observing its key.
  var isKey: Bool {
    if case .key(_, isFollowed: false) = self { true } else { false }
  }

  /// Whether, too, a class means it by the name, and the core is answered what its getter says.
  func isKey(of type: Any.Type) -> Bool {
    guard case .key(let field, isFollowed: false) = self, let type = type as? KVObject.Type,
      let known = try? ClassRegistration.of(type)
    else { return false }
    return known.fieldsByKey[field.key] === field && known.isAnswered(field)
  }

  var valueType: Any.Type {
    switch self {
    case .key(let field, _): field.valueType
    case .constant(let property): property.type
    }
  }

  /// The class that key paths go on in.
  fileprivate var next: ClassRegistration? {
    observableClass(in: valueType).flatMap { try? ClassRegistration.of($0) }
  }

  /// The key path of the property.
  fileprivate func path(from owner: KVObject.Type) -> AnyKeyPath {
    switch self {
    case .key(let field, _): field.path(from: owner)
    case .constant(let property): property.path(from: owner)
    }
  }
}

/// The class of which values of a type are observable objects, or such an object or nil; nil if they
/// are anything else.
package func observableClass(in type: Any.Type) -> KVObject.Type? {
  type as? KVObject.Type ?? wrappedType(of: type) as? KVObject.Type
}

extension ClassRegistration {
  /// The properties that the steps of a key path lead through, up to a property that has no name.
  ///
  /// - Parameter isAsking: Whether the program's symbols are looked at for names that nothing else tells.
  func properties(
    along steps: some Collection<KeyPathStep>, asking isAsking: Bool = true
  ) -> [NamedProperty] {
    properties(along: steps) { $1.property(of: $0, asking: isAsking) }
  }

  fileprivate func properties(alongKeys keys: [String]) -> [NamedProperty] {
    properties(along: keys) { $1.property($0) ?? $1.constant($0) }
  }

  private func properties<Steps: Collection>(
    along steps: Steps, _ find: (Steps.Element, ClassRegistration) -> NamedProperty?
  ) -> [NamedProperty] {
    var registration: ClassRegistration? = self
    var properties: [NamedProperty] = []
    for step in steps {
      guard let property = registration.flatMap({ find(step, $0) }) else { break }
      properties.append(property)
      registration = property.next
    }
    return properties
  }

  /// The property that a step reads.
  private func property(of step: KeyPathStep, asking isAsking: Bool) -> NamedProperty? {
    let declared = declarations.values.compactMap { declaration in
      declaration.keyPath.steps.only.map { (name: declaration.name, step: $0) }
    }
    if let same = declared.first(where: { $0.step.isSame(as: step) }) { return property(same.name) }
    guard let name = step.name(asking: isAsking) else { return nil }
    if let other = declared.first(where: { $0.step.name(asking: isAsking) == name }) {
      return property(other.name)
    }
    return isWrapped(name) ? property(name) : constant(name)
  }

  private func property(_ key: String) -> NamedProperty? {
    let isFollowed = declarations[key].map(isFollowed) ?? false
    return fieldsByKey[key].map { .key($0, isFollowed: isFollowed) }
  }

  private func constant(_ name: String) -> NamedProperty? {
    var found: NamedProperty?
    forEachProperty(of: type) { property in
      if property.isConstant, property.name == name { found = .constant(property) }
    }
    return found
  }
}

// MARK: - Paths

/// The key path along properties, through optionals without force.
func makeKeyPath(along properties: [NamedProperty], from root: KVObject.Type) -> AnyKeyPath? {
  guard let property = properties.first else { return nil }
  let path = property.path(from: root)
  if properties.count == 1 { return path }
  guard let next = observableClass(in: property.valueType),
    let rest = makeKeyPath(along: Array(properties.dropFirst()), from: next)
  else { return nil }
  if wrappedType(of: property.valueType) != nil {
    return pathRoot(next).chained(rest).flatMap { path.appending(path: $0) }
  }
  return path.appending(path: rest)
}

/// A class that key paths begin at. Only a requirement of a protocol is called with the class that a
/// metatype has; a generic function would take the class that it is declared with.
private protocol KeyPathRoot: KVObject {
  static func path<Value>(of property: FieldOfValue<Value>) -> AnyKeyPath
  static func path<Value>(of property: ConstantOfValue<Value>) -> AnyKeyPath
  /// A key path of the class, as a key path of an instance or nil.
  static func chained(_ path: AnyKeyPath) -> AnyKeyPath?
}

extension KVObject: KeyPathRoot {}

extension KeyPathRoot {
  static func path<Value>(of property: FieldOfValue<Value>) -> AnyKeyPath {
    property.field.isReadOnly ? \Self[reading: property] : \Self[named: property]
  }

  static func path<Value>(of property: ConstantOfValue<Value>) -> AnyKeyPath {
    \Self[constant: property]
  }

  static func chained(_ path: AnyKeyPath) -> AnyKeyPath? {
    func whole<Value>(_ value: Value.Type) -> AnyKeyPath? {
      (path as? KeyPath<Self, Value>).map { \Self?[through: $0] }
    }
    func flat<Value>(_ value: Value.Type) -> AnyKeyPath? {
      (path as? KeyPath<Self, Value?>).map { \Self?[flatlyThrough: $0] }
    }
    let value = Swift.type(of: path).valueType
    guard let wrapped = wrappedType(of: value) else { return _openExistential(value, do: whole) }
    return _openExistential(wrapped, do: flat)
  }
}

// Not inlined, nor told that it is a class: the optimiser too would take the declared one.
@inline(never)
private func pathRoot(_ type: Any.Type) -> any KeyPathRoot.Type { type as! any KeyPathRoot.Type }

extension Optional where Wrapped: KVObject {
  fileprivate subscript<Value>(through path: KeyPath<Wrapped, Value>) -> Value? {
    map { $0[keyPath: path] }
  }

  fileprivate subscript<Value>(flatlyThrough path: KeyPath<Wrapped, Value?>) -> Value? {
    flatMap { $0[keyPath: path] }
  }
}

/// The property that a key path by name is of.
struct FieldOfValue<Value>: Hashable {
  let field: TypedField<Value>

  static func == (first: Self, second: Self) -> Bool { first.field === second.field }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(field)) }

  /// The property's key path.
  func path(from owner: KVObject.Type) -> AnyKeyPath { pathRoot(owner).path(of: self) }

  fileprivate func read(_ object: KVObject) -> Value {
    field.read(object) { path(from: field.owner) }
  }
}

/// The constant that a key path by name is of.
private struct ConstantOfValue<Value>: Hashable {
  let stored: StoredProperty

  static func == (first: Self, second: Self) -> Bool { first.stored.offset == second.stored.offset }
  func hash(into hasher: inout Hasher) { hasher.combine(stored.offset) }
}

extension StoredProperty {
  fileprivate func path(from owner: KVObject.Type) -> AnyKeyPath {
    func make<Value>(_ type: Value.Type) -> AnyKeyPath {
      pathRoot(owner).path(of: ConstantOfValue<Value>(stored: self))
    }
    return _openExistential(type, do: make)
  }
}

extension KVObject {
  fileprivate final subscript<Value>(named property: FieldOfValue<Value>) -> Value {
    get { property.read(self) }
    set { property.field.write(newValue, to: self) }
  }

  fileprivate final subscript<Value>(reading property: FieldOfValue<Value>) -> Value {
    property.read(self)
  }

  fileprivate final subscript<Value>(constant property: ConstantOfValue<Value>) -> Value {
    constantValue(of: self, property.stored) as! Value
  }
}
