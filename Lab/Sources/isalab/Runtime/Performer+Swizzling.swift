import IsaRuntime

// Method swizzling.

extension Performer {
  /// Exchanges a setter's code with that of a new method, as articles do it: the new method tells of
  /// the change and calls the old code, which its own selector leads to by then.
  func swizzle(_ target: PropertyReference, as name: String) throws(KeyValueError) -> [Fact] {
    let cls = try world.existingClass(target.object.text)
    let original = Symbols.originalName(of: target.object.text)
    let property = program.symbols.property(target.path, of: original)!
    let setter = RuntimeSelector(property.declaration.setter!)
    guard let method = cls.method(setter) else {
      throw KeyValueError(.notFound, key: setter.name, className: cls.name)
    }
    // An inherited method is other classes' too: it is overridden, not exchanged.
    if method.declaringClass != cls {
      try addOverride(method, to: cls, key: property.name, name)
      return [.swizzled(className: target.object.text, setter: setter.name, method: nil)]
    }
    // A method that cannot be exchanged cannot with itself; then the class stays as it is.
    try cls.exchangeMethods(setter, setter)
    let own = RuntimeSelector("\(name)_\(setter)")
    let (performer, key) = (Unowned(self), property.name)
    try cls.addMethod(own, method.encoding) { call -> Void in
      performer.object.tell(name, key, call) {
        _ = try? call.receiver.send(own, arguments: call.arguments)
      }
    }
    try cls.exchangeMethods(setter, own)
    return [.swizzled(className: target.object.text, setter: setter.name, method: own.name)]
  }

  private func addOverride(
    _ method: RuntimeMethod, to cls: RuntimeClass, key: String, _ name: String
  ) throws(KeyValueError) {
    let performer = Unowned(self)
    try cls.addMethod(method.selector, method.encoding) { call -> Void in
      performer.object.tell(name, key, call) { _ = try? call.callSuper() }
    }
  }

  private func tell(
    _ name: String, _ key: String, _ call: RuntimeMethodCall, _ callOriginal: () -> Void
  ) {
    let old = try? call.receiver.value(forKey: key)
    callOriginal()
    let new = try? call.receiver.value(forKey: key)
    world.recorder.hear(name) {
      RuntimeChange(keyPath: key, object: call.receiver, oldValue: old, newValue: new)
    }
  }
}
