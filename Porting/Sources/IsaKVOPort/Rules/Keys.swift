import SwiftSyntax

/// Writes the `keys` of classes, takes out the methods that they stand for, and reports the rest.
final class KeysRule: RuleVisitor {
  private let declarations: (TypeModel) -> KeyDeclarations

  init(_ editor: FileEditor, _ declarations: @escaping (TypeModel) -> KeyDeclarations) {
    self.declarations = declarations
    super.init(editor)
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    if let type, type.declaration?.id == node.id, isObservable { declare(type, node) }
    return result
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    guard let type, isObservable, declarations(type).missing.isEmpty else { return result }
    let members = Set(node.memberBlock.members.map(\.decl.id))
    for method in declarations(type).replaced where members.contains(method.declaration.id) {
      remove(method)
    }
    return result
  }

  // MARK: Writing

  private func declare(_ type: TypeModel, _ node: ClassDeclSyntax) {
    let declared = declarations(type)
    report(declared, type, node)
    let members = Set(node.memberBlock.members.map(\.decl.id))
    let own = declared.replaced.filter { members.contains($0.declaration.id) }
    if !declared.missing.isEmpty {
      let place = node.declaredKeys.map { Syntax($0) } ?? Syntax(node.name)
      return declared.entries.forEach { reportMissing($0, place) }
    }
    let last = lastProperty(declared, node)
    let anchor =
      declared.entries.isEmpty
      ? nil : own.first { $0.declaration.start >= last?.start ?? 0 }
    for method in own where method.declaration.id != anchor?.declaration.id { remove(method) }
    guard !declared.entries.isEmpty else { return }
    if let anchor {
      replace(anchor, by: declared, node, without: own)
    } else {
      insert(declared, behind: last, node)
    }
  }

  /// Writes the declarations in the place of a method, with empty lines around them.
  private func replace(
    _ method: MethodModel, by declared: KeyDeclarations, _ node: ClassDeclSyntax,
    without removed: [MethodModel]
  ) {
    let source = editor.text, range = editor.memberRange(method.declaration)
    let keys = text(declared, node, at: method.declaration.start)
    let line = source.startOfLine(at: range.lowerBound)
    guard line == source.startOfBlanks(before: range.lowerBound),
      let end = source.endOfLine(after: range.upperBound)
    else { return editor.replace(range, by: keys, .declaredKeys) }
    let above = source.startOfLine(at: max(line - 1, 0))
    let isSpaced = source.isBlankLine(at: above) || source.opens(before: line)
    var next = source.endOfLineBreak(at: end)
    while let gone = removed.map({ editor.memberRange($0.declaration) }).first(where: {
      $0.contains(source.endOfBlanks(from: next))
    }) {
      next = source.endOfLineBreak(at: source.endOfLine(after: gone.upperBound) ?? gone.upperBound)
    }
    let isLast = source.isBlankLine(at: next) || source.closes(at: next)
    editor.replace(
      line..<range.upperBound,
      by: (isSpaced ? "" : source.newline) + source[line..<range.lowerBound] + keys
        + (isLast ? "" : source.newline), .declaredKeys)
  }

  private func insert(
    _ declared: KeyDeclarations, behind last: MemberBlockItemSyntax?, _ node: ClassDeclSyntax
  ) {
    let source = editor.text, newline = source.newline
    guard let last, let end = source.endOfLine(after: last.bytes.upperBound) else {
      return insertAtEnd(declared, node)
    }
    let next = source.endOfLineBreak(at: end)
    let gap = source.isBlankLine(at: next) || source.closes(at: next) ? "" : newline
    let keys = source.indentation(at: last.start) + text(declared, node, at: last.start)
    editor.insert(newline + newline + keys + gap, at: end, .declaredKeys)
  }

  private func insertAtEnd(_ declared: KeyDeclarations, _ node: ClassDeclSyntax) {
    let source = editor.text, newline = source.newline
    let brace = node.memberBlock.rightBrace.start
    let outer = source.indentation(at: node.start), inner = outer + editor.indentationUnit
    let keys = inner + text(declared, node, indentation: inner) + newline
    let start = source.startOfBlanks(before: brace)
    if start == source.startOfLine(at: brace) {
      let gap = node.memberBlock.members.isEmpty ? "" : newline
      editor.insert(gap + keys, at: start, .declaredKeys)
    } else {
      editor.insert(newline + keys + outer, at: brace, .declaredKeys)
    }
  }

