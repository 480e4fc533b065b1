import Dispatch
import IsaRuntime

// Designs that stand on Foundation's observing and wrap it.

extension Designs {
  static let controller = DesignInfo(
    name: "controller", title: "FBKVOController, retaining",
    source: """
      Its tests and published behaviour: one controller an observer, which dies with it and then \
      ends everything; the observed object is retained; a second registration for the same object \
      and key path is ignored; ending what is not there is silent.
      """,
    misuse: .exception
  ) { stage in ControllerDesign(stage, retains: true) }

  static let weakController = DesignInfo(
    name: "weak-controller", title: "FBKVOController, not retaining, on the Foundation of its time",
    source: """
      As controller, with retainObserved: NO; an observed object that dies first takes the \
      controller's knowledge of it along, and raises as Foundation did before macOS 10.13.
      """,
    misuse: .exception
  ) { stage in ControllerDesign(stage, retains: false) }

  static let proxy = DesignInfo(
    name: "proxy", title: "one proxy for all observers, behind one lock",
    source: """
      The pattern of receptionists: they register themselves and find the true observer in a table \
      when they are told. The lock is held while registering, and is not recursive.
      """
  ) { stage in ProxyDesign(stage) }

  static let guarding = DesignInfo(
    name: "guard", title: "a crash guard",
    source: """
      Behaviour of guards such as LSSafeProtector: observing methods are exchanged for ones that \
      keep a table by observer and key path; what is in it already is not added again, what is not \
      in it is not removed, and exceptions are swallowed.
      """
  ) { stage throws(KeyValueError) in try GuardDesign(stage) }
}

/// A controller for each observer.
final class ControllerDesign: ObservingDesign {
  private final class Info {
    let path: String
    var token: ListenerToken?
    var isEnded = false
    init(_ path: String) { self.path = path }
  }

  private struct Observed {
    /// The observed object, where the controller retains it: it lives on when the design goes.
    var retained: Unmanaged<RuntimeObject>?
    var infos: [Info] = []
  }

  private let stage: DesignStage
  private let retains: Bool
  /// By observer, then by observed object.
  private var observed: [UInt: [UInt: Observed]] = [:]
  private var tokens: [String: RemoveStatement] = [:]
  private var watched: Set<UInt> = []

  init(_ stage: DesignStage, retains: Bool) {
    self.stage = stage
    self.retains = retains
  }

  func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .observe(let observe) where observe.indexes != nil: "elements of an array"
    case .removeObserver(let remove) where remove.context != nil: "removal by context"
    case .shared, .share: "shared observers"
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    let listener = try stage.listener(of: statement)
    let observer = try stage.world.object(listener)
    let object = try stage.world.object(statement.target.object)
    let path = statement.target.path
    if statement.observer == nil {
      tokens[listener.text] = RemoveStatement(observer: listener, target: statement.target)
    }
    let address = observer.address
    let known = observed[address]?[object.address]
    if known?.infos.contains(where: { $0.path == path }) == true { return true }
    if known == nil { try begin(observer, object) }
    let info = Info(path)
    observed[address]![object.address]!.infos.append(info)
    info.token = try stage.register(statement, on: object) { [unowned self] change in
      if observed[address] != nil { stage.recorder.hear(listener.text, change) }
    }
    // The callback of an initial notification may have ended it.
    if info.isEnded { info.token = nil }
    return true
  }

  /// The first registration of an observer on an object.
  private func begin(
    _ observer: RuntimeObject, _ object: RuntimeObject
  ) throws(KeyValueError) {
    let (listener, address) = (observer.address, object.address)
    if watched.insert(listener).inserted {
      try stage.whenDies(observer) { [weak self] in self?.observerDied(listener) }
    }
    if !retains { try stage.whenDies(object) { [weak self] in self?.objectDied(address) } }
    let retained: Unmanaged<RuntimeObject>? =
      retains ? .passRetained(RuntimeObject(unsafeAddress: address)) : nil
    observed[listener, default: [:]][address] = Observed(retained: retained)
  }

  private func observerDied(_ observer: UInt) {
    watched.remove(observer)
    for left in (observed.removeValue(forKey: observer) ?? [:]).values { end(left) }
  }

  private func objectDied(_ object: UInt) {
    var isObserved = false
    for observer in observed.keys {
      guard let left = observed[observer]!.removeValue(forKey: object) else { continue }
      isObserved = true
      end(left)
    }
    guard isObserved else { return }
    stage.raise(
      Refusal(
        exception: "NSInternalInconsistencyException",
        reason: "\(stage.names.name(ofObject: object)) was deallocated while observed."))
  }

  private func end(_ left: Observed) {
    for info in left.infos { end(info) }
    left.retained?.release()
  }

  private func end(_ info: Info) {
    info.isEnded = true
    info.token = nil
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let observer = try stage.world.object(statement.observer).address
    let object = try stage.world.object(statement.target.object).address
    guard var left = observed[observer]?[object],
      let index = left.infos.firstIndex(where: { $0.path == statement.target.path })
    else { return true }
    let info = left.infos.remove(at: index)
    observed[observer]![object] = left.infos.isEmpty ? nil : left
    end(info)
    if left.infos.isEmpty { left.retained?.release() }
    return true
  }

  func remove(token: String) throws(KeyValueError) -> Bool {
    guard let statement = tokens.removeValue(forKey: token),
      stage.world.objects[statement.target.object.text] != nil
    else { return true }
    return try remove(statement)
  }
}

