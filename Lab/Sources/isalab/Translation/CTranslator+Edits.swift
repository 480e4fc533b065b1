// Collections that are changed by their elements, in C.

extension CTranslator {
  func edit(_ edit: Edit, _ place: TranslationPlace) -> Translation {
    let type = scope.collectionType(of: edit)
    let object = CTranslator.name(edit.target.object.text)
    switch edit.way {
    case .accessor: return .line(message(edit, object))
    case .ivar:
      let ivar = scope.property(edit.target)?.declaration.ivarName ?? edit.target.path
      let stored = edit.target.keys.isEmpty ? object : "stored(\(parent(edit)), \(ivar.quoted))"
      return .line(checked(call(edit, on: stored), place))
    case .proxy:
      if edit.target.keys.isEmpty { return .line(checked(call(edit, on: object), place)) }
      let kind = CTranslator.kind(type.kind == .dictionary ? .array : type.kind)
      let proxy = "proxy(\(object), \(edit.target.path.quoted), \(kind))"
      return .line(checked(call(edit, on: proxy), place))
    }
  }

  private func parent(_ edit: Edit) -> String {
    let object = CTranslator.name(edit.target.object.text)
    let parent = edit.target.parent
    return parent.keys.isEmpty ? object : "at(\(object), \(parent.path.quoted))"
  }

  private func call(_ edit: Edit, on collection: String) -> String {
    let objects = edit.objects.map { values.object($0, as: listType(of: edit)) } ?? "NULL"
    let places = edit.indexes.map(CTranslator.indexes) ?? ""
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? ""
    let isMany = edit.indexes?.isList == true
    switch edit.kind {
    case .insert:
      return isMany
        ? "kvc_ordered_insert_many(\(collection), \(objects), \(places))"
        : "kvc_ordered_insert(\(collection), \(objects), \(index))"
    case .remove:
      return isMany
        ? "kvc_ordered_remove_many(\(collection), \(places))"
        : "kvc_ordered_remove(\(collection), \(index))"
    case .replace:
      return isMany
        ? "kvc_ordered_replace_many(\(collection), \(places), \(objects))"
        : "kvc_ordered_replace(\(collection), \(index), \(objects))"
    case .add: return "kvc_collection_add(\(collection), \(objects))"
    case .removeObject: return "kvc_collection_remove(\(collection), \(objects))"
    case .union: return "kvc_set_unite(\(collection), \(objects))"
    case .minus: return "kvc_set_subtract(\(collection), \(objects))"
    case .intersect: return "kvc_set_intersect(\(collection), \(objects))"
    case .fill: return "kvc_collection_set_objects(\(collection), \(objects))"
    }
  }

  private func listType(of edit: Edit) -> String {
    guard let objects = edit.objects, case .set = objects.kind else { return "object" }
    return "set"
  }

  /// The accessor's message, as code outside the class sends it.
  private func message(_ edit: Edit, _ object: String) -> String {
    guard let accessor = edit.accessor else { return "" }
    let key = edit.target.keys.last!.text.capitalisedFirst
    let name = accessor.pattern.split(separator: "<Key>", omittingEmptySubsequences: false)
      .joined(separator: key)
    let objects = edit.objects.map { values.object($0, as: listType(of: edit)) } ?? "NULL"
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? "0"
    let places = edit.indexes.map(CTranslator.indexes) ?? "NULL"
    let set = "const kvc_index_set *"
    let (types, arguments): (String, String) =
      switch accessor {
      case .insert: ("isa_id, size_t", "\(objects), \(index)")
      case .remove: ("size_t", index)
      case .replace: ("size_t, isa_id", "\(index), \(objects)")
      case .insertMany: ("isa_id, \(set)", "\(objects), \(places)")
      case .removeMany: (set, places)
      case .replaceMany: ("\(set), isa_id", "\(places), \(objects)")
      default: ("isa_id", objects)
      }
    let function = "void (*)(isa_id, isa_sel, \(types))"
    return "ISA_SEND(\(function), \(parent(edit)), \(selector(name)), \(arguments));"
  }

  func announce(_ edit: Edit, isWill: Bool, _ place: TranslationPlace) -> Translation {
    let verb = isWill ? "will" : "did"
    let object = CTranslator.name(edit.target.object.text)
    let key = edit.target.path.quoted
    if let kind = edit.kind.ordered {
      let places = edit.indexes.map(CTranslator.indexes) ?? "NULL"
      let call = "kvo_\(verb)_change_indexes(\(object), \(kind), \(places), \(key))"
      return .line(checked(call, place))
    }
    let objects = edit.objects.map { values.object($0, as: listType(of: edit)) } ?? "NULL"
    let call = "kvo_\(verb)_change_set(\(object), \(key), \(edit.kind.mutation), \(objects))"
    return .line(checked(call, place))
  }
}

extension Edit.Kind {
  fileprivate var ordered: String? {
    switch self {
    case .insert: "KVO_CHANGE_INSERTION"
    case .remove: "KVO_CHANGE_REMOVAL"
    case .replace: "KVO_CHANGE_REPLACEMENT"
    default: nil
    }
  }

  fileprivate var mutation: String {
    switch self {
    case .minus: "KVO_SET_MINUS"
    case .intersect: "KVO_SET_INTERSECT"
    case .fill: "KVO_SET_SET"
    default: "KVO_SET_UNION"
    }
  }
}
