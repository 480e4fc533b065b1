import CIsaTestSupport
import Foundation
import Testing

/// Runs `body` on `count` threads of their own at once, and returns when all of them have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { index in startThread { body(index) } }
  for thread in threads { pthread_join(thread, nil) }
}

/// Runs `body` while `count` threads repeat `work`, each at least once.
func whileThreads(
  _ count: Int, repeat work: @escaping @Sendable () -> Void, _ body: () throws -> Void
) rethrows {
  let stop = Flag()
  let started = DispatchSemaphore(value: 0)
  let threads = (0..<count).map { _ in
    startThread {
      work()
      started.signal()
      while !stop.isSet { work() }
    }
  }
  for _ in threads { started.wait() }
  defer {
    stop.set()
    for thread in threads { pthread_join(thread, nil) }
  }
  try body()
}

/// A thread of its own that runs `body` from now on.
final class RunningThread {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) { thread = startThread(body) }

  /// Returns when the thread has ended; to be called once.
  func join() { pthread_join(thread, nil) }
}

/// A place where a thread stops until it is let go.
final class Parking: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  /// Stops the calling thread here.
  func park() {
    arrived.signal()
    released.wait()
  }

  /// Returns when a thread stands here.
  func awaitArrival() { arrived.wait() }

  /// Lets one thread go.
  func release() { released.signal() }
}

/// A switch that one thread sets and others read.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

private final class Body {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a thread of its own that has a stack of so many bytes.
func onStack(of bytes: Int, _ body: @escaping @Sendable () -> Void) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  let error = pthread_attr_setstacksize(&attributes, bytes)
  precondition(error == 0)
  pthread_join(startThread(body, &attributes), nil)
  pthread_attr_destroy(&attributes)
}

private func startThread(
  _ run: @escaping @Sendable () -> Void, _ attributes: UnsafePointer<pthread_attr_t>? = nil
) -> pthread_t {
  let context = Unmanaged.passRetained(Body(run)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let error = pthread_create(&thread, attributes, runBody(darwin:), context)
    precondition(error == 0)
    return thread!
  #else
    var thread = pthread_t()
    let error = pthread_create(&thread, attributes, runBody(linux:), context)
    precondition(error == 0)
    return thread
  #endif
}

#if canImport(Darwin)
  private func runBody(darwin context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func runBody(linux context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
    return nil
  }
#endif

extension Trait where Self == ConditionTrait {
  /// For what short ways alone do. They are taken only where the system has a barrier for threads.
  static var shortWays: Self {
    .enabled("readers need fences here") {
      let areNeeded = isa_test_fences_begin(false)
      isa_test_fences_end(areNeeded)
      return !areNeeded
    }
  }
}
