/// The engine that programs run on: objects of one kind of class.
protocol Engine {
  /// Runs a program, which ``Program/said(of:)`` has fitted to the kind.
  func run(_ program: Program) -> [Line]
}