  /// The last property that is stored, or has a declaration, or of those that follow it without an
  /// empty line.
  private func lastProperty(
    _ declared: KeyDeclarations, _ node: ClassDeclSyntax
  ) -> MemberBlockItemSyntax? {
    let names = Set(declared.entries.map(\.property)), members = Array(node.memberBlock.members)
    let index = members.lastIndex { member in
      member.decl.hasProperty { $0.isStored || names.contains($0.name ?? "") }
    }
    guard var index else { return nil }
    while index + 1 < members.count, members[index + 1].decl.is(VariableDeclSyntax.self) {
      let gap = members[index].bytes.upperBound..<members[index + 1].start
      if editor.text[gap].unicodeScalars.count(where: { $0 == "\n" }) != 1 { break }
      index += 1
    }
    return members[index]
  }

  private func text(_ declared: KeyDeclarations, _ node: ClassDeclSyntax, at offset: Int) -> String
  {
    text(declared, node, indentation: editor.text.indentation(at: offset))
  }

  private func text(
    _ declared: KeyDeclarations, _ node: ClassDeclSyntax, indentation: String
  ) -> String {
    let unit = editor.indentationUnit, newline = editor.text.newline
    // Subclasses in other modules declare keys of their own.
    let around = sequence(first: Syntax(node), next: \.parent).lazy.compactMap {
      $0.as(ExtensionDeclSyntax.self)?.modifiers
    }.first
    let access =
      ["open", "public", "package"].first { word in
        node.modifiers.has(word) || around?.has(word) ?? false
      }.map { $0 + " " } ?? ""
    let body = lines(declared.entries, indentation + unit, unit)
    return ([access + "override class var keys: [KeyDeclaration] {"] + body + [indentation + "}"])
      .joined(separator: newline)
  }

  private func lines(
    _ entries: [KeyDeclarations.Entry], _ indentation: String, _ unit: String
  ) -> [String] {
    if entries.count == 1, entries[0].comments.isEmpty {
      let line = "\(indentation)[.key(\(entries[0].text))]"
      if line.count <= 100 { return [line] }
    }
    let inner = indentation + unit
    let comma = entries.count > 1 ? "," : ""
    let entryLines = entries.flatMap { entry in
      let line = "\(inner).key(\(entry.text))\(comma)"
      let code =
        line.count <= 100
        ? [line] : [inner + ".key("] + filled(entry.arguments, inner + unit, unit, ")" + comma)
      return entry.comments.map { "\(inner)//\($0)" } + code
    }
    return [indentation + "["] + entryLines + [indentation + "]"]
  }

  /// Lines of as many arguments as they hold; an array that is longer than a line has its own.
  private func filled(
    _ items: [String], _ indentation: String, _ unit: String, _ end: String
  ) -> [String] {
    var lines: [String] = []
    for (index, item) in items.enumerated() {
      let piece = item + (index == items.count - 1 ? end : ",")
      if let last = lines.last, (last + " " + piece).count <= 100 {
        lines[lines.count - 1] += " " + piece
      } else if (indentation + piece).count > 100, let bracket = item.firstIndex(of: "["),
        item.hasSuffix("]")
      {
        let elements = item[item.index(after: bracket)...].dropLast().split(separator: ", ")
        lines.append(indentation + item[...bracket])
        lines += filled(elements.map(String.init), indentation + unit, unit, ",")
        lines.append(indentation + "]" + piece.dropFirst(item.count))
      } else {
        lines.append(indentation + piece)
      }
    }
    return lines
  }

  private func remove(_ method: MethodModel) {
    editor.replace(editor.memberRemoval(method.declaration), by: "", .dependentKeys)
  }

  // MARK: Reporting

