public import IsaKeyValue

extension ChangeInPlace {
  /// Tells a handler. `Root` is the object's class, `Value` the type that the observer named when it
  /// registered.
  @inlinable @inline(__always)
  func notify<Root: KVObject, Value>(_ handler: @escaping (Root, ValueChange<Value>) -> Void) {
    // Apart, so that nothing is counted, and no register saved, for a value that was set.
    if _fastPath(tag.isSet) { notify(handler, from: nil) } else { notifyOther(handler) }
  }

  /// The same where a transaction has no say.
  @inlinable @inline(__always)
  func notifyAtOnce<Root: KVObject, Value>(_ handler: @escaping (Root, ValueChange<Value>) -> Void)
  {
    if _fastPath(tag.isSet) {
      notify(handler, from: nil)
    } else if tag.isSourced {
      notifyOther(handler)
    } else {
      notifyUnusual(handler, waits: false)
    }
  }

  @inlinable @inline(never)
  func notifyOther<Root: KVObject, Value>(_ handler: @escaping (Root, ValueChange<Value>) -> Void) {
    guard tag.isSourced else { return notifyUnusual(handler) }
    let sourced = sourced.pointee
    sourced.source._withUnsafeGuaranteedRef {
      ChangeInPlace(object, sourced.old, sourced.new, sourced.tag).notify(handler, from: $0)
    }
  }

  @inlinable @inline(__always)
  func notify<Root: KVObject, Value>(
    _ handler: (Root, ValueChange<Value>) -> Void, from source: ChangeSource?
  ) {
    // The caller of the setter holds the object.
    Unmanaged<KVObject>.fromOpaque(object - headerOffset)._withUnsafeGuaranteedRef { object in
      handler(
        unsafeDowncast(object, to: Root.self),
        ValueChange(
          from: source, tag: tag,
          old: old?.assumingMemoryBound(to: Value.self).pointee,
          new: new?.assumingMemoryBound(to: Value.self).pointee))
    }
  }
}

extension Sink {
  /// Calls a handler by code that serves all types.
  ///
  /// - Parameter isPart: Whether it serves an observation that heeds the scopes itself.
  init<Root: KVObject, Value>(
    _ handler: @escaping (Root, ValueChange<Value>) -> Void, isPart: Bool
  ) {
    self.init { object, old, new, tag in
      ChangeInPlace(object, old, new, tag).notifyRead(handler, isPart: isPart)
    }
  }

  /// Tells of a change that has been made.
  func notify<Root: KVObject, Value>(_ change: ValueChange<Value>, of object: Root) {
    withUnsafePointer(to: change) { place in
      self(ChangeInPlace(made: place, object: object.headerAddress))
    }
  }
}
