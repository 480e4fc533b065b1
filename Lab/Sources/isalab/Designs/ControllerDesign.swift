import Foundation
import IsaRuntime

extension Designs {
  static let controller = DesignInfo(
    name: "controller", title: Text("design.controller"),
    source: Text("design.controller-source"),
    misuse: .exception
  ) { stage in ControllerDesign(stage, retains: true) }

  static let weakController = DesignInfo(
    name: "weak-controller", title: Text("design.weak-controller"),
    source: Text("design.weak-controller-source"),
    misuse: .exception
  ) { stage in ControllerDesign(stage, retains: false) }
}

/// A controller for each observer, and one shared observer that Foundation knows of.
///
/// Locks: `lock` guards the sets and the states of infos; it is held while nobody else's code runs.
final class ControllerDesign: ObservingDesign {
  private final class Info {
    /// A function of the scenario is a block. An object without a context is sent an action, one
    /// with a context the message that Foundation sends.
    enum Callback { case block, action, message }
    enum State { case initial, observing, ended }

    let name: String
    let path: String
    let context: UInt
    let callback: Callback
    /// The addresses of both ends.
    let observer: UInt
    let object: UInt
    let weakObserver: RuntimeWeakReference
    var state = State.initial

    init(
      _ statement: ObserveStatement, name: String, by observer: RuntimeObject,
      of object: RuntimeObject
    ) throws(KeyValueError) {
      self.name = name
      self.observer = observer.address
      self.object = object.address
      weakObserver = try RuntimeWeakReference(to: observer)
      path = statement.target.path
      context = statement.context
      callback = statement.observer == nil ? .block : statement.context == 0 ? .action : .message
    }

    /// The context with Foundation.
    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  private struct Observed {
    /// The observed object, where the controller retains it: it lives on when the design goes.
    var retained: Unmanaged<RuntimeObject>?
    var infos: [Info] = []
    /// The observed object's class.
    var cls: String
  }

  private static let sharedName = "SharedObserver"
  private let stage: DesignStage
  private let retains: Bool
  private let lock = NSLock()
  /// The shared observer's, by context.
  private var infos: [UInt: Info] = [:]
  /// The controllers', by observer, then by observed object.
  private var observed: [UInt: [UInt: Observed]] = [:]
  private var tokens: [String: Info] = [:]
  private var watched: Set<UInt> = []

  init(_ stage: DesignStage, retains: Bool) {
    self.stage = stage
    self.retains = retains
  }

  func obstacle(to statement: Statement) -> Text? {
    switch statement.kind {
    case .removeObserver(let remove) where remove.context != nil: Text("design.by-context")
    default: statement.foundationObstacle
    }
  }

  // MARK: Registering

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    let listener = try stage.listener(of: statement)
    let observer = try stage.world.object(listener)
    let object = try stage.world.object(statement.target.object)
    let info = try Info(statement, name: listener.text, by: observer, of: object)
    guard try enter(info, observer, object) else { return true }
    if statement.observer == nil { tokens[listener.text] = info }
    do throws(KeyValueError) {
      try object.addObserver(
        try sharedObserver(), forKeyPath: info.path, options: statement.wanted,
        context: ObservationContext(address: info.address))
    } catch {
      leave(info)
      throw error
    }
    // The callback of an initial notification may have ended it, when Foundation did not know it yet.
    if !begins(info) { removeFromFoundation(info) }
    return true
  }

  /// Puts the info into both sets, unless the controller has an equal one.
  private func enter(
    _ info: Info, _ observer: RuntimeObject, _ object: RuntimeObject
  ) throws(KeyValueError) -> Bool {
    let known = lock.withLock { observed[info.observer]?[info.object] }
    if known?.infos.contains(where: { $0.path == info.path }) == true { return false }
    if known == nil { try begin(observer, object) }
    lock.withLock {
      observed[info.observer]![info.object]!.infos.append(info)
      infos[info.address] = info
    }
    return true
  }

  /// The first registration of an observer on an object.
  private func begin(_ observer: RuntimeObject, _ object: RuntimeObject) throws(KeyValueError) {
    let (listener, address) = (observer.address, object.address)
    if watched.insert(listener).inserted {
      try stage.whenDies(observer) { [weak self] in self?.observerDied(listener) }
    }
    if !retains { try stage.whenDies(object) { [weak self] in self?.objectDied(address) } }
    let cls = stage.performer.inspector.claimedClass(of: object)
    let retained: Unmanaged<RuntimeObject>? =
      retains ? .passRetained(RuntimeObject(unsafeAddress: address)) : nil
    lock.withLock {
      observed[listener, default: [:]][address] = Observed(retained: retained, cls: cls)
    }
  }

