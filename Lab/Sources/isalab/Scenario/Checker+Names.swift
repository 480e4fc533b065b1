import IsaRuntime

// The types and objects that names stand for.

extension Checker {
  func type(_ name: Name) throws(Diagnostic) -> ValueType {
    guard let type = symbols.type(named: name.text) else {
      let known = ["int", "double", "string"] + symbols.structures.keys.sorted() + declaredClasses
      let expected = Text { language in
        let others = [language.say("meaning.class-above"), language.say("meaning.an-encoding")]
        return alternatives(known + others)[language]
      }
      throw problem(name, Text("meaning.unknown-type", ["name": name]), expected)
    }
    guard RuntimeTypeEncoding("v@:" + type.encoding).isPassable else {
      throw problem(
        name, Text("meaning.not-passable", ["name": name]), Text("meaning.passable-type"))
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
      cls, Text("meaning.unknown-class", ["class": cls]),
      known.isEmpty
        ? Text("meaning.class-above")
        : Text("meaning.or-declared", ["names": alternatives(known)]))
  }

  /// A class that is declared, or the notifying class of one.
  func classExists(_ cls: Name) throws(Diagnostic) {
    try declared(Name(text: Symbols.originalName(of: cls.text), location: cls.location))
  }

  func object(_ name: Name) throws(Diagnostic) -> Symbols.Object {
    guard let object = symbols.objects[name.text] else {
      let known = symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted()
      throw problem(
        name, Text("meaning.unknown-object", ["name": name]),
        known.isEmpty ? Text("meaning.object-by-let") : alternatives(known))
    }
    if let line = object.releasedIn {
      throw problem(
        name, Text("meaning.released", ["name": name, "line": line]), Text("meaning.object-held"))
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
        key, Text("meaning.no-property", ["class": className, "key": key]),
        knownProperties(of: className))
    }
  }

  func checkToken(_ name: Name) throws(Diagnostic) {
    if let target = symbols.tokens[name.text] {
      guard symbols.shared[target.object.text] != nil else { return }
      throw problem(
        name, Text("meaning.is-shared", ["name": name, "class": target.object]),
        Text("meaning.share-nil"))
    }
    let hint = symbols.objects[name.text] == nil ? Text(same: "") : Text("meaning.removed-from")
    let known = symbols.tokens.keys.sorted()
    throw problem(
      name, Text("meaning.unknown-observer-hint", ["name": name, "hint": hint]),
      known.isEmpty ? Text("meaning.name-by-as") : alternatives(known))
  }

  func subject(_ name: Name) throws(Diagnostic) {
    if symbols.objects[name.text] != nil {
      _ = try object(name)
    } else if symbols.classes[name.text] == nil, !name.text.hasPrefix(Symbols.notifyingPrefix) {
      let known =
        symbols.objects.filter { $0.value.releasedIn == nil }.keys.sorted() + declaredClasses
      throw problem(
        name, Text("meaning.no-object-no-class", ["name": name]),
        known.isEmpty ? Text("meaning.one-above") : alternatives(known))
    } else {
      try classExists(name)
    }
  }
}
