import SwiftSyntax

/// Reports members that the library's base class, or Swift without Objective-C, does not take.
final class OverrideRule: RuleVisitor {
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.parent?.is(MemberBlockItemSyntax.self) ?? false else { return .visitChildren }
    for name in node.bindings.compactMap(\.name) {
      checkOverride(node.modifiers, name)
      checkClassProperty(node, name)
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.is(MemberBlockItemSyntax.self) ?? false {
      checkOverride(node.modifiers, node.fullName)
    }
    return .visitChildren
  }

  private func checkOverride(_ modifiers: DeclModifierListSyntax, _ name: String) {
    guard let type, type.isClass, let word = modifiers.modifier("override") else { return }
    let isStatic = modifiers.has("static", "class")
    if isInExtension {
      return editor.todo(
        word, .overriddenSignature, "an override of \(name) in an extension",
        "Swift overrides in the body of a class alone",
        "the same in the body of \(type.simpleName)")
    }
    let above = type.lineage.dropFirst().first { $0.extends(name, isStatic: isStatic) != nil }
    if let above, above.extends(name, isStatic: isStatic) == true {
      editor.todo(
        word, .overriddenSignature, "an override of \(name), which stands in an extension",
        "Swift overrides members of the body of a class alone",
        "\(name) in the body of \(above.simpleName)")
    } else if above == nil, isObservable, !overridable.contains(name) {
      editor.todo(
        word, .overriddenSignature, "an override of NSObject's \(name)",
        "KVObject has no such member",
        "the same without override, and call it where it is meant")
    }
  }

  /// A property of the class itself with the name of one of KVObject's.
  private func checkClassProperty(_ node: VariableDeclSyntax, _ name: String) {
    guard isObservable, let type, let meaning = classProperties[name],
      node.modifiers.has("static", "class"), !node.modifiers.has("override")
    else { return }
    editor.todo(
      node, .declaredKeys, "\(name) of \(type.name) itself",
      "KVObject has a class property of that name, \(meaning)",
      "another name, here and where it is used")
  }
}

extension TypeModel {
  /// Whether the type declares a member in an extension of it; nil if it does not declare it.
  fileprivate func extends(_ name: String, isStatic: Bool) -> Bool? {
    let places =
      properties.filter { $0.name == name && $0.isStatic == isStatic }.map(\.isInExtension)
      + methods.filter { $0.fullName == name && $0.isStatic == isStatic }.map(\.isInExtension)
    return places.isEmpty ? nil : places.contains(true)
  }
}

/// The class properties that KVObject has and NSObject has not, with what they mean.
private let classProperties = [
  "keys": "the declarations of keys", "profile": "the runtime whose behaviour objects have",
]

/// The members of KVObject, and of NSKVObject, that a class overrides.
private let overridable: Set<String> = observingMethods.union([
  "isEqual(_:)", "hash", "description", "debugDescription", "observationInfo", "keys", "profile",
  "accessInstanceVariablesDirectly", "validateValue(_:forKeyPath:)", "willChangeValue(forKey:)",
  "didChangeValue(forKey:)", "willChangeValue(forKey:withSetMutation:using:)",
  "didChangeValue(forKey:withSetMutation:using:)", "willChange(_:valuesAt:forKey:)",
  "didChange(_:valuesAt:forKey:)",
])