  /// Whether the registration stands, now that Foundation knows of it.
  private func begins(_ info: Info) -> Bool {
    lock.withLock {
      if info.state == .initial { info.state = .observing }
      return info.state == .observing
    }
  }

  // MARK: The shared observer

  private func sharedObserver() throws(KeyValueError) -> RuntimeObject {
    let name = ControllerDesign.sharedName
    if let shared = stage.world.objects[name] { return shared }
    let design = Unowned(self)
    try stage.world.makeClass(name) { cls throws(KeyValueError) in
      try cls.observer { _, change in design.object.heard(change) }
    }
    _ = try stage.world.makeObject(name, name)
    return stage.world.objects[name]!
  }

  private func heard(_ change: RuntimeChange) {
    guard let info = lock.withLock({ infos[change.context.address] }),
      let observer = info.weakObserver.object
    else { return }
    if let refusal = refusal(of: info, observer) { return stage.raise(refusal) }
    stage.recorder.hear(info.name) { change.told(with: info.context) }
  }

  /// The exception of an object that does not answer to what it is sent.
  private func refusal(of info: Info, _ observer: RuntimeObject) -> Refusal? {
    if info.callback == .block || stage.isObserver(observer) { return nil }
    let message = "\(info.name): An -observeValueForKeyPath:ofObject:change:context: message"
    return info.callback == .action
      ? Refusal(
        exception: "NSInvalidArgumentException",
        reason: "unrecognized selector sent to \(info.name)")
      : Refusal(
        exception: "NSInternalInconsistencyException",
        reason: message + " was received but not handled.")
  }

  // MARK: Ending

  private func observerDied(_ observer: UInt) {
    watched.remove(observer)
    let left = lock.withLock { observed.removeValue(forKey: observer) ?? [:] }
    for left in left.values { end(left) }
  }

  private func objectDied(_ object: UInt) {
    let left = lock.withLock {
      observed.keys.compactMap { observed[$0]!.removeValue(forKey: object) }
    }
    guard !left.isEmpty else { return }
    for info in left.flatMap(\.infos) {
      lock.withLock { info.state = .ended }
      leave(info)
    }
    stage.raise(Refusal(deallocatedWhileObserved: left[0].cls))
  }

  private func end(_ left: Observed) {
    for info in left.infos { end(info) }
    left.retained?.release()
  }

  private func end(_ info: Info) {
    let wasObserving = lock.withLock {
      defer { info.state = .ended }
      return info.state == .observing
    }
    // Before the info leaves: until then the object is retained.
    if wasObserving { removeFromFoundation(info) }
    leave(info)
  }

  /// Takes the info out of both sets.
  private func leave(_ info: Info) {
    let left = lock.withLock { () -> Observed? in
      infos[info.address] = nil
      guard var left = observed[info.observer]?[info.object] else { return nil }
      left.infos.removeAll { $0 === info }
      observed[info.observer]![info.object] = left.infos.isEmpty ? nil : left
      return left.infos.isEmpty ? left : nil
    }
    // Nobody's code may run under the lock, and the object may go now.
    left?.retained?.release()
  }

  /// After the scenario's end the shared observer may be gone before its registrations.
  private func removeFromFoundation(_ info: Info) {
    guard let shared = stage.world.objects[ControllerDesign.sharedName] else { return }
    let object = RuntimeObject(unsafeAddress: info.object)
    try? object.removeObserver(
      shared, forKeyPath: info.path, context: ObservationContext(address: info.address))
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let observer = try stage.world.object(statement.observer).address
    let object = try stage.world.object(statement.target.object).address
    let info = lock.withLock {
      observed[observer]?[object]?.infos.first { $0.path == statement.target.path }
    }
    if let info { end(info) }
    return true
  }

  func remove(token: String) throws(KeyValueError) -> Bool {
    if let info = tokens.removeValue(forKey: token), info.state != .ended { end(info) }
    return true
  }
}

extension RuntimeChange {
  /// The change as another context's.
  fileprivate func told(with context: UInt) -> RuntimeChange {
    RuntimeChange(
      keyPath: keyPath, object: object, kind: kind, isPrior: isPrior, isInitial: isInitial,
      indexes: indexes, oldValue: oldValue, newValue: newValue,
      context: ObservationContext(address: context), cause: cause)
  }
}
