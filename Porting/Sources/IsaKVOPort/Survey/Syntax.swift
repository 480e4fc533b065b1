import SwiftSyntax

extension SyntaxProtocol {
  /// The bytes of the node, without the blanks and comments around it.
  var bytes: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

  /// Whether comments stand in the node, or between its tokens.
  var hasCommentsInside: Bool {
    guard let last = lastToken(viewMode: .sourceAccurate) else { return false }
    return tokens(viewMode: .sourceAccurate).enumerated().contains { index, token in
      (index > 0 && token.leadingTrivia.hasComments)
        || (token != last && token.trailingTrivia.hasComments)
    }
  }
}

extension Trivia {
  var hasComments: Bool {
    contains {
      switch $0 {
      case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
      default: false
      }
    }
  }

  var hasNewlines: Bool {
    contains {
      switch $0 {
      case .newlines, .carriageReturnLineFeeds, .carriageReturns: true
      default: false
      }
    }
  }
}

extension TokenSyntax {
  /// The name that an identifier stands for, without backticks.
  var name: String { text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text }
}

extension AttributeListSyntax {
  func attribute(_ name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self
    where attribute.attributeName.trimmedDescription == name { return attribute }
    return nil
  }

  func has(_ name: String) -> Bool { attribute(name) != nil }
}

extension DeclModifierListSyntax {
  func modifier(_ name: String) -> DeclModifierSyntax? { first { $0.name.text == name } }

  func has(_ names: String...) -> Bool {
    contains { names.contains($0.name.text) && $0.detail == nil }
  }
}

extension PatternBindingSyntax {
  var name: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.name }

  /// The accessors by their words; nil if there are none. A getter without a word counts as `get`.
  var accessors: [String]? {
    guard let block = accessorBlock else { return nil }
    switch block.accessors {
    case .getter: return ["get"]
    case .accessors(let list): return list.map(\.accessorSpecifier.text)
    }
  }

  var hasObservers: Bool { accessors?.contains { ["willSet", "didSet"].contains($0) } ?? false }

  var isStored: Bool { accessors == nil || hasObservers }

  /// The name that the getter has in Objective-C, if it says one.
  var getterName: String? {
    guard case .accessors(let list) = accessorBlock?.accessors else { return nil }
    return list.first { $0.accessorSpecifier.text == "get" }?.attributes.attribute("objc")?
      .arguments?.trimmedDescription
  }

  /// Whether the accessors announce changes of the property by themselves.
  var announces: Bool {
    guard let block = accessorBlock, let name else { return false }
    return AnnouncedKeys.of(block).contains(name)
  }

  var setter: AccessorDeclSyntax? {
    guard case .accessors(let list) = accessorBlock?.accessors else { return nil }
    return list.first { $0.accessorSpecifier.text == "set" }
  }
}

extension FunctionDeclSyntax {
  /// The name with labels, such as `setValue(_:forKey:)`.
  var fullName: String {
    let labels = signature.parameterClause.parameters.map { $0.firstName.name + ":" }
    return "\(name.name)(\(labels.joined()))"
  }
}

extension FunctionCallExprSyntax {
  /// The name with labels, such as `setValue(_:forKey:)`, and the object that is called.
  var member: (base: ExprSyntax?, name: String)? {
    let labels = arguments.map { ($0.label?.name ?? "_") + ":" }.joined()
    if let member = calledExpression.as(MemberAccessExprSyntax.self) {
      return (member.base, "\(member.declName.baseName.name)(\(labels))")
    }
    if let reference = calledExpression.as(DeclReferenceExprSyntax.self) {
      return (nil, "\(reference.baseName.name)(\(labels))")
    }
    return nil
  }
}

extension ExprSyntax {
  /// The text of a literal without interpolations.
  var literalString: String? {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
      case .stringSegment(let segment) = literal.segments.first!, literal.openingPounds == nil,
      literal.openingQuote.text == "\"", !segment.content.text.contains("\\")
    else { return nil }
    return segment.content.text
  }
}

extension TypeSyntax {
  /// Whether the type is spelt as that of a block of Objective-C's.
  var isBlock: Bool { trimmedDescription.filter { $0 != " " }.contains("@convention(block)") }

  /// The name of the type, of an optional's wrapped type or of a collection's elements.
  var objectName: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.objectName }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.objectName
    }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first!.type.objectName
    }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.objectName }
    if let some = self.as(SomeOrAnyTypeSyntax.self) { return some.constraint.objectName }
    if let name = self.as(IdentifierTypeSyntax.self) {
      if ["Set", "Array", "Optional"].contains(name.name.text),
        case .type(let type)? = name.genericArgumentClause?.arguments.first?.argument
      {
        return type.objectName
      }
      return name.name.name
    }
    return self.as(MemberTypeSyntax.self)?.trimmedDescription
  }
}
