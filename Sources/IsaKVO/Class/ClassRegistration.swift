internal import CIsa
internal import IsaKeyValue
@_spi(Reflection) import Swift

/// A Swift class as the runtime has it: its class there, its properties, its declared keys.
///
/// Made when the first object of the class is used, and kept for ever.
final class ClassRegistration: @unchecked Sendable {
  // Sendable because all but `resolved`, which has a lock, is final once it has been published.
  let type: KVObject.Type
  let superclass: ClassRegistration?
  /// Whether its objects may be used on the main actor only.
  let isOfMainActor: Bool
  /// The class, if it has declarations by key paths.
  let customization: (any KeyValueCustomization.Type)?
  private(set) var cls: isa_class
  // Both change while the registration is made only.
  @exclusivity(unchecked) private(set) var fieldsByKey: [KeyName: Field] = [:]
  @exclusivity(unchecked) private(set) var declarations: [KeyName: KeyDeclaration] = [:]
  /// The wrapped properties by where they stand.
  private(set) var fields: FieldTable
  /// Whether the class or one above it stores a variable without a wrapper.
  private(set) var hasUnheardVariables: Bool
  /// Whether a key of the class is named as a getter of another one may be, which would be read first.
  private(set) var hasNamesLikeGetters = false
  private var fieldsByGetter: SelectorTable?
  private var fieldsBySetter: SelectorTable?
  /// The getters of wrapped properties that the class has of its own.
  private(set) var overriddenGetters: [Int: OverriddenGetter] = [:]
  /// The computed properties declared above whose getters the class has of its own, and where these
  /// stand in its method table.
  private(set) var overriddenKeys: [KeyName: Int] = [:]
  let hasMetGetters = Locked(false)
  let getterAnswers = Locked(GetterAnswers())
  private let resolved = Locked<[KeyName: AffectingPaths]>([:])
  private let automatic = Locked<[KeyName: Bool]>([:])
  private let asked = Locked<[KeyName: Set<AnyKeyPath>]>([:])
  /// The keys that a key path was found to be made of.
  let knownPaths = KnownPaths()

  var name: String { String(cString: isa_class_name(cls)) }

  /// The registration of a class, made if there is none.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` where there is no reflection metadata,
  ///   and for a class whose keys use an object of the class itself.
  static func of(_ type: KVObject.Type) throws(KeyValueError) -> ClassRegistration {
    if let known = table.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    // Before the lock: this is the class's own code, as is the superclass's.
    let declarations = try declarations(of: type)
    let superclass = try superType(of: type).map { above throws(KeyValueError) in try of(above) }
    // One class at a time, so that no two threads make the same one.
    let made = try building.withLock { _ throws(KeyValueError) in
      if let known = table.withLock({ $0[ObjectIdentifier(type)] }) { return known }
      let made = try ClassRegistration(type, superclass, declarations)
      table.withLock { $0[ObjectIdentifier(type)] = made }
      return made
    }
    SwiftLayout.reportDifferences()
    return made
  }

  /// The class's declarations. Throws if the class asks for them in order to declare them.
  private static func declarations(
    of type: KVObject.Type
  ) throws(KeyValueError) -> [KeyDeclaration] {
    let others = asking.current?.types ?? []
    guard !others.contains(ObjectIdentifier(type)) else {
      throw KeyValueError(
        .unsupported,
        reason: "class \(type) cannot be registered: its keys use an object of the class itself")
    }
    return asking.with(Asking(others.union([ObjectIdentifier(type)]))) { type.keys }
  }

  /// The classes that a thread is asking for their keys.
  private final class Asking {
    let types: Set<ObjectIdentifier>

    init(_ types: Set<ObjectIdentifier>) { self.types = types }
  }

  private static let asking = ThreadSlot<Asking>(.asking)
  private static let table = Locked<[ObjectIdentifier: ClassRegistration]>([:])
  // Of a value that has a size: to the thread sanitizer, an access to a value without a size looks
  // like an access to the memory beside it.
  private static let building = Locked(0)

