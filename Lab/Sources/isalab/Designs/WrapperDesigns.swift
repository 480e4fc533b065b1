import CIsa
import Dispatch

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
  ) { stage throws(Refusal) in try GuardDesign(stage) }
}

/// A controller for each observer.
final class ControllerDesign: ObservingDesign {
  private final class Info {
    let path: String
    var token: kvo_token?
    var isEnded = false
    init(_ path: String) { self.path = path }
  }

  private let stage: DesignStage
  private let retains: Bool
  /// By observer, then by observed object.
  private var infos: [UInt: [UInt: [Info]]] = [:]
  private var tokens: [String: RemoveStatement] = [:]
  private var watched: Set<UInt> = []

  init(_ stage: DesignStage, retains: Bool) {
    self.stage = stage
    self.retains = retains
  }

  deinit {
    for left in infos.values.flatMap(\.values).joined() { end(left) }
  }

  func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .observe(let observe) where observe.indexes != nil: "elements of an array"
    case .removeObserver(let remove) where remove.context != nil: "removal by context"
    case .shared, .share: "shared observers"
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(Refusal) -> Bool {
    let listener = try stage.listener(of: statement)
    let observer = UInt(bitPattern: try stage.world.object(listener))
    let object = try stage.world.object(statement.target.object)
    let path = statement.target.path
    if statement.observer == nil {
      tokens[listener.text] = RemoveStatement(observer: listener, target: statement.target)
    }
    let known = infos[observer]?[UInt(bitPattern: object)]
    if known?.contains(where: { $0.path == path }) == true { return true }
    if known == nil { try begin(observer, object) }
    let info = Info(path)
    infos[observer, default: [:]][UInt(bitPattern: object), default: []].append(info)
    info.token = try stage.register(statement, on: object) { [unowned self] change in
      if infos[observer] != nil { stage.recorder.record(change, observer: listener.text) }
    }
    // The callback of an initial notification may have ended it.
    if info.isEnded { end(info) }
    return true
  }

  /// The first registration of an observer on an object.
  private func begin(_ observer: UInt, _ object: isa_id) throws(Refusal) {
    if watched.insert(observer).inserted {
      try stage.whenDies(isa_id(bitPattern: observer)!) { [unowned self] in
        watched.remove(observer)
        for (object, left) in infos.removeValue(forKey: observer) ?? [:] { endAll(left, object) }
      }
    }
    if retains {
      isa_object_retain(object)
    } else {
      try stage.whenDies(object) { [unowned self] in objectDied(object) }
    }
  }

  private func objectDied(_ object: isa_id) {
    var isObserved = false
    for observer in infos.keys {
      guard let left = infos[observer]!.removeValue(forKey: UInt(bitPattern: object)) else {
        continue
      }
      isObserved = true
      for info in left { end(info) }
    }
    guard isObserved else { return }
    stage.raise(
      Refusal(
        exception: "NSInternalInconsistencyException",
        reason: "\(stage.names.name(of: object)) was deallocated while observed."))
  }

  private func endAll(_ left: [Info], _ object: UInt) {
    for info in left { end(info) }
    if retains { isa_object_release(isa_id(bitPattern: object)) }
  }

  private func end(_ info: Info) {
    info.isEnded = true
    guard let token = info.token else { return }
    info.token = nil
    kvo_token_invalidate(token)
    kvo_token_release(token)
  }

  func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    let observer = UInt(bitPattern: try stage.world.object(statement.observer))
    let object = UInt(bitPattern: try stage.world.object(statement.target.object))
    let index = infos[observer]?[object]?.firstIndex { $0.path == statement.target.path }
    guard let index else { return true }
    end(infos[observer]![object]!.remove(at: index))
    if infos[observer]![object]!.isEmpty {
      infos[observer]![object] = nil
      if retains { isa_object_release(isa_id(bitPattern: object)) }
    }
    return true
  }

  func remove(token: String) throws(Refusal) -> Bool {
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
    var object: isa_id
    var path: String
    var token: kvo_token?
    var isDead = false
  }

  private let stage: DesignStage
  private let lock = DispatchSemaphore(value: 1)
  private var entries: [Int: Entry] = [:]
  private var made = 0

  init(_ stage: DesignStage) { self.stage = stage }

  deinit {
    for entry in entries.values { end(entry) }
  }

  func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .observe(let observe) where observe.indexes != nil: "elements of an array"
    case .observe(let observe) where observe.context != 0: "a context of the observer's own"
    case .removeObserver(let remove) where remove.context != nil: "a context of the observer's own"
    case .shared, .share: "shared observers"
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(Refusal) -> Bool {
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
    entries[number] = Entry(observer: observer, object: object, path: statement.target.path)
    do throws(Refusal) {
      entries[number]!.token = try stage.register(statement, on: object) { [unowned self] change in
        if let observer = trueObserver(number) { stage.recorder.record(change, observer: observer) }
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

  func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    let object = try stage.world.object(statement.target.object)
    end { entry in
      entry.object == object && entry.observer == statement.observer.text
        && entry.path == statement.target.path
    }
    return true
  }

  func remove(token: String) throws(Refusal) -> Bool {
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
    end(found.value)
  }

  private func end(_ entry: Entry) {
    kvo_token_invalidate(entry.token)
    kvo_token_release(entry.token)
  }
}

/// A table beside Foundation's own.
final class GuardDesign: ObjectsOnlyDesign {
  private struct Entry: Hashable {
    var observer: isa_id
    var object: isa_id
    var path: String
  }

  private var entries: Set<Entry> = []

  private func entry(_ observer: Name, _ target: PropertyReference) throws(Refusal) -> Entry {
    Entry(
      observer: try stage.world.object(observer), object: try stage.world.object(target.object),
      path: target.path)
  }

  override func add(_ statement: ObserveStatement) throws(Refusal) -> Bool {
    guard let observer = statement.observer, statement.indexes == nil else { return false }
    guard entries.insert(try entry(observer, statement.target)).inserted else { return true }
    do throws(Refusal) {
      try stage.performer.observe(statement)
    } catch {
      stage.recorder.record(.note("the guard swallows \(error.exception)"))
    }
    return true
  }

  override func drop(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    guard statement.indexes == nil else { return false }
    guard entries.remove(try entry(statement.observer, statement.target)) != nil else {
      return true
    }
    do throws(Refusal) {
      try stage.performer.remove(statement)
    } catch {
      stage.recorder.record(.note("the guard swallows \(error.exception)"))
    }
    return true
  }
}
