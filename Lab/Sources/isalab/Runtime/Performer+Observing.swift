import CIsa
import IsaRuntime

// Statements about observers, and about the isa.

extension Performer {
  func observe(_ statement: ObserveStatement) throws(Refusal) {
    let name = statement.token?.text ?? nextObserverName()
    if let shared = world.sharedObservers(statement.target.object) {
      return try world.observeShared(shared, statement, functionName: name)
    }
    let object = try world.object(statement.target.object)
    guard let observer = statement.observer else {
      return try world.observe(object, statement, as: name)
    }
    let listener = try world.object(observer)
    let context = UnsafeMutableRawPointer(bitPattern: statement.context)
    guard let indexes = statement.indexes else {
      return try refusing(
        kvo_add_observer(object, listener, statement.target.path, statement.optionBits, context))
    }
    try Indexes.withSet(indexes.indexes) {
      kvo_elements_add_observer(
        object, listener, $0, statement.target.path, statement.optionBits, context)
    }
  }

  func removeToken(_ name: String) -> [Fact] {
    if world.endToken(name) { return [] }
    return [.endedBefore(token: name)]
  }

  func remove(_ statement: RemoveStatement) throws(Refusal) {
    let observer = try world.object(statement.observer)
    let path = statement.target.path
    let context = UnsafeMutableRawPointer(bitPattern: statement.context ?? 0)
    if let shared = world.sharedObservers(statement.target.object) {
      return try refusing(kvo_shared_observers_remove(shared, observer, path, context))
    }
    let object = try world.object(statement.target.object)
    if let indexes = statement.indexes {
      try Indexes.withSet(indexes.indexes) {
        statement.context == nil
          ? kvo_elements_remove_observer(object, observer, $0, path)
          : kvo_elements_remove_observer_context(object, observer, $0, path, context)
      }
    } else if statement.context == nil {
      try refusing(kvo_remove_observer(object, observer, path))
    } else {
      try refusing(kvo_remove_observer_context(object, observer, path, context))
    }
  }

  func swapIsa(of name: Name, to className: String) throws(Refusal) {
    let cls = try world.existingClass(className)
    try refusing(isa_object_set_class(try world.object(name), cls, nil))
  }
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
