import FlyingFox
import FlyingSocks
import Foundation
import KVOTrace

/// `isalab serve`: a page on this machine in which scenarios are written and seen to run.
struct ServeRun {
  var console: Console
  var language = Language.english
  var process: ChildProcess
  /// 0 lets the system choose one.
  var port: UInt16 = 0
  var opensBrowser = false
  /// Under which scenarios run unless one chooses another.
  var design = Designs.engine

  /// Serves until a signal ends the program.
  ///
  /// - Parameter names: Scenarios to open in the editor, and traces to look at.
  /// - Returns: 2 if a file cannot be read or the port cannot be had.
  func run(_ names: [String]) -> Int32 {
    do throws(DiagnosticList) {
      let traces = names.filter(ServeRun.isTrace)
      let files = try names.filter { !traces.contains($0) }
        .map { name throws(DiagnosticList) in try ServeRun.document(name) }
      return serve(files, traces.map { URL(fileURLWithPath: $0) })
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  private static func document(_ name: String) throws(DiagnosticList) -> Desk.Document {
    let title = name.split(separator: "/").last.map(String.init) ?? name
    return Desk.Document(
      group: .file, name: title, title: title.shown, text: try ScenarioFile(name: name).text())
  }

  /// By how it begins; whether it can be read is told when it is looked at. Of a pipe, which gives each
  /// byte once, none is taken.
  private static func isTrace(_ name: String) -> Bool {
    let place = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    let type = try? FileManager.default.attributesOfItem(atPath: place)[.type] as? FileAttributeType
    guard type == .typeRegular else { return false }
    let magic = Data(TraceHeader.magic)
    return (try? FileHandle(forReadingAtPath: name)?.read(upToCount: magic.count)) == magic
  }

  private func serve(_ files: [Desk.Document], _ traces: [URL]) -> Int32 {
    let server = PageServer(
      process: process, language: language, files: files, traces: traces, design: design)
    let wanted = port
    Interruption.endsWithSuccess()
    guard let port = ServeRun.finished({ try? await server.listen(on: wanted) }) else {
      console.err(language.say("serve.no-port", ["port": Int(wanted)]))
      return 2
    }
    let address = "http://127.0.0.1:\(port)/"
    console.out(language.say("serve.address", ["address": address]))
    fflush(nil)
    if opensBrowser { ServeRun.open(address) }
    ServeRun.finished { await server.serve() }
    console.err(language.say("serve.ended"))
    return 2
  }

  /// Waits for what goes on beside.
  @discardableResult
  private static func finished<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) -> Value {
    let box = Box<Value>()
    let hasEnded = DispatchSemaphore(value: 0)
    Task {
      box.value = await body()
      hasEnded.signal()
    }
    hasEnded.wait()
    return box.value!
  }

  /// Written before the signal, read after it.
  private final class Box<Value: Sendable>: @unchecked Sendable { var value: Value? }

  private static func open(_ address: String) {
    guard let opener = Tool.find("xdg-open") ?? Tool.find("open") else { return }
    let browser = Process()
    browser.executableURL = opener
    browser.arguments = [address]
    (browser.standardOutput, browser.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try? browser.run()
  }
}

/// The server of the editor's page.
actor PageServer {
  private let desk: Desk
  private var server: HTTPServer?
  private var serving: Task<Void, Never>?
  private var hasFailed = false

  init(
    process: ChildProcess, language: Language, files: [Desk.Document] = [],
    traces: [URL] = [], design: String = Designs.engine
  ) {
    desk = Desk(Workshop(process), language, files: files, traces: traces, design: design)
  }

  /// Listens on this machine's own address, which no other machine reaches.
  ///
  /// - Returns: The port.
  /// - Throws: If the port cannot be had.
  func listen(on port: UInt16) async throws -> UInt16 {
    let configuration = HTTPServer.Configuration(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
      // The time that a run may take is the process's; a longer body stays unread until wanted.
      timeout: 3600, sharedRequestBufferSize: 4096, sharedRequestReplaySize: 0,
      logger: .disabled)
    let server = HTTPServer(config: configuration, handler: desk)
    self.server = server
    serving = Task {
      do { try await server.run() } catch { self.hasFailed = true }
    }
    while await !server.isListening {
      if hasFailed { throw NoPort() }
      try await Task.sleep(for: .milliseconds(5))
    }
    guard case .ip4(_, let chosen) = await server.listeningAddress else { throw NoPort() }
    await desk.open(at: chosen)
    return chosen
  }

  /// Serves until it is stopped.
  func serve() async { await serving?.value }

  func stop() async { await server?.stop() }

  struct NoPort: Error {}
}
