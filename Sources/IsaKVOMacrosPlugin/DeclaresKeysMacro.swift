#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// Writes the `keys` of a class.
  struct DeclaresKeysMacro: MemberMacro {
    static func expansion(
      of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
      guard let type = declaration.as(ClassDeclSyntax.self) else {
        context.diagnose(Diagnostic(node: attribute, message: Mistake.noClass(declaration.kind)))
        return []
      }
      guard type.inheritanceClause != nil else {
        context.diagnose(Diagnostic(node: type.name, message: Mistake.noSuperclass(type.name.text)))
        return []
      }
      if let keys = variable("keys", in: type.memberBlock.members) {
        context.diagnose(
          Diagnostic(node: keys, message: Mistake.ownKeys, fixIt: .renaming(keys)))
        return []
      }
      return [keys(of: type)]
    }

    private static func keys(of type: ClassDeclSyntax) -> DeclSyntax {
      let members = type.memberBlock.members, names = ClassNames(type)
      // Behind the properties, since the last declaration of a key counts.
      let lines =
        statements(members) { variable in
          variable.bindings
            .compactMap { DeclaredProperty($0, of: variable, names.isFinal) }
            .map { $0.statement(names) }
        } + statements(members) { $0.isTypes("moreKeys") ? ["keys += moreKeys"] : [] }
      let body =
        lines.isEmpty
        ? "super.keys"
        : (["var keys = super.keys"] + lines + ["return keys"]).joined(separator: "\n")
      return """
        nonisolated \(raw: access(of: type))override class var keys: [IsaKVO.KeyDeclaration] {
        \(raw: body)
        }
        """
    }

    /// The access that an override of a public property has to have.
    private static func access(of type: ClassDeclSyntax) -> String {
      let words = type.modifiers.map(\.name.text)
      if words.contains("public") || words.contains("open") { return "public " }
      return words.contains("package") ? "package " : ""
    }

    /// The statements that are made of variables, with the conditions that these stand under.
    private static func statements(
      _ members: MemberBlockItemListSyntax, _ make: (VariableDeclSyntax) -> [String]
    ) -> [String] {
      members.flatMap { member -> [String] in
        if let conditions = member.decl.as(IfConfigDeclSyntax.self) {
          return statements(conditions, make)
        }
        return member.decl.as(VariableDeclSyntax.self).map(make) ?? []
      }
    }

    private static func statements(
      _ conditions: IfConfigDeclSyntax, _ make: (VariableDeclSyntax) -> [String]
    ) -> [String] {
      let clauses = conditions.clauses.map { clause -> (head: String, lines: [String]) in
        let condition = clause.condition.map { " \($0.trimmedDescription)" } ?? ""
        let members = clause.elements?.as(MemberBlockItemListSyntax.self)
        return (clause.poundKeyword.text + condition, members.map { statements($0, make) } ?? [])
      }
      if clauses.allSatisfy(\.lines.isEmpty) { return [] }
      return clauses.flatMap { [$0.head] + $0.lines } + ["#endif"]
    }
  }

  /// The type property of that name, if the members have one.
  private func variable(
    _ name: String, in members: MemberBlockItemListSyntax
  ) -> VariableDeclSyntax? {
    members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }.first { $0.isTypes(name) }
  }

  extension VariableDeclSyntax {
    /// Whether it belongs to the type, and not to its objects.
    var isOfType: Bool { modifiers.contains { ["static", "class"].contains($0.name.text) } }

    /// Whether it is the type's property of that name.
    fileprivate func isTypes(_ name: String) -> Bool {
      isOfType && bindings.contains { $0.pattern.trimmedDescription == name }
    }
  }

  /// A use of the macro that is refused.
  enum Mistake: DiagnosticMessage {
    case noClass(SyntaxKind)
    case noSuperclass(String)
    case ownKeys

    var message: String {
      switch self {
      case .noClass(.extensionDecl):
        "@DeclaresKeys stands before the class itself: an extension cannot override `keys`"
      case .noClass:
        "@DeclaresKeys is for classes that inherit from KVObject"
      case .noSuperclass(let name):
        "@DeclaresKeys is for classes that inherit from KVObject; write: class \(name): KVObject"
      case .ownKeys:
        "@DeclaresKeys writes `keys` itself; name these `moreKeys`, and they are added"
      }
    }

    var diagnosticID: MessageID {
      let id =
        switch self {
        case .noClass: "noClass"
        case .noSuperclass: "noSuperclass"
        case .ownKeys: "ownKeys"
        }
      return MessageID(domain: "IsaKVOMacros", id: id)
    }

    var severity: DiagnosticSeverity { .error }
  }

  extension FixIt {
    /// Makes `keys` the property whose declarations the macro adds.
    fileprivate static func renaming(_ keys: VariableDeclSyntax) -> FixIt {
      var renamed = keys
      renamed.modifiers = [
        DeclModifierSyntax(name: .keyword(.private, trailingTrivia: .space)),
        // `keys` belongs to no actor, though the class may.
        DeclModifierSyntax(name: .keyword(.nonisolated, trailingTrivia: .space)),
        DeclModifierSyntax(name: .keyword(.static, trailingTrivia: .space)),
      ]
      let start = keys.bindings.startIndex
      renamed.bindings[start].pattern = PatternSyntax(
        IdentifierPatternSyntax(identifier: .identifier("moreKeys"))
      ).with(\.trailingTrivia, keys.bindings[start].pattern.trailingTrivia)
      renamed.leadingTrivia = keys.leadingTrivia
      return .replace(message: Cure.rename, oldNode: keys, newNode: renamed)
    }

    private enum Cure: FixItMessage {
      case rename

      var message: String { "name it `moreKeys`" }
      var fixItID: MessageID { MessageID(domain: "IsaKVOMacros", id: "moreKeys") }
    }
  }
#endif
