// Questions to the runtime, in Swift.

extension SwiftTranslator {
  func query(_ query: Query, _ place: TranslationPlace) -> Translation {
    switch query {
    case .property(let reference): return read(reference)
    case .keyed(let reference): return readByName(reference)
    case .claimedClass(let name): return .line("show(\(claimed(name)))")
    case .isa(let name):
      return scope.className(of: name) == nil
        ? .none(Text("note.no-metaclass"))
        : .line("show(\(runtime(name)).isa)")
    case .superclass(let name): return .line("show(\(cls(name))superclass)")
    case .methods(let name): return .line("show(\(cls(name))methods)")
    case .implementation(let name, let selector):
      return .line("show(\(cls(name))method(\(selector.text.quoted)))")
    case .retainCount(let name): return .line("show(\(runtime(name)).retainCount)")
    case .alive: return .none(Text("note.keep-weak"))
    default: return observing(query, place)
    }
  }

  private func observing(_ query: Query, _ place: TranslationPlace) -> Translation {
    switch query {
    case .registrations(let name): return .line("show(\(runtime(name)).registrations)")
    case .pending(let name): return .line("show(\(runtime(name)).pendingChanges)")
    case .affected(let reference):
      return .line("show(\(runtime(reference.object)).affected(by: \(reference.path.quoted)))")
    case .affecting(let reference):
      let cls = "\(runtime(reference.object)).isa.original"
      return .line("show(try \(cls).keyPathsAffecting(\(reference.path.quoted)))".oneTry)
    case .closure(let reference):
      let cls = "\(runtime(reference.object)).isa.original"
      return .line("show(try \(cls).dependencyClosure(of: \(reference.path.quoted)))".oneTry)
    case .bulk(let name, let keys):
      let list = keys.map { $0.text.quoted }.joined(separator: ", ")
      let attempt = isRuntimeObject(name) ? "try " : self.attempt
      return .line("show(\(attempt)\(self.name(name)).dictionaryWithValues(forKeys: [\(list)]))")
    case .validation(let reference, let literal):
      let value = values.object(literal)
      return .line(
        "show(isValid(\(value), \(name(reference.object)), \(reference.path.quoted)))")
    default: return Translation()
    }
  }

  private func read(_ reference: PropertyReference) -> Translation {
    guard let chain = types.chain(reference) else { return readByName(reference) }
    return .line("show(\(name(reference.object)).\(chain))")
  }

  private func readByName(_ reference: PropertyReference) -> Translation {
    let label = reference.keys.count == 1 && !reference.isQuoted ? "forKey" : "forKeyPath"
    let attempt = isRuntimeObject(reference.object) ? "try " : self.attempt
    return .line(
      "show(\(attempt)\(name(reference.object)).value(\(label): \(reference.path.quoted)))")
  }

  private func claimed(_ name: Name) -> String {
    if scope.className(of: name) == nil { return SwiftTypes.typeName(name.text) + ".self" }
    return isRuntimeObject(name)
      ? "\(self.name(name)).class"
      : "type(of: \(self.name(name))\(scope.released.contains(name.text) ? "!" : ""))"
  }

  /// The object as the runtime has it.
  private func runtime(_ name: Name) -> String {
    isRuntimeObject(name) ? self.name(name) : "try RuntimeObject(\(self.name(name)))"
  }

  /// The class, or the one that the object's isa leads to, and a dot.
  private func cls(_ name: Name) -> String {
    if scope.className(of: name) != nil { return "\(runtime(name)).isa." }
    let notifying = Symbols.notifyingPrefix
    let isNotifying = name.text.hasPrefix(notifying)
    let own = isNotifying ? String(name.text.dropFirst(notifying.count)) : name.text
    return "runtimeClass(\(SwiftTypes.typeName(own)).self, isNotifying: \(isNotifying))?."
  }
}

extension String {
  /// One `try` covers all that stands to the right of it.
  fileprivate var oneTry: String { replacing("try try ", with: "try ") }
}
