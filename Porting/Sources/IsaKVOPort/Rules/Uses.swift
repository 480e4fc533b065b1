import SwiftSyntax

/// Finds what expressions and types ask for that Linux, or the library, answers in another way.
final class UseRule: RuleVisitor {
  /// Whether the file uses names of the library.
  private(set) var usesLibrary = false
  private lazy var receivers = Receivers(survey, file)
  /// The modules of Foundation's that the file does not import, and that nothing was said of yet.
  private lazy var absentModules = Set(modulesOfTypes.values).subtracting(
    ImportFinder.modules(of: editor.source.tree))

  // MARK: Calls

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let (base, name) = node.member else { return .visitChildren }
    if codingCalls.contains(where: name.hasPrefix)
      || name.hasPrefix("observe(_:") && node.arguments.first?.expression.isKeyPath ?? false
    {
      usesLibrary = true
      checkReceiver(node, base, name)
    }
    // A function of the sources' own with a name of Apple's.
    let word = String(name.prefix { $0 != "(" })
    if survey.declaredFunctions.contains(name) || survey.types[word] != nil {
      return .visitChildren
    }
    if let advice = advice(node, name) {
      editor.todo(node, advice.rule, advice.what, advice.why, advice.write)
      return advice.rule == .selector ? .skipChildren : .visitChildren
    }
    if name == "responds(to:)" { return checkResponds(node, base) }
    return .visitChildren
  }

  private func advice(_ node: FunctionCallExprSyntax, _ name: String) -> Advice? {
    if let advice = adviceOnArguments(node, name) { return advice }
    if name.hasPrefix("NSPredicate(format:") { return adviceOnCalls["NSPredicate(format:)"] }
    // Other methods are called so too.
    if name == "perform(_:)",
      !(node.arguments.first?.expression.trimmedDescription.contains("elector") ?? false)
    {
      return nil
    }
    if name.hasPrefix("NSLog(") || name.contains("String(format:") {
      let isOfObjects = node.arguments.first?.expression.trimmedDescription.contains("%@") ?? false
      return isOfObjects ? adviceOnCalls["NSLog(_:_:)"] : nil
    }
    for prefix in ["addObserver(_:toObjectsAt:", "removeObserver(_:fromObjectsAt:"]
    where name.hasPrefix(prefix) { return adviceOnCalls[prefix] }
    return adviceOnCalls[name] ?? adviceOnCalls[String(name.prefix { $0 != "(" })]
  }

  /// The words for a call that is wrong by what it is handed.
  private func adviceOnArguments(_ node: FunctionCallExprSyntax, _ name: String) -> Advice? {
    guard name.hasPrefix("NSSortDescriptor(keyPath:"),
      let keyPath = node.arguments.first?.expression.as(KeyPathExprSyntax.self),
      let key = keyPath.names.last,
      let type = keyPath.root?.objectName.flatMap({ survey.type($0, file: file) }),
      type.property(key)?.type?.is(OptionalTypeSyntax.self) ?? false
    else { return nil }
    return Advice(
      .sortDescriptor, name, "Foundation on Linux compares no optionals",
      "sorted(by:), with a place for nil")
  }

  private func checkReceiver(_ node: FunctionCallExprSyntax, _ base: ExprSyntax?, _ name: String) {
    if let base, receivers.isCollection(base) {
      return editor.todo(
        node, .collectionCoding, "\(name) of a Foundation collection",
        "NSArray and its like have no key-value coding on Linux",
        "object.value(forKeyPath: \"items.name\") of the object that has it, or map")
    }
    let word = name.prefix { $0 != "(" }
    // Of these the defaults have methods of other names.
    if ["value(forKey:)", "setValue(_:forKey:)"].contains(name),
      base.flatMap(receivers.observable) == "UserDefaults"
    {
      return editor.todo(
        node, .foundationObservable, "\(word) of UserDefaults",
        "Foundation on Linux has no key-value coding",
        word == "value" ? "object(forKey:)" : "set(_:forKey:)")
    }
    let isObserving = word == "observe" || word.hasSuffix("Observer")
    if let type = base.flatMap(receivers.observable) {
      reportObservable(node, "\(word) of", type)
    } else if isObserving, let type = receivers.observable(along: node, of: base, in: self.type) {
      reportObservable(node, "\(word) through", type)
    }
  }

  private func reportObservable(_ node: FunctionCallExprSyntax, _ what: String, _ type: String) {
    editor.todo(
      node, .foundationObservable, "\(what) \(type)",
      "nobody can observe an object of that class on Linux",
      adviceOnObservables[type] ?? "a KVObject that has the value")
  }

  private func checkResponds(
    _ node: FunctionCallExprSyntax, _ base: ExprSyntax?
  ) -> SyntaxVisitorContinueKind {
    guard let argument = node.arguments.first, let label = argument.label,
      let selector = argument.expression.as(MacroExpansionExprSyntax.self),
      selector.macroName.text == "selector", let getter = selector.arguments.first,
      getter.label?.text == "getter",
      let key = getter.expression.trimmedDescription.split(separator: ".").last
    else {
      editor.todo(
        node, .responds, "responds(to:)", "there are no selectors on Linux",
        "responds(toKey: \"name\") for a key, as? with a protocol for a method")
      return .skipChildren
    }
    editor.replace(label, by: "toKey", .responds)
    editor.replace(argument.expression, by: "\"\(key)\"", .responds)
    return .skipChildren
  }

  // MARK: Names

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.baseName.text.hasPrefix("NSKeyValue") { usesLibrary = true }
    if node.baseName.text == "_kvcKeyPathString" {
      editor.todo(
        node, .keyPathName, "_kvcKeyPathString", "it is nil on Linux",
        "KVObject.keyPath(of: \\Person.name)")
    }
    if node.baseName.text == "NSObject", survey.hasObservables,
      node.parent?.is(MemberAccessExprSyntax.self) ?? false
        || node.parent?.is(FunctionCallExprSyntax.self) ?? false
    {
      editor.todo(
        node, .objectType, "NSObject as a value", "a ported object is none",
        "KVObject, where such objects are meant")
    }
    if ["NSException", "NSHashTable", "NSMapTable"].contains(node.baseName.text),
      let advice = adviceOnTypes[node.baseName.text]
    {
      editor.todo(node, advice.rule, advice.what, advice.why, advice.write)
    }
    if node.baseName.text == "classForCoder" {
      editor.todo(
        node, .archiving, "classForCoder", "archives on Linux take NSObjects alone", "type(of:)")
    }
    if node.baseName.text == "NSKeyValueSharedObservers" {
      editor.todo(
        node, .sharedObservers, "NSKeyValueSharedObservers", "it takes a class of Objective-C",
        "KeyValueSharedObservers<Person>()")
    }
    checkModule(node, node.baseName.name)
    return .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.macroName.text == "selector" else { return .visitChildren }
    editor.todo(
      node, .selector, node.trimmedDescription, "there are no selectors on Linux",
      "a closure, or observe(_:options:changeHandler:)")
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if survey.hasObservables, node.declName.baseName.text == "_kvcKeyPathString",
      let tuple = node.base?.as(TupleExprSyntax.self), tuple.elements.count == 1,
      let keyPath = tuple.elements.first?.expression.as(KeyPathExprSyntax.self), keyPath.root != nil
    {
      let name = "KVObject.keyPath(of: \(keyPath.trimmedDescription))"
      editor.replace(node, by: name, .keyPathName)
      return .skipChildren
    }
    if let base = node.base?.trimmedDescription, base.hasSuffix("as AnyObject)") {
      editor.todo(
        node, .anyObject, "\(node.declName.baseName.text) of AnyObject",
        "members are not looked up by name on Linux",
        "as? with the class, or value(forKey: \"\(node.declName.baseName.name)\") of a KVObject")
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text.hasPrefix("NSKeyValue") { usesLibrary = true }
    if let advice = adviceOnTypes[node.name.text], survey.types[node.name.text] == nil {
      editor.todo(node, advice.rule, advice.what, advice.why, advice.write)
    }
    if node.name.text == "NSObject", !node.isBase { checkObject(node) }
    checkModule(node, node.name.name)
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if ["Foundation", "ObjectiveC"].contains(node.baseType.trimmedDescription),
      node.name.text == "NSObject", !node.isBase
    {
      checkObject(node)
      return .skipChildren
    }
    return .visitChildren
  }

  /// Says once of a file that it uses a part of Foundation that Linux has in a module of its own.
  private func checkModule(_ node: some SyntaxProtocol, _ name: String) {
    guard let module = modulesOfTypes[name], absentModules.contains(module),
      !survey.declares(name)
    else { return }
    absentModules.remove(module)
    editor.todo(
      node, .importedModule, name, "on Linux it is in \(module), which the file does not import",
      "#if canImport(\(module)), import \(module), #endif")
  }

  /// `NSObject` as the type of a value; an observer of an overridden method gets its new type.
  private func checkObject(_ node: some TypeSyntaxProtocol) {
    guard survey.hasObservables else { return }
    var parent = node.parent
    while let present = parent {
      if let function = present.as(FunctionDeclSyntax.self), isObservable,
        function.modifiers.has("override"), foundationOverrides.contains(function.fullName)
      {
        return editor.replace(node, by: "KVObject", .overriddenSignature)
      }
      parent = present.is(CodeBlockSyntax.self) ? nil : present.parent
    }
    let isCast = node.parent?.is(TypeExprSyntax.self) ?? false
    editor.todo(
      node, .objectType, "NSObject as a type", "a ported object is none",
      "KVObject, where such objects are meant"
        + (isCast ? ", or AnyHashable, where values are compared" : ""))
  }

  // MARK: Declarations

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    let module = node.path.first?.name.text ?? ""
    if appleModules.contains(module), openConditions == 0 {
      editor.todo(
        node, .framework, "import \(module)", "the module is not on Linux",
        adviceOnModules[module] ?? "#if canImport(\(module)) around it and what uses it")
    }
    return .skipChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.extendedType.trimmedDescription == "NSObject" {
      editor.todo(
        node, .objectType, "an extension of NSObject", "ported objects do not have it",
        "extension KVObject")
    }
    return super.visit(node)
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard isObservable, node.parent?.is(MemberBlockItemSyntax.self) ?? false else {
      return .visitChildren
    }
    usesLibrary = true
    if ["bind(_:to:withKeyPath:options:)", "unbind(_:)", "infoForBinding(_:)"].contains(
      node.fullName),
      !node.modifiers.has("override")
    {
      editor.todo(
        node, .bindings, node.fullName, "KVObject has a method of that name, with other types",
        "another name, or KVObject's own")
    }
    switch node.fullName {
    case "observeValue(forKeyPath:of:change:context:)":
      editor.note(
        node, .observerMethod, "observeValue(forKeyPath:of:change:context:)",
        "it is told here as it was; nil in the change is NSNull", "")
    case "validateValue(_:forKey:)":
      if node.signature.trimmedDescription.contains("AutoreleasingUnsafeMutablePointer") {
        editor.todo(
          node, .validation, node.fullName, "it has no pointer to the value here",
          "override func validateValue(_ value: inout Any?, forKey key: String) throws")
      }
    case "willChange(_:valuesAt:forKey:)", "didChange(_:valuesAt:forKey:)":
      editor.todo(
        node, .overriddenSignature, node.fullName, "it is overridden with an array",
        "[Int] in the place of IndexSet")
    case "==(_:_:)":
      editor.todo(
        node, .equality, "== of \(scope)", "it is asked where both types are known alone",
        "override func isEqual(_ object: Any?) -> Bool, and hash")
    default:
      if let advice = adviceOnAccessor(node) {
        editor.todo(node, advice.rule, advice.what, advice.why, advice.write)
      }
    }
    return .visitChildren
  }
}

