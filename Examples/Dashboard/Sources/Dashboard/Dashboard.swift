// The program: a plant, a simulation that runs it, and a server that shows it.
import Hummingbird
import IsaKVO
import Logging
import Plant

@main
enum Dashboard {
  static func main() async throws {
    let options = Options(CommandLine.arguments.dropFirst())
    var logger = Logger(label: "Dashboard")
    logger.logLevel = .notice
    KeyValueSettings.misuseHandler = { [logger] misuse in logger.error("\(misuse)") }

    let plant = try Plant(
      "Bottling works", machines: ["Ada", "Blaise", "Charles", "Dorothy", "Edsger", "Grace"])
    try await server(of: plant, options, logger).runService()
  }
}
