// The differences between the kinds of classes, in one place: all else of the generator, the
// programs and the reference is the same for both. A class made at run time comes first, then a
// subclass of KVObject, and why.
//
// - items, tags: nil or a collection | never nil, since the library tells elements of a property
//   only if it is not optional. bag and pouch are optional in both.
// - Numbers: 64 bits each | Int, Int32, Int16, UInt8, a lazy Double; rank is an optional
//   Int.
// - row: a setter | declared in `keys`, so set through its Swift setter.
// - Sources of x, y and z: `kvo_class_set_keys` | an override of
//   `keyPathsForValuesAffectingValue(forKey:)`; of all others, `keys`.
// - Functions: one form | closures of key paths, of names with a type, of names with any value, by
//   turns.
// - A key path by evaluation: made of keys | one through optionals, `\.best?.name`, which hears of
//   each property that it reads.
// - The context of a function: handed back | none, since closures have no context.
// - The end of a function inside its initial notification: by its token | by `stopObserving()`,
//   since the token is not there yet.
// - The first notification of an observer object: marked as initial | a dictionary that has no word
//   for that; the run knows that it is registering.
// - items by accessor, in a program with reactions: beyond the end nothing happens | by name, since
//   a typed proxy stops the process there, as an array does.
// - A proxy of a bag or pouch that is nil: changes the ivar, and makes a collection | goes by the
//   setter, and refuses.
// - An access in place: announced by hand | by the property's own accessor.
// - Profile: Foundation's in both.

/// The kinds of classes that programs run on.
enum ClassKind: CaseIterable {
  /// Made at run time, with accessors in C.
  case runtime
  /// A subclass of `KVObject`, with wrapped properties.
  case swift

  func makeEngine() -> any Engine {
    switch self {
    case .runtime: RuntimeEngine()
    case .swift: SwiftEngine()
    }
  }
}

// MARK: - Rules

extension ClassKind {
  /// Whether a proxy of the key cannot change a value that is nil.
  func refusesNil(_ key: Key) -> Bool { self == .swift && [.bag, .pouch].contains(key) }

  /// The change that is told of the mutation of a set, as it stands before; nil if none is.
  func toldOf(_ change: SetChange, of value: Value, _ key: Key) -> SetChange? {
    switch (self, key) {
    case (.runtime, .pouch): value == .null && !change.adds ? nil : change
    default: change
    }
  }
}

// MARK: - Translation

extension Program {
  /// The program as it can be said of a kind.
  func said(of kind: ClassKind) -> Program {
    var program = self
    guard kind == .swift else {
      program.steps = steps.map(\.saidOfRuntime)
      for index in reactions.indices {
        program.reactions[index].step = reactions[index].step.saidOfRuntime
      }
      return program
    }
    for index in nodes.indices {
      program.nodes[index].items = nodes[index].items ?? []
      program.nodes[index].tags = nodes[index].tags ?? []
    }
    program.steps = steps.map { $0.saidOfSwift(besideReactions: !reactions.isEmpty) }
    for index in reactions.indices {
      program.reactions[index].step = reactions[index].step.saidOfSwift(besideReactions: true)
    }
    return program
  }
}

extension Step {
  fileprivate var saidOfRuntime: Step {
    guard case .observe(let label, var registration) = self else { return self }
    registration.isEvaluated = false
    return .observe(label: label, registration)
  }

  fileprivate func saidOfSwift(besideReactions: Bool) -> Step {
    switch self {
    case .observe(let label, var registration):
      if registration.isFunction { registration.context = 0 }
      registration.isEvaluated = registration.isEvaluated && registration.path.canBeEvaluated
      return .observe(label: label, registration)
    case .set(let node, let key, let value, let way):
      return .set(node: node, key: key, value.saidOfSwift(for: key), way)
    case .setAlong(let node, let link, let key, let value):
      return .setAlong(node: node, link: link, key: key, value.saidOfSwift(for: key))
    case .changeList(let node, let key, let change, .accessor) where besideReactions:
      return .changeList(node: node, key: key, change, .coding)
    default: return self
    }
  }
}

extension Path {
  /// Whether it can be written as a key path through optionals, which is no matter of names.
  fileprivate var canBeEvaluated: Bool { keys.count > 1 && !keys.contains(.counting) }
}

extension Value {
  fileprivate func saidOfSwift(for key: Key) -> Value {
    switch (self, key) {
    case (.null, .items): .list([])
    case (.null, .tags): .set([])
    default: self
    }
  }
}
