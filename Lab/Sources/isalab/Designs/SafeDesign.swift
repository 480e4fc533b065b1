import IsaRuntime

// SafeKVO: a proxy that dies with its observer, then an object that dies with the observed one.

extension Designs {
  static let safeProxy = DesignInfo(
    name: "safekvo-proxy", title: Text("design.safekvo-proxy"),
    source: Text("design.safekvo-proxy-source"), misuse: .exception
  ) { stage in SafeDesign(stage, hook: .none) }

  static let safeWeak = DesignInfo(
    name: "safekvo-weak", title: Text("design.safekvo-weak"),
    source: Text("design.safekvo-weak-source"), misuse: .exception
  ) { stage in SafeDesign(stage, hook: .weak) }

  static let safe = DesignInfo(
    name: "safekvo", title: Text("design.safekvo"),
    source: Text("design.safekvo-source"), misuse: .exception
  ) { stage in SafeDesign(stage, hook: .unretained) }
}

/// A proxy for each pair of observer and observed object, which Foundation knows of in their place.
final class SafeDesign: ObservingDesign {
  /// How the object that dies with the observed one refers to it, if there is such an object.
  enum Hook { case none, weak, unretained }

  /// Associated with the observer.
  private final class Proxy {
    let name: String
    let observer: RuntimeWeakReference
    let object: RuntimeWeakReference
    /// The registrations with Foundation.
    var paths: [String: ListenerToken] = [:]
    /// Whether the proxy has died; what it could not remove stays with Foundation.
    var isDead = false

    init(_ name: String, _ observer: RuntimeObject, _ object: RuntimeObject) throws(KeyValueError) {
      self.name = name
      self.observer = try RuntimeWeakReference(to: observer)
      self.object = try RuntimeWeakReference(to: object)
    }
  }

  private struct Pair: Hashable {
    var observer: UInt
    var object: UInt
  }

  private let stage: DesignStage
  private let hook: Hook
  private var proxies: [Pair: Proxy] = [:]
  private var watched: Set<UInt> = []

  init(_ stage: DesignStage, hook: Hook) {
    self.stage = stage
    self.hook = hook
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
    let proxy = try proxy(of: observer, listener.text, on: object)
    let path = statement.target.path
    guard proxy.paths[path] == nil else { return true }
    let token = ListenerToken()
    proxy.paths[path] = token
    do throws(KeyValueError) {
      try stage.register(statement, on: object, token) { [unowned self, unowned proxy] change in
        if proxy.observer.object != nil { stage.recorder.hear(proxy.name, change) }
      }
    } catch {
      proxy.paths[path] = nil
      throw error
    }
    return true
  }

  /// The pair's proxy, made at its first registration.
  private func proxy(
    of observer: RuntimeObject, _ name: String, on object: RuntimeObject
  ) throws(KeyValueError) -> Proxy {
    let pair = Pair(observer: observer.address, object: object.address)
    if let known = proxies[pair], !known.isDead { return known }
    let made = try Proxy(name, observer, object)
    try watch(observer)
    try watch(object)
    proxies[pair] = made
    return made
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let pair = Pair(
      observer: try stage.world.object(statement.observer).address,
      object: try stage.world.object(statement.target.object).address)
    proxies[pair]?.paths[statement.target.path] = nil
    return true
  }

  func remove(token: String) throws(KeyValueError) -> Bool {
    for proxy in proxies.values where proxy.name == token { proxy.paths = [:] }
    return true
  }

  // MARK: Ends

  private func watch(_ object: RuntimeObject) throws(KeyValueError) {
    let address = object.address
    guard watched.insert(address).inserted else { return }
    let cls = stage.performer.inspector.claimedClass(of: object)
    try stage.whenDies(object) { [weak self] in self?.died(address, cls) }
  }

  /// The order of an object's end on Apple's systems: its ivars, its associated objects, and then
  /// Foundation looks who is still there.
  private func died(_ address: UInt, _ cls: String) {
    watched.remove(address)
    stage.world.releaseIvars(of: RuntimeObject(unsafeAddress: address))
    for (pair, proxy) in proxies where pair.observer == address { die(proxy) }
    endHook(of: address)
    let left = proxies.filter { $0.key.object == address && !$0.value.paths.isEmpty }
    proxies = proxies.filter {
      $0.key.object != address && !($0.value.isDead && $0.value.paths.isEmpty)
    }
    if !left.isEmpty { stage.raise(Refusal(deallocatedWhileObserved: cls)) }
  }

  /// A message to nil does nothing: the registrations stay where the weak reference reads nil.
  private func die(_ proxy: Proxy) {
    if proxy.object.object != nil { proxy.paths = [:] }
    proxy.isDead = true
  }

  /// The end of the object that dies with an observed one. Its table holds proxies weakly.
  private func endHook(of object: UInt) {
    let living = proxies.filter { $0.key.object == object && !$0.value.isDead }.values
    switch hook {
    case .none: break
    // The same message to nil.
    case .weak: for proxy in living where proxy.object.object != nil { proxy.paths = [:] }
    case .unretained: for proxy in living { proxy.paths = [:] }
    }
  }
}
