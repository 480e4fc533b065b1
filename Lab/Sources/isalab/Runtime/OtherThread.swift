#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread for one piece of work.
enum OtherThread {
  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread and waits until that has ended; here if there can be none.
  static func run(_ body: @escaping () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    defer { work.release() }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, nil, OtherThread.start, work.toOpaque())
    guard status == 0 else { return body() }
    #if canImport(Darwin)
      pthread_join(thread!, nil)
    #else
      pthread_join(thread, nil)
    #endif
  }

  #if canImport(Darwin)
    private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      {
        Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().run()
        return nil
      }
  #else
    private static let start:
      @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        {
          Unmanaged<Work>.fromOpaque($0!).takeUnretainedValue().run()
          return nil
        }
  #endif
}
