internal import CIsa

extension RuntimeObject {
  /// Whether the class knows `key`: by an accessor, an ivar that may be accessed, or a method of
  /// its own for any or for undefined keys.
  package func knows(key: String) -> Bool {
    guard let names = KeyNames(key) else { return false }
    if names.readers.contains(where: { find($0) != nil }) { return true }
    if names.writers.contains(where: { find($0) != nil }) { return true }
    if let swift = AdoptedClasses.adopter(of: isa.cls) { return swift.answers(key, id) }
    if overrides("valueForKey:") || overrides("valueForUndefinedKey:") { return true }
    return ivar(names) != nil
  }

  /// Whether a text set for `key` has to be an object: the setter or ivar takes one, or there is
  /// none, so that a method of the class decides.
  func wantsObject(_ key: String) -> Bool {
    guard let names = KeyNames(key) else { return true }
    let encoding: RuntimeTypeEncoding
    if let method = names.writers.lazy.compactMap({ self.find($0) }).first {
      guard let types = try? RuntimeMethod(method).encoding.types(), types.count > 3 else {
        return true
      }
      encoding = types[3]
    } else if let ivar = ivar(names) {
      encoding = RuntimeTypeEncoding(String(cString: isa_ivar_types(ivar)))
    } else {
      return true
    }
    if case .object = TypeShape(encoding) { return true }
    return false
  }

  private func find(_ name: String) -> isa_method? {
    isa_sel_find(name).flatMap { isa_class_find_method(isa.cls, $0) }
  }

  private func overrides(_ selector: RuntimeSelector) -> Bool {
    isa.implementation(of: selector) != RuntimeClass.root.implementation(of: selector)
  }

  private func ivar(_ names: KeyNames) -> isa_ivar? {
    let ivar = names.ivars.lazy.compactMap { isa_class_find_ivar(self.isa.cls, $0) }.first
    guard let ivar, accessesIvars else { return nil }
    return ivar
  }

  private var accessesIvars: Bool {
    let answer = try? isa.original.object.send("accessInstanceVariablesDirectly")
    return answer?.bool ?? true
  }
}

/// The names by which a class may answer for a key, in the order in which they are looked for.
private struct KeyNames {
  let readers: [String]
  let writers: [String]
  let ivars: [String]

  /// Nil for an empty key and one with a zero in it.
  init?(_ key: String) {
    if key.isEmpty || key.hasZero { return nil }
    let capital = key.asNamePart
    readers = [
      "get\(capital)", key, "is\(capital)", "_get\(capital)", "_\(key)", "countOf\(capital)",
    ]
    writers = ["set\(capital):", "_set\(capital):", "setIs\(capital):"]
    ivars = ["_\(key)", "_is\(capital)", key, "is\(capital)"]
  }
}

extension RuntimeObject {
  /// Checks that the keys of a key path are known, as far as there are objects to ask: not behind
  /// nil, an operator or a collection.
  ///
  /// - Throws: ``KeyValueError/Code/notObservable``, of the first key that is not known.
  package func checkKnown(_ keyPath: String) throws(KeyValueError) {
    let keys = keyPath.split(
      separator: ".", maxSplits: Self.mostKeys, omittingEmptySubsequences: false)
    if keys.count > Self.mostKeys { return }
    var object = self
    for key in keys {
      if key.hasPrefix("@") { return }
      guard object.knows(key: String(key)) else {
        throw KeyValueError(unknown: String(key), of: object, in: keyPath)
      }
      guard key.endIndex != keyPath.endIndex, let value = try? object.value(forKey: String(key)),
        let next = value.object, next.boxKind?.isCollection != true
      else { return }
      object = next
    }
  }

  /// The C core refuses more.
  private static var mostKeys: Int { 1024 }
}
