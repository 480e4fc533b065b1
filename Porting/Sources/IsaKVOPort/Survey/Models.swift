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

  /// Whether the type declares an instance member of that name.
  func hasMember(_ name: String) -> Bool {
    properties.contains { $0.name == name && !$0.isStatic }
      || methods.contains { $0.name == name && !$0.isStatic }
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

  var type: TypeSyntax? { binding.typeAnnotation?.type }
  var isLet: Bool { declaration.bindingSpecifier.text == "let" }
  var isOverride: Bool { declaration.modifiers.has("override") }

  /// The name of the class that the initial value makes, as `Person()` does.
  var initialTypeName: String? {
    guard let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
      let reference = call.calledExpression.as(DeclReferenceExprSyntax.self),
      reference.baseName.text.first?.isUppercase == true
    else { return nil }
    return reference.baseName.text
  }

  var typeName: String? { type?.objectName ?? initialTypeName }

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