  private init(
    _ type: KVObject.Type, _ superclass: ClassRegistration?, _ declarations: [KeyDeclaration]
  ) throws(KeyValueError) {
    self.type = type
    self.superclass = superclass
    isOfMainActor =
      superclass?.isOfMainActor == true
      || Conformances.ofMainActor.mayHave(type) && type is any MainActorObject.Type
    customization =
      superclass?.customization != nil || Conformances.ofCustomization.mayHave(type)
      ? type as? any KeyValueCustomization.Type : nil
    if superclass == nil { SwiftBox.makeClasses() }
    cls = superclass?.cls ?? isa_root_class()
    fieldsByKey = superclass?.fieldsByKey ?? [:]
    self.declarations = superclass?.declarations ?? [:]
    fields = FieldTable(size: instanceSize(of: type))
    hasUnheardVariables = superclass?.hasUnheardVariables ?? false
    let own = try wrappedProperties()
    let wrapped = own + hiddenProperties(behind: own)
    let declared = latest(declarations).filter { self.declarations[$0.name]?.keyPath != $0.keyPath }
    for declaration in declarations {
      self.declarations[declaration.name] = declaration.adding(
        superclass?.declarations[declaration.name])
    }
    // A superclass's declaration is not of a property that hides the superclass's.
    for field in own where self.declarations[field.key]?.isInherited(by: type) == true {
      self.declarations[field.key] = nil
    }
    // The answers about the superclass's keys are of other properties where the class hides some.
    if let superclass, wrapped.count == own.count { resolve(as: superclass) }
    let added = declared.filter { item in
      fieldsByKey[item.name] == nil && !wrapped.contains { $0.key.isKey(item.name) }
    }
    try makeClass(wrapped + added.map { $0.makeField(type) })
    overriddenGetters = findOverriddenGetters()
    overriddenKeys = findOverriddenKeys()
    if customization != nil { Customization.isUsed = true }
  }

  /// Only of a registration that could not be made.
  deinit {
    fields.free()
    fieldsByGetter?.free()
    fieldsBySetter?.free()
    knownPaths.free()
  }
}

/// The key paths that affect a key.
struct AffectingPaths: @unchecked Sendable {
  // Sendable because key paths without captured values never change.
  /// The paths that are made of keys, by these.
  var keys: Set<String> = []
  var others: Set<AnyKeyPath> = []
  var isEmpty: Bool { keys.isEmpty && others.isEmpty }

  mutating func formUnion(_ more: AffectingPaths, without key: String) {
    keys.formUnion(more.keys.subtracting([key]))
    others.formUnion(more.others)
  }
}

// MARK: - Making

extension ClassRegistration {
  private func makeClass(_ fields: [Field]) throws(KeyValueError) {
    try refuseTwins(among: fields)
    let name = uniqueName(type)
    var made: isa_class?
    try KeyValueError.check(
      isa_class_pair_allocate(cls, name, &made), key: name, className: self.name)
    cls = made!
    var isRegistered = false
    defer { if !isRegistered { _ = isa_class_pair_dispose(cls) } }
    try KeyValueError.check(
      isa_class_set_profile(cls, type.profile.constant), className: name)
    if superclass == nil { try addRootMethods(to: cls) }
    try attach(to: cls)
    if isOfMainActor { try guardMainActor(cls) }
    try lay(out: cls, size: instanceSize(of: type))
    for field in fields {
      try field.add(to: cls)
      fieldsByKey[field.key] = field
    }
    try addOverrides(of: type, below: superclass?.type, to: cls)
    index()
    try KeyValueError.check(isa_class_pair_register(cls), key: name, className: name)
    isRegistered = true
  }

