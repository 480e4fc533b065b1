import SwiftParser
import SwiftSyntax

/// Ports sources from Apple's key-value observing: edits whatever an edit settles, and says the rest.
///
///     let porter = Porter()
///     let port = porter.port([.init(path: "Person.swift", bytes: bytes)])
///     for finding in port.findings { print(finding.text) }
///
/// All files that belong together are given at once: a class is ported for what its subclasses do.
package struct Porter: Sendable {
  /// A file as it was read.
  package struct File: Sendable {
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  package init() {}

  /// The files as they are to be, and all findings.
  ///
  /// - Parameter moved: Whether findings have the positions of the edited files.
  package func port(_ files: [File], movingFindings moved: Bool = false) -> Port {
    var parsed: [ParsedFile] = [], failed: [PortedFile] = []
    for file in files {
      switch parse(file) {
      case .success(let file): parsed.append(file)
      case .failure(let failure): failed.append(failure.file)
      }
    }
    let project = Project(Survey(parsed))
    let ported = parsed.indices.map { project.port($0, movingFindings: moved) }
    return Port(files: (ported + failed).sorted { $0.path < $1.path })
  }

  private struct Failure: Error {
    let file: PortedFile
  }

  private func parse(_ file: File) -> Result<ParsedFile, Failure> {
    let text = SourceText(file.bytes)
    guard String(validating: file.bytes, as: UTF8.self) != nil else {
      return .failure(failure(file, .file, Position(line: 1, column: 1), "the file is not UTF-8"))
    }
    let tree = Parser.parse(source: String(decoding: file.bytes, as: UTF8.self))
    guard let error = SyntaxError(tree) else {
      return .success(ParsedFile(path: file.path, original: file.bytes, text: text, tree: tree))
    }
    if let bytes = WordOrder(tree, text).bytes {
      let tree = Parser.parse(source: String(decoding: bytes, as: UTF8.self))
      if !tree.hasError {
        let text = SourceText(bytes)
        return .success(ParsedFile(path: file.path, original: file.bytes, text: text, tree: tree))
      }
    }
    return .failure(failure(file, .syntax, text.position(of: error.offset), error.what))
  }

  private func failure(
    _ file: File, _ rule: Rule, _ position: Position, _ what: String
  ) -> Failure {
    let finding = Finding(
      file: file.path, line: position.line, column: position.column, kind: .error, rule: rule,
      what: what, why: "the file is left as it is", write: "")
    return Failure(
      file: PortedFile(
        path: file.path, before: file.bytes, after: file.bytes, edits: [], findings: [finding],
        usesLibrary: false))
  }
}

/// The outcome for all files.
package struct Port: Sendable {
  package let files: [PortedFile]

  package var findings: [Finding] { files.flatMap(\.findings) }

  /// The files that use the library once they are ported, or do already.
  package var portedPaths: [String] { files.filter(\.usesLibrary).map(\.path) }
}

/// The outcome for one file.
package struct PortedFile: Sendable {
  package let path: String
  package let before: [UInt8]
  package let after: [UInt8]
  package let edits: [AppliedEdit]
  package let findings: [Finding]
  /// Whether the file uses names of the library once it is ported.
  package let usesLibrary: Bool

  package var isChanged: Bool { before != after }
}

/// An edit, at its place in the file as it was.
package struct AppliedEdit: Sendable, Codable, Hashable {
  package let line: Int
  package let column: Int
  package let rule: Rule
  package let old: String
  package let new: String
}

/// The rules, over what is known of all files.
private final class Project {
  private let survey: Survey
  private var known: [ObjectIdentifier: KeyDeclarations] = [:]

  init(_ survey: Survey) { self.survey = survey }

  private func declarations(of type: TypeModel) -> KeyDeclarations {
    if let found = known[ObjectIdentifier(type)] { return found }
    let made = KeyDeclarations(survey, type)
    known[ObjectIdentifier(type)] = made
    return made
  }

  func port(_ index: Int, movingFindings moved: Bool) -> PortedFile {
    let editor = FileEditor(survey, index), tree = editor.source.tree
    let uses = UseRule(editor)
    // Names first: a lazy property moves the text that they stand in.
    KeyPathRule(editor).walk(tree)
    uses.walk(tree)
    OverrideRule(editor).walk(tree)
    ClassRule(editor).walk(tree)
    AttributeRule(editor).walk(tree)
    PropertyRule(editor, declarations).walk(tree)
    KeysRule(editor, declarations).walk(tree)
    let usesLibrary =
      survey.hasObservables
      && (uses.usesLibrary || editor.edits.contains(where: \.rule.needsImport)
        || editor.findings.contains { $0.kind == .todo && $0.rule.needsImport })
    if usesLibrary { ImportRule(editor).addImports() }
    return outcome(editor, moved, usesLibrary)
  }

  private func outcome(_ editor: FileEditor, _ moved: Bool, _ usesLibrary: Bool) -> PortedFile {
    let list = EditList(editor.edits), text = editor.text, path = editor.source.path
    let after = list.applied(to: text)
    let target = moved ? SourceText(after) : text
    let findings = editor.findings.map { finding in
      let position = target.position(of: moved ? list.moved(finding.offset) : finding.offset)
      return Finding(
        file: path, line: position.line, column: position.column, kind: finding.kind,
        rule: finding.rule, what: finding.what, why: finding.why, write: finding.write)
    }
    let edits = list.edits.map { edit in
      let position = text.position(of: edit.range.lowerBound)
      return AppliedEdit(
        line: position.line, column: position.column, rule: edit.rule, old: text[edit.range],
        new: edit.text)
    }
    return PortedFile(
      path: path, before: editor.source.original, after: after, edits: edits,
      findings: findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) },
      usesLibrary: usesLibrary)
  }
}

extension Rule {
  /// Whether what the rule writes, or says is to be written, has a name of the library.
  fileprivate var needsImport: Bool {
    switch self {
    case .baseClass, .dynamicProperty, .lazyProperty, .weakProperty, .computedProperty,
      .declaredKeys, .objectType, .sharedObservers, .keyPathName, .responds, .overriddenSignature,
      .propertyObserver, .mainActor:
      true
    default: false
    }
  }
}
