// Structs and classes in C: calls that make a class, and the functions that are its methods.

extension CTranslator {
  func structure(_ declaration: StructDeclaration) -> Translation {
    let name = declaration.name.text
    guard let encoding = scope.symbols.structures[name]?.encoding else { return Translation() }
    let made = CTypes.structures(in: encoding, labels: scope.symbols.labels).last
    return Translation(
      declarations: made.map { [$0.definition] } ?? [],
      note: Text("note.encoding", ["encoding": encoding]))
  }

  func classPair(_ declaration: ClassDeclaration) -> Translation {
    let cls = CTranslator.name(declaration.name.text)
    let superclass = declaration.superclass.map { CTranslator.name($0.text) } ?? "isa_root_class()"
    var made = Translation(lines: [
      "must(isa_class_pair_allocate(\(superclass), \(declaration.name.text.quoted), &\(cls)));"
    ])
    if let profile = declaration.profile {
      let name = profile == .gnustep ? "ISA_PROFILE_GNUSTEP" : "ISA_PROFILE_APPLE"
      made.lines.append("must(isa_class_set_profile(\(cls), \(name)));")
    }
    if declaration.isPrivate {
      made.lines.append(classMethod(cls, "accessInstanceVariablesDirectly", "no", "B@:"))
    }
    let properties = scope.symbols.classes[declaration.name.text]?.properties ?? []
    for property in properties { add(property, cls, to: &made) }
    made.lines.append("must(isa_class_pair_register(\(cls)));")
    for property in properties { addTriggers(of: property, cls, to: &made) }
    return made
  }

  private func method(_ cls: String, _ name: String, _ function: String, _ types: String) -> String
  {
    "must(isa_class_add_method(\(cls), \(selector(name)), (isa_imp)\(function), \(types.quoted)));"
  }

  private func classMethod(
    _ cls: String, _ name: String, _ function: String, _ types: String
  ) -> String { method("isa_class_metaclass(\(cls))", name, function, types) }

  // MARK: Properties

  private func add(_ property: Symbols.Property, _ cls: String, to made: inout Translation) {
    let declaration = property.declaration
    if declaration.isComputed {
      addGetter(of: property, cls, to: &made)
    } else if declaration.isIvar {
      let name = property.name.quoted
      let types = property.type.encoding.quoted
      made.lines.append(
        "must(isa_class_add_ivar(\(cls), \(name), \(types), \(ownership(of: property))));")
    } else {
      made.lines.append("must(isa_class_synthesize(\(cls), &\(info(of: property))));")
    }
    for attribute in declaration.attributes { add(attribute, of: property, cls, to: &made) }
  }

  private func ownership(of property: Symbols.Property) -> String {
    switch property.ownership {
    case .retain: "ISA_OWNERSHIP_RETAIN"
    case .copy: "ISA_OWNERSHIP_COPY"
    case .weak: "ISA_OWNERSHIP_WEAK"
    case .none: "ISA_OWNERSHIP_NONE"
    }
  }

  private func info(of property: Symbols.Property) -> String {
    let declaration = property.declaration
    var fields = [".name = \(property.name.quoted)", ".types = \(property.type.encoding.quoted)"]
    if declaration.getter != property.name {
      fields.append(".getter = \(declaration.getter.quoted)")
    }
    if let setter = declaration.setter, setter != "set\(property.name.capitalisedFirst):" {
      fields.append(".setter = \(setter.quoted)")
    }
    if property.ownership != .none { fields.append(".ownership = \(ownership(of: property))") }
    if declaration.isReadonly { fields.append(".readonly = true") }
    return "(isa_property_info){\(fields.joined(separator: ", "))}"
  }

  private func add(
    _ attribute: PropertyDeclaration.Attribute, of property: Symbols.Property, _ cls: String,
    to made: inout Translation
  ) {
    let key = property.name.capitalisedFirst
    switch attribute {
    case .manual:
      made.lines.append(classMethod(cls, "automaticallyNotifiesObserversOf\(key)", "no", "B@:"))
    case .depends(let paths):
      let function = "\(cls)_\(property.name)_affected"
      made.declarations += [
        "static isa_status \(function)(isa_id self, isa_sel sel, isa_id *out)", "{",
        "    *out = isa_object_retain(\(strings("set", paths)));", "    return ISA_OK;", "}",
      ]
      made.lines.append(
        classMethod(cls, "keyPathsForValuesAffecting\(key)", function, "i@:^@"))
    case .valid(let least, let greatest):
      let function = "\(cls)_validate_\(property.name)"
      let message = "\(property.name) must be from \(least) to \(greatest)"
      made.declarations += [
        "static bool \(function)(isa_id self, isa_sel sel, isa_id *value, isa_id *error)", "{",
        "    return is_between(*value, \(least), \(greatest), \(message.quoted), error);", "}",
      ]
      made.lines.append(method(cls, "validate\(key):error:", function, "B@:^@^@"))
    case .accessors(let names): addAccessors(names, of: property, cls, to: &made)
    default: break
    }
  }

  private func strings(_ function: String, _ names: [Name]) -> String {
    let texts = names.map { "string(\($0.text.quoted))" }
    return "\(function)(\((["\(names.count)"] + texts).joined(separator: ", ")))"
  }

