import SwiftSyntax

/// Adds the imports of a file that uses the library's names.
struct ImportRule {
  private let editor: FileEditor

  init(_ editor: FileEditor) { self.editor = editor }

  /// Adds those that the file has not, in the order of their names.
  func addImports() {
    let tree = editor.source.tree
    let present = ImportFinder.modules(of: tree)
    let missing = ["IsaKVO", "IsaKVOFoundation"].filter { !present.contains($0) }
    guard !missing.isEmpty else { return }
    let imports = tree.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
    if imports.isEmpty { return addFirst(missing, tree) }
    for name in missing { add(name, beside: imports) }
  }

  private func add(_ name: String, beside imports: [ImportDeclSyntax]) {
    let newline = editor.text.newline
    let next = imports.first {
      $0.attributes.isEmpty && $0.path.trimmedDescription > name
        && editor.text.startOfLine(at: $0.start) == $0.start
    }
    if let next {
      editor.insert("import \(name)\(newline)", at: next.start, .importedModule)
    } else {
      let end = imports.last!.bytes.upperBound
      editor.insert(
        "\(newline)import \(name)", at: editor.text.endOfLine(after: end) ?? end, .importedModule)
    }
  }

  private func addFirst(_ missing: [String], _ tree: SourceFileSyntax) {
    let newline = editor.text.newline
    let lines = missing.map { "import \($0)\(newline)" }.joined()
    guard let first = tree.statements.first else { return }
    editor.insert(lines + newline, at: editor.memberStart(first.start), .importedModule)
  }
}

/// Finds the imports that Linux compiles.
final class ImportFinder: LinuxVisitor {
  private var modules: Set<String> = []

  static func modules(of tree: SourceFileSyntax) -> Set<String> {
    let finder = ImportFinder()
    finder.walk(tree)
    return finder.modules
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first?.name.text { modules.insert(module) }
    return .skipChildren
  }
}

extension FileEditor {
  /// The start of the line comments directly above `offset`.
  fileprivate func memberStart(_ offset: Int) -> Int {
    var start = offset
    while true {
      let line = text.startOfLine(at: start)
      guard line > 0 else { return start }
      let above = text.startOfLine(at: line - 1)
      guard text[above..<line].hasPrefix("//") else { return start }
      start = above
    }
  }
}