  /// Refuses two keys that differ in the case of their first letter only: both are set by the same
  /// message.
  private func refuseTwins(among fields: [Field]) throws(KeyValueError) {
    var keys: [RuntimeSelector: String] = [:]
    for field in Array(fieldsByKey.values) + fields {
      guard let twin = keys.updateValue(field.key, forKey: field.setter), !twin.isKey(field.key)
      else {
        continue
      }
      throw KeyValueError(
        .unsupported,
        reason: "class \(type) cannot be registered: its properties \(twin) and \(field.key) would "
          + "both be set by \(field.setter)")
    }
  }

  /// Fills the tables by which an access finds its property.
  private func index() {
    let all = allFields
    for field in all where field.offset > 0 { fields.add(field) }
    hasNamesLikeGetters = fieldsByKey.keys.contains { $0.text.hasPrefix("get") }
    fieldsByGetter = SelectorTable(all, by: \.getter)
    fieldsBySetter = SelectorTable(all, by: \.setter)
  }

  /// The class's properties and the inherited ones, each before what stands in its place.
  private var allFields: [Field] {
    let inherited = superclass?.allFields ?? []
    return inherited + fieldsByKey.values.filter { field in !inherited.contains { $0 === field } }
  }

  /// The wrapped properties that the class itself declares.
  private func wrappedProperties() throws(KeyValueError) -> [Field] {
    let start = superclass.map { instanceSize(of: $0.type) } ?? instanceSize(of: KVObject.self)
    if SwiftLayout.known.unknown.contains(.properties) {
      throw KeyValueError(
        .unsupported,
        reason:
          "class \(type) cannot be registered: this version of Swift lays out objects in a way "
          + "that IsaKVO does not know",
        cure: "use a version of IsaKVO that knows it")
    }
    guard instanceSize(of: type) > start else { return [] }
    var fields: [Field] = []
    var isNamed = true
    var count = 0
    forEachProperty(of: type) { property in
      guard property.offset >= start else { return }
      count += 1
      isNamed = isNamed && !property.name.isEmpty
      if let storage = fieldStorage(of: property.type) {
        fields.append(storage.makeField(place(of: property)))
      } else if property.isVariable {
        hasUnheardVariables = true
      }
    }
    if !fields.isEmpty, SwiftLayout.known.hidesPlaces(of: type) {
      throw KeyValueError(
        .unsupported,
        reason: "\(placeless(type)), and it cannot be registered",
        cure: "compile that module without library evolution, or make the class not generic")
    }
    guard count > 0, isNamed else {
      throw KeyValueError(
        .unsupported,
        reason: "class \(type) cannot be registered: it was compiled without reflection metadata "
          + "(-disable-reflection-metadata), which tells the names of its properties")
    }
    return fields
  }

  private func place(of property: StoredProperty) -> FieldPlace {
    FieldPlace(key: property.wrappedName, offset: property.offset, owner: type)
  }

  /// The inherited properties that have the name of one of the class's own, as only private ones can:
  /// in its objects they have another key.
  private func hiddenProperties(behind own: [Field]) -> [Field] {
    guard let superclass, own.contains(where: { superclass.fieldsByKey[$0.key] != nil }) else {
      return []
    }
    var fields: [Field] = []
    forEachProperty(of: type) { property in
      guard let field = superclass.fields.field(at: property.offset),
        own.contains(where: { $0.key.isKey(field.key) }),
        let storage = fieldStorage(of: property.type)
      else { return }
      let key = "\(field.key)(\(field.owner))"
      fields.append(
        storage.makeField(FieldPlace(key: key, offset: field.offset, owner: field.owner)))
    }
    return fields
  }
}

/// The last declaration of each key.
private func latest(_ declarations: [KeyDeclaration]) -> [KeyDeclaration] {
  var names: Set<KeyName> = []
  return declarations.reversed().filter { names.insert(KeyName($0.name)).inserted }.reversed()
}

/// The name of a class, which tells it from all others: `Module.Person`.
private func uniqueName(_ type: KVObject.Type) -> String {
  let name = type.className
  var candidate = name
  var number = 2
  while isa_class_find(candidate) != nil {
    candidate = "\(name) \(number)"
    number += 1
  }
  return candidate
}

