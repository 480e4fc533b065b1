// Collections that are changed by their elements, in Swift.

extension SwiftTranslator {
  func edit(_ edit: Edit, _ place: TranslationPlace) -> Translation {
    if edit.target.keys.isEmpty { return editNamed(edit) }
    guard let property = scope.property(edit.target), let parent = parent(edit.target),
      types.chain(edit.target) != nil, !place.isRefused
    else { return byName(edit) }
    let name = types.name(of: property)
    if edit.way == .ivar || (edit.way == .accessor && !types.accessorsNotify(property)) {
      return untold(edit, parent, name)
    }
    let kind = scope.collectionType(of: edit).kind
    let isByName = (isApple && kind != .orderedSet) || edit.indexes?.isList == true
    if isByName { return byName(edit, note: note(edit)) }
    let isSet = kind == .set
    let proxy =
      "\(parent)\(isSet ? "mutableSetValue" : "mutableArrayValue")(for: \\.\(name))"
    var made = Translation.line(proxy + (isSet ? setCall(edit) : arrayCall(edit)))
    made.note = note(edit)
    return made
  }

  private func note(_ edit: Edit) -> Text? {
    if scope.collectionType(of: edit).kind == .orderedSet {
      return Text("note.no-ordered-set")
    }
    return edit.way == .accessor ? Text("note.proxy-instead") : nil
  }

  // MARK: Typed proxies

  private func arrayCall(_ edit: Edit) -> String {
    let objects = edit.objects.map(values.object) ?? ""
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? "0"
    let isOrderedSet = scope.collectionType(of: edit).kind == .orderedSet
    switch edit.kind {
    case .insert: return ".insert(\(objects), at: \(index))"
    case .remove: return ".remove(at: \(index))"
    case .replace: return "[\(index)] = \(objects)"
    case .add: return isOrderedSet ? ".appendNew(\(objects))" : ".append(\(objects))"
    case .removeObject: return ".removeAll { same($0, \(objects)) }"
    case .union: return ".appendNew(contentsOf: \(objects))"
    case .minus: return ".removeAll { element in \(objects).contains { same($0, element) } }"
    case .intersect: return ".removeAll { element in !\(objects).contains { same($0, element) } }"
    case .fill: return ".setElements(\(objects))"
    }
  }

  private func setCall(_ edit: Edit) -> String {
    let objects = edit.objects.map(values.object) ?? "[]"
    switch edit.kind {
    case .add: return ".insert(\(objects))"
    case .removeObject: return ".remove(\(objects))"
    case .minus: return ".subtract(\(objects))"
    case .intersect: return ".formIntersection(\(objects))"
    case .fill: return ".setElements(\(objects))"
    default: return ".formUnion(\(objects))"
    }
  }

  // MARK: Past everybody

  /// The collection of the property itself, changed without a word.
  private func untold(_ edit: Edit, _ parent: String, _ name: String) -> Translation {
    let objects = edit.objects.map(values.object) ?? "[]"
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? "0"
    let property = parent + name
    let isSet = scope.collectionType(of: edit).kind == .set
    let change =
      switch edit.kind {
      case .insert: "\(property).insert(\(objects), at: \(index))"
      case .remove: "\(property).remove(at: \(index))"
      case .replace: "\(property)[\(index)] = \(objects)"
      case .add: isSet ? "\(property).insert(\(objects))" : "\(property).append(\(objects))"
      case .removeObject:
        isSet ? "\(property).remove(\(objects))" : "\(property).removeAll { same($0, \(objects)) }"
      case .union: "\(property).formUnion(\(objects))"
      case .minus: "\(property).subtract(\(objects))"
      case .intersect: "\(property).formIntersection(\(objects))"
      case .fill: "\(property) = \(objects)"
      }
    let discards = change.contains(".remove(") || (isSet && edit.kind == .add)
    return .line("\(parent)muting { \(discards ? "_ = " : "")\(change) }")
  }

  // MARK: By name

