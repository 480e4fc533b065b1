public import IsaRuntime

extension ChangeInPlace {
  /// Tells a handler. `Root` is the object's class, `Value` the type that the observer named when it
  /// registered.
  @inlinable @inline(__always)
  func tell<Root: KVObject, Value>(_ handler: (Root, ValueChange<Value>) -> Void) {
    // The caller of the setter holds the object.
    Unmanaged<KVObject>.fromOpaque(object - headerOffset)._withUnsafeGuaranteedRef { object in
      let object = unsafeDowncast(object, to: Root.self)
      // Apart, so that nothing is counted for a value that was set.
      if let source {
        source._withUnsafeGuaranteedRef { handler(object, change(of: Value.self, from: $0)) }
      } else {
        handler(object, change(of: Value.self, from: nil))
      }
    }
  }

  @inlinable @inline(__always)
  func change<Value>(of type: Value.Type, from source: ChangeSource?) -> ValueChange<Value> {
    ValueChange(
      from: source, keyText: keyText, mark: mark, cause: cause,
      old: old?.assumingMemoryBound(to: Value.self).pointee,
      new: new?.assumingMemoryBound(to: Value.self).pointee)
  }
}
