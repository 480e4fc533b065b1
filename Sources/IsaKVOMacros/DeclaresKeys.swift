#if Macros
  /// Has key-value coding go through the properties of a class: writes its `keys`.
  ///
  ///     @DeclaresKeys
  ///     class Person: KVObject {
  ///       @Dynamic var first = "Ann"
  ///       @Dynamic var age = 30 { didSet { print("didSet \(age)") } }
  ///       var title: String { "\(first), \(age)" }
  ///     }
  ///
  ///     try person.setValue(31, forKey: "age")       // runs didSet
  ///     try person.value(forKey: "title")            // a computed property has a key
  ///
  /// Each property gets a `KeyDeclaration.property(_:_:affectedBy:)`, behind the superclass's
  /// declarations:
  ///
  /// - a property that is wrapped by `@Dynamic`, `@LazyDynamic` or `@WeakDynamic`, unless it has no
  ///   observers and nobody can override it, so that there is nothing to go through;
  /// - a property that overrides another, by accessors or by observers;
  /// - a computed property. An observer by name is told when a property that the getter names
  ///   changes, of those in the same class; `keyPathsForValuesAffectingValue(forKey:)` adds others.
  ///
  /// A constant, a stored property without a wrapper, a `static` one, one of an extension, a getter that
  /// is `async` or throws, a computed property with `@available`, and `description`,
  /// `debugDescription` and `hash` have no key by it.
  ///
  /// A class that declares more, such as a validator, does so in a property `moreKeys` of its own. Of two
  /// declarations of a key that one counts. `nonisolated` is for classes of the main actor:
  ///
  ///     private nonisolated static let moreKeys: [KeyDeclaration] = [
  ///       .key("age", \Person.age, validate: { _, age in age = max(age, 0) })
  ///     ]
  ///
  /// A class that inherits from one with the macro has it itself if its own properties are to be
  /// declared.
  @attached(member, names: named(keys))
  public macro DeclaresKeys() =
    #externalMacro(module: "IsaKVOMacrosPlugin", type: "DeclaresKeysMacro")
#else
  /// Not available: the macro comes with the trait `Macros` of the package. An attribute of a class that
  /// is no macro is a global actor.
  @available(
    *, unavailable,
    message: "@DeclaresKeys needs the trait: .package(url: …, traits: [\"Macros\"])"
  )
  @globalActor
  public actor DeclaresKeys {
    /// Not available.
    public static let shared = DeclaresKeys()
  }
#endif