  /// The old way takes a class that is registered.
  private func addTriggers(
    of property: Symbols.Property, _ cls: String, to made: inout Translation
  ) {
    for case .triggered(let keys) in property.declaration.attributes {
      let array = strings("array", keys)
      made.lines.append("must(kvo_class_set_keys(\(cls), \(array), \(property.name.quoted)));")
    }
  }

  // MARK: Computed properties

  private func addGetter(
    of property: Symbols.Property, _ cls: String, to made: inout Translation
  ) {
    let function = "\(cls)_\(property.name)"
    let type = CTypes.name(of: property.type)
    let value = value(of: property.declaration.expression!, isObject: property.type.isObject)
    made.declarations += [
      "static \(type) \(function)(isa_id self, isa_sel sel)", "{", "    return \(value);", "}",
    ]
    made.lines.append(
      method(cls, property.declaration.getter, function, property.type.encoding + "@:"))
  }

  private func value(of expression: Expression, isObject: Bool) -> String {
    let number: String
    switch expression.function {
    case .join:
      let parts = expression.operands.map(object)
      return "joined(\((["\(parts.count)"] + parts).joined(separator: ", ")))"
    case nil where isObject: return object(expression.operands[0])
    case nil: return self.number(expression.operands[0])
    case .sum: number = expression.operands.map(self.number).joined(separator: " + ")
    case .product: number = expression.operands.map(self.number).joined(separator: " * ")
    case .count: number = "count(\(object(expression.operands[0])))"
    }
    return isObject ? "real(\(number))" : number
  }

  private func object(_ operand: Expression.Operand) -> String {
    switch operand {
    case .path(let path): "at(self, \(path.text.quoted))"
    case .literal(let literal): values.object(literal)
    }
  }

  private func number(_ operand: Expression.Operand) -> String {
    switch operand {
    case .path(let path): "number(self, \(path.text.quoted))"
    case .literal(let literal): literal.kind == .nothing ? "0" : "\(literal)"
    }
  }

  // MARK: Accessors of elements

  private func addAccessors(
    _ names: [Name], of property: Symbols.Property, _ cls: String, to made: inout Translation
  ) {
    guard let type = CollectionType.named[property.type.name] else { return }
    let all = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
    let chosen =
      names.isEmpty ? all : all.filter { kind in names.contains { $0.text == kind.rawValue } }
    for accessor in chosen {
      let word = accessor.rawValue.replacing("-", with: "_")
      let function = "\(cls)_\(word)_\(property.name)"
      let (parameters, types) = accessor.signature
      let ivar = (property.declaration.ivarName ?? property.name).quoted
      let collection = "own(self, \(ivar), \(CTranslator.kind(type.kind)))"
      made.declarations += [
        "static void \(function)(isa_id self, isa_sel sel, \(parameters))", "{",
        "    must(\(accessor.call(on: collection)));", "}",
      ]
      let selector = property.declaration.selector(accessor.pattern)
      made.lines.append(method(cls, selector, function, types))
    }
  }

  static func kind(_ kind: CollectionType.Kind) -> String {
    switch kind {
    case .array: "KVC_KIND_ARRAY"
    case .orderedSet: "KVC_KIND_ORDERED_SET"
    case .set: "KVC_KIND_SET"
    case .dictionary: "KVC_KIND_DICTIONARY"
    }
  }
}

extension Accessor {
  private static let indexes = "^{kvc_index_set=}"

  /// Its parameters behind receiver and selector, and its type encoding.
  fileprivate var signature: (parameters: String, types: String) {
    switch self {
    case .insert: ("isa_id object, size_t index", "v@:@Q")
    case .remove: ("size_t index", "v@:Q")
    case .replace: ("size_t index, isa_id object", "v@:Q@")
    case .insertMany: ("isa_id objects, const kvc_index_set *indexes", "v@:@" + Accessor.indexes)
    case .removeMany: ("const kvc_index_set *indexes", "v@:" + Accessor.indexes)
    case .replaceMany:
      ("const kvc_index_set *indexes, isa_id objects", "v@:" + Accessor.indexes + "@")
    case .add, .removeObject: ("isa_id object", "v@:@")
    case .union, .minus, .intersect: ("isa_id objects", "v@:@")
    }
  }

  /// The call that changes a collection by the method's arguments.
  fileprivate func call(on collection: String) -> String {
    switch self {
    case .insert: "kvc_ordered_insert(\(collection), object, index)"
    case .remove: "kvc_ordered_remove(\(collection), index)"
    case .replace: "kvc_ordered_replace(\(collection), index, object)"
    case .insertMany: "kvc_ordered_insert_many(\(collection), objects, indexes)"
    case .removeMany: "kvc_ordered_remove_many(\(collection), indexes)"
    case .replaceMany: "kvc_ordered_replace_many(\(collection), indexes, objects)"
    case .add: "kvc_collection_add(\(collection), object)"
    case .removeObject: "kvc_collection_remove(\(collection), object)"
    case .union: "kvc_set_unite(\(collection), objects)"
    case .minus: "kvc_set_subtract(\(collection), objects)"
    case .intersect: "kvc_set_intersect(\(collection), objects)"
    }
  }
}
