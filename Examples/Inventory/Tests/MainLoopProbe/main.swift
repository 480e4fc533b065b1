// Prints what is served while GLib's main loop runs; the loop cannot run inside of a test, which is a
// task itself.
import CGtk
import Foundation
import GTKBridge

var hasServed = false

Task {
  print("a task of the main actor")
  let sum = await Task.detached { (1...10).reduce(0, +) }.value
  print("after a detached task:", sum)
  try await Task.sleep(for: .milliseconds(10))
  print("after a sleep")
  // Set by the main thread itself while GLib waits for nothing.
  g_timeout_add(
    10,
    { _ in
      print("a timeout that a task has set")
      MainActor.assumeIsolated { startThread() }
      return 0
    }, nil)
}

@MainActor func startThread() {
  Thread.detachNewThread {
    g_idle_add(
      { _ in
        print("a source from another thread, on the main one:", Thread.isMainThread)
        MainActor.assumeIsolated { runNested() }
        return 0
      }, nil)
  }
}

@MainActor func runNested() {
  Task { hasServed = true }
  while !hasServed { g_main_context_iteration(nil, 1) }
  print("a task in a loop within the loop")
  MainLoop.quit()
}

MainLoop.run()
print("the end")
