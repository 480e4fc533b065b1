import FlyingFox

/// The visitors that a page on this machine answers: those who asked for it by this machine's own
/// name, and pages of its own.
///
/// A page from elsewhere may bring a browser to send requests here, or have a name of its own lead
/// here (DNS rebinding): the request then names that page's host.
struct Visitors: Sendable {
  var port: UInt16

  /// The names of this machine, with the port behind them.
  private var hosts: Set<String> {
    Set(
      ["127.0.0.1", "localhost", "[::1]"].flatMap { name in
        port == 80 ? [name, "\(name):80"] : ["\(name):\(port)"]
      })
  }

  /// The answer to a request that is refused; nil to one that is not.
  func refusal(of request: HTTPRequest, _ language: Language) -> PageAnswer? {
    guard let host = request.headers[HTTPHeader("Host")]?.lowercased(), hosts.contains(host) else {
      return .refusal(
        .misdirectedRequest, language.say("serve.no-host", ["port": Int(port)]))
    }
    if request.method != .GET, !isOwn(request) {
      return .refusal(.forbidden, language.say("serve.no-site"))
    }
    return nil
  }

  /// Whether it comes from a page of this server, or from no page at all.
  private func isOwn(_ request: HTTPRequest) -> Bool {
    if let origin = request.headers[HTTPHeader("Origin")]?.lowercased() {
      guard origin.hasPrefix("http://"), hosts.contains(String(origin.dropFirst(7))) else {
        return false
      }
    }
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased()
    return site == nil || site == "same-origin" || site == "none"
  }
}
