/// All that a scenario's world holds at one moment: what the views of a step are made from.
struct WorldState: Hashable, Sendable, Codable {
  /// The living objects that have a name, in the order in which they were named.
  var objects = NamedList<ObjectState>()
  /// The scenario's classes and their notifying classes, superclasses first.
  var classes = NamedList<ClassState>()
  /// The notifications that each observer has got so far.
  var told = NamedList<Hearings>()

  func object(_ name: String) -> ObjectState? { objects[name] }
  func cls(_ name: String) -> ClassState? { classes[name] }

  /// A class and those above it, the root last.
  func lineage(of name: String) -> [ClassState] {
    Array(sequence(first: name) { self.cls($0)?.superclass }.lazy.compactMap { self.cls($0) })
  }

  /// The method with which instances of a class answer, looked up as a message is.
  func implementation(_ selector: String, in name: String) -> ImplementationView? {
    lineage(of: name).lazy.compactMap { $0.methods.first { $0.selector == selector } }.first
  }
}

/// One object.
struct ObjectState: Named {
  /// The rest of the header's second word.
  enum Record: Hashable, Sendable, Codable {
    /// The reference count stands in the header itself.
    case count
    /// The header leads to a side record, which has the count, weak references and registrations.
    case side
    case immortal
  }

  var name: String
  /// `obj#1`
  var symbol: String
  var number: Int { Int(symbol.drop { !$0.isWholeNumber }) ?? 0 }
  var address: UInt
  /// The class by the isa.
  var isa: String
  /// The class with which it was made.
  var born: String
  /// The object's answer to `class`.
  var claim: String
  var record: Record
  var retainCount: Int
  /// Whether the scenario's own reference is still there.
  var isHeld: Bool
  /// Inherited ones first.
  var ivars: [IvarState]
  /// Its contents, if it is a text, a number or a collection.
  var contents: Value?
  /// Its observers, in the order in which they came.
  var registrations: [RegistrationView]
  /// Changes that were announced and not ended.
  var pending: [PendingView]
}

/// One ivar of one object, and its value.
struct IvarState: Hashable, Sendable, Codable {
  var name: String
  var encoding: String
  /// From the start of the object, its header included.
  var offset: Int
  var size: Int
  /// The class that declares it.
  var owner: String
  var value: Value
  /// Whether the object in it is not kept alive.
  var isWeak: Bool
}

/// One class pair.
struct ClassState: Named {
  var name: String
  var symbol: String { name }
  var superclass: String?
  var address: UInt
  /// Whether the runtime made it, because an object of `original` was observed.
  var isNotifying: Bool
  /// The class for which it notifies; any other class is its own.
  var original: String
  /// Whether the scenario did not ask for it: the root class, the class of observers.
  var isBuiltIn: Bool
  /// Bytes of an instance, the header's 16 included.
  var instanceSize: Int
  /// Its own ivars.
  var ivars: [Fact.IvarView]
  /// Its own methods, in the order in which they were added.
  var methods: [ImplementationView]
  /// The pages of its dispatch table that are its own; it shares the others with its superclass.
  var ownPages: [Int]
  var metaclass: MetaclassState
}

struct MetaclassState: Hashable, Sendable, Codable {
  var name: String
  /// The metaclass's superclass; the root metaclass's is the root class.
  var superclass: String?
  /// The class's own class methods.
  var methods: [ImplementationView]
  var ownPages: [Int]
}
