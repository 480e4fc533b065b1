/// Where in the sources something was done, or as much as is known of it.
package enum TracePlace: Hashable, Sendable {
  /// A line of a source file.
  case source(Source)
  /// A place in a program or library, and why it has no line.
  case code(Code)
  /// The trace does not tell.
  case unknown

  package struct Source: Hashable, Sendable {
    /// As the compiler names it.
    package let file: String
    package let line: UInt32
    /// The function's name, if calls were recorded.
    package let function: String?
  }

  package struct Code: Hashable, Sendable {
    /// The path of the module; nil: no module was at the address.
    package let module: String?
    /// As the module's file has it; in the process, if there is no module.
    package let address: UInt64
    package let reason: Unresolved
  }

  /// Why an address has no line.
  package enum Unresolved: Hashable, Sendable {
    /// There is neither llvm-symbolizer nor addr2line.
    case noSymbolizer
    /// It has not answered in time, or could not be run.
    case symbolizerFailed
    /// The module's file is not there.
    case noFile
    /// The file is another than the one that was loaded: its build id differs.
    case changedFile
    /// The file does not tell lines: it is stripped, or was compiled without `-g`.
    case stripped
    /// The address is in no module.
    case noModule
  }
}
