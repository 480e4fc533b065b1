// Structs and classes in Swift.

extension SwiftTranslator {
  func structure(_ declaration: StructDeclaration) -> Translation {
    let name = declaration.name.text
    guard let encoding = scope.symbols.structures[name]?.encoding else { return Translation() }
    return Translation(declarations: [types.structure(name, encoding)])
  }

  func classPair(_ declaration: ClassDeclaration) -> Translation {
    let properties = scope.symbols.classes[declaration.name.text]?.properties ?? []
    let base = isApple ? "NSKVObject" : "KVObject"
    let superclass = declaration.superclass.map { SwiftTypes.typeName($0.text) } ?? base
    let cls = SwiftTypes.typeName(declaration.name.text)
    let members = properties.flatMap(property) + methods(of: declaration, properties, cls)
    let head = "class \(cls): \(superclass) {"
    var made = Translation(
      declarations: properties.flatMap { types.structures(in: $0.type.encoding) })
    made.declarations +=
      members.isEmpty ? [head + "}"] : [head] + members.map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
    made.note = note(on: properties)
    return made
  }

  private func note(on properties: [Symbols.Property]) -> Text? {
    let attributes = properties.flatMap(\.declaration.attributes)
    let hasSelectors = attributes.contains {
      switch $0 {
      case .setter, .getter: true
      default: false
      }
    }
    if hasSelectors { return Text("note.no-selectors") }
    let hasAccessors = attributes.contains { if case .accessors = $0 { true } else { false } }
    return hasAccessors ? Text("note.by-proxy") : nil
  }

  // MARK: Properties

  private func property(_ property: Symbols.Property) -> [String] {
    let declaration = property.declaration
    let name = types.name(of: property)
    let (type, initial) = types.type(of: property)
    if let expression = declaration.expression {
      let text = "var \(name): \(type) { \(value(of: expression, property)) }"
      return [text]
    }
    if declaration.isWeak {
      let object = scope.symbols.classes[property.type.name] == nil ? "KVObject?" : type
      return ["@WeakDynamic var \(name): \(object)"]
    }
    let access = declaration.isReadonly && !declaration.isIvar ? "fileprivate(set) " : ""
    let start = initial.map { " = \($0)" } ?? ""
    return ["@Dynamic \(access)var \(name): \(type)\(start)"]
  }

  // MARK: Class methods

  private func methods(
    of declaration: ClassDeclaration, _ properties: [Symbols.Property], _ cls: String
  ) -> [String] {
    var lines: [String] = []
    let keys = properties.compactMap { key($0, cls) }
    if !keys.isEmpty {
      lines += ["", "override class var keys: [KeyDeclaration] {", "  ["]
      lines += keys.map { "    \($0)," } + ["  ]", "}"]
    }
    let silent = properties.filter { !$0.declaration.isComputed && !types.notifies($0) }
    if !silent.isEmpty {
      let names = "[\(silent.map { $0.name.quoted }.joined(separator: ", "))]"
      lines += [
        "", "override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {",
        "  !\(names).contains(key)", "}",
      ]
    }
    if let profile = declaration.profile {
      lines += ["", "override class var profile: KeyValueProfile { .\(profile.rawValue) }"]
    }
    if declaration.isPrivate {
      lines += ["", "override class var accessInstanceVariablesDirectly: Bool { false }"]
    }
    return properties.isEmpty ? Array(lines.drop { $0.isEmpty }) : lines
  }

  /// The declaration of a key; nil where the property says it all.
  private func key(_ property: Symbols.Property, _ cls: String) -> String? {
    var parts: [String] = []
    for attribute in property.declaration.attributes {
      switch attribute {
      case .depends(let paths), .triggered(let paths): parts.append(affecting(paths, property, cls))
      case .valid(let least, let greatest): parts.append(validator(property, least, greatest))
      default: break
      }
    }
    if parts.isEmpty, !property.declaration.isComputed { return nil }
    let head = ".key(\(property.name.quoted), \\\(cls).\(types.name(of: property))"
    return ([head] + parts).joined(separator: ", ") + ")"
  }

  private func affecting(_ paths: [Name], _ property: Symbols.Property, _ cls: String) -> String {
    let known = paths.map { scope.symbols.property($0.text, of: property.owner) }
    if known.allSatisfy({ $0 != nil }) {
      let list = known.map { "\\\(cls).\(types.name(of: $0!))" }.joined(separator: ", ")
      return "affectedBy: [\(list)]"
    }
    return "paths: [\(paths.map(\.text.quoted).joined(separator: ", "))]"
  }

  private func validator(
    _ property: Symbols.Property, _ least: Literal, _ greatest: Literal
  ) -> String {
    let message = "\(property.name) must be from \(least) to \(greatest)"
    return "validate: { _, value in try check(Double(value), \(least)...\(greatest), "
      + "\(message.quoted)) }"
  }

  // MARK: Computed properties

  private func value(of expression: Expression, _ property: Symbols.Property) -> String {
    let cls = property.owner
    let number: String
    switch expression.function {
    case .join:
      let texts = expression.operands.map { text($0, cls) }
      return texts.isEmpty ? "\"\"" : texts.joined(separator: " + ")
    case nil where property.type.isObject: return object(expression.operands[0], cls)
    case nil: number = self.number(expression.operands[0], cls)
    case .sum: number = expression.operands.map { self.number($0, cls) }.joined(separator: " + ")
    case .product:
      number = expression.operands.map { self.number($0, cls) }.joined(separator: " * ")
    case .count: number = count(expression.operands[0])
    }
    if property.type.encoding == "d" || property.type.isObject { return number }
    return "\(types.type(of: property).name)(\(number))"
  }

  /// A property of the object itself.
  private func own(_ operand: Expression.Operand, _ cls: String) -> Symbols.Property? {
    guard case .path(let path) = operand, !path.text.contains("."), !path.text.hasPrefix("@") else {
      return nil
    }
    return scope.symbols.property(path.text, of: cls)
  }

  private func text(_ operand: Expression.Operand, _ cls: String) -> String {
    switch operand {
    case .literal(let literal):
      if case .text(let text) = literal.kind { return text.quoted }
      return literal.kind == .nothing ? "\"\"" : "\(literal)".quoted
    case .path(let path):
      guard let property = own(operand, cls), property.type.name == "string" else {
        return "text(\(path.text.quoted))"
      }
      return "(\(types.name(of: property)) ?? \"\")"
    }
  }

  private func number(_ operand: Expression.Operand, _ cls: String) -> String {
    switch operand {
    case .literal(let literal): return literal.kind == .nothing ? "0" : "\(literal)"
    case .path(let path):
      guard let property = own(operand, cls), property.type.isNumber,
        property.type.encoding != "B"
      else { return "number(\(path.text.quoted))" }
      let name = types.name(of: property)
      return property.type.encoding == "d" ? name : "Double(\(name))"
    }
  }

  private func count(_ operand: Expression.Operand) -> String {
    guard case .path(let path) = operand else { return "0" }
    return "elementCount(\(path.text.quoted))"
  }

  private func object(_ operand: Expression.Operand, _ cls: String) -> String {
    switch operand {
    case .literal(let literal): return values.object(literal)
    case .path(let path):
      if let property = own(operand, cls) { return types.name(of: property) }
      return "object(\(path.text.quoted))"
    }
  }
}