  private func report(_ declared: KeyDeclarations, _ type: TypeModel, _ node: ClassDeclSyntax) {
    for (method, why) in declared.leftover where method.file == file {
      editor.todo(
        method.declaration, .dependentKeys, method.name, "nobody asks for it here, and \(why)",
        ".key(…, paths: …) in keys, or a case of keyPathsForValuesAffectingValue(forKey:)")
    }
    let unnamed = declared.announced.filter { !declared.isNamedByRule($0) }.sorted()
    for rule in declared.rules where rule.file == file && !unnamed.isEmpty {
      guard type.methods.contains(where: { $0.declaration.id == rule.declaration.id }) else {
        continue
      }
      editor.todo(
        rule.declaration, .manualNotification, "automaticallyNotifiesObservers(forKey:)",
        "\(unnamed.joined(separator: ", ")) announce in their setters, whatever it answers",
        "no announcement there for the keys that it refuses")
    }
    for property in declared.conditional where property.file == file {
      editor.todo(
        property.declaration, .declaredKeys, "\(property.name) stands under a condition",
        "the declarations of keys are one array literal",
        ".key(\"\(property.name)\", \\\(type.simpleName).\(property.name)) in keys, under it")
    }
  }

  private func reportMissing(_ entry: KeyDeclarations.Entry, _ place: Syntax) {
    editor.todo(
      place, .declaredKeys, "the class's own declarations lack “\(entry.name)”",
      "nobody finds the key, or what it depends on, by its name",
      ".key(\(entry.text)) in keys, or in moreKeys below @DeclaresKeys")
  }
}

extension DeclSyntax {
  /// Whether it declares a property of that kind, under a condition or under none.
  fileprivate func hasProperty(_ isMeant: (PatternBindingSyntax) -> Bool) -> Bool {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.bindings.contains(where: isMeant)
    }
    return self.as(IfConfigDeclSyntax.self)?.clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { $0.decl.hasProperty(isMeant) }
    } ?? false
  }
}

extension SourceText {
  /// The end of the line of `offset`, if only blanks and a comment stand there.
  func endOfLine(after offset: Int) -> Int? {
    let start = endOfBlanks(from: offset)
    let end = bytes[start...].firstIndex(where: \.endsLine) ?? bytes.count
    return start == end || self[start..<end].hasPrefix("//") ? end : nil
  }

  func isBlankLine(at offset: Int) -> Bool {
    let end = endOfBlanks(from: offset)
    return end == bytes.count || bytes[end].endsLine
  }

  /// Whether a brace opens at the end of the line above.
  func opens(before line: Int) -> Bool {
    guard let last = bytes[..<line].last(where: { !$0.isBlank && !$0.endsLine }) else {
      return true
    }
    return last == UInt8(ascii: "{")
  }

  func closes(at offset: Int) -> Bool {
    let end = endOfBlanks(from: offset)
    return end < bytes.count && bytes[end] == UInt8(ascii: "}")
  }
}

extension FileEditor {
  /// The bytes of a member with the line comments directly above it, from its first word on.
  func memberRange(_ member: DeclSyntax) -> Range<Int> {
    var start = member.start
    while true {
      let line = text.startOfLine(at: start)
      guard line > 0 else { break }
      let above = text.startOfLine(at: line - 1)
      let word = text.endOfBlanks(from: above)
      guard text[word..<line].hasPrefix("//") else { break }
      start = word
    }
    return start..<member.bytes.upperBound
  }

  /// The bytes to delete so that a member is gone, and one empty line of those around it.
  func memberRemoval(_ member: DeclSyntax) -> Range<Int> {
    let range = memberRange(member)
    let lines = text.removal(of: range)
    guard lines.lowerBound == text.startOfLine(at: lines.lowerBound), lines.lowerBound > 0 else {
      return lines
    }
    let above = text.startOfLine(at: lines.lowerBound - 1)
    let isBlankAbove = text.isBlankLine(at: above)
    if isBlankAbove, text.isBlankLine(at: lines.upperBound) || text.closes(at: lines.upperBound) {
      return above..<lines.upperBound
    }
    if text.opens(before: lines.lowerBound), text.isBlankLine(at: lines.upperBound) {
      return lines.lowerBound..<text.endOfLineBreak(at: text.endOfBlanks(from: lines.upperBound))
    }
    return lines
  }
}
