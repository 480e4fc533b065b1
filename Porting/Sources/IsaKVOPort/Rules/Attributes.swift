import SwiftSyntax

/// Strips the words that only Objective-C understands, but for those of properties.
final class AttributeRule: RuleVisitor {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    if !isBlocked { strip(node.attributes) }
    return result
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    if !isBlocked { strip(node.attributes) }
    return result
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    strip(node.attributes)
    return super.visit(node)
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    strip(node.attributes)
    // Objective-C's are protocols of classes, which `weak` asks for.
    if node.attributes.has("objc"), node.inheritanceClause == nil {
      editor.insert(": AnyObject", at: node.name.bytes.upperBound, .attribute)
    }
    return super.visit(node)
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    strip(node.attributes)
    return .skipChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    // A method that was reported stays, so that the next run reports it too.
    let isReported = isObservable && adviceOnAccessor(node) != nil
    if !isBlocked, !isReported, !isOptional(node, node.modifiers) {
      strip(node.attributes, node.modifiers)
    }
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if !isBlocked { strip(node.attributes, node.modifiers) }
    return .visitChildren
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    if !isBlocked { strip(node.attributes, node.modifiers) }
    return .visitChildren
  }

  override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
    if !isBlocked { strip(node.attributes) }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    _ = isOptional(node, node.modifiers)
    return .visitChildren
  }

  private func isOptional(_ node: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax) -> Bool
  {
    guard let modifier = modifiers.modifier("optional") else { return false }
    editor.todo(
      modifier, .attribute, "an optional requirement",
      "Swift's own protocols have none", "remove @objc optional, and give it a body in an extension"
    )
    return true
  }

  private func strip(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax? = nil)
  {
    editor.stripObjectiveC(attributes, modifiers)
  }
}

extension FileEditor {
  /// Removes `@objc` in all its forms, and the `dynamic` that belongs to it.
  func stripObjectiveC(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax?) {
    let objc = attributes.attribute("objc")
    var words = [objc, attributes.attribute("objcMembers")].compactMap { $0?.bytes }
    if objc != nil, let dynamic = modifiers?.modifier("dynamic") { words.append(dynamic.bytes) }
    // Side by side they are one range, so that a line of nothing else goes as a whole.
    var joined: [Range<Int>] = []
    for word in words.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, text.endOfBlanks(from: last.upperBound) == word.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<word.upperBound
      } else {
        joined.append(word)
      }
    }
    for range in joined { replace(text.removal(of: range), by: "", .attribute) }
  }
}
