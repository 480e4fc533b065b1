import CGtk
import Dispatch
import Foundation

/// GLib's main loop, run so that the main actor is served as well.
///
///     gtk_init()
///     …
///     MainLoop.run()
///
/// GLib waits for its files in a function that may be replaced. The one put there waits in Foundation's
/// run loop, which serves the main queue and by that the main actor, while a thread of Dispatch's
/// waits for the files. All of it is public API. Other loops on GLib's default context, such as those
/// of dialogs, serve the main actor too.
@MainActor
public enum MainLoop {
  private static let loop = g_main_loop_new(nil, 0)!

  /// Runs GLib's loop until ``quit()``. Called on the main thread, outside of any task.
  public static func run() {
    let context = g_main_context_default()
    g_main_context_set_poll_func(context) { files, count, timeout in
      nonisolated(unsafe) let files = files
      return MainActor.assumeIsolated { FileWait.poll(files, count, timeout) }
    }
    g_main_loop_run(loop)
    g_main_context_set_poll_func(context, nil)
  }

  /// Ends ``run()`` once what is under way is done.
  public static func quit() { g_main_loop_quit(loop) }
}

/// The wait for files on a thread of Dispatch's, while the main thread serves the main queue.
@MainActor
private enum FileWait {
  private static let queue = DispatchQueue(label: "GLib’s files")
  /// Waited for with the files: a byte that is written ends the wait.
  private static let bell = Pipe()

  /// As `poll(2)`, but that it may answer 0 before the time is over.
  static func poll(
    _ files: UnsafeMutablePointer<GPollFD>?, _ count: guint, _ timeout: gint
  ) -> gint {
    let ready = g_poll(files, count, 0)
    if ready != 0 || timeout == 0 {
      // The main queue has its turn even if files are always ready.
      serve(until: .distantPast)
      return ready
    }
    let ended = start(Array(UnsafeBufferPointer(start: files, count: Int(count))), timeout)
    // A loop may have waited for the block that was served, or that has set a timeout: GLib looks anew.
    serve(until: .distantFuture)
    bell.fileHandleForWriting.write(Data([0]))
    ended.wait()
    _ = bell.fileHandleForReading.availableData
    return g_poll(files, count, 0)
  }

  /// Runs the blocks of the main queue: those that are there, or else the first that comes.
  private static func serve(until date: Date) { _ = RunLoop.main.run(mode: .default, before: date) }

  /// Begins to wait for files, which ends with a block for the main queue; the semaphore tells when
  /// nobody waits any more.
  private static func start(_ files: [GPollFD], _ timeout: gint) -> DispatchSemaphore {
    let ended = DispatchSemaphore(value: 0)
    let end = GPollFD(
      fd: bell.fileHandleForReading.fileDescriptor, events: gushort(G_IO_IN.rawValue), revents: 0)
    queue.async {
      var files = files + [end]
      g_poll(&files, guint(files.count), timeout)
      // Where the bell has ended the wait, the main thread does not wait, and a block would end its
      // next wait for nothing.
      if files.last!.revents == 0 { DispatchQueue.main.async {} }
      ended.signal()
    }
    return ended
  }
}
