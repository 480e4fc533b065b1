import IsaRuntime

// The types and objects that names stand for.

extension Checker {
  func type(_ name: Name) throws(Diagnostic) -> ValueType {
    guard let type = symbols.type(named: name.text) else {
      let known = ["int", "double", "string"] + symbols.structures.keys.sorted() + declaredClasses
      let others = ["a class declared above", "an encoding such as {Point=dd}"]
      throw problem(name, "unknown type '\(name)'", alternatives(known + others))
    }
    guard RuntimeTypeEncoding("v@:" + type.encoding).isPassable else {
      throw problem(name, "libffi cannot pass '\(name)'", "a type that a setter can take by value")
    }
    return type
  }

  var declaredClasses: [String] {
    symbols.classes.keys.filter { !Symbols.isBuiltIn($0) }.sorted()
  }

  func declared(_ cls: Name) throws(Diagnostic) {
    guard symbols.classes[cls.text] == nil else { return }
    let known = declaredClasses
    throw problem(
      cls, "unknown class '\(cls)'",
      known.isEmpty
        ? "a class declared above" : alternatives(known) + ", or a declaration of it above")
  }

  /// A class that is declared, or the notifying class of one.
  func classExists(_ cls: Name) throws(Diagnostic) {
    try declared(Name(text: Symbols.originalName(of: cls.text), location: cls.location))
  }

  func object(_ name: Name) throws(Diagnostic) -> Symbols.Object {
    guard let object = symbols.objects[name.text] else {
      let known = symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted()
      throw problem(
        name, "unknown object '\(name)'",
        known.isEmpty ? "an object made by 'let' above" : alternatives(known))
    }
    if let line = object.releasedIn {
      throw problem(name, "'\(name)' was released in line \(line)", "an object that is still held")
    }
    return object
  }

  /// The property that the keys lead to; nil if only the runtime knows.
  func property(_ reference: PropertyReference) throws(Diagnostic) -> Symbols.Property? {
    let object = try object(reference.object)
    if reference.isQuoted { return nil }
    switch symbols.resolve(reference.keys.map(\.text), of: object.className) {
    case .property(let property): return property
    case .unknown: return nil
    case .missing(let index, let className):
      let key = reference.keys[index]
      throw problem(
        key, "\(className) has no property '\(key)'", knownProperties(of: className))
    }
  }

  func checkToken(_ name: Name) throws(Diagnostic) {
    if let target = symbols.tokens[name.text] {
      guard symbols.shared[target.object.text] != nil else { return }
      throw problem(
        name, "'\(name)' is one of the shared observers \(target.object)",
        "'share nil with OBJECT', which ends them for an object")
    }
    let hint = symbols.objects[name.text] == nil ? "" : " (an object is removed 'from' a property)"
    let known = symbols.tokens.keys.sorted()
    throw problem(
      name, "unknown observer '\(name)'\(hint)",
      known.isEmpty ? "a name given by 'observe … as NAME'" : alternatives(known))
  }

  func subject(_ name: Name) throws(Diagnostic) {
    if symbols.objects[name.text] != nil {
      _ = try object(name)
    } else if symbols.classes[name.text] == nil, !name.text.hasPrefix(Symbols.notifyingPrefix) {
      let known =
        symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted() + declaredClasses
      throw problem(
        name, "'\(name)' is no object and no class",
        known.isEmpty ? "one that is declared above" : alternatives(known))
    } else {
      try classExists(name)
    }
  }
}
