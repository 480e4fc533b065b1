// The program that the compiler runs to expand the macros. Without the trait there is nothing to
// expand, and nothing of swift-syntax to build it with.
#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [DeclaresKeysMacro.self]
  }
#else
  @main
  enum Plugin {
    static func main() {}
  }
#endif
