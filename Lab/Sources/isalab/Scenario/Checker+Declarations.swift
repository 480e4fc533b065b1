import IsaRuntime

// Declarations: names that are free, types that can be passed, attributes that fit them.

extension Checker {
  /// A struct of two of the struct before doubles at each step: the last would fill the memory.
  private static let longestEncoding = 4096

  mutating func declare(_ declaration: StructDeclaration) throws(Diagnostic) {
    try unusedType(declaration.name)
    guard !declaration.fields.isEmpty else {
      throw problem(
        declaration.name, Text("meaning.no-field", ["name": declaration.name]),
        Text("meaning.one-field"))
    }
    var encoding = "{\(declaration.name)="
    var labels: [String] = []
    for field in declaration.fields {
      guard !labels.contains(field.name.text) else {
        throw problem(
          field.name, Text("meaning.field-twice", ["name": field.name]), Text("meaning.other-name"))
      }
      labels.append(field.name.text)
      encoding += try type(field.type).encoding
      guard encoding.utf8.count < Checker.longestEncoding else {
        throw problem(
          field.name, Text("meaning.encoding-too-long", ["name": declaration.name]),
          Text("meaning.shorter-encoding", ["count": Checker.longestEncoding]))
      }
    }
    encoding += "}"
    guard Extent(firstOf: encoding) != nil else {
      throw problem(
        declaration.name, Text("meaning.struct-too-deep", ["name": declaration.name]),
        Text("meaning.struct-depth", ["count": Lexer.deepestNesting]))
    }
    symbols.structures[declaration.name.text] = Symbols.Structure(
      encoding: encoding, labels: labels)
  }

  mutating func declare(_ declaration: ClassDeclaration) throws(Diagnostic) {
    try unusedType(declaration.name)
    if let superclass = declaration.superclass { try inheritable(superclass) }
    let name = declaration.name.text
    symbols.classes[name] = Symbols.Class(superclass: declaration.superclass?.text, properties: [])
    for property in declaration.properties {
      keepingDiagnostic { checker throws(Diagnostic) in
        try checker.declare(property, in: name)
      }
    }
    // The properties that one depends on may stand below it.
    for property in symbols.classes[name]?.properties ?? [] {
      keepingDiagnostic { checker throws(Diagnostic) in
        try checker.checkPaths(of: property.declaration, in: name)
      }
    }
  }

  /// A class of Swift's own makes its instances itself.
  private func inheritable(_ superclass: Name) throws(Diagnostic) {
    try declared(superclass)
    guard superclass.text == SwiftView.name else { return }
    throw problem(
      superclass, Text("meaning.swift-class", ["class": superclass]), Text("meaning.class-above"))
  }

  private mutating func declare(
    _ declaration: PropertyDeclaration, in className: String
  ) throws(Diagnostic) {
    let key = declaration.name
    if let other = symbols.property(key.text, of: className) {
      throw problem(
        key, Text("meaning.property-already", ["key": key, "class": other.owner]),
        Text("meaning.other-name"))
    }
    if !declaration.isIvar, isAnswered(declaration.getter) {
      throw problem(
        key, Text("meaning.answered-already", ["selector": declaration.getter]),
        Text("meaning.other-name"))
    }
    let type = try type(declaration.type)
    if declaration.isWeak && !type.isObject {
      throw problem(declaration.type, Text(same: "weak \(type.name)"), Text("meaning.weak-type"))
    }
    let property = Symbols.Property(declaration: declaration, type: type, owner: className)
    try checkAttributes(of: property)
    symbols.classes[className]?.properties.append(property)
  }

  /// Whether a getter of that name would stand in the way of what every object does.
  private func isAnswered(_ name: String) -> Bool {
    guard name != "dealloc", let selector = RuntimeSelector.find(named: name) else {
      return name == "dealloc"
    }
    return RuntimeClass.find(named: Symbols.rootClass)?.responds(to: selector) == true
  }

  mutating func declare(object: Name, of cls: Name) throws(Diagnostic) {
    try declared(cls)
    try declare(object: object, className: cls.text)
  }

  mutating func declare(object: Name, className: String) throws(Diagnostic) {
    try unused(object)
    symbols.objects[object.text] = Symbols.Object(className: className)
  }

  func unused(_ name: Name) throws(Diagnostic) {
    let word = name.text
    let isNamed =
      symbols.structures[word] != nil || symbols.classes[word] != nil
      || symbols.objects[word] != nil || symbols.tokens[word] != nil
      || symbols.swizzled.contains(word)
    if isNamed || word == Symbols.dictionaryClass || ValueType.named[word] != nil
      || symbols.shared[word] != nil || CollectionType.named[word] != nil
      || RuntimeClass.find(named: word) != nil
    {
      throw problem(name, Text("meaning.name-taken", ["name": word]), Text("meaning.own-name"))
    }
  }

  /// The name of a type must not read as another type where it stands above its declaration.
  private func unusedType(_ name: Name) throws(Diagnostic) {
    try unused(name)
    guard ValueType.isEncoding(name.text) else { return }
    throw problem(
      name, Text("meaning.name-is-encoding", ["name": name]), Text("meaning.longer-name"))
  }

  mutating func declare(
    collection: Name, _ typeName: Name?, _ literal: Literal
  ) throws(Diagnostic) {
    var type = ValueType(name: "object", encoding: "@")
    if let typeName {
      type = try self.type(typeName)
      guard CollectionType.named[type.name] != nil else {
        throw problem(
          typeName, Text("meaning.not-a-collection", ["name": typeName]),
          alternatives(CollectionType.named.keys.sorted()))
      }
    } else {
      switch literal.kind {
      case .array: type.name = "array"
      case .dictionary: type.name = "dictionary"
      default: type.name = "set"
      }
    }
    switch literal.kind {
    case .array, .set, .dictionary: try fit(literal, as: type)
    default:
      throw problem(
        at: literal.location, Text("meaning.literal-no-collection", ["value": literal]),
        Text("meaning.literal-collection"))
    }
    try declare(object: collection, className: type.name)
  }
}
