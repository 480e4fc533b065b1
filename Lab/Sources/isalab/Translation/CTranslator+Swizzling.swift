// Method swizzling in C: a function that tells and calls the setter's code, and the exchange.

extension CTranslator {
  func swizzle(_ swizzling: Swizzling, _ place: TranslationPlace) -> Translation {
    let own = swizzling.method(for: swizzling.setter)
    let function = CTranslator.name(own.replacing(":", with: ""))
    let cls = CTranslator.name(swizzling.className)
    let selector = swizzling.isInherited ? swizzling.setter : own
    let types = "v@:" + swizzling.property.type.encoding
    let method = "\(self.selector(selector)), (isa_imp)\(function), \(types.quoted)"
    return Translation(
      declarations: replacement(of: swizzling, function),
      lines: ["must(isa_class_add_method(\(cls), \(method)));"]
        + (swizzling.isInherited ? [] : [exchange(swizzling, own, place)]),
      note: swizzling.isInherited
        ? Text("note.overrides")
        : nil)
  }

  private func replacement(of swizzling: Swizzling, _ function: String) -> [String] {
    let type = CTypes.name(of: swizzling.property.type)
    let pointer = "void (*)(isa_id, isa_sel, \(type))"
    let key = swizzling.property.name.quoted
    let cls = CTranslator.name(swizzling.className)
    let setter = selector(swizzling.setter)
    let original =
      swizzling.isInherited
      ? "((\(pointer))isa_lookup_super(\(cls), \(setter)))(self, \(setter), value);"
      : "ISA_SEND(\(pointer), self, \(selector(swizzling.method(for: swizzling.setter))), value);"
    return [
      "static void \(function)(isa_id self, isa_sel sel, \(type) value)", "{",
      "    isa_id old = at(self, \(key));", "    \(original)",
      "    tell(\(swizzling.name.quoted), self, \(key), old);", "}",
    ]
  }

  private func exchange(
    _ swizzling: Swizzling, _ own: String, _ place: TranslationPlace
  ) -> String {
    let notifying = Symbols.notifyingPrefix + swizzling.className
    let cls =
      swizzling.isNotifying
      ? "isa_class_find(\(notifying.quoted))" : CTranslator.name(swizzling.className)
    let methods = [swizzling.setter, own].map { "isa_class_find_method(\(cls), \(selector($0)))" }
    return checked("isa_method_exchange(\(methods.joined(separator: ", ")))", place)
  }
}
