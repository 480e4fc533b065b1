import IsaRuntime

// Statements about observers.

extension Performer {
  func observe(_ statement: ObserveStatement) throws(KeyValueError) {
    let name = statement.token?.text ?? nextObserverName()
    let (listeners, target) = (world.listeners, statement.target)
    var observer: RuntimeObject?
    if let listener = statement.observer { observer = try world.object(listener) }
    if listeners.isShared(target.object) {
      return try listeners.observeShared(statement, by: observer, functionName: name)
    }
    let object = try world.object(target.object)
    guard let observer else { return try listeners.observe(object, statement, as: name) }
    let context = ObservationContext(address: statement.context)
    guard let indexes = statement.indexes else {
      return try object.addObserver(
        observer, forKeyPath: target.path, options: statement.wanted, context: context)
    }
    try object.addObserver(
      observer, toObjectsAt: indexes.places, forKeyPath: target.path, options: statement.wanted,
      context: context)
  }

  func removeToken(_ name: String) -> [Fact] {
    if world.listeners.endToken(name) { return [] }
    return [.endedBefore(token: name)]
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) {
    let observer = try world.object(statement.observer)
    let path = statement.target.path
    if world.listeners.isShared(statement.target.object) {
      return try world.listeners.removeShared(statement, observer)
    }
    let object = try world.object(statement.target.object)
    let context = statement.context.map { ObservationContext(address: $0) }
    switch (statement.indexes?.places, context) {
    case (let indexes?, let context?):
      try object.removeObserver(
        observer, fromObjectsAt: indexes, forKeyPath: path, context: context)
    case (let indexes?, nil):
      try object.removeObserver(observer, fromObjectsAt: indexes, forKeyPath: path)
    case (nil, let context?):
      try object.removeObserver(observer, forKeyPath: path, context: context)
    case (nil, nil): try object.removeObserver(observer, forKeyPath: path)
    }
  }
}

extension IndexList {
  /// The indexes as the runtime takes them.
  var places: [Int] { indexes.map { Int(bitPattern: $0) } }
}

extension Wrapping {
  var policy: WrappingPolicy {
    switch self {
    case .automatic: .automatic
    case .libffi: .libffi
    case .apple: .asApple
    }
  }
}