private func superType(of type: KVObject.Type) -> KVObject.Type? {
  type == KVObject.self ? nil : _getSuperclass(type) as? KVObject.Type
}

// MARK: - Asking

extension ClassRegistration {
  /// The property that a message reads; that one sets.
  func field(getter sel: isa_sel) -> Unmanaged<Field>? { fieldsByGetter?.find(sel) }
  func field(setter sel: isa_sel) -> Unmanaged<Field>? { fieldsBySetter?.find(sel) }

  /// The key paths that are known to affect the key by its declaration.
  func affecting(_ key: String) -> Set<String> {
    (declarations[key]?.affectedByPaths ?? [])
      .union(resolved.withLock { $0[key]?.keys } ?? [])
  }

  /// Whether registering with a property runs no getter of an object: it has none of its own, and
  /// nothing affects it.
  func isPlain(_ field: Field) -> Bool {
    let key = field.key
    return field.offset > 0 && !overridesGetter(of: field)
      && type.keyPathsForValuesAffectingValue(forKey: key).isEmpty
      && declarations[key]?.affectedBy.isEmpty ?? true
      && resolved.withLock { $0[key]?.isEmpty ?? true }
  }

  /// Whether setting the key notifies by itself, as far as the class has declared it.
  func isAutomatic(_ key: String) -> Bool {
    automatic.withLock { $0[key] } ?? declarations[key].map(isAutomatic) ?? true
  }

  private func isAutomatic(_ declaration: KeyDeclaration) -> Bool {
    declaration.notifiesAutomatically && !isFollowed(declaration)
  }

  /// Whether the declaration is of a computed property that tells all by itself, so that a typed
  /// observation follows its getter.
  func isFollowed(_ declaration: KeyDeclaration) -> Bool {
    declaration.isProperty && !isWrapped(declaration.name)
  }

  /// Whether the class has not been asked of a key.
  func isNew(_ key: String) -> Bool { asked.withLock { $0[key] == nil } }

  /// Whether it has not been asked by this key path; from now on it has.
  func isNew(_ key: String, by path: AnyKeyPath) -> Bool {
    let path = Unchecked(path)
    return asked.withLock { $0[KeyName(key), default: []].insert(path.value).inserted }
  }

  /// Adds to what the class has declared of a key.
  func note(_ key: String, _ paths: AffectingPaths, isAutomatic: Bool) {
    resolved.withLock { $0[KeyName(key), default: AffectingPaths()].formUnion(paths, without: key) }
    automatic.withLock { $0[key] = ($0[key] ?? true) && isAutomatic }
    if paths.isEmpty, isAutomatic { return }
    // The core asks anew for what affects a key that has been observed before.
    let none = makeArray(taking: [])
    defer { isa_object_release(none) }
    _ = answered(key) { kvo_class_set_keys(cls, none, key) }
  }

  /// Finds out, on the first object at hand, which keys the key paths are that affect the declared
  /// ones.
  func resolveDeclarations(on object: KVObject) {
    if isOfMainActor, !isOnMainActor() { return }
    for declaration in declarations.values where !declaration.affectedBy.isEmpty {
      let key = declaration.name
      if resolved.withLock({ $0[key] != nil }) { continue }
      let paths = affectingPaths(declaration.affectedBy, on: object)
      resolved.withLock {
        $0[KeyName(key), default: AffectingPaths()].formUnion(paths, without: key)
      }
    }
  }

  /// Key paths by the keys that they are made of, if they are; an object is asked where the source
  /// does not tell.
  func affectingPaths(_ paths: some Sequence<AnyKeyPath>, on object: KVObject) -> AffectingPaths {
    var found = AffectingPaths()
    for path in paths {
      if let keys = keys(of: path, on: object) {
        found.keys.insert(keys)
      } else {
        found.others.insert(path)
      }
    }
    return found
  }

