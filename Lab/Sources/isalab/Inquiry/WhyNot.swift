/// Why an observer was not told in one step.
struct WhyNot: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    case wasTold
    case registersLater(target: String, WhyChain.Origin)
    case ended(target: String, Event.Reason, WhyChain.Origin)
    case changesNothing
    case refused(Refusal)
    case nilOnTheWay(target: String)
    /// The ivar was written where it stands.
    case pastSetter(target: String)
    /// The collection was changed where it stands.
    case pastAccessors(target: String)
    case manualKey(target: String)
    /// The isa is not a notifying class, though there is a registration.
    case plainIsa(object: String, isa: String)
    case notWrapped(target: String, method: String)
    case announcedOnly(target: String)
    case neverAnnounced(target: String)
    case sameValue(target: String, Value)
    case otherKey(target: String, changed: String)
    /// The key is computed from the changed one, and does not say so.
    case undeclared(target: String, on: String)
    case otherObject(target: String, changed: String, isa: String)
    /// The path leads elsewhere at this moment.
    case offPath(target: String, changed: String, through: String)
    case unknown(target: String)
  }

  var observer: String
  var step: Int
  var reasons: [Reason]

  /// The names of all that were ever registered, in the order of the run.
  static func observers(of run: Run) -> [String] {
    var names: [String] = []
    for event in run.steps.flatMap(\.events)
    where event.kind == .observerAdded && !event.isForwarder {
      if let name = event.observer, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// - Parameter step: From 1.
  init(_ observer: String, at step: Int, of run: Run) {
    self.observer = observer
    self.step = step
    let search = WhyNotSearch(run: run, step: run.steps[step - 1], observer: observer)
    reasons = search.reasons
  }
}

/// The change that a statement tries to make.
struct ChangeAttempt: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    case setter, coding, poke, edit, ivarEdit, will, did
  }

  /// The object at the end of the path; nil if something on the way is nil or has no name.
  var object: String?
  var keys: [String]
  var way: Way
  var reference: String

  /// - Returns: Nil for a statement that changes no value.
  init?(_ statement: Statement.Kind, in state: WorldState) {
    switch statement {
    case .set(let target, _): self.init(target, .setter, state)
    case .keyedSet(let target, _): self.init(target, .coding, state)
    case .poke(let target, _): self.init(target, .poke, state)
    case .willChange(let target): self.init(target, .will, state)
    case .didChange(let target): self.init(target, .did, state)
    case .willEdit(let edit): self.init(edit.target, .will, state)
    case .didEdit(let edit): self.init(edit.target, .did, state)
    case .edit(let edit): self.init(edit.target, edit.way == .ivar ? .ivarEdit : .edit, state)
    case .bulkSet(let name, let literal):
      guard case .dictionary(let entries) = literal.kind else { return nil }
      self.init(
        object: name.text, keys: entries.map(\.key.text), way: .coding, reference: name.text)
    case .repetition(_, let inner), .onThread(let inner): self.init(inner.kind, in: state)
    default: return nil
    }
  }

  private init(_ target: PropertyReference, _ way: Way, _ state: WorldState) {
    let object = target.keys.dropLast().reduce(Optional(target.object.text)) { name, key in
      name.flatMap { state.object(named: $0, at: key.text) }
    }
    self.init(
      object: object, keys: target.keys.suffix(1).map(\.text), way: way, reference: "\(target)")
  }

  private init(object: String?, keys: [String], way: Way, reference: String) {
    (self.object, self.keys, self.way, self.reference) = (object, keys, way, reference)
  }
}

extension WorldState {
  /// The object that a property of another holds, by its name.
  func object(named name: String, at key: String) -> String? {
    let ivars = object(name)?.ivars ?? []
    let ivar = ivars.first { $0.name == "_" + key || $0.name == key }
    guard case .name(let next)? = ivar?.value, object(next) != nil else { return nil }
    return next
  }
}