extension RuleVisitor {
  /// The words for a method that key-value coding finds by its name on Apple systems.
  func adviceOnAccessor(_ node: FunctionDeclSyntax) -> Advice? {
    node.adviceOnAccessor ?? adviceOnGetter(node)
  }

  /// The words for a method that answers for a key, which something names.
  private func adviceOnGetter(_ node: FunctionDeclSyntax) -> Advice? {
    guard node.attributes.has("objc"), node.signature.parameterClause.parameters.isEmpty,
      node.signature.returnClause != nil
    else { return nil }
    let name = node.name.name, rest = name.dropFirst(3)
    let keys = [
      name, name.hasPrefix("get") ? rest.prefix(1).lowercased() + rest.dropFirst() : name,
    ]
    guard let key = keys.first(where: survey.namedKeys.contains) else { return nil }
    return Advice(
      .declaredKeys, node.fullName, "no method is looked for by its name",
      "a computed property “\(key)”, and .key(\"\(key)\", …) in keys")
  }
}

extension FunctionDeclSyntax {
  /// The words for a method that key-value coding finds by its name on Apple systems.
  var adviceOnAccessor: Advice? {
    guard attributes.has("objc") || fullName.contains("AtIndex") else { return nil }
    if fullName.hasPrefix("validate") {
      return Advice(
        .validation, fullName, "no method is looked for by its name",
        ".key(…, validate: { object, value in … }) in keys")
    }
    let names = [name.name, attributes.attribute("objc")?.arguments?.trimmedDescription ?? ""]
    guard names.contains(where: { name in Self.accessors.contains { name.hasPrefix($0) } }) else {
      return nil
    }
    return Advice(
      .collectionAccessor, fullName, "to-many accessors are not looked for",
      "a wrapped array or set, changed through mutableArrayValue(forKey:)")
  }

  private static let accessors = [
    "countOf", "objectIn", "insertObject", "removeObjectFrom", "replaceObjectIn", "enumeratorOf",
    "memberOf",
  ]
}

extension TypeSyntaxProtocol {
  /// Whether the type stands behind the colon of a declaration, or is the one that is extended.
  fileprivate var isBase: Bool {
    parent?.is(InheritedTypeSyntax.self) ?? false || parent?.is(ExtensionDeclSyntax.self) ?? false
  }
}

extension ExprSyntax {
  fileprivate var isKeyPath: Bool { self.is(KeyPathExprSyntax.self) }
}
