// The server: its routes, and what they do with the plant.
import Foundation
import Hummingbird
import Logging
import NIOCore
import Plant
import ServiceLifecycle

/// The server that shows a plant, with the simulation that runs it.
func server(
  of plant: Plant, _ options: Options, _ logger: Logger
) throws -> some ApplicationProtocol {
  let router = Router()
  router.add(middleware: OwnPageOnly(isLoopback: options.host == Options([]).host))
  try addPage(to: router)
  addFeed(of: plant, patience: options.patience, to: router)
  addEdits(of: plant, to: router)
  return Application(
    router: router,
    server: .http1(
      configuration: .init(additionalChannelHandlers: stallHandlers(options.patience))),
    configuration: .init(
      address: .hostname(options.host, port: options.port), serverName: "Dashboard"),
    services: [Simulation(plant: plant), Rush(plant: plant, changes: options.changes)],
    onServerRunning: { channel in
      print("http://\(options.host):\(channel.localAddress?.port ?? options.port)")
      // A program that reads this through a pipe is waiting for it.
      fflush(nil)
    },
    logger: logger)
}

// MARK: - Routes

/// The files of the page, which ask nothing of any other server.
private func addPage(to router: Router<BasicRequestContext>) throws {
  let files = [
    ("/", "index.html", "text/html"), ("/page.css", "page.css", "text/css"),
    ("/page.js", "page.js", "text/javascript"),
  ]
  for (path, name, type) in files {
    let url = Bundle.module.bundleURL.appending(path: "Page/\(name)")
    let body = ByteBuffer(bytes: try Data(contentsOf: url))
    router.get(RouterPath(path)) { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "\(type); charset=utf-8", .cacheControl: "no-cache",
          .contentSecurityPolicy: "default-src 'self'; img-src data:",
        ],
        body: ResponseBody(byteBuffer: body))
    }
  }
}

/// Server-sent events: the newest values, or with `?every` every value.
private func addFeed(of plant: Plant, patience: Int, to router: Router<BasicRequestContext>) {
  router.get("events") { request, _ in
    let buffering: Buffering = request.uri.query == "every" ? .every : .newest
    let feed = Feed(plant, buffering, beat: .seconds(patience) / 3)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await plant.counted {
            try await feed.run { try await writer.write(ByteBuffer(string: $0)) }
          }
        }
        try await writer.finish(nil)
      })
  }
}

/// The changes that browsers may ask for.
private func addEdits(of plant: Plant, to router: Router<BasicRequestContext>) {
  router.patch("plant/:keyPath") { request, context in
    let entry = try await request.decode(as: Sent.self, context: context).value
    let keyPath = try context.parameters.require("keyPath")
    return await answer { () throws(Refusal) in try plant.set(keyPath, to: entry) }
  }
  router.patch("machines/:id/:keyPath") { request, context in
    let entry = try await request.decode(as: Sent.self, context: context).value
    let keyPath = try context.parameters.require("keyPath")
    let id = try context.parameters.require("id", as: Int.self)
    return await answer { () throws(Refusal) in try plant.set(keyPath, ofMachine: id, to: entry) }
  }
  router.post("machines") { request, context in
    guard case .text(let name) = try await request.decode(as: Sent.self, context: context).value
    else { throw HTTPError(.badRequest, message: "A name is a text.") }
    return await answer { () throws(Refusal) in try plant.add(name) }
  }
  router.delete("machines/:id") { _, context in
    let id = try context.parameters.require("id", as: Int.self)
    return await answer { () throws(Refusal) in try plant.remove(id) }
  }
}

private struct Sent: Decodable { let value: Entry }

/// Changes the plant; a refusal is the body of the answer, to be shown beside the field.
@MainActor
private func answer(_ change: @MainActor () throws(Refusal) -> Void) -> Response {
  do throws(Refusal) {
    try change()
    return Response(status: .noContent)
  } catch {
    return Response(
      status: error.isUnknown ? .notFound : .unprocessableContent,
      headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: error.description)))
  }
}
