// Statements that give values.

extension Checker {
  func assign(_ value: Literal, to target: PropertyReference) throws(Diagnostic) {
    let property = try property(target)
    let last = target.keys.last!
    if last.text.hasPrefix("@") {
      throw problem(last, Text("meaning.is-operator", ["name": last]), Text("meaning.a-property"))
    }
    if let property, property.declaration.isReadonly {
      throw problem(
        last, Text("meaning.read-only", ["key": property.name]),
        property.declaration.isComputed
          ? Text("meaning.settable")
          : Text("meaning.settable-or-poke"))
    }
    try fit(value, property)
  }

  func checkPoke(_ target: PropertyReference, _ value: Literal) throws(Diagnostic) {
    guard let property = try property(target) else {
      throw problem(
        target.key, Text("meaning.nothing-known", ["path": target.path]),
        Text("meaning.known-property"))
    }
    guard property.declaration.ivarName != nil else {
      throw problem(
        target.key, Text("meaning.computed-no-ivar", ["key": property.name]),
        Text("meaning.stored-property"))
    }
    try fit(value, property)
  }

  /// A value for a property; without one, for an object that only the runtime knows.
  func fit(_ value: Literal, _ property: Symbols.Property?) throws(Diagnostic) {
    if let property { try fit(value, as: property.type) } else { try fitObject(value) }
  }

  /// An object of a class of the scenario's, and values for its properties.
  mutating func checkFault(_ name: Name, _ values: Literal) throws(Diagnostic) {
    let className = try object(name).className
    guard symbols.classes[className] != nil, className != Symbols.observerClass,
      className != SwiftView.name
    else {
      throw problem(
        name, Text("meaning.is-collection", ["name": name]), Text("meaning.object-by-let-new"))
    }
    guard case .dictionary(let entries) = values.kind else { return }
    for entry in entries {
      guard let property = symbols.property(entry.key.text, of: className) else {
        let known = symbols.properties(of: className).map(\.name)
        throw problem(
          entry.key, Text("meaning.no-property", ["class": className, "key": entry.key]),
          known.isEmpty ? Text("meaning.class-with-property") : alternatives(known))
      }
      try fit(entry.value, as: property.type)
    }
    symbols.classes[Symbols.faultName(of: className)] = Symbols.Class(
      superclass: className, properties: [])
  }

  func fitObject(_ value: Literal) throws(Diagnostic) {
    try fit(value, as: ValueType(name: "object", encoding: "@"))
  }

  func fit(_ value: Literal, as type: ValueType) throws(Diagnostic) {
    let encoder = ValueEncoder(
      file: file, labels: symbols.labels, objects: CheckedObjects(symbols))
    _ = try encoder.value(of: value, as: type)
  }

  // MARK: Edits

  func check(_ edit: Edit) throws(Diagnostic) {
    let type = try collectionType(edit)
    switch edit.kind {
    case .remove: break
    case .insert, .replace:
      if edit.indexes?.isList == true {
        try fitMany(edit.objects)
      } else {
        try fitOne(edit.objects)
      }
    case .add, .removeObject: try fitOne(edit.objects)
    case .union, .minus, .intersect, .fill: try fitMany(edit.objects)
    }
    try checkWay(edit, type)
  }

  func checkAnnouncement(_ edit: Edit) throws(Diagnostic) {
    _ = try collectionType(edit)
    guard edit.target.keys.count == 1 else {
      throw problem(
        edit.target.key, Text("meaning.not-of-object", ["path": edit.target]),
        Text("meaning.property-of-object")
      )
    }
    if edit.objects != nil { try fitMany(edit.objects) }
  }

  /// The type that is edited, as far as it is known; the edit must suit it.
  private func collectionType(_ edit: Edit) throws(Diagnostic) -> CollectionType? {
    let target = edit.target
    let typeName =
      target.keys.isEmpty
      ? try object(target.object).className : try property(target)?.type.name ?? "object"
    guard let type = CollectionType.named[typeName] else {
      if !target.keys.isEmpty, typeName == "object" { return nil }
      throw problem(
        target.key, Text("meaning.not-a-collection", ["name": target]),
        Text("meaning.collection-property"))
    }
    let isSetLike = type.kind != .array
    switch edit.kind {
    case _ where type.kind == .dictionary:
      throw problem(
        target.key, Text("meaning.is-dictionary", ["path": target]), Text("meaning.array-or-set"))
    case .insert, .remove, .replace:
      if type.isOrdered { return type }
      throw problem(
        target.key, Text("meaning.no-order", ["path": target]), Text("meaning.array-or-add"))
    case .union, .minus, .intersect:
      if isSetLike { return type }
      throw problem(
        target.key, Text("meaning.is-array", ["path": target]), Text("meaning.set-or-ordered"))
    default: return type
    }
  }

  private func fitOne(_ literal: Literal?) throws(Diagnostic) {
    guard let literal else { return }
    if literal.kind == .nothing {
      throw problem(
        at: literal.location, Text("meaning.nil-no-element"), Text("meaning.null-or-value"))
    }
    try fitObject(literal)
  }

  private func fitMany(_ literal: Literal?) throws(Diagnostic) {
    guard let literal else { return }
    switch literal.kind {
    case .array, .set, .name: try fitObject(literal)
    default:
      throw problem(
        at: literal.location, Text("meaning.value-misfit", ["value": literal]),
        Text("meaning.values-in-brackets"))
    }
  }

  private func checkWay(_ edit: Edit, _ type: CollectionType?) throws(Diagnostic) {
    switch edit.way {
    case .proxy: break
    case .accessor:
      guard !edit.target.keys.isEmpty, edit.accessor != nil else {
        throw problem(
          edit.target.key, Text("meaning.no-such-accessor", ["path": edit.target]),
          Text("meaning.by-proxy-or-ivar"))
      }
    case .ivar:
      if edit.target.keys.isEmpty { return }
      guard try property(edit.target)?.declaration.ivarName != nil else {
        throw problem(
          edit.target.key, Text("meaning.no-ivar", ["path": edit.target]), Text("meaning.by-proxy"))
      }
    }
  }
}

extension Edit {
  /// The accessor that does the same; there is none for everything.
  var accessor: Accessor? {
    let isList = indexes?.isList == true
    switch kind {
    case .insert: return isList ? .insertMany : .insert
    case .remove: return isList ? .removeMany : .remove
    case .replace: return isList ? .replaceMany : .replace
    case .add: return .add
    case .removeObject: return .removeObject
    case .union: return .union
    case .minus: return .minus
    case .intersect: return .intersect
    case .fill: return nil
    }
  }
}
