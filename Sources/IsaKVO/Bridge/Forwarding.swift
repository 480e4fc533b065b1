// Messages that a class may override, sent by the module with Apple's names.
//
// An override that calls `super` under Apple's name comes to that module again, since the name is
// the module's and not the base class's; such a call must end in the base class. `caller`, the name
// of the function that the call stands in, tells most of them; where another function stands
// between, it is the second message of its kind on the way, and that tells it.
//
// Owns:  nothing.
// Locks: none.
internal import CIsa

extension KVObject {
  /// The value for `key`, by the class's own ``value(forKey:)``.
  package final func forwardValue(
    _ key: String, _ caller: StaticString
  ) throws(KeyValueError) -> Any? {
    let message = message("value(forKey:)", key)
    return try send(message, caller) { () throws(KeyValueError) in
      try value(forKey: key)
    } end: { () throws(KeyValueError) in
      try rootValue(key)
    }
  }

  /// Sets the value for `key`, by the class's own ``setValue(_:forKey:)``.
  package final func forwardSetValue(
    _ value: Any?, _ key: String, _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message("setValue(_:forKey:)", key)
    try send(message, caller) { () throws(KeyValueError) in
      try setValue(value, forKey: key)
    } end: { () throws(KeyValueError) in
      try rootSetValue(value, key)
    }
  }

  /// The value at the end of a key path, by the class's own ``value(forKeyPath:)``.
  package final func forwardValue(
    path: String, _ caller: StaticString
  ) throws(KeyValueError) -> Any? {
    let message = message("value(forKeyPath:)", path)
    return try send(message, caller) { () throws(KeyValueError) in
      try value(forKeyPath: path)
    } end: { () throws(KeyValueError) in
      try rootValue(path: path)
    }
  }

  /// Sets the value at the end of a key path, by the class's own ``setValue(_:forKeyPath:)``.
  package final func forwardSetValue(
    _ value: Any?, path: String, _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message("setValue(_:forKeyPath:)", path)
    try send(message, caller) { () throws(KeyValueError) in
      try setValue(value, forKeyPath: path)
    } end: { () throws(KeyValueError) in
      try rootSetValue(value, path: path)
    }
  }

  /// The values for the keys, by the class's own ``dictionaryWithValues(forKeys:)``.
  package final func forwardValues(
    _ keys: [String], _ caller: StaticString
  ) throws(KeyValueError) -> [String: Any] {
    let message = message("dictionaryWithValues(forKeys:)", keys.joined(separator: ","))
    return try send(message, caller) { () throws(KeyValueError) in
      try dictionaryWithValues(forKeys: keys)
    } end: { () throws(KeyValueError) in
      try rootValues(keys)
    }
  }

  /// Sets keys to values, by the class's own ``setValuesForKeys(_:)``.
  package final func forwardSetValues(
    _ values: [String: Any], _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message("setValuesForKeys(_:)", values.keys.sorted().joined(separator: ","))
    try send(message, caller) { () throws(KeyValueError) in
      try setValuesForKeys(values)
    } end: { () throws(KeyValueError) in
      try rootSetValues(values)
    }
  }

  /// Registers an observer, by the class's own
  /// ``addObserver(_:forKeyPath:options:context:)``.
  package final func forwardAdd(
    _ observer: KVObject, _ keyPath: String, _ options: ObservationOptions,
    _ context: UnsafeMutableRawPointer?, _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message(
      "addObserver(_:forKeyPath:options:context:)", keyPath, observer, context)
    try send(message, caller) { () throws(KeyValueError) in
      try addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    } end: { () throws(KeyValueError) in
      try rootAdd(observer, keyPath, options, context)
    }
  }

  /// Removes an observer, by the class's own ``removeObserver(_:forKeyPath:)``.
  package final func forwardRemove(
    _ observer: KVObject, _ keyPath: String, _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message("removeObserver(_:forKeyPath:)", keyPath, observer)
    try send(message, caller) { () throws(KeyValueError) in
      try removeObserver(observer, forKeyPath: keyPath)
    } end: { () throws(KeyValueError) in
      try rootRemove(observer, keyPath)
    }
  }

  /// Removes an observer, by the class's own ``removeObserver(_:forKeyPath:context:)``.
  package final func forwardRemove(
    _ observer: KVObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?,
    _ caller: StaticString
  ) throws(KeyValueError) {
    let message = message(
      "removeObserver(_:forKeyPath:context:)", keyPath, observer, context)
    try send(message, caller) { () throws(KeyValueError) in
      try removeObserver(observer, forKeyPath: keyPath, context: context)
    } end: { () throws(KeyValueError) in
      try rootRemove(observer, keyPath, context)
    }
  }

  private func message(
    _ name: String, _ key: String, _ observer: KVObject? = nil,
    _ context: UnsafeMutableRawPointer? = nil
  ) -> Message {
    Message(
      name: name, object: ObjectIdentifier(self), key: key,
      observer: observer.map { ObjectIdentifier($0) }, context: UInt(bitPattern: context))
  }
}

/// Sends a message to its object, unless the call comes from an override's `super`: then it ends.
private func send<Result, Failure>(
  _ message: Message, _ caller: StaticString, _ send: () throws(Failure) -> Result,
  end: () throws(Failure) -> Result
) throws(Failure) -> Result {
  if caller.description == message.name { return try end() }
  return try withMessage(message, send, end: end)
}
