import IsaRuntime

// The notifying class: a subclass made at run time, whose setters announce what they change.
extension Student {
  /// Under the lock.
  func beginNotifying(_ object: RuntimeObject, _ key: String) throws {
    let notifying = try notifyingClass(of: object.class)
    try wrap(key, in: notifying)
    if object.isa != notifying { try object.setIsa(notifying) }
  }

  private func notifyingClass(of original: RuntimeClass) throws -> RuntimeClass {
    let name = "StudentKVO_\(original.name)"
    if let made = RuntimeClass.find(named: name) { return made }
    return try RuntimeClassBuilder(name, superclass: original)
      .method("class", "#@:") { _ in RuntimeValue(original) }
      .register()
  }

  private func wrap(_ key: String, in notifying: RuntimeClass) throws {
    let name = key.prefix(1).uppercased() + key.dropFirst()
    try wrap("set\(name):", key, in: notifying) { _ in .setting }
    try wrap("insertObject:in\(name)AtIndex:", key, in: notifying) { .insertion(at: $0.index(1)) }
    try wrap("removeObjectFrom\(name)AtIndex:", key, in: notifying) { .removal(at: $0.index(0)) }
    try wrap("replaceObjectIn\(name)AtIndex:withObject:", key, in: notifying) {
      .replacement(at: $0.index(0))
    }
  }

  /// will, the original, did.
  private func wrap(
    _ selector: String, _ key: String, in notifying: RuntimeClass,
    kind: @escaping @Sendable (RuntimeMethodCall) -> StudentKind
  ) throws {
    let selector = RuntimeSelector(selector)
    guard let method = notifying.method(selector), method.declaringClass != notifying else {
      return
    }
    try notifying.addMethod(selector, method.encoding) { [unowned self] call -> RuntimeValue in
      let change = Change(of: call.receiver, key, kind(call), student: self)
      change.begin()
      let answer = try? call.callSuper()
      change.end()
      return answer ?? .void
    }
  }
}

extension RuntimeMethodCall {
  fileprivate func index(_ argument: Int) -> Int { arguments[argument].int ?? 0 }
}
