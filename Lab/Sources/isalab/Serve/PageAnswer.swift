import FlyingFox
import FlyingSocks
import Foundation

/// An answer to a request, after which the connection ends: no byte of a body that was refused is
/// ever read as a request of its own.
struct PageAnswer: Sendable {
  /// The kind of a text, and the code that a browser may run in it.
  enum Kind: Sendable {
    /// The editor, which asks this server and shows its pages.
    case editor
    /// A page of a run, which asks nobody.
    case page
    case script, style, data, text
  }

  var status = HTTPStatusCode.ok
  var kind: Kind
  var text: String

  static func refusal(_ status: HTTPStatusCode, _ text: String) -> PageAnswer {
    PageAnswer(status: status, kind: .text, text: text + "\n")
  }

  static func data(_ value: some Encodable, _ language: Language) -> PageAnswer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value) else {
      return .refusal(.internalServerError, language.say("serve.unwritten"))
    }
    return PageAnswer(kind: .data, text: String(decoding: data, as: UTF8.self))
  }

  /// - Parameter rest: The body of the request, as far as nobody has read it.
  func response(leaving rest: HTTPBodySequence?) -> HTTPResponse {
    let bytes = Data(text.utf8)
    let body = LastText(text: bytes, rest: rest)
    return HTTPResponse(
      statusCode: status, headers: headers,
      body: HTTPBodySequence(from: body, count: bytes.count))
  }

  private var headers: HTTPHeaders {
    HTTPHeaders([
      .contentType: kind.type, .connection: "close",
      HTTPHeader("Cache-Control"): "no-store",
      HTTPHeader("Content-Security-Policy"): kind.policy,
      HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
    ])
  }
}

extension PageAnswer.Kind {
  fileprivate var type: String {
    switch self {
    case .editor, .page: "text/html; charset=utf-8"
    case .script: "text/javascript; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    case .data: "application/json"
    case .text: "text/plain; charset=utf-8"
    }
  }

  /// All that a browser may fetch and run for it: nothing from elsewhere.
  fileprivate var policy: String {
    let own = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
    return switch self {
    case .editor:
      own + "script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        + "frame-src 'self'; frame-ancestors 'none'"
    case .page:
      own + "script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    case .script, .style, .data, .text: own + "frame-ancestors 'none'"
    }
  }
}

/// A text behind which the connection ends: reading on fails.
///
/// A client that is still sending would lose the answer if the connection ended at once. So a little
/// of the rest is read, for a moment.
private struct LastText: AsyncBufferedSequence {
  typealias Element = UInt8

  var text: Data
  var rest: HTTPBodySequence?

  func makeAsyncIterator() -> Iterator { Iterator(text: text, rest: rest) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var text: Data
    var rest: HTTPBodySequence?

    mutating func next() async throws -> UInt8? {
      guard let byte = text.popFirst() else { return try await end() }
      return byte
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      if text.isEmpty { return try await end() }
      defer { text = Data() }
      return text
    }

    private func end<Part>() async throws -> Part? {
      if let rest { _ = await RequestBody.read(rest, upTo: 1 << 20, seconds: 1) }
      throw ConnectionEnd()
    }
  }

  struct ConnectionEnd: Error {}
}

/// Reads the body of a request.
enum RequestBody {
  /// - Returns: All of it; nil if it is longer, fails, or takes longer.
  static func read(
    _ body: HTTPBodySequence, upTo most: Int, seconds: Double
  ) async -> Data? {
    await withTaskGroup(of: Data?.self) { group in
      group.addTask {
        var data = Data()
        do {
          for try await part in body {
            data += part
            if data.count > most { return nil }
          }
        } catch { return nil }
        return data
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(seconds))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}
