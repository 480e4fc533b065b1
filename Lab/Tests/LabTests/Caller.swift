import Foundation

/// Asks a server over a socket of its own, in whatever words.
struct Caller: Sendable {
  /// An answer as it came.
  struct Reply: Sendable {
    var text: String
    private var parts: [String] { text.components(separatedBy: "\r\n\r\n") }
    var body: String { parts.dropFirst().joined(separator: "\r\n\r\n") }
    var status: Int { Int(text.dropFirst(9).prefix(3)) ?? 0 }

    func header(_ name: String) -> String? {
      parts[0].components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  struct Unreachable: Error {}

  var port: UInt16
  var host: String { "127.0.0.1:\(port)" }

  func get(_ path: String, host: String? = nil) async throws -> Reply {
    try await send("GET \(path) HTTP/1.1\r\nHost: \(host ?? self.host)\r\n\r\n")
  }

  func post(
    _ path: String, _ text: String, _ headers: [String: String] = [:], host: String? = nil
  ) async throws -> Reply {
    try await post(path, bytes: Array(text.utf8), headers, host: host)
  }

  func post(
    _ path: String, bytes: [UInt8], _ headers: [String: String] = [:], host: String? = nil
  ) async throws -> Reply {
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    let head =
      "POST \(path) HTTP/1.1\r\nHost: \(host ?? self.host)\r\n\(lines)"
      + "Content-Length: \(bytes.count)\r\n\r\n"
    return try await send(Array(head.utf8) + bytes)
  }

  func send(_ text: String) async throws -> Reply { try await send(Array(text.utf8)) }

  /// Sends bytes and reads until the connection ends, on a thread of its own.
  private func send(_ bytes: [UInt8]) async throws -> Reply {
    let port = port
    let text: String? = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Caller.ask(port, bytes)) }
    }
    guard let text else { throw Unreachable() }
    return Reply(text: text)
  }

  private static func ask(_ port: UInt16, _ bytes: [UInt8]) -> String? {
    guard let socket = open(to: "127.0.0.1", port) else { return nil }
    defer { close(socket) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, quiet) }
      if count <= 0 { break }
      rest = rest.dropFirst(count)
    }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &part, part.count, 0)
      if count <= 0 { break }
      answer += part[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  #if canImport(Darwin)
    private static let quiet: Int32 = 0
  #else
    private static let quiet = Int32(MSG_NOSIGNAL)
  #endif

  static func connects(to address: String, _ port: UInt16) -> Bool {
    guard let socket = open(to: address, port) else { return false }
    close(socket)
    return true
  }

  private static func open(to address: String, _ port: UInt16) -> Int32? {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    #if canImport(Darwin)
      let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #else
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status == 0 { return socket }
    close(socket)
    return nil
  }

  /// Addresses of this machine besides the one that is served, as far as it has any.
  static var otherAddresses: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let place = entry.ifa_addr, place.pointee.sa_family == sa_family_t(AF_INET) else {
        continue
      }
      var name = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        var address = $0.pointee.sin_addr
        _ = inet_ntop(AF_INET, &address, &name, socklen_t(name.count))
      }
      addresses.append(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    #if os(Linux)
      addresses.append("127.0.0.2")
    #endif
    return addresses.filter { $0 != "127.0.0.1" }
  }
}
