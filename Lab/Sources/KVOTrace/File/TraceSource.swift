import Foundation

/// The bytes of a trace.
///
/// A file is read in pieces and not mapped: another process may cut a file at any moment, and a
/// mapping beyond its end would then stop the reader.
final class TraceSource {
  private enum Place {
    case file(Int32)
    case memory([UInt8])
  }

  private let place: Place

  init(bytes: [UInt8]) { place = .memory(bytes) }

  init(path: String) throws(TraceError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .unreadable(reason: String(cString: strerror(errno)))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(reason: "it is no file")
    }
    place = .file(descriptor)
  }

  deinit {
    if case .file(let descriptor) = place { close(descriptor) }
  }

  var size: UInt64 {
    switch place {
    case .memory(let bytes): return UInt64(bytes.count)
    case .file(let descriptor):
      var status = stat()
      return fstat(descriptor, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }
  }

  /// Whether the recorder has the file's lock.
  var isBeingWritten: Bool {
    guard case .file(let descriptor) = place else { return false }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    flock(descriptor, LOCK_UN)
    return false
  }

  /// Copies bytes from `offset` on into `target`. Returns how many there were.
  func read(_ offset: UInt64, into target: UnsafeMutableRawBufferPointer) -> Int {
    switch place {
    case .memory(let bytes):
      guard offset < UInt64(bytes.count) else { return 0 }
      let count = min(target.count, bytes.count - Int(offset))
      bytes.withUnsafeBytes {
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
      }
      return count
    case .file(let descriptor): return readFile(descriptor, offset, into: target)
    }
  }

  private func readFile(
    _ descriptor: Int32, _ offset: UInt64, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    var done = 0
    while done < target.count, let start = target.baseAddress,
      let position = off_t(exactly: offset &+ UInt64(done))
    {
      let count = pread(descriptor, start + done, target.count - done, position)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    return done
  }
}
