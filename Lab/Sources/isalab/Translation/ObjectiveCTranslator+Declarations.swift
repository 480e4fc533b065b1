// Structs and classes in Objective-C.

extension ObjectiveCTranslator {
  func structure(_ declaration: StructDeclaration) -> Translation {
    let name = declaration.name.text
    guard let encoding = scope.symbols.structures[name]?.encoding else { return Translation() }
    return Translation(declarations: [
      ObjectiveCTypes.structure(name, encoding, labels: scope.symbols.labels)
    ])
  }

  func classPair(_ declaration: ClassDeclaration) -> Translation {
    let properties = scope.symbols.classes[declaration.name.text]?.properties ?? []
    let cls = ObjectiveCTranslator.name(declaration.name.text)
    let superclass = declaration.superclass.map { ObjectiveCTranslator.name($0.text) } ?? "NSObject"
    let structures = properties.flatMap {
      CTypes.structures(in: $0.type.encoding, labels: scope.symbols.labels)
    }.filter { scope.symbols.structures[$0.name] == nil }
      .map { ObjectiveCTypes.structure($0.name, $0.encoding, labels: scope.symbols.labels) }
    let ivars = properties.filter { $0.declaration.isIvar || scope.isPoked($0) }.map(ivar)
    let block = ivars.isEmpty ? [] : ["{", "    @public"] + ivars.map { "    " + $0 } + ["}"]
    let declared =
      properties.filter { !$0.declaration.isIvar }.map(property)
      + properties.flatMap(accessors).map { $0.head + ";" }
    let methods = self.methods(of: declaration, properties)
    var made = Translation(
      declarations: structures + ["@interface \(cls) : \(superclass)"] + block + declared + ["@end"]
    )
    made.declarations += ["@implementation \(cls)"] + methods + ["@end"]
    made.note = declaration.profile == .gnustep ? Text("note.gnustep") : nil
    return made
  }

  // MARK: Properties

  private func ivar(_ property: Symbols.Property) -> String {
    let weak = property.declaration.isWeak ? "__weak " : ""
    let type = ObjectiveCTypes.name(of: property.type, scope)
    return "\(weak)\(type)\(property.declaration.ivarName ?? property.name);"
  }

  private func property(_ property: Symbols.Property) -> String {
    let declaration = property.declaration
    var words = ["nonatomic"]
    if property.type.name == "string", !declaration.isReadonly { words.append("copy") }
    if declaration.isWeak { words.append("weak") }
    if declaration.isReadonly { words.append("readonly") }
    if let setter = declaration.setter, setter != "set\(property.name.capitalisedFirst):" {
      words.append("setter=\(setter)")
    }
    if declaration.getter != property.name { words.append("getter=\(declaration.getter)") }
    let type = ObjectiveCTypes.name(of: property.type, scope)
    return "@property (\(words.joined(separator: ", "))) \(type)\(property.name);"
  }

  // MARK: Methods

  private func methods(
    of declaration: ClassDeclaration, _ properties: [Symbols.Property]
  ) -> [String] {
    var methods = properties.flatMap { property in
      property.declaration.attributes.flatMap { method(for: $0, property) }
    }
    if declaration.isPrivate {
      methods.insert("+ (BOOL)accessInstanceVariablesDirectly { return NO; }", at: 0)
    }
    for property in properties {
      if scope.isPoked(property), !property.declaration.isIvar,
        let ivar = property.declaration.ivarName
      {
        methods.insert("@synthesize \(property.name) = \(ivar);", at: 0)
      }
      if let expression = property.declaration.expression {
        methods.append(getter(property, expression))
      }
      methods += accessors(property).map { "\($0.head) { \($0.body); }" }
    }
    return methods
  }

  private func method(
    for attribute: PropertyDeclaration.Attribute, _ property: Symbols.Property
  ) -> [String] {
    let key = property.name.capitalisedFirst
    switch attribute {
    case .manual: return ["+ (BOOL)automaticallyNotifiesObserversOf\(key) { return NO; }"]
    case .depends(let paths):
      let list = paths.map(\.text.at).joined(separator: ", ")
      return [
        "+ (NSSet *)keyPathsForValuesAffecting\(key) {",
        "    return [NSSet setWithArray:@[\(list)]];", "}",
      ]
    case .triggered(let keys):
      let list = keys.map(\.text.at).joined(separator: ", ")
      return [
        "+ (void)initialize {",
        "    [self setKeys:@[\(list)]",
        "        triggerChangeNotificationsForDependentKey:\(property.name.at)];",
        "}",
      ]
    case .valid(let least, let greatest):
      return [
        "- (BOOL)validate\(key):(id *)value error:(NSError **)error {",
        "    double number = [*value doubleValue];",
        "    return number >= \(least) && number <= \(greatest);", "}",
      ]
    default: return []
    }
  }

