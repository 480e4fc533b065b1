/// How the objects of one moment are connected beside their isas: values that are objects, forwarders
/// of key paths, and keys that depend on others.
struct Connections {
  /// A key path of an object.
  struct Target: Hashable, Sendable {
    var object: ObjectState
    var path: String
  }

  private(set) var state = WorldState()
  let symbols: Symbols?
  let language: Language
  /// The names of the objects that name one, and of those with a registration that serves another, by
  /// its root.
  private var mentioning: [String: Set<String>] = [:]
  private var serving: [String: Set<String>] = [:]

  init(_ symbols: Symbols?, _ language: Language) {
    self.symbols = symbols
    self.language = language
  }

  /// The living object of that name, the last one if there were several.
  func object(_ name: String) -> ObjectState? { state.objects.last(name) }

  func edges(of object: ObjectState) -> [Graph.Edge] {
    references(of: object) + forwarders(on: object) + dependencies(of: object)
  }

  /// Goes on to how all stands at another moment.
  ///
  /// - Parameter told: The observers that were told.
  /// - Returns: The objects that are other, or connected otherwise, and those that died.
  @discardableResult
  mutating func follow(
    _ new: WorldState, told: [String] = []
  ) -> (objects: [ObjectState], dead: [ObjectState]) {
    let changes = new.objects.differences(from: state.objects)
    state = new
    var names = Set(told)
    for object in changes.gone { note(object, nil, &names) }
    for (old, object) in changes.changed { note(old, object, &names) }
    for object in changes.gone + changes.came { names.formUnion(mentioning[object.name] ?? []) }
    for (_, object) in changes.changed { names.remove(object.name) }
    return (changes.changed.map(\.new) + state.objects.named(names), changes.gone)
  }

  /// Notes what an object names; adds the objects that serve the same registrations.
  private mutating func note(_ old: ObjectState?, _ new: ObjectState?, _ names: inout Set<String>) {
    guard let name = (new ?? old)?.name else { return }
    let roots = (old?.roots ?? [], new?.roots ?? [])
    serving.move(name, from: roots.0, to: roots.1)
    for root in roots.0.union(roots.1) { names.formUnion(serving[root] ?? []) }
    mentioning.move(name, from: old?.mentioned ?? [], to: new?.mentioned ?? [])
  }

  // MARK: References

  /// One edge for each object that another one refers to, with the keys through which it does.
  private func references(of object: ObjectState) -> [Graph.Edge] {
    var edges: [Graph.Edge] = []
    for (key, value) in values(of: object) {
      for name in value.objects {
        guard let to = self.object(name)?.symbol else { continue }
        let index = edges.firstIndex { $0.to == to }
        if let index, !edges[index].keys.contains(key) { edges[index].keys.append(key) }
        if index != nil { continue }
        edges.append(Graph.Edge(kind: .refers, from: object.symbol, to: to, keys: [key]))
      }
    }
    return edges
  }

  private func values(of object: ObjectState) -> [(key: String, value: Value)] {
    let weak = language.say("graph.weak")
    let ivars = object.ivars.filter { $0.encoding.hasPrefix("@") }.map { ivar in
      let key = ivar.name.hasPrefix("_") ? String(ivar.name.dropFirst()) : ivar.name
      return (key.shown + (ivar.isWeak ? " (\(weak))" : ""), ivar.value)
    }
    return ivars + (object.contents.map { [(language.say("graph.element"), $0)] } ?? [])
  }

  // MARK: Forwarders

  /// The key path on whose behalf a forwarder listens: of the object before it on the way if that is
  /// there, else the one that is observed.
  func target(of registration: RegistrationView) -> Target? {
    guard let root = registration.root, let dot = root.firstIndex(of: "."),
      let object = object(String(root[..<dot]))
    else { return nil }
    let path = String(root[root.index(after: dot)...])
    return before(registration, path) ?? Target(object: object, path: path)
  }

  /// `friend.home.city` is followed by a forwarder for `home.city`, and that one by one for `city`.
  private func before(_ registration: RegistrationView, _ path: String) -> Target? {
    let tail = "." + registration.key
    let isFollowed = { (other: RegistrationView) in
      other.root == registration.root && other.key.hasSuffix(tail)
        && !other.key.dropLast(tail.count).contains(".")
    }
    for object in state.objects.named(serving[registration.root ?? ""] ?? []) {
      guard let link = object.registrations.first(where: isFollowed) else { continue }
      let key = String(link.key.dropLast(tail.count))
      let isWay = object.ivars.contains {
        ($0.name == "_" + key || $0.name == key) && $0.value.objects.contains(registration.object)
      }
      if isWay { return Target(object: object, path: link.key) }
    }
    return nil
  }

  private func forwarders(on object: ObjectState) -> [Graph.Edge] {
    var edges: [Graph.Edge] = []
    for registration in object.registrations {
      guard let target = target(of: registration), target.object.symbol != object.symbol
      else { continue }
      let way = "\(registration.key) → \(target.path)".shown
      let index = edges.firstIndex { $0.to == target.object.symbol }
      if let index, !edges[index].keys.contains(way) { edges[index].keys.append(way) }
      if index != nil { continue }
      edges.append(
        Graph.Edge(
          kind: .forwards, from: object.symbol, to: target.object.symbol, keys: [way]))
    }
    return edges
  }

  // MARK: Dependent keys

  /// Of each key that somebody observes: what it depends on, and what that depends on.
  private func dependencies(of object: ObjectState) -> [Graph.Edge] {
    guard let symbols else { return [] }
    var found: [Graph.Edge] = []
    var keys = Array(Set(object.registrations.map(\.key.firstKey)))
    while let key = keys.popLast() {
      let declaration = symbols.property(key, of: object.claim)?.declaration
      let others = declaration?.dependsOn ?? []
      let edge = Graph.Edge(
        kind: .depends, from: object.symbol, to: object.symbol, keys: others.map(\.shown),
        dependent: key.shown)
      if others.isEmpty || found.contains(where: { $0.id == edge.id }) { continue }
      found.append(edge)
      keys += others.map(\.firstKey)
    }
    return found.sorted { $0.id < $1.id }
  }
}

extension PropertyDeclaration {
  /// The key paths that it is declared to depend on.
  fileprivate var dependsOn: [String] {
    attributes.flatMap { attribute -> [String] in
      switch attribute {
      case .depends(let names), .triggered(let names): names.map(\.text)
      default: []
      }
    }
  }
}

extension ObjectState {
  /// The names of the objects that it may keep alive or hold weakly, and of its observers.
  var references: Set<String> {
    Set(ivars.flatMap(\.value.objects) + (contents?.objects ?? []) + registrations.map(\.observer))
  }
  /// The registrations of other objects that those on it serve.
  fileprivate var roots: Set<String> { Set(registrations.compactMap(\.root)) }
  fileprivate var mentioned: Set<String> { references.union(roots.map(\.firstKey)) }
}

extension [String: Set<String>] {
  /// Has a name under other keys than before.
  mutating func move(_ name: String, from old: Set<String>, to new: Set<String>) {
    for key in old.subtracting(new) { self[key]?.remove(name) }
    for key in new.subtracting(old) { self[key, default: []].insert(name) }
  }
}

extension String {
  /// `home` of `home.city`.
  fileprivate var firstKey: String { String(prefix { $0 != "." }) }
}

extension Value {
  /// The names in it that may be objects'.
  var objects: [String] {
    switch self {
    case .name(let name): [name]
    case .array(let elements), .set(let elements): elements.flatMap(\.objects)
    case .dictionary(let entries): entries.flatMap(\.value.objects)
    default: []
    }
  }
}