  private func keys(of path: AnyKeyPath, on object: KVObject) -> String? {
    if let key = knownKey(path) { return key }
    let steps = path.steps
    if let keys = keys(along: steps, asking: true) { return keys }
    let reads = FindingProbe.follow(path, from: object)
    // A private property of a superclass may be hidden, and has another key then.
    if let read = reads.only, read.object === object, let own = read.keyPath, isSamePath(own, path)
    {
      return read.field.key
    }
    return keys(along: steps, asking: false)
  }

  /// The keys of steps from an object of the class that each read a property which is observed by its
  /// key; nil if there are others.
  ///
  /// - Parameter isAsking: Whether the program's symbols are looked at for names.
  func keys(along steps: [KeyPathStep], asking isAsking: Bool) -> String? {
    guard let root = steps.first?.owner as? KVObject.Type,
      let properties = try? ClassRegistration.of(root).properties(along: steps, asking: isAsking),
      properties.count == steps.count,
      case .key(let first, _)? = properties.first, fieldsByKey[first.key] === first,
      isAnswered(first), zip(properties, steps).allSatisfy({ $0.isKey(of: $1.owner) })
    else { return nil }
    let names = properties.map(\.name)
    return names.contains { $0.contains(".") } ? nil : names.joined(separator: ".")
  }

  /// The key paths that affect a key and are not made of keys: evaluated, they tell what does.
  func forwardedPaths(_ key: String) -> Set<AnyKeyPath> {
    let others = resolved.withLock { $0[key].map { Unchecked($0.others) } }?.value ?? []
    return others.union(overridingPath(key).map { [$0] } ?? [])
  }

  /// The key path by which the class or one above it knows a key, beside the key paths of
  /// subclasses.
  func ownPath(_ key: String) -> AnyKeyPath? { declarations[key]?.keyPath ?? overridingPath(key) }

  /// The key path of a key whose getter the class has of its own.
  private func overridingPath(_ key: String) -> AnyKeyPath? {
    if overriddenKeys[key] != nil { return declarations[key]?.keyPath }
    guard let field = fieldsByKey[key], overridesGetter(of: field) else { return nil }
    return getterAnswers.withLock { $0.answered[field.offset] }?.value
  }

  /// Takes over what the superclass has found out, but of keys that the class declares anew.
  private func resolve(as superclass: ClassRegistration) {
    let known = superclass.resolved.withLock { $0 }.filter { key, _ in
      declarations[key]?.affectedBy == superclass.declarations[key]?.affectedBy
    }
    resolved.withLock { $0 = known }
  }

  /// The key that the class has declared for the key path, or whose getter it overrides; nil if it
  /// has none, and for a computed property whose getter is followed.
  func knownKey(_ keyPath: AnyKeyPath) -> String? {
    keyPathsByKey.first { isSamePath($0.keyPath, keyPath) }?.key ?? overriddenKey(keyPath)
  }

  /// The key that the class has declared for the key path of a computed property whose getter is
  /// followed.
  func followedKey(_ keyPath: AnyKeyPath) -> String? {
    followedKeyPaths.first { isSamePath($0.keyPath, keyPath) }?.key
  }

  /// The key of what a key path leads to behind others: a known one, or of a computed property whose
  /// getter is followed.
  func key(_ keyPath: AnyKeyPath, behind steps: [AnyKeyPath], isFollowed: Bool) -> String? {
    (isFollowed ? followedKeyPaths : keyPathsByKey).first { known in
      let end: AnyKeyPath? = known.keyPath
      let whole = steps.reversed().reduce(end) { path, step in
        path.flatMap { step.appending(path: $0) ?? step.appending(inherited: $0) }
      }
      return whole.map { isSamePath($0, keyPath) } ?? false
    }?.key
  }

  private var keyPathsByKey: [(key: String, keyPath: AnyKeyPath)] {
    declarations.values.filter { !isFollowed($0) }.map { ($0.name, $0.keyPath) } + answeredKeyPaths
  }

  private var followedKeyPaths: [(key: String, keyPath: AnyKeyPath)] {
    declarations.values.filter(isFollowed).map { ($0.name, $0.keyPath) }
  }
}