/// One observer for all, behind a lock.
final class ProxyDesign: ObservingDesign {
  private struct Entry {
    var observer: String
    var object: UInt
    var path: String
    var token: ListenerToken?
    var isDead = false
  }

  private let stage: DesignStage
  private let lock = DispatchSemaphore(value: 1)
  private var entries: [Int: Entry] = [:]
  private var made = 0

  init(_ stage: DesignStage) { self.stage = stage }

  func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .observe(let observe) where observe.indexes != nil: "elements of an array"
    case .observe(let observe) where observe.context != 0: "a context of the observer's own"
    case .removeObserver(let remove) where remove.context != nil: "a context of the observer's own"
    case .shared, .share: "shared observers"
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let observer =
      statement.observer?.text ?? statement.token?.text ?? stage.performer.nextObserverName()
    lock.wait()
    defer { lock.signal() }
    made += 1
    let number = made
    // The table holds observers weakly.
    if let listener = statement.observer {
      try stage.whenDies(try stage.world.object(listener)) { [unowned self] in
        entries[number]?.isDead = true
      }
    }
    entries[number] = Entry(
      observer: observer, object: object.address, path: statement.target.path)
    do throws(KeyValueError) {
      entries[number]!.token = try stage.register(statement, on: object) { [unowned self] change in
        if let observer = trueObserver(number) { stage.recorder.hear(observer, change) }
      }
    } catch {
      entries[number] = nil
      throw error
    }
    return true
  }

  private func trueObserver(_ number: Int) -> String? {
    lock.wait()
    defer { lock.signal() }
    return entries[number].flatMap { $0.isDead ? nil : $0.observer }
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object).address
    end { entry in
      entry.object == object && entry.observer == statement.observer.text
        && entry.path == statement.target.path
    }
    return true
  }

  func remove(token: String) throws(KeyValueError) -> Bool {
    end { $0.observer == token }
    return true
  }

  private func end(_ matches: (Entry) -> Bool) {
    lock.wait()
    defer { lock.signal() }
    guard let found = entries.filter({ matches($0.value) }).max(by: { $0.key < $1.key }) else {
      return
    }
    entries[found.key] = nil
  }
}

/// A table beside Foundation's own.
final class GuardDesign: ObjectsOnlyDesign {
  private struct Entry: Hashable {
    var observer: UInt
    var object: UInt
    var path: String
  }

  private var entries: Set<Entry> = []

  private func entry(_ observer: Name, _ target: PropertyReference) throws(KeyValueError) -> Entry {
    Entry(
      observer: try stage.world.object(observer).address,
      object: try stage.world.object(target.object).address,
      path: target.path)
  }

  override func add(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    guard let observer = statement.observer, statement.indexes == nil else { return false }
    guard entries.insert(try entry(observer, statement.target)).inserted else { return true }
    do throws(KeyValueError) {
      try stage.performer.observe(statement)
    } catch {
      stage.recorder.record(.note("the guard swallows \(error.exceptionName)"))
    }
    return true
  }

  override func drop(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    guard statement.indexes == nil else { return false }
    guard entries.remove(try entry(statement.observer, statement.target)) != nil else {
      return true
    }
    do throws(KeyValueError) {
      try stage.performer.remove(statement)
    } catch {
      stage.recorder.record(.note("the guard swallows \(error.exceptionName)"))
    }
    return true
  }
}
