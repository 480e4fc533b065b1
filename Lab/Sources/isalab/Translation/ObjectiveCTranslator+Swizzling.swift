// Method swizzling in Objective-C: a category's method, and the exchange.

extension ObjectiveCTranslator {
  func swizzle(_ swizzling: Swizzling, _ place: TranslationPlace) -> Translation {
    let observer = ObjectiveCTranslator.name(swizzling.name)
    return Translation(
      declarations: ["static Observer *\(observer);"] + category(swizzling, observer),
      lines: ["\(observer) = [Observer new];"]
        + (swizzling.isInherited ? overriding(swizzling) : exchange(swizzling)),
      note: swizzling.isInherited
        ? Text("note.overrides")
        : nil)
  }

  private func category(_ swizzling: Swizzling, _ observer: String) -> [String] {
    let type = ObjectiveCTypes.name(of: swizzling.property.type, scope)
    let own = swizzling.method(for: swizzling.setter).replacing(":", with: "")
    let setter = swizzling.setter.replacing(":", with: "")
    let written = type.hasSuffix(" ") ? String(type.dropLast()) : type
    let head = "- (void)\(own):(\(written))value"
    let name = "\(ObjectiveCTranslator.name(swizzling.className)) (\(observer))"
    let read = "[self valueForKey:\(swizzling.property.name.at)] ?: NSNull.null"
    return [
      "@interface \(name)", head + ";", "@end", "@implementation \(name)", head + " {",
      "    id old = \(read);",
      swizzling.isInherited ? "    [super \(setter):value];" : "    [self \(own):value];",
      "    id new = \(read);",
      "    [\(observer) observeValueForKeyPath:\(swizzling.property.name.at) ofObject:self",
      "        change:@{NSKeyValueChangeOldKey: old, NSKeyValueChangeNewKey: new} context:NULL];",
      "}", "@end",
    ]
  }

  private func exchange(_ swizzling: Swizzling) -> [String] {
    let name = ObjectiveCTranslator.name(swizzling.className) + ".class"
    let notifying = (Symbols.notifyingPrefix + swizzling.className).at
    let cls = swizzling.isNotifying ? "NSClassFromString(\(notifying))" : name
    let own = swizzling.method(for: swizzling.setter)
    return [
      "method_exchangeImplementations(",
      "    class_getInstanceMethod(\(cls), @selector(\(swizzling.setter))),",
      "    class_getInstanceMethod(\(cls), @selector(\(own))));",
    ]
  }

  private func overriding(_ swizzling: Swizzling) -> [String] {
    let cls = ObjectiveCTranslator.name(swizzling.className) + ".class"
    let own = swizzling.method(for: swizzling.setter)
    let types = "v@:" + swizzling.property.type.encoding
    return [
      "class_addMethod(\(cls), @selector(\(swizzling.setter)),",
      "    class_getMethodImplementation(\(cls), @selector(\(own))), \(types.quoted));",
    ]
  }
}
