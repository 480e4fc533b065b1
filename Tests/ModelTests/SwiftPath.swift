import IsaKVO
import IsaRuntime

/// How closures observe a path of Swift nodes.
struct SwiftPath {
  typealias Observe =
    (SwiftNode, ObservationOptions, @escaping (SwiftChange) -> Void) throws -> KeyValueObservation

  /// By key path; nil where a computed property is on the way, or at the end of several keys: such
  /// a key path is evaluated rather than made of keys.
  let byKeyPath: Observe?
  /// By name, with the type of the value.
  let byName: Observe
  /// By a key path through a computed property, so that it is evaluated; nil for one key, and for an
  /// operator.
  let byEvaluation: Observe?

  init(_ path: Path) {
    byKeyPath = Self.byKeyPath[path.text]
    byName = Self.named(path)
    byEvaluation = Self.byEvaluation[path.text]
  }

  /// By name, with values of any type.
  static func observe(
    _ path: Path, of node: SwiftNode, _ options: ObservationOptions,
    _ label: Int
  ) throws -> KeyValueObservation {
    try RuntimeObject(node).observe(path.text, options: options) { change in
      SwiftRun.told(SwiftChange(change), .function(label), Path.named(change.keyPath))
    }
  }

  // MARK: By key path

  /// An optional that is unwrapped by force stops nobody in a key path that is made of keys; nil is
  /// left out of the change then, unless the property itself may be nil.
  private static func typed<Observed>(_ keyPath: KeyPath<SwiftNode, Observed>) -> Observe {
    let hasNil = Observed.self is any ExpressibleByNilLiteral.Type
    return { node, options, told in
      node.observe(keyPath, options: options) { node, change in
        let change = SwiftChange(node, change)
        told(hasNil || !change.keyPath.contains(".") ? change : change.withNil(options))
      }
    }
  }

  nonisolated(unsafe) private static let byKeyPath: [String: Observe] = [
    "name": typed(\.name), "count": typed(\.count), "child": typed(\.child),
    "other": typed(\.other), "items": typed(\.items), "tags": typed(\.tags),
    "row": typed(\.row), "bag": typed(\.bag), "pouch": typed(\.pouch), "rank": typed(\.rank),
    "m": typed(\.m), "x": typed(\.x), "y": typed(\.y), "leaf": typed(\.leaf),
    "derived": typed(\.derived), "total": typed(\.total), "summary": typed(\.summary),
    "best": typed(\.best), "far": typed(\.far), "pair": typed(\.pair), "near": typed(\.near),
    "outer": typed(\.outer), "deep": typed(\.deep), "goal": typed(\.goal), "mark": typed(\.mark),
    "z": typed(\.z),
    "child.name": typed(\.child!.name), "child.count": typed(\.child!.count),
    "child.rank": typed(\.child!.rank), "child.child": typed(\.child!.child),
    "child.child.name": typed(\.child!.child!.name), "child.items": typed(\.child!.items),
    "child.tags": typed(\.child!.tags), "child.m": typed(\.child!.m),
    "child.x": typed(\.child!.x), "child.other.items": typed(\.child!.other!.items),
    "child.child.child.count": typed(\.child!.child!.child!.count),
    "other.name": typed(\.other!.name), "other.items": typed(\.other!.items),
    "other.tags": typed(\.other!.tags), "child.row": typed(\.child!.row),
    "child.bag": typed(\.child!.bag),
  ]

  // MARK: By evaluation

  private static func evaluated<Observed>(_ keyPath: KeyPath<SwiftNode, Observed>) -> Observe {
    { node, options, told in
      node.observe(keyPath, options: options) { told(SwiftChange($0, $1)) }
    }
  }

  nonisolated(unsafe) private static let byEvaluation: [String: Observe] = [
    "child.name": evaluated(\.itself.child?.name), "child.count": evaluated(\.itself.child?.count),
    "child.rank": evaluated(\.itself.child?.rank), "child.child": evaluated(\.itself.child?.child),
    "child.child.name": evaluated(\.itself.child?.child?.name),
    "child.derived": evaluated(\.itself.child?.derived),
    "child.summary": evaluated(\.itself.child?.summary),
    "child.total": evaluated(\.itself.child?.total),
    "child.items": evaluated(\.itself.child?.items),
    "child.tags": evaluated(\.itself.child?.tags), "child.m": evaluated(\.itself.child?.m),
    "child.mark": evaluated(\.itself.child?.mark), "child.x": evaluated(\.itself.child?.x),
    "child.z": evaluated(\.itself.child?.z), "child.best": evaluated(\.itself.child?.best),
    "child.best.count": evaluated(\.itself.child?.best?.count),
    "child.far": evaluated(\.itself.child?.far),
    "child.pair": evaluated(\.itself.child?.pair), "child.outer": evaluated(\.itself.child?.outer),
    "child.goal": evaluated(\.itself.child?.goal), "child.near": evaluated(\.itself.child?.near),
    "child.deep": evaluated(\.itself.child?.deep),
    "child.other.items": evaluated(\.itself.child?.other?.items),
    "child.child.child.count": evaluated(\.itself.child?.child?.child?.count),
    "other.name": evaluated(\.itself.other?.name), "other.items": evaluated(\.itself.other?.items),
    "other.tags": evaluated(\.itself.other?.tags),
    "other.child.total": evaluated(\.itself.other?.child?.total),
    "other.far.name": evaluated(\.itself.other?.far?.name),
    "best.name": evaluated(\.itself.best?.name),
    "best.derived": evaluated(\.itself.best?.derived),
    "best.items": evaluated(\.itself.best?.items),
    "best.child.name": evaluated(\.itself.best?.child?.name),
    "best.summary": evaluated(\.itself.best?.summary),
    "far.name": evaluated(\.itself.far?.name), "far.tags": evaluated(\.itself.far?.tags),
    "far.child.count": evaluated(\.itself.far?.child?.count),
    "far.summary": evaluated(\.itself.far?.summary),
    "child.row": evaluated(\.itself.child?.row), "child.bag": evaluated(\.itself.child?.bag),
    "best.pouch": evaluated(\.itself.best?.pouch),
  ]

  // MARK: By name

  private static func named<Observed>(_ path: Path, as type: Observed.Type) -> Observe {
    { node, options, told in
      try node.observe(path.text, as: type, options: options) { told(SwiftChange($0, $1)) }
    }
  }

  /// A value at the end of several keys may be nil where the property may not.
  private static func named<Observed>(_ path: Path, of type: Observed.Type) -> Observe {
    path.keys.count == 1 ? named(path, as: type) : named(path, as: Observed?.self)
  }

  private static func named(_ path: Path) -> Observe {
    switch path.keys[path.keys.count - 1] {
    case .name, .derived, .near, .deep, .goal: named(path, as: String?.self)
    case .child, .other, .best, .far: named(path, as: SwiftNode?.self)
    case .count, .total, .summary, .pair, .outer, .mark, .z: named(path, of: Int.self)
    case .rank, .counting: named(path, as: Int?.self)
    case .items, .row: named(path, of: [String].self)
    case .tags: named(path, of: Set<String>.self)
    case .bag: named(path, as: [String]?.self)
    case .pouch: named(path, as: Set<String>?.self)
    case .m: named(path, of: Int32.self)
    case .x: named(path, of: Int16.self)
    case .y: named(path, of: UInt8.self)
    case .leaf: named(path, of: Double.self)
    }
  }
}
