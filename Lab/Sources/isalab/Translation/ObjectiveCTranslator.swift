/// Puts a program into Objective-C with Foundation, as it is written on Apple systems.
struct ObjectiveCTranslator: Translator {
  let scope: TranslationScope
  var values: ObjectiveCValues { ObjectiveCValues(scope: scope) }

  /// A name of the scenario as Objective-C may have it.
  static func name(_ text: String) -> String {
    text.apart { reserved.contains($0) || CTranslator.name($0) != $0 }
  }

  private static let reserved: Set<String> = [
    "id", "self", "super", "in", "out", "inout", "nil", "Class", "SEL", "IMP", "YES", "NO", "copy",
    "assign", "strong", "weak", "nonatomic", "atomic", "readonly", "readwrite", "new", "init",
  ]

  func name(_ name: Name) -> String { ObjectiveCTranslator.name(name.text) }

  /// The object that all but the last key lead to; nil if the declarations do not tell the way.
  func parent(_ reference: PropertyReference) -> String? {
    if reference.keys.count <= 1 { return name(reference.object) }
    guard let properties = scope.properties(along: reference.parent),
      properties.allSatisfy({ scope.symbols.classes[$0.type.name] != nil })
    else { return nil }
    return ([name(reference.object)] + properties.map(\.name)).joined(separator: ".")
  }

  /// The same, or by name.
  func receiver(_ reference: PropertyReference) -> String {
    parent(reference)
      ?? "[\(name(reference.object)) valueForKeyPath:\(reference.parent.path.at)]"
  }

  // MARK: Objects

  func object(_ name: Name, of cls: Name) -> Translation {
    let type = ObjectiveCTranslator.name(cls.text)
    let note =
      cls.text == Symbols.observerClass
      ? Text("note.implements") : nil
    return .line("\(type) *\(self.name(name)) = [\(type) new];", note: note)
  }

  func collection(_ name: Name, _ type: Name?, _ literal: Literal) -> Translation {
    let kind = scope.className(of: name) ?? "array"
    let type = ObjectiveCTypes.collections[kind] ?? "id "
    return .line("\(type)\(self.name(name)) = \(values.object(literal, as: kind));")
  }

  func release(_ name: Name) -> Translation {
    .line("\(self.name(name)) = nil;", note: Text("note.gives-up"))
  }

  func swapIsa(_ name: Name, to cls: Name, _ place: TranslationPlace) -> Translation {
    .line("object_setClass(\(self.name(name)), \(ObjectiveCTranslator.name(cls.text)).class);")
  }

  func wrap(_ wrapping: Wrapping) -> Translation {
    .none(Text("note.one-wrapping"))
  }

  // MARK: Values

  func set(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    guard let parent = parent(target), let property = scope.property(target) else {
      return keyedSet(target, value, place)
    }
    return .line("\(parent).\(property.name) = \(values.value(value, property.type));")
  }

  func poke(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    guard let parent = parent(target), let property = scope.property(target),
      let ivar = property.declaration.ivarName
    else { return .none(Text("note.declared-ivar")) }
    return .line("\(parent)->\(ivar) = \(values.value(value, property.type));")
  }

  func keyedSet(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    let isKey = target.keys.count == 1 && !target.isQuoted
    let given = values.keyed(value, scope.property(target)?.type)
    let selector = isKey ? "forKey" : "forKeyPath"
    return .line("[\(name(target.object)) setValue:\(given) \(selector):\(target.path.at)];")
  }

  func bulkSet(_ name: Name, _ values: Literal, _ place: TranslationPlace) -> Translation {
    let dictionary = self.values.object(values)
    return .line("[\(self.name(name)) setValuesForKeysWithDictionary:\(dictionary)];")
  }

  func announce(
    _ target: PropertyReference, isWill: Bool, _ place: TranslationPlace
  ) -> Translation {
    let verb = isWill ? "willChangeValueForKey" : "didChangeValueForKey"
    return .line("[\(receiver(target)) \(verb):\(target.keys.last!.text.at)];")
  }

  // MARK: Other statements inside

  func reaction(
    of observer: Name, isStanding: Bool, _ inner: Translation, _ place: TranslationPlace
  ) -> Translation {
    block(
      "\(name(observer)).\(isStanding ? "always" : "once") = ^", inner, end: ";",
      note: Text("note.block"))
  }

  func repetition(_ count: Int, _ inner: Translation) -> Translation {
    block("for (int i = 0; i < \(count); i++) ", inner, end: "")
  }

  func onThread(_ inner: Translation, _ place: TranslationPlace) -> Translation {
    block("[NSThread detachNewThreadWithBlock:^", inner, end: "];", note: Text("note.waits"))
  }

  private func block(
    _ head: String, _ inner: Translation, end: String, note: Text? = nil
  ) -> Translation {
    var made = inner
    made.note = inner.note ?? note
    // An observer that is made inside is meant outside as well.
    let observers = inner.lines.filter { $0.hasPrefix("Observer *") }
    let lines = inner.lines.filter { !$0.hasPrefix("Observer *") }
    made.lines = observers + [head + "{"] + lines.map { "    " + $0 } + ["}" + end]
    if lines.count == 1, head.count + lines[0].count < 90 {
      made.lines = observers + ["\(head){ \(lines[0]) }\(end)"]
    }
    return made
  }

  // MARK: Bindings

  func bind(
    _ target: PropertyReference, to source: PropertyReference, isTwoWay: Bool
  ) -> Translation {
    let call =
      "[\(name(target.object)) bind:\(target.path.at) toObject:\(name(source.object)) "
      + "withKeyPath:\(source.path.at) options:nil];"
    let note = isTwoWay ? Text("note.appkit-input") : Text("note.appkit-view")
    return .line(call, note: note)
  }

  func unbind(_ target: PropertyReference) -> Translation {
    .line("[\(name(target.object)) unbind:\(target.path.at)];")
  }
}

extension String {
  /// As a string object's literal.
  var at: String { "@" + quoted }
}
