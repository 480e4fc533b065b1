/// A kind of classes, and the rules for it.
struct Model {
  let kind: ClassKind
  private let engine: any Engine

  init(_ kind: ClassKind) {
    self.kind = kind
    engine = kind.makeEngine()
  }

  /// The notifications of the observers.
  func trace(_ program: Program) -> [Line] { engine.run(program.said(of: kind)) }

  /// The notifications by the rules.
  func rules(_ program: Program) -> [Line] { Reference.run(program.said(of: kind), as: kind) }
}
