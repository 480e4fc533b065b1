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
            declaration.name, "'\(declaration.name)' is computed and stores nothing",
            "no weak and no setter")
        }
        if declaration.isIvar && attribute != .weak {
          throw problem(
            declaration.name, "'\(declaration.name)' is an ivar without methods",
            "no setter and no getter")
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
        declaration.name, "'\(declaration.name)' stores no array or set",
        "a type such as mutable-array for accessors of elements")
    }
    let known = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
    for name in names where !known.contains(where: { $0.rawValue == name.text }) {
      throw problem(
        name, "'\(name)' is no accessor of \(indefinite(type.name))",
        alternatives(known.map(\.rawValue)))
    }
  }

  private func checkRange(
    _ least: Literal, _ greatest: Literal, of property: Symbols.Property
  ) throws(Diagnostic) {
    guard property.type.isNumber, property.type.encoding != "B" else {
      throw problem(
        at: least.location, "'\(property.name)' is no number", "a number's type for valid … to …")
    }
    try fit(least, as: property.type)
    try fit(greatest, as: property.type)
    guard let first = least.number, let last = greatest.number, first > last else { return }
    throw problem(
      at: greatest.location, "no number is from \(least) to \(greatest)",
      "the least number before 'to'")
  }

  private func check(_ expression: Expression, _ type: ValueType) throws(Diagnostic) {
    let fits =
      switch expression.function {
      case .join: type.name == "string" || type.name == "object"
      case .sum, .product, .count: type.isNumber || type.name == "object"
      case nil: type.isNumber || type.isObject
      }
    guard fits else {
      let function = expression.function.map { "'\($0.rawValue)'" } ?? "a computed property"
      let expected =
        expression.function == .join ? "the type string" : "a number's type, or an object's"
      throw problem(
        at: expression.location, "\(function) gives no value of type \(type.name)", expected)
    }
    for case .literal(let literal) in expression.operands {
      if expression.function == nil { try fit(literal, as: type) } else { try fitObject(literal) }
    }
    if expression.function == .count, expression.operands.count != 1 {
      throw problem(
        at: expression.location, "'count' counts \(expression.operands.count) collections",
        "one key path")
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
        path, "\(owner) has no property '\(keys[index])'", knownProperties(of: owner))
    }
  }

  func knownProperties(of className: String) -> String {
    let known = symbols.properties(of: className).map(\.name)
    return known.isEmpty ? "a property declared in the class" : alternatives(known)
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
