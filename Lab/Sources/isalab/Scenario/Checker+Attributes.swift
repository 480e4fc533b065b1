// The attributes behind a property's type.

extension Checker {
  func checkAttributes(of property: Symbols.Property) throws(Diagnostic) {
    let declaration = property.declaration
    if let expression = declaration.expression { try check(expression, property.type) }
    for attribute in declaration.attributes {
      switch attribute {
      case .accessors(let names): try checkAccessors(names, of: property)
      case .valid(let least, let greatest): try checkRange(least, greatest, of: property)
      case .setter, .getter, .weak:
        if declaration.isComputed && attribute.isGetter == false {
          throw problem(
            declaration.name, Text("meaning.computed-stores-nothing", ["name": declaration.name]),
            Text("meaning.no-weak-no-setter"))
        }
        if declaration.isIvar && attribute != .weak {
          throw problem(
            declaration.name, Text("meaning.ivar-has-no-methods", ["name": declaration.name]),
            Text("meaning.no-setter-no-getter"))
        }
      case .readonly, .manual, .depends, .triggered, .ivar: break
      }
    }
  }

  private func checkAccessors(
    _ names: [Name], of property: Symbols.Property
  ) throws(Diagnostic) {
    let declaration = property.declaration
    guard let type = CollectionType.named[property.type.name], type.kind != .dictionary,
      !declaration.isComputed
    else {
      throw problem(
        declaration.name, Text("meaning.no-collection-stored", ["name": declaration.name]),
        Text("meaning.accessor-type"))
    }
    let known = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
    for name in names where !known.contains(where: { $0.rawValue == name.text }) {
      throw problem(
        name, Text("meaning.no-accessor-of", ["name": name, "type": type.name]),
        alternatives(known.map(\.rawValue)))
    }
  }

  private func checkRange(
    _ least: Literal, _ greatest: Literal, of property: Symbols.Property
  ) throws(Diagnostic) {
    guard property.type.isNumber, property.type.encoding != "B" else {
      throw problem(
        at: least.location, Text("meaning.no-number", ["name": property.name]),
        Text("meaning.number-type"))
    }
    try fit(least, as: property.type)
    try fit(greatest, as: property.type)
    guard let first = least.number, let last = greatest.number, first > last else { return }
    throw problem(
      at: greatest.location, Text("meaning.empty-range", ["least": least, "greatest": greatest]),
      Text("meaning.least-first"))
  }

  private func check(_ expression: Expression, _ type: ValueType) throws(Diagnostic) {
    let fits =
      switch expression.function {
      case .join: type.name == "string" || type.name == "object"
      case .sum, .product, .count: type.isNumber || type.name == "object"
      case nil: type.isNumber || type.isObject
      }
    guard fits else {
      let function =
        expression.function.map { Text(same: "'\($0.rawValue)'") }
        ?? Text("meaning.computed-property")
      let expected =
        expression.function == .join
        ? Text("meaning.type-string") : Text("meaning.number-or-object-type")
      throw problem(
        at: expression.location,
        Text("meaning.gives-no-value", ["function": function, "type": type.name]), expected)
    }
    for case .literal(let literal) in expression.operands {
      if expression.function == nil { try fit(literal, as: type) } else { try fitObject(literal) }
    }
    if expression.function == .count, expression.operands.count != 1 {
      throw problem(
        at: expression.location,
        Text("meaning.counts-collections", ["count": expression.operands.count]),
        Text("meaning.one-key-path"))
    }
  }

  /// Keys that a property is computed from or depends on; what stands in quotes is not looked at.
  func checkPaths(of declaration: PropertyDeclaration, in className: String) throws(Diagnostic) {
    var paths: [Name] = []
    for case .path(let path) in declaration.expression?.operands ?? [] { paths.append(path) }
    for attribute in declaration.attributes {
      switch attribute {
      case .depends(let names), .triggered(let names): paths += names
      default: break
      }
    }
    for path in paths where !path.isQuoted {
      let keys = path.text.split(separator: ".").map(String.init)
      guard case .missing(let index, let owner) = symbols.resolve(keys, of: className) else {
        continue
      }
      // `self` is no property, and yet a key.
      if keys[index] == "self" { continue }
      throw problem(
        path, Text("meaning.no-property", ["class": owner, "key": keys[index]]),
        knownProperties(of: owner))
    }
  }

  func knownProperties(of className: String) -> Text {
    let known = symbols.properties(of: className).map(\.name)
    return known.isEmpty ? Text("meaning.declared-property") : alternatives(known)
  }
}

extension PropertyDeclaration.Attribute {
  fileprivate var isGetter: Bool {
    if case .getter = self { true } else { false }
  }
}

extension Literal {
  fileprivate var number: Double? {
    switch kind {
    case .integer(let text), .decimal(let text): Double(text)
    default: nil
    }
  }
}
