import IsaRuntime

extension Designs {
  static let weakProxy = DesignInfo(
    name: "weak-proxy",
    title: Text("design.weak-proxy"),
    source: Text("design.weak-proxy-source"),
    misuse: .exception
  ) { stage in WeakProxyDesign(stage) }
}

/// A proxy for each registration.
final class WeakProxyDesign: ObservingDesign {
  private struct Proxy {
    var observer: UInt
    var object: UInt
    var statement: ObserveStatement
    var name: String
    var weakObserver: RuntimeWeakReference
    var weakObject: RuntimeWeakReference
    var token: ListenerToken
  }

  private let stage: DesignStage
  private var proxies: [Int: Proxy] = [:]
  private var made = 0
  private var watched: Set<UInt> = []

  init(_ stage: DesignStage) { self.stage = stage }

  func obstacle(to statement: Statement) -> Text? { statement.foundationObstacle }

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    let listener = try stage.listener(of: statement)
    let observer = try stage.world.object(listener)
    let object = try stage.world.object(statement.target.object)
    try watch(observer)
    try watch(object)
    made += 1
    let number = made
    proxies[number] = Proxy(
      observer: observer.address, object: object.address, statement: statement,
      name: listener.text, weakObserver: try RuntimeWeakReference(to: observer),
      weakObject: try RuntimeWeakReference(to: object), token: ListenerToken())
    do throws(KeyValueError) {
      try stage.register(statement, on: object, proxies[number]!.token) { [unowned self] change in
        guard let proxy = proxies[number], proxy.weakObserver.object != nil else { return }
        stage.recorder.hear(proxy.name, change)
      }
    } catch {
      proxies[number] = nil
      throw error
    }
    return true
  }

  // MARK: Ends

  private func watch(_ object: RuntimeObject) throws(KeyValueError) {
    let address = object.address
    guard watched.insert(address).inserted else { return }
    let cls = stage.performer.inspector.claimedClass(of: object)
    try stage.whenDies(object) { [weak self] in self?.died(address, cls) }
  }

  /// The proxies of a dead observer remove themselves; then Foundation looks who is still there.
  private func died(_ address: UInt, _ cls: String) {
    watched.remove(address)
    for (number, proxy) in proxies where proxy.observer == address { removeItself(number, proxy) }
    let left = proxies.filter { $0.value.object == address }.keys
    for number in left { proxies[number] = nil }
    guard !left.isEmpty else { return }
    stage.raise(
      Refusal(
        exception: "NSInternalInconsistencyException",
        reason: "\(indefinite(cls)) was deallocated while observed."))
  }

  /// A message to nil does nothing: the registration stays where the weak reference reads nil.
  private func removeItself(_ number: Int, _ proxy: Proxy) {
    if proxy.weakObject.object != nil { proxies[number] = nil }
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let observer = try stage.world.object(statement.observer).address
    let object = try stage.world.object(statement.target.object).address
    end {
      $0.observer == observer && $0.object == object
        && $0.statement.target.path == statement.target.path
        && (statement.context == nil || statement.context == $0.statement.context)
    }
    return true
  }

  func remove(token: String) throws(KeyValueError) -> Bool {
    end { $0.statement.observer == nil && $0.name == token }
    return true
  }

  /// Ends the latest proxy that is meant.
  private func end(_ isMeant: (Proxy) -> Bool) {
    let found = proxies.filter { isMeant($0.value) }.keys.max()
    if let found { proxies[found] = nil }
  }
}
