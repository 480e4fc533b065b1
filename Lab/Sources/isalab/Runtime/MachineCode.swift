import IsaRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine code behind an IMP.
enum MachineCode {
  /// Up to `count` bytes from `address`; none where the system does not let a process read them.
  static func bytes(at address: UInt, count: Int = 96) -> [UInt8] {
    // Read through the kernel: what follows the code may not be mapped, and a load would stop us.
    let file = open("/proc/self/mem", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file, &bytes, count, off_t(bitPattern: UInt64(address)))
    return read > 0 ? Array(bytes.prefix(read)) : []
  }
}

extension off_t {
  fileprivate init(bitPattern address: UInt64) { self.init(truncatingIfNeeded: address) }
}

/// A method whose machine code a run is to read after one of its steps, while it is there.
struct CodeProbe: Hashable, Sendable {
  var step: Int
  var className: String
  var selector: String

  func code(_ inspector: Inspector) -> [UInt8] {
    RuntimeClass.find(named: className).flatMap { inspector.implementation(selector, in: $0) }
      .map { MachineCode.bytes(at: $0.address) } ?? []
  }
}
