import SwiftSyntax

/// A lazy property, whose first value may use the object that it is part of.
struct LazyProperty {
  private let editor: FileEditor
  private let type: TypeModel
  /// The types whose members the object has.
  private let members: [TypeModel]

  init(_ editor: FileEditor, _ type: TypeModel) {
    self.editor = editor
    self.type = type
    members = editor.survey.memberTypes(of: type)
  }

  func wrap(_ node: VariableDeclSyntax, _ property: PropertyModel) {
    guard let initializer = property.binding.initializer else { return }
    let uses = SelfUses(members, in: initializer.value)
    if uses.isPlain {
      return editor.wrap(node, "@LazyDynamic", without: "lazy", .lazyProperty)
    }
    guard let typeText = typeText(property, initializer.value), !property.binding.hasObservers,
      !uses.isAmbiguous
    else {
      return editor.todo(
        node, .lazyProperty, "lazy var \(property.name) uses its object",
        "a wrapper's first value is made without it, unless it is a closure that takes it",
        "@LazyDynamic({ (object: \(type.simpleName)) in … }) var \(property.name): Type")
    }
    // Swift does not hand over methods of the main actor.
    if let method = plainMethod(initializer.value), !isOfMainActor {
      attach("(\(type.simpleName).\(method))", node, property, typeText)
    } else {
      attachClosure(initializer.value, uses, node, property, typeText)
    }
  }

  private var isOfMainActor: Bool {
    type.lineage.contains {
      $0.declaration?.attributes.has("MainActor") ?? false
        || $0.inherited.contains("MainActorObject")
    }
  }

  /// The type as it is written, or as the method answers that makes the value.
  private func typeText(_ property: PropertyModel, _ value: ExprSyntax) -> String? {
    if let type = property.type { return type.trimmedDescription }
    guard let name = plainMethod(value) else { return nil }
    let method = members.lazy.flatMap(\.methods).first { $0.fullName == name + "()" }
    let text = method?.returnType?.trimmedDescription
    // A property's type is no protocol's `Self`.
    return text?.contains("Self") == true ? nil : text
  }

  /// The name of the method of the class that the value is the answer of, if it takes nothing.
  private func plainMethod(_ value: ExprSyntax) -> String? {
    guard let call = value.as(FunctionCallExprSyntax.self), let (base, name) = call.member,
      base == nil || base?.trimmedDescription == "self", name.hasSuffix("()"),
      call.trailingClosure == nil
    else { return nil }
    let plain = String(name.dropLast(2))
    let isMethod = members.contains {
      $0.methods.contains { !$0.isStatic && $0.fullName == name }
    }
    return isMethod ? plain : nil
  }

  /// Gives the wrapper its argument, and leaves of the declaration the name and the type.
  private func attach(
    _ argument: String, _ node: VariableDeclSyntax, _ property: PropertyModel, _ typeText: String
  ) {
    editor.wrap(node, "@LazyDynamic" + argument, without: "lazy", .lazyProperty)
    let end = property.binding.pattern.bytes.upperBound
    editor.replace(
      end..<property.binding.initializer!.bytes.upperBound, by: ": " + typeText, .lazyProperty)
  }

  private func attachClosure(
    _ value: ExprSyntax, _ uses: SelfUses, _ node: VariableDeclSyntax, _ property: PropertyModel,
    _ typeText: String
  ) {
    let closure = value.as(FunctionCallExprSyntax.self).flatMap { call in
      call.arguments.isEmpty && call.trailingClosure == nil
        ? call.calledExpression.as(ClosureExprSyntax.self) : nil
    }
    let head = "{ (object: \(type.simpleName)) in"
    if let closure {
      let start = closure.signature?.bytes.upperBound ?? closure.leftBrace.bytes.upperBound
      let body = editor.rewritten(start..<closure.bytes.upperBound, with: uses.edits)
      attach("(\(head)\(body))", node, property, typeText)
    } else {
      let body = editor.rewritten(value.bytes, with: uses.edits)
      attach("(\(head) \(body) })", node, property, typeText)
    }
  }
}

/// The places of an expression that use the object around it.
struct SelfUses {
  /// Edits that put a base before a member, or in the place of `self`.
  let edits: [Edit]
  /// Whether another `self` is meant, or another `object`.
  let isAmbiguous: Bool

  var isPlain: Bool { edits.isEmpty }

  /// Looks for the members of `types`, and for those that every object has.
  init(_ types: [TypeModel], in expression: ExprSyntax) {
    let finder = SelfFinder(types, expression)
    finder.walk(expression)
    edits = finder.edits
    isAmbiguous = finder.isAmbiguous
  }
}

private final class SelfFinder: LocalNameVisitor {
  private let types: [TypeModel]
  /// The closure that is called at once.
  private let outermost: SyntaxIdentifier?
  private(set) var edits: [Edit] = []
  private(set) var isAmbiguous = false

  init(_ types: [TypeModel], _ expression: ExprSyntax) {
    self.types = types
    outermost = expression.as(FunctionCallExprSyntax.self)?.calledExpression.id
    super.init()
  }

  override func use(_ node: DeclReferenceExprSyntax) {
    if node.baseName.tokenKind == .keyword(.self) {
      edits.append(Edit(range: node.bytes, text: "object", rule: .lazyProperty))
    } else if isMember(node.baseName.name) {
      edits.append(Edit(range: node.start..<node.start, text: "object.", rule: .lazyProperty))
    }
  }

  override func useShorthand(_ name: TokenSyntax, end: Int) {
    guard isMember(name.name) else { return }
    edits.append(Edit(range: end..<end, text: " = object.\(name.text)", rule: .lazyProperty))
  }

  override func note(local name: String) {
    if name == "object" { isAmbiguous = true }
  }

  private func isMember(_ name: String) -> Bool {
    (objectMembers.contains(name) || types.contains { $0.hasMember(name) }) && !isLocal(name)
  }

  override func visit(_ node: ClosureSignatureSyntax) -> SyntaxVisitorContinueKind {
    let isInner = node.parent?.id != outermost
    for capture in node.capture?.items ?? [] {
      // The list of the first closure goes; it must have said no more than the object itself.
      if isInner || capture.specifier?.specifier.text == "weak" || capture.name.text != "self" {
        isAmbiguous = true
      }
    }
    return node.parameterClause == nil ? .skipChildren : .visitChildren
  }

  override func visit(_ node: SuperExprSyntax) -> SyntaxVisitorContinueKind {
    edits.append(Edit(range: node.bytes, text: "object", rule: .lazyProperty))
    isAmbiguous = true
    return .skipChildren
  }
}
