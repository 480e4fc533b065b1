import IsaKVO
import IsaKVOTestSupport
import IsaRuntime

/// A change, as an observer of a Swift object is told of it, whatever form it has registered in.
struct SwiftChange {
  let object: KVObject?
  let keyPath: String
  let phase: Phase
  let kind: UInt32
  let indexes: [Int]?
  /// Nil for what is absent.
  private(set) var old: Any??
  private(set) var new: Any??
  let context: Int
  /// Ends the registration; nil for that of an observer object.
  let stop: (() -> Void)?

  init<Observed>(_ object: SwiftNode, _ change: ValueChange<Observed>) {
    self.object = object
    keyPath = change.keyPath
    phase = change.isInitial ? .initial : change.isPrior ? .prior : .after
    kind = Self.number(of: change.kind)
    indexes = change.indexes
    old = change.oldValue.map(bare)
    new = change.newValue.map(bare)
    context = 0
    stop = change.stopObserving
  }

  init(_ change: RuntimeChange) {
    object = change.object.unsafeSwiftObject as? KVObject
    keyPath = change.keyPath
    phase = change.isInitial ? .initial : change.isPrior ? .prior : .after
    kind = Self.number(of: change.kind)
    indexes = change.indexes
    old = change.oldValue.map(\.any)
    new = change.newValue.map(\.any)
    context = Int(change.context.address)
    stop = change.stopObserving
  }

  /// - Parameter isInitial: The dictionary does not say so.
  init(
    _ keyPath: String?, _ object: Any?, _ change: [ChangeKey: Any]?,
    _ context: UnsafeMutableRawPointer?, isInitial: Bool
  ) {
    let change = change ?? [:]
    self.object = object as? SwiftNode
    self.keyPath = keyPath ?? ""
    let isPrior = change[.notificationIsPriorKey] as? Bool == true
    phase = isInitial ? .initial : isPrior ? .prior : .after
    kind = (change[.kindKey] as? UInt).map { UInt32($0) } ?? 0
    indexes = change[.indexesKey].map { $0 as? [Int] ?? [] }
    old = change[.oldKey].map { $0 is KeyValueNull ? nil : $0 }
    new = change[.newKey].map { $0 is KeyValueNull ? nil : $0 }
    self.context = Int(bitPattern: context)
    stop = nil
  }

  /// The change with nil for values that were asked for and are absent.
  func withNil(_ options: ObservationOptions) -> SwiftChange {
    guard kind == 1 else { return self }
    var change = self
    if options.contains(.old), phase != .initial, old == nil { change.old = .some(nil) }
    if options.contains(.new), phase != .prior, new == nil { change.new = .some(nil) }
    return change
  }

  private static func number(of kind: ChangeKind) -> UInt32 {
    switch kind {
    case .setting: 1
    case .insertion: 2
    case .removal: 3
    case .replacement: 4
    }
  }
}

/// A value out of its optional.
private func bare<Observed>(_ value: Observed) -> Any? {
  if let optional = value as? any Wrapping { return optional.wrapped }
  return value
}

private protocol Wrapping {
  var wrapped: Any? { get }
}

extension Optional: Wrapping {
  fileprivate var wrapped: Any? { flatMap { bare($0) } }
}
