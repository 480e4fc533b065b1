// Requests that are refused, and connections that are closed.
import Hummingbird
import NIOCore

/// Refuses pages of other servers, which a browser may show beside this one.
struct OwnPageOnly<Context: RequestContext>: RouterMiddleware {
  /// Then a name that leads here from elsewhere is no name of this server.
  let isLoopback: Bool

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority ?? ""
    let name = host.prefix { $0 != ":" }
    let origin = request.headers[.origin]
    guard !isLoopback || ["127.0.0.1", "localhost"].contains(name),
      origin == nil || origin == "http://\(host)"
    else { throw HTTPError(.forbidden) }
    return try await next(request, context)
  }
}

/// The handlers that close a connection which has taken nothing for `patience` seconds.
func stallHandlers(_ patience: Int) -> [any RemovableChannelHandler] {
  [IdleStateHandler(writeTimeout: .seconds(Int64(patience))), StallHandler()]
}

private final class StallHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }
}
