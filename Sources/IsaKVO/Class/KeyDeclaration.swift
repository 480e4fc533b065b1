internal import CIsa
internal import IsaKeyValue

/// The declaration of one key of a class, in ``KVObject/keys``.
///
///     override class var keys: [KeyDeclaration] {
///       [
///         .key("full", \Person.full, affectedBy: [\Person.first, \Person.last]),
///         .key("age", \Person.age, validate: { _, age in age = max(age, 0) }),
///       ]
///     }
///
/// A computed property, or a property that notifies by hand, gets its name by that: it can then be
/// read, set and observed by key. A wrapped property has its name already; once declared, setting
/// it by name runs its `didSet` and what overrides it.
///
/// A computed property over a property that has no wrapper announces in its setter that it changes,
/// since nobody hears of what Swift code sets otherwise. Observers are told once, whether it is set
/// in Swift or by name:
///
///     var celsius: Double {
///       get { _celsius }
///       set { withChange(of: \.celsius) { _celsius = newValue } }
///     }
public struct KeyDeclaration: @unchecked Sendable {
  // Sendable because key paths without captured values never change.
  /// The key.
  public let name: String
  let keyPath: AnyKeyPath
  private(set) var affectedBy: [AnyKeyPath]
  private(set) var affectedByPaths: Set<String>
  private(set) var notifiesAutomatically: Bool
  /// Whether all is done by the property: made by ``property(_:_:affectedBy:)``.
  let isProperty: Bool
  private(set) var validate: ((KVObject, inout Any?) throws -> Void)?
  /// Sets the property to the value that an object stands for, through its Swift setter; nil if it has
  /// none. False if the object stands for a value of another type.
  let set: ((KVObject, isa_id?) -> Bool)?
  let makeField: (KVObject.Type) -> Field

  /// A key of the property that `keyPath` leads to.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: As `affectedBy`, it may name properties of the main actor, although
  ///     ``KVObject/keys`` belongs to no actor: it is made here, and not followed.
  ///   - affectedBy: The properties whose changes change this one. Of a computed property, observers
  ///     hear these changes and the announced ones, and no others that its getter may depend on; where
  ///     a subclass overrides the property, they hear what that getter reads as well. A path through
  ///     enums, arrays and computed properties is evaluated, as in an observation.
  ///   - paths: The same by name, such as `"address.city"`.
  ///   - notifiesAutomatically: Whether setting the key by name notifies by itself. Where the setter
  ///     sets what the property depends on, observers are told of that too: with false, or by
  ///     ``property(_:_:affectedBy:)``, they are told once.
  ///   - validate: Says what is wrong with a value by throwing, and may replace it.
  public static func key<Root: KVObject, Value>(
    _ name: String, _ keyPath: @MainActor @autoclosure () -> KeyPath<Root, Value>,
    affectedBy: @MainActor @autoclosure () -> [PartialKeyPath<Root>] = [],
    paths: Set<String> = [], notifiesAutomatically: Bool = true,
    validate: ((Root, inout Value) throws -> Void)? = nil
  ) -> KeyDeclaration {
    make(
      name, madeAnywhere(keyPath), affectedBy: madeAnywhere(affectedBy), paths: paths,
      notifiesAutomatically: notifiesAutomatically,
      validate: validate.map { validator($0, name) })
  }

  /// A key that is the property itself: reading and setting it by name, and changing elements by a
  /// proxy, does and tells the same as the property's own getter and setter. A wrapped property's
  /// `willSet`, `didSet` and overrides run.
  ///
  ///     override class var keys: [KeyDeclaration] {
  ///       [.property("age", \Person.age), .property("full", \Person.full, affectedBy: ["first", "last"])]
  ///     }
  ///
  /// A computed property does not notify by itself: its setter sets others, or announces the
  /// change. A typed observation follows what its getter reads, as if it had no key.
  ///
  /// Where a superclass has declared the key, what affects it there, its validator and whether it
  /// notifies automatically count as well.
  ///
  /// The macro `@DeclaresKeys` of the product IsaKVOMacros writes these for a whole class.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: As that of ``key(_:_:affectedBy:paths:notifiesAutomatically:validate:)``. Key-value
  ///     coding sets the property if it is writable.
  ///   - paths: The key paths whose changes change the property, for those who observe it by name.
  public static func property<Root: KVObject, Value>(
    _ name: String, _ keyPath: @MainActor @autoclosure () -> KeyPath<Root, Value>,
    affectedBy paths: Set<String> = []
  ) -> KeyDeclaration {
    make(name, madeAnywhere(keyPath), paths: paths, isProperty: true)
  }

  private static func make<Root: KVObject, Value>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, affectedBy: [AnyKeyPath] = [],
    paths: Set<String>, notifiesAutomatically: Bool = true, isProperty: Bool = false,
    validate: ((KVObject, inout Any?) throws -> Void)? = nil
  ) -> KeyDeclaration {
    let writable = keyPath as? ReferenceWritableKeyPath<Root, Value>
    let write = writable.map { path in
      { (object: KVObject, value: Value) in (object as! Root)[keyPath: path] = value }
    }
    return KeyDeclaration(
      name: name, keyPath: keyPath, affectedBy: affectedBy, affectedByPaths: paths,
      notifiesAutomatically: notifiesAutomatically, isProperty: isProperty, validate: validate,
      set: write.map { write in
        { object, id in
          guard let value = knownCoder(for: Value.self).read(id) else { return false }
          write(object, value)
          return true
        }
      },
      makeField: { owner in
        DeclaredField<Value>(
          name, owner, read: { ($0 as? Root)?[keyPath: keyPath] }, write: write)
      })
  }

  /// The declaration with what the superclass's says besides, where this one is of a property alone.
  func adding(_ inherited: KeyDeclaration?) -> KeyDeclaration {
    guard isProperty, let inherited else { return self }
    var declaration = self
    declaration.affectedBy += inherited.affectedBy.filter { !affectedBy.contains($0) }
    declaration.affectedByPaths.formUnion(inherited.affectedByPaths)
    declaration.notifiesAutomatically = inherited.notifiesAutomatically
    declaration.validate = inherited.validate
    return declaration
  }

  /// Whether it is of a property of a superclass of this class.
  func isInherited(by type: KVObject.Type) -> Bool { Swift.type(of: keyPath).rootType != type }

  private static func validator<Root: KVObject, Value>(
    _ validate: @escaping (Root, inout Value) throws -> Void, _ name: String
  ) -> (KVObject, inout Any?) throws -> Void {
    { object, value in
      guard let root = object as? Root else { return }
      guard var typed = converted(value, to: Value.self) else {
        throw KeyValueError(
          expected: writtenName(of: Value.self), not: value, key: name, className: "\(Root.self)")
      }
      try validate(root, &typed)
      value = typed
    }
  }
}

/// A value for people, with its type.
func describe(_ value: Any?) -> String {
  guard let value else { return "nil" }
  let shown = value is String ? "“\(value)”" : "\(value)"
  return "\(shown), a value of type \(type(of: value))"
}

extension KeyValueError {
  /// The error of a key whose value is not of the type with this text.
  init(
    expected type: String, not value: Any?, key: String, className: String,
    object: ObjectIdentifier? = nil
  ) {
    self.init(
      .incompatible, key: key, className: className,
      reason: "“\(key)” of \(className): expected a value of type \(type), not \(describe(value))",
      object: object)
  }
}
