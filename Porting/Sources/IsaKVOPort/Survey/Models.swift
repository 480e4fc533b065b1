import SwiftSyntax

/// A type that the given sources declare or extend.
final class TypeModel {
  /// The name with those of the types around it, such as `Outer.Inner`.
  let name: String
  /// The file of the declaration, as an index.
  let file: Int
  let isClass: Bool
  /// The declaration, if the type is a class.
  let declaration: ClassDeclSyntax?
  /// How many conditions of unknown value the declaration stands under.
  let conditions: Int
  /// The names behind the colons of the declaration and of the extensions.
  var inherited: [String]
  var properties: [PropertyModel] = []
  var methods: [MethodModel] = []
  /// The class above, if the sources declare it.
  var base: TypeModel?
  var subclasses: [TypeModel] = []
  /// The keys whose changes the class announces by `willChangeValue` and its like.
  var announcedKeys: Set<String> = []
  /// The reason why the class has to be observable or coded by key.
  var need: String?
  var verdict = Verdict.untouched

  init(
    name: String, file: Int, isClass: Bool, declaration: ClassDeclSyntax? = nil,
    conditions: Int = 0, inherited: [String] = []
  ) {
    self.name = name
    self.file = file
    self.isClass = isClass
    self.declaration = declaration
    self.conditions = conditions
    self.inherited = inherited
  }

  /// The name without those around it.
  var simpleName: String { String(name.split(separator: ".").last ?? "") }

  /// The class and those above it.
  var lineage: [TypeModel] { [self] + (base?.lineage ?? []) }

  /// The class and those below it.
  var family: [TypeModel] { [self] + subclasses.flatMap(\.family) }

  func property(_ name: String) -> PropertyModel? {
    lineage.lazy.compactMap { type in type.properties.first { $0.name == name } }.first
  }

  /// All words of the class's code.
  private(set) lazy var words = Set(
    (declaration?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []) + properties.map(\.name)
      + methods.map(\.name))

  /// Marks the properties that a protocol of Objective-C's requires.
  func markWitnesses(of required: Set<String>) {
    for index in properties.indices
    where required.contains(properties[index].name) && !properties[index].isStatic
      && !properties[index].declaration.modifiers.has("private", "fileprivate")
    {
      properties[index].isWitness = true
    }
  }

  /// Whether the type declares an instance member of that name.
  func hasMember(_ name: String) -> Bool {
    properties.contains { $0.name == name && !$0.isStatic }
      || methods.contains { $0.name == name && !$0.isStatic }
  }

  /// The property of that name in the nearest class above that has one, and whether its setter, which a
  /// wrapper is in, notifies within an override's.
  func above(_ name: String) -> (property: PropertyModel, isWrapped: Bool)? {
    for type in lineage.dropFirst() {
      guard let found = type.properties.first(where: { $0.name == name && !$0.isStatic }) else {
        continue
      }
      let attributes = found.declaration.attributes
      let hasWrapper = ["Dynamic", "LazyDynamic", "WeakDynamic"].contains(where: attributes.has)
      let isToBe =
        found.isKey(of: type) && found.binding.isStored && !found.isOverride
        && !found.binding.hasObservers && !(type.announces(name) && !found.isDynamic)
      return (found, hasWrapper || isToBe)
    }
    return nil
  }

  /// Whether the class, or one of its family, announces changes of a key by itself.
  func announces(_ key: String) -> Bool {
    (lineage.last ?? self).family.contains { $0.announcedKeys.contains(key) }
  }

  /// Whether members are known to Objective-C without a word of theirs.
  var exposesMembers: Bool {
    lineage.contains { $0.declaration?.attributes.has("objcMembers") ?? false }
  }
}

/// The fate of a class.
enum Verdict: Equatable {
  /// The class has nothing to do with keys.
  case untouched
  /// The class, or the topmost one above it, derives from the class of that name from now on.
  case ported(String)
  /// The class inherits from `KVObject` as it stands.
  case already
  /// The class must stay as it is, for that reason.
  case blocked(what: String, why: String, write: String)

  var isObservable: Bool {
    switch self {
    case .ported, .already: true
    case .untouched, .blocked: false
    }
  }
}

/// A property, one name of one declaration.
struct PropertyModel {
  let name: String
  let file: Int
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let isInExtension: Bool
  /// How many conditions of unknown value the declaration stands under.
  let conditions: Int
  let isStatic: Bool
  /// Whether a protocol of Objective-C's, which the type conforms to, requires the property.
  var isWitness = false

  var type: TypeSyntax? { binding.typeAnnotation?.type }
  var isLet: Bool { declaration.bindingSpecifier.text == "let" }
  var isOverride: Bool { declaration.modifiers.has("override") }
  /// Whether every set goes through the method that Apple's runtime replaces.
  var isDynamic: Bool { declaration.modifiers.has("dynamic", "override") }

  /// The name of the class that the initial value makes, as `Person()` does.
  var initialTypeName: String? {
    guard let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
      let reference = call.calledExpression.as(DeclReferenceExprSyntax.self),
      reference.baseName.text.first?.isUppercase == true
    else { return nil }
    return reference.baseName.text
  }

  var typeName: String? { type?.objectName ?? initialTypeName }

  /// The lines of a setter that announce the change.
  var announcement: [String] {
    ["willChangeValue(forKey: \"\(name)\")", "defer { didChangeValue(forKey: \"\(name)\") }"]
  }

  /// The key that Objective-C knows the property by, if `@objc(…)` says another.
  var objectiveCName: String? {
    declaration.attributes.attribute("objc")?.arguments?.trimmedDescription
  }
}

/// A method.
struct MethodModel {
  let name: String
  let fullName: String
  let file: Int
  let declaration: DeclSyntax
  let isStatic: Bool
  let isInExtension: Bool
  /// How many conditions of unknown value the declaration stands under.
  let conditions: Int
  let returnType: TypeSyntax?
  /// The statements, of a computed class property those of its getter.
  let body: CodeBlockItemListSyntax?
}