  // MARK: Computed properties

  private func getter(_ property: Symbols.Property, _ expression: Expression) -> String {
    let type = ObjectiveCTypes.name(of: property.type, scope)
    let type_ = type.hasSuffix(" ") ? String(type.dropLast()) : type
    let value = value(of: expression, property)
    return "- (\(type_))\(property.declaration.getter) { return \(value); }"
  }

  private func value(of expression: Expression, _ property: Symbols.Property) -> String {
    let cls = property.owner
    let number: String
    switch expression.function {
    case .join: return joined(expression.operands, cls)
    case nil where property.type.isObject: return object(expression.operands[0], cls)
    case nil: return self.number(expression.operands[0], cls)
    case .sum: number = expression.operands.map { self.number($0, cls) }.joined(separator: " + ")
    case .product:
      number = expression.operands.map { self.number($0, cls) }.joined(separator: " * ")
    case .count: number = "[\(object(expression.operands[0], cls)) count]"
    }
    return property.type.isObject ? "@(\(number))" : number
  }

  private func joined(_ operands: [Expression.Operand], _ cls: String) -> String {
    var format = ""
    var arguments: [String] = []
    for operand in operands {
      if case .literal(let literal) = operand {
        if case .text(let text) = literal.kind {
          format += text.replacing("%", with: "%%")
        } else if literal.kind != .nothing {
          format += "\(literal)"
        }
      } else {
        format += "%@"
        arguments.append("\(object(operand, cls)) ?: @\"\"")
      }
    }
    let tail = arguments.map { ", " + $0 }.joined()
    return "[NSString stringWithFormat:\(format.at)\(tail)]"
  }

  private func own(_ path: Name, _ cls: String) -> Symbols.Property? {
    path.text.contains(".") || path.text.hasPrefix("@")
      ? nil : scope.symbols.property(path.text, of: cls)
  }

  private func object(_ operand: Expression.Operand, _ cls: String) -> String {
    switch operand {
    case .literal(let literal): return values.object(literal)
    case .path(let path):
      guard let property = own(path, cls) else { return "[self valueForKeyPath:\(path.text.at)]" }
      return property.type.isObject ? "self.\(property.name)" : "@(self.\(property.name))"
    }
  }

  private func number(_ operand: Expression.Operand, _ cls: String) -> String {
    switch operand {
    case .literal(let literal): return literal.kind == .nothing ? "0" : "\(literal)"
    case .path(let path):
      guard let property = own(path, cls), property.type.isNumber else {
        return "[[self valueForKeyPath:\(path.text.at)] doubleValue]"
      }
      return "self.\(property.name)"
    }
  }

  // MARK: Accessors of elements

  private func accessors(_ property: Symbols.Property) -> [(head: String, body: String)] {
    guard let type = CollectionType.named[property.type.name] else { return [] }
    for case .accessors(let names) in property.declaration.attributes {
      let all = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
      let chosen =
        names.isEmpty ? all : all.filter { kind in names.contains { $0.text == kind.rawValue } }
      let ivar = property.declaration.ivarName ?? property.name
      return chosen.map { accessor in
        let parts = accessor.pattern.split(separator: ":").map(String.init)
          .map { property.declaration.selector($0) }
        let head = zip(parts, accessor.parameters).map { "\($0):\($1)" }.joined(separator: " ")
        return ("- (void)" + head, "[\(ivar) \(accessor.message)]")
      }
    }
    return []
  }
}

extension Accessor {
  fileprivate var parameters: [String] {
    let (object, objects) = ("(id)object", isOrdered ? "(NSArray *)objects" : "(NSSet *)objects")
    let (index, indexes) = ("(NSUInteger)index", "(NSIndexSet *)indexes")
    return switch self {
    case .insert: [object, index]
    case .remove: [index]
    case .replace: [index, object]
    case .insertMany: [objects, indexes]
    case .removeMany: [indexes]
    case .replaceMany: [indexes, objects]
    case .add, .removeObject: [object]
    case .union, .minus, .intersect: [objects]
    }
  }

  /// The message to the collection in the ivar.
  fileprivate var message: String {
    switch self {
    case .insert: "insertObject:object atIndex:index"
    case .remove: "removeObjectAtIndex:index"
    case .replace: "replaceObjectAtIndex:index withObject:object"
    case .insertMany: "insertObjects:objects atIndexes:indexes"
    case .removeMany: "removeObjectsAtIndexes:indexes"
    case .replaceMany: "replaceObjectsAtIndexes:indexes withObjects:objects"
    case .add: "addObject:object"
    case .removeObject: "removeObject:object"
    case .union: "unionSet:objects"
    case .minus: "minusSet:objects"
    case .intersect: "intersectSet:objects"
    }
  }
}
