// Messages that a class may override, sent by the module with Apple's names to an object of any
// class: by that class's own method.
//
// A class below that module's own base class overrides the base class's methods, and calls them by
// `super`. Any other class overrides the throwing methods of KVObject. Under Apple's signature,
// which does not throw, the `super` of such a class leads to the module's function once more. Such
// a call is the second call of one message, ends in the base class, and is reported.
//
// Owns:  nothing.
// Locks: a lock of its own around the names of the classes that were reported.
internal import CIsa
package import IsaKeyValue

extension KVObject {
  /// The value for `key`, by the class's own ``value(forKey:)``.
  package final func forwardValue(_ key: String) throws(KeyValueError) -> Any? {
    try send(message("value(forKey:)", key), try value(forKey: key), end: try rootValue(key))
  }

  /// Sets the value for `key`, by the class's own ``setValue(_:forKey:)``.
  package final func forwardSetValue(_ value: Any?, _ key: String) throws(KeyValueError) {
    try send(
      message("setValue(_:forKey:)", key), try setValue(value, forKey: key),
      end: try rootSetValue(value, key))
  }

  /// The value at the end of a key path, by the class's own ``value(forKeyPath:)``; a result of
  /// arithmetic with all its digits, unless that is the class's.
  package final func forwardValue(path: String) throws(KeyValueError) -> Any? {
    try send(
      message("value(forKeyPath:)", path),
      isRoot("valueForKeyPath:") ? try rootExactValue(path: path) : try value(forKeyPath: path),
      end: try rootExactValue(path: path))
  }

  /// Sets the value at the end of a key path, by the class's own ``setValue(_:forKeyPath:)``.
  package final func forwardSetValue(_ value: Any?, path: String) throws(KeyValueError) {
    try send(
      message("setValue(_:forKeyPath:)", path), try setValue(value, forKeyPath: path),
      end: try rootSetValue(value, path: path))
  }

  /// The values for the keys, by the class's own ``dictionaryWithValues(forKeys:)``.
  package final func forwardValues(_ keys: [String]) throws(KeyValueError) -> [String: Any] {
    try send(
      message("dictionaryWithValues(forKeys:)", keys.joined(separator: ",")),
      try dictionaryWithValues(forKeys: keys), end: try rootValues(keys))
  }

  /// Sets keys to values, by the class's own ``setValuesForKeys(_:)``.
  package final func forwardSetValues(_ values: [String: Any]) throws(KeyValueError) {
    try send(
      message("setValuesForKeys(_:)", values.keys.sorted().joined(separator: ",")),
      try setValuesForKeys(values), end: try rootSetValues(values))
  }

  /// Registers an observer, by the class's own
  /// ``addObserver(_:forKeyPath:options:context:)``.
  package final func forwardAdd(
    _ observer: KVObject, _ keyPath: String, _ options: ObservationOptions,
    _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    try send(
      message("addObserver(_:forKeyPath:options:context:)", keyPath, observer, context),
      try addObserver(observer, forKeyPath: keyPath, options: options, context: context),
      end: try rootAdd(observer, keyPath, options, context))
  }

  /// Removes an observer, by the class's own ``removeObserver(_:forKeyPath:)``.
  package final func forwardRemove(
    _ observer: KVObject, _ keyPath: String
  ) throws(KeyValueError) {
    try send(
      message("removeObserver(_:forKeyPath:)", keyPath, observer),
      try removeObserver(observer, forKeyPath: keyPath), end: try rootRemove(observer, keyPath))
  }

  /// Removes an observer, by the class's own ``removeObserver(_:forKeyPath:context:)``.
  package final func forwardRemove(
    _ observer: KVObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    try send(
      message("removeObserver(_:forKeyPath:context:)", keyPath, observer, context),
      try removeObserver(observer, forKeyPath: keyPath, context: context),
      end: try rootRemove(observer, keyPath, context))
  }

  private func message(
    _ name: String, _ key: String, _ observer: KVObject? = nil,
    _ context: UnsafeMutableRawPointer? = nil
  ) -> Message {
    Message(
      name: name, object: ObjectIdentifier(self), key: key,
      observer: observer.map { ObjectIdentifier($0) }, context: UInt(bitPattern: context))
  }

  /// Sends a message, unless the calling thread is sending it already: then it ends.
  private func send<Result>(
    _ message: Message, _ send: @autoclosure () throws(KeyValueError) -> Result,
    end: @autoclosure () throws(KeyValueError) -> Result
  ) throws(KeyValueError) -> Result {
    try withMessage(message, send) { () throws(KeyValueError) in
      reportTwice(message.name)
      return try end()
    }
  }

  private func reportTwice(_ name: String) {
    let text = "\(type(of: self)).\(name)"
    guard twice.withLock({ $0.insert(text).inserted }) else { return }
    let reason =
      "\(text): an override under Apple's signature called super, which leads to it once more; it "
      + "ran twice. Derive the class from NSKVObject"
    isa_report_misuse(ISA_ERR_UNSUPPORTED, nil, reason)
  }

  private func isRoot(_ name: String) -> Bool {
    guard let id = try? runtimeID() else { return true }
    let sel = isa_sel_register(name)
    return isa_class_find_imp(isa_object_get_class(id), sel).map { codeAddress($0) }
      == isa_class_find_imp(isa_root_class(), sel).map { codeAddress($0) }
  }
}

private let twice = Locked<Set<String>>([])

// MARK: - A base class with other signatures

/// A class whose overrides of KVObject's methods do what those do, in another form: the core need not
/// call them.
package protocol ForeignBase: KVObject {
  static var foreignBase: KVObject.Type { get }
}

/// Whether a class only gives methods another form.
func isForeignBase(_ type: KVObject.Type) -> Bool {
  // Only a module with names of its own has one.
  foreignNaming != nil && (type as? any ForeignBase.Type)?.foreignBase == type
}

extension KVObject {
  /// Ends a call that cannot throw: the core's call that led to the object's override fails, or where
  /// there is none, it is a misuse.
  package final func end(_ error: KeyValueError) {
    if !refuseInMessage(to: self, error) { Misuse.end(error) }
  }
}
