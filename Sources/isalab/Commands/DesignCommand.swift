#if Lab
  import ArgumentParser
  import Foundation

  /// What `museum` and `compare` run in a process of its own.
  struct DesignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "design",
      abstract: "Run a scenario from standard input under a design.",
      shouldDisplay: false)

    @Option var design: String
    @Option var file = "stdin"

    func run() throws {
      if design == NativeDesign.name {
        NativeDesign.report(DesignChild().write)
        return
      }
      guard let info = Designs.find(design) else { throw ExitCode(2) }
      let text = String(
        decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
      let code = DesignChild().run(text, file: file, design: info)
      if code != 0 { throw ExitCode(code) }
    }
  }
#endif
