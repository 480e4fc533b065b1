// Method swizzling in Swift: the runtime's class, a method that is a closure, and the exchange.

extension SwiftTranslator {
  func swizzle(_ swizzling: Swizzling, _ place: TranslationPlace) -> Translation {
    let type = swizzling.property.type
    let isPassable = type.isNumber || swizzling.isInherited && type.isObject
    guard isPassable else {
      return .none(Text("note.by-selector"))
    }
    let cls = SwiftTypes.typeName(swizzling.className)
    let lines =
      ["do {", "  let cls = try RuntimeObject(\(cls)()).isa"]
      + (swizzling.isInherited ? overriding(swizzling) : exchange(swizzling)).map { "  " + $0 }
    return Translation(lines: lines + ["}"])
  }

  private func overriding(_ swizzling: Swizzling) -> [String] {
    method(swizzling, swizzling.conventionalSetter, "call.callSuper()")
  }

  private func exchange(_ swizzling: Swizzling) -> [String] {
    let setter = swizzling.conventionalSetter.quoted
    let own = swizzling.method(for: swizzling.conventionalSetter)
    let cls = SwiftTypes.typeName(swizzling.className)
    let found = swizzling.isNotifying ? "runtimeClass(\(cls).self, isNotifying: true)!" : "cls"
    return method(swizzling, own, "call.receiver.send(\(own.quoted), arguments: call.arguments)")
      + ["try \(found).exchangeMethods(\(setter), \(own.quoted))"]
  }

  /// The lines that add the method, which calls the setter's code.
  private func method(
    _ swizzling: Swizzling, _ selector: String, _ original: String
  ) -> [String] {
    let setter = swizzling.conventionalSetter.quoted
    let heard = "\(swizzling.name.quoted), \(swizzling.property.name.quoted), call"
    return [
      "try cls.addMethod(\(selector.quoted), cls.method(\(setter))!.encoding) { call -> Void in",
      "  hears(\(heard)) { try \(original) }", "}",
    ]
  }

  /// An assignment that reaches exchanged code.
  func message(_ target: PropertyReference, _ value: Literal) -> Translation {
    let setter = "set\(target.keys.last!.text.capitalisedFirst):".quoted
    let value = values.runtimeValue(value, isMutable: false)
    let note = Text("note.no-message")
    guard target.keys.count > 1, let chain = types.chain(target.parent) else {
      let object = name(target.object)
      return .line("try RuntimeObject(\(object)).send(\(setter), \(value))", note: note)
    }
    let parent = "\(name(target.object)).\(chain)"
    return .line(
      "if let object = \(parent) { try RuntimeObject(object).send(\(setter), \(value)) }",
      note: note)
  }
}