  /// A proxy of the runtime's, which takes several places at once, and throws.
  private func byName(_ edit: Edit, note: Text? = nil) -> Translation {
    let kind = scope.collectionType(of: edit).kind
    let getter = kind == .set ? "mutableSetValue" : "mutableArrayValue"
    let label = edit.target.keys.count == 1 ? "forKey" : "forKeyPath"
    let proxy = "\(name(edit.target.object)).\(getter)(\(label): \(edit.target.path.quoted))"
    if isApple { return .line(proxy + appleCall(edit), note: note) }
    return .line("try " + proxy + runtimeCall(edit), note: note)
  }

  private func editNamed(_ edit: Edit) -> Translation {
    let type = scope.collectionType(of: edit)
    let proxy =
      switch type.kind {
      case .orderedSet: "MutableOrderedSetProxy"
      case .set: "MutableSetProxy"
      default: "MutableArrayProxy"
      }
    return .line("try \(proxy)(\(name(edit.target.object)))!" + runtimeCall(edit))
  }

  private func runtimeCall(_ edit: Edit) -> String {
    let isMany = edit.indexes?.isList == true
    let isList = isMany || [.union, .minus, .intersect, .fill].contains(edit.kind)
    let objects =
      edit.objects.map { isList ? "values(\(values.object($0)))" : "value(\(values.object($0)))" }
      ?? ""
    let index = edit.indexes.map { isMany ? SwiftTranslator.places($0) : "\($0.indexes[0])" } ?? ""
    let isSet = scope.collectionType(of: edit).kind == .set
    switch edit.kind {
    case .insert: return ".insert(\(isMany ? "contentsOf: " : "")\(objects), at: \(index))"
    case .remove: return ".remove(at: \(index))"
    case .replace: return ".replace(at: \(index), with: \(objects))"
    case .add: return isSet ? ".insert(\(objects))" : ".append(\(objects))"
    case .removeObject: return isSet ? ".remove(\(objects))" : ".removeAll(equalTo: \(objects))"
    case .union: return ".formUnion(\(objects))"
    case .minus: return ".subtract(\(objects))"
    case .intersect: return ".formIntersection(\(objects))"
    case .fill: return ".setElements(\(objects))"
    }
  }

  /// A message of Foundation's mutable collections.
  private func appleCall(_ edit: Edit) -> String {
    let isMany = edit.indexes?.isList == true
    let objects = edit.objects.map(values.object) ?? ""
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? ""
    let places = edit.indexes.map { "IndexSet(\(SwiftTranslator.places($0)))" } ?? ""
    switch edit.kind {
    case .insert:
      return isMany ? ".insert(\(objects), at: \(places))" : ".insert(\(objects), at: \(index))"
    case .remove: return isMany ? ".removeObjects(at: \(places))" : ".removeObject(at: \(index))"
    case .replace:
      return isMany
        ? ".replaceObjects(at: \(places), with: \(objects))"
        : ".replaceObject(at: \(index), with: \(objects))"
    case .add: return ".add(\(objects))"
    case .removeObject: return ".remove(\(objects))"
    case .union: return ".union(\(objects))"
    case .minus: return ".minus(\(objects))"
    case .intersect: return ".intersect(\(objects))"
    case .fill:
      return scope.collectionType(of: edit).kind == .set
        ? ".setSet(\(objects))" : ".setArray(\(objects))"
    }
  }

  // MARK: By hand

  func announce(_ edit: Edit, isWill: Bool, _ place: TranslationPlace) -> Translation {
    let verb = isWill ? "willChange" : "didChange"
    guard let parent = parent(edit.target), let key = property(edit.target) else {
      return .none(Text("note.known-properties"))
    }
    if let kind = edit.kind.ordered {
      let places = edit.indexes.map(SwiftTranslator.places) ?? "[]"
      return .line("\(parent)\(verb)(.\(kind), valuesAt: \(places), for: \\.\(key))")
    }
    let mutation = edit.kind == .fill ? "set" : edit.kind.rawValue
    let objects = edit.objects.map(values.object) ?? "[]"
    return .line(
      "\(parent)\(verb)Value(for: \\.\(key), withSetMutation: .\(mutation), using: \(objects))")
  }
}

extension Edit.Kind {
  fileprivate var ordered: String? {
    switch self {
    case .insert: "insertion"
    case .remove: "removal"
    case .replace: "replacement"
    default: nil
    }
  }
}
