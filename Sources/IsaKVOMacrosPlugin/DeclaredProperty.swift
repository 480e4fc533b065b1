#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// The words of a class that its declarations are written with.
  struct ClassNames {
    let type: String
    let isFinal: Bool
    /// The names of the properties that have keys, in backticks where they are written so.
    let properties: [String]

    init(_ type: ClassDeclSyntax) {
      self.type = type.name.text
      let isFinal = type.modifiers.contains { $0.name.text == "final" }
      self.isFinal = isFinal
      properties = variables(type.memberBlock.members).flatMap { variable in
        variable.bindings.compactMap { binding in
          let isKey = variable.isWrapped || DeclaredProperty(binding, of: variable, isFinal) != nil
          return isKey ? binding.name : nil
        }
      }
    }
  }

  /// The variables among members, under any condition.
  private func variables(_ members: MemberBlockItemListSyntax) -> [VariableDeclSyntax] {
    members.flatMap { member -> [VariableDeclSyntax] in
      if let conditions = member.decl.as(IfConfigDeclSyntax.self) {
        return conditions.clauses.flatMap { clause in
          clause.elements?.as(MemberBlockItemListSyntax.self).map(variables) ?? []
        }
      }
      return member.decl.as(VariableDeclSyntax.self).map { [$0] } ?? []
    }
  }

  /// A property that is declared.
  struct DeclaredProperty {
    private let name: String
    /// The code of a computed property's getter.
    private let getter: CodeBlockItemListSyntax?

    /// Nil for what has no key by the macro, and for what has nothing to go through.
    init?(_ binding: PatternBindingSyntax, of variable: VariableDeclSyntax, _ isFinal: Bool) {
      guard let name = binding.name, !variable.isOfType, variable.bindingSpecifier.text == "var"
      else {
        return nil
      }
      self.name = name
      let accessors = Accessors(binding.accessorBlock)
      getter = accessors.getter
      let isFinal = isFinal || variable.has("final"), isOverride = variable.has("override")
      if accessors.isComputed {
        guard accessors.isPlain, !variable.isAvailability, !services.contains(name) else {
          return nil
        }
      } else {
        guard isOverride || variable.isWrapped else { return nil }
        guard isOverride || !isFinal || accessors.hasObservers else { return nil }
      }
    }

    /// The statement that adds the declaration to `keys`.
    func statement(_ names: ClassNames) -> String {
      let paths = getter.map { namesRead(in: $0, of: names.properties, except: name) } ?? []
      let affecting =
        paths.isEmpty ? "" : ", affectedBy: [\(paths.map(literal).joined(separator: ", "))]"
      return "keys.append(.property(\(literal(name)), \\\(names.type).\(name)\(affecting)))"
    }
  }

  /// The properties of KVObject, which are services of any object.
  private let services: Set = ["description", "debugDescription", "hash"]

  /// A key as a literal.
  private func literal(_ name: String) -> String {
    let key = name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
    return StringLiteralExprSyntax(content: key).description
  }

  /// The accessors of a variable.
  private struct Accessors {
    var getter: CodeBlockItemListSyntax?
    var isComputed = false
    /// Whether a key path can lead to it: its getter neither throws nor waits.
    var isPlain = true
    var hasObservers = false

    init(_ block: AccessorBlockSyntax?) {
      switch block?.accessors {
      case nil: break
      case .getter(let body):
        isComputed = true
        getter = body
      case .accessors(let list):
        for accessor in list { note(accessor) }
      }
    }

    private mutating func note(_ accessor: AccessorDeclSyntax) {
      switch accessor.accessorSpecifier.text {
      case "get", "_read", "read", "unsafeAddress":
        isComputed = true
        isPlain = accessor.effectSpecifiers == nil
        getter = accessor.body?.statements
      case "willSet", "didSet": hasObservers = true
      default: break
      }
    }
  }

  extension PatternBindingSyntax {
    /// The name of the variable, in backticks where it is written so.
    fileprivate var name: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
  }

  extension VariableDeclSyntax {
    /// Whether a wrapper of KVObject's stands before it.
    fileprivate var isWrapped: Bool {
      attributeNames.contains { name in
        let last = name.split(separator: ".").last ?? ""
        return ["Dynamic", "LazyDynamic", "WeakDynamic"].contains(
          last.hasSuffix("Value") ? last.dropLast(5) : last)
      }
    }

    fileprivate var isAvailability: Bool { attributeNames.contains("available") }

    fileprivate func has(_ modifier: String) -> Bool {
      modifiers.contains { $0.name.text == modifier }
    }

    /// The names of its attributes, without arguments of any kind.
    private var attributeNames: [String] {
      attributes.compactMap { element in
        element.as(AttributeSyntax.self)?.attributeName.trimmedDescription
          .split(separator: "<").first.map(String.init)
      }
    }
  }

  /// The properties that code names of its own object, in their order.
  private func namesRead(
    in code: CodeBlockItemListSyntax, of properties: [String], except own: String
  ) -> [String] {
    let search = NameSearch(viewMode: .sourceAccurate)
    search.walk(code)
    return properties.filter { $0 != own && search.names.contains($0) }
  }

  private final class NameSearch: SyntaxVisitor {
    private(set) var names: Set<String> = []

    /// A key path's names are another object's.
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName == node,
        access.base?.trimmedDescription != "self"
      {
        return .visitChildren
      }
      names.insert(node.baseName.text)
      return .visitChildren
    }
  }
#endif
