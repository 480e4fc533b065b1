public import IsaKeyValue

extension KeyValueObservable {
  /// Observes several key paths; the handler is told which one changed.
  ///
  ///     let token = person.observe(anyOf: [\.first, \.last]) { person, keyPath in … }
  ///
  /// A key path that is named twice is told once. With `initial`, the handler is called with each key
  /// path before this returns.
  ///
  /// - Returns: The only owner of the observation, which ends as one. Nothing is observed if one of
  ///   the key paths is a misuse.
  public func observe(
    anyOf keyPaths: [PartialKeyPath<Self>], initial: Bool = false,
    changeHandler: @escaping (Self, PartialKeyPath<Self>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    var known: Set<PartialKeyPath<Self>> = []
    let distinct = keyPaths.filter { known.insert($0).inserted }
    return observing(file, line) { () throws(KeyValueError) in
      try RegistrationGroup.make { group throws(KeyValueError) in
        for keyPath in distinct {
          let part = try register(partial: keyPath, [], isPart: true) { [weak group] object in
            guard DeliveryScope.isAny else { return changeHandler(object, keyPath) }
            if let group { notify(object, SeveralChange(of: keyPath), by: group, changeHandler) }
          }
          group.add(part)
        }
        // Not before all are known to be fit to be observed.
        for keyPath in distinct where initial && group.isValid {
          notify(self, SeveralChange(of: keyPath, isInitial: true), by: group, changeHandler)
        }
      }
    }
  }

  /// Observes two or more key paths together; the handler is called with the values of all.
  ///
  ///     let token = person.observe(\.first, \.last, initial: true) { person, first, last in
  ///       label = "\(first) \(last)"
  ///     }
  ///
  /// In a transaction it is called once, however many of them change. While one of them leads to
  /// nil that it unwraps by force (`\.boss!.name`) it has no value, and the handler is not called. With
  /// `initial`, the handler is called before this returns.
  ///
  /// - Returns: The only owner of the observation, which ends as one. Nothing is observed if one of
  ///   the key paths is a misuse.
  public func observe<First, Second, each Other>(
    _ first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
    _ others: repeat KeyPath<Self, each Other>, initial: Bool = false,
    changeHandler: @escaping (Self, First, Second, repeat each Other) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let all = (repeat each others)
    return observing(file, line) { () throws(KeyValueError) in
      var walks = [PathWalk(first), PathWalk(second)].compactMap { $0 }
      for keyPath in repeat each all { walks += PathWalk(keyPath).map { [$0] } ?? [] }
      return try RegistrationGroup.make { parts throws(KeyValueError) in
        let group = SeveralPaths<Self>(parts) { object in
          if walks.contains(where: { $0.stops(at: object) }) { return }
          changeHandler(
            object, object[keyPath: first], object[keyPath: second],
            repeat object[keyPath: each all])
        }
        parts.add(try group.observe(first, of: self))
        parts.add(try group.observe(second, of: self))
        for keyPath in repeat each all { parts.add(try group.observe(keyPath, of: self)) }
        if initial { group.notify(self, isInitial: true) }
      }
    }
  }

  /// Registers for a key path whose type of value is not known.
  package func register(
    partial keyPath: PartialKeyPath<Self>, _ options: ObservationOptions, isPart: Bool = false,
    _ notify: @escaping (Self) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    // Every partial key path is a whole one.
    let typed = keyPath as! any ObservablePath
    return try typed.register(on: self, options, isPart: isPart) { notify($0 as! Self) }
  }

  /// The name by which such a key path is known.
  package func pathName(of keyPath: PartialKeyPath<Self>) throws(KeyValueError) -> PathName {
    try (keyPath as! any ObservablePath).name(on: self)
  }
}

extension KeyValueObservable {
  /// The object and the key that such a key path leads to.
  func observedEnd(
    partial keyPath: PartialKeyPath<Self>
  ) throws(KeyValueError) -> (object: KVObject, key: String) {
    try (keyPath as! any ObservablePath).end(on: self)
  }
}

/// A key path with a value of any type.
private protocol ObservablePath {
  func end(on object: KVObject) throws(KeyValueError) -> (object: KVObject, key: String)

  func register(
    on object: KVObject, _ options: ObservationOptions, isPart: Bool,
    _ notify: @escaping (KVObject) -> Void
  ) throws(KeyValueError) -> any RegistrationControl

  func name(on object: KVObject) throws(KeyValueError) -> PathName
}

extension KeyPath: ObservablePath where Root: KeyValueObservable {
  fileprivate func register(
    on object: KVObject, _ options: ObservationOptions, isPart: Bool,
    _ notify: @escaping (KVObject) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    try (object as! Root).register(self, options, isPart: isPart) { object, _ in notify(object) }
  }

  fileprivate func name(on object: KVObject) throws(KeyValueError) -> PathName {
    try (object as! Root).name(of: self)
  }

  fileprivate func end(
    on object: KVObject
  ) throws(KeyValueError) -> (object: KVObject, key: String) {
    try (object as! Root).observedEnd(of: self)
  }
}

/// Notifies of several key paths of one object.
private final class SeveralPaths<Root: KeyValueObservable> {
  // Its parts keep this.
  private weak var parts: RegistrationGroup?
  private let handler: (Root) -> Void

  init(_ parts: RegistrationGroup, _ handler: @escaping (Root) -> Void) {
    self.parts = parts
    self.handler = handler
  }

  func observe<Value>(
    _ keyPath: KeyPath<Root, Value>, of object: Root
  ) throws(KeyValueError) -> any RegistrationControl {
    try object.register(keyPath, [], isPart: true) { object, _ in self.notify(object) }
  }

  /// Tells that something changed.
  func notify(_ object: Root, isInitial: Bool = false) {
    guard let parts, parts.isValid else { return }
    deliver(SeveralChange<Root>(isInitial: isInitial), of: object, by: parts) { object, _ in
      self.handler(object)
    }
  }
}

/// That something changed, of several key paths.
private struct SeveralChange<Root>: MergeableChange {
  /// The changed key paths, each once; none where it does not matter.
  private(set) var keyPaths: [PartialKeyPath<Root>] = []
  let isInitial: Bool
  var isPrior: Bool { false }

  init(of keyPath: PartialKeyPath<Root>? = nil, isInitial: Bool = false) {
    keyPaths = keyPath.map { [$0] } ?? []
    self.isInitial = isInitial
  }

  func merged(with later: SeveralChange) -> SeveralChange? {
    var both = self
    both.keyPaths += later.keyPaths.filter { !keyPaths.contains($0) }
    return both
  }
}

private func notify<Root: KVObject>(
  _ object: Root, _ change: SeveralChange<Root>, by parts: RegistrationGroup,
  _ handler: @escaping (Root, PartialKeyPath<Root>) -> Void
) {
  deliver(change, of: object, by: parts) { object, change in
    for keyPath in change.keyPaths where parts.isValid { handler(object, keyPath) }
  }
}
