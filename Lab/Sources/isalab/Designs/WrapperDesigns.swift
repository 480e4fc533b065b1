import Dispatch
import IsaRuntime

// Designs that stand on Foundation's observing and wrap it.

extension Designs {
  static let proxy = DesignInfo(
    name: "proxy", title: Text("design.proxy"),
    source: Text("design.proxy-source")
  ) { stage in ProxyDesign(stage) }

  static let guarding = DesignInfo(
    name: "guard", title: Text("design.guard"),
    source: Text("design.guard-source")
  ) { stage throws(KeyValueError) in try GuardDesign(stage) }
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

  func obstacle(to statement: Statement) -> Text? {
    switch statement.kind {
    case .observe(let observe) where observe.indexes != nil: Text("design.elements")
    case .observe(let observe) where observe.context != 0: Text("design.own-context")
    case .removeObserver(let remove) where remove.context != nil: Text("design.own-context")
    case .shared, .share: Text("design.shared")
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
      let token = ListenerToken()
      try stage.register(statement, on: object, token) { [unowned self] change in
        if let observer = trueObserver(number) { stage.recorder.hear(observer, change) }
      }
      entries[number]!.token = token
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
      stage.recorder.record(.note(Text("design.swallows", ["name": error.exceptionName])))
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
      stage.recorder.record(.note(Text("design.swallows", ["name": error.exceptionName])))
    }
    return true
  }
}
