// Questions to the runtime, in C.

extension CTranslator {
  func query(_ query: Query, _ place: TranslationPlace) -> Translation {
    switch query {
    case .property(let reference), .keyed(let reference):
      return .line("show_value(\(named(reference.object)), \(reference.path.quoted));")
    case .isa(let name): return .line("show_class(isa_object_get_class(\(subject(name))));")
    case .claimedClass(let name):
      let type = "isa_class (*)(isa_id, isa_sel)"
      return .line("show_class(ISA_SEND(\(type), \(subject(name)), \(selector("class"))));")
    case .superclass(let name): return .line("show_class(isa_class_superclass(\(cls(name))));")
    case .methods(let name): return .line("show_methods(\(cls(name)));")
    case .implementation(let name, let selector):
      return .line("show_imp(\(cls(name)), \(self.selector(selector.text)));")
    case .retainCount(let name):
      return .line("printf(\"%zu\\n\", isa_object_retain_count(\(named(name))));")
    case .alive: return .none(Text("note.freed-address"))
    default: return observing(query, place)
    }
  }

  private func observing(_ query: Query, _ place: TranslationPlace) -> Translation {
    switch query {
    case .registrations(let name): return .line("show_registrations(\(named(name)));")
    case .pending(let name): return .line("show_pending(\(named(name)));")
    case .affected(let reference):
      return .line("show_affected(\(named(reference.object)), \(reference.path.quoted));")
    case .affecting(let reference): return affecting(reference, "kvo_class_copy_affecting")
    case .closure(let reference): return affecting(reference, "kvo_class_copy_all_affecting")
    case .bulk(let name, let keys):
      let strings = keys.map { "string(\($0.text.quoted))" }
      let list = "array(\((["\(keys.count)"] + strings).joined(separator: ", ")))"
      return .line("show_values(\(named(name)), \(list));")
    case .validation(let reference, let literal):
      let value = values.object(literal)
      return .line(
        "show_validity(\(named(reference.object)), \(reference.path.quoted), \(value));")
    default: return Translation()
    }
  }

  private func affecting(_ reference: PropertyReference, _ function: String) -> Translation {
    let cls = "kvo_class_original(isa_object_get_class(\(named(reference.object))))"
    return .line("show_keys(\(function), \(cls), \(reference.path.quoted));")
  }

  private func named(_ name: Name) -> String { CTranslator.name(name.text) }

  /// The class, or the one that the object's isa leads to.
  private func cls(_ name: Name) -> String {
    scope.className(of: name) == nil
      ? "isa_class_find(\(name.text.quoted))" : "isa_object_get_class(\(named(name)))"
  }

  /// The object, or the class seen as the object that it is.
  private func subject(_ name: Name) -> String {
    scope.className(of: name) == nil
      ? "isa_class_as_object(isa_class_find(\(name.text.quoted)))" : named(name)
  }
}
