import CGtk

/// The arguments of a signal's handler: the object that sends it, and those that the signal has.
public struct SignalArguments {
  private let values: UnsafeBufferPointer<GValue>

  init(_ values: UnsafeBufferPointer<GValue>) { self.values = values }

  /// An argument that is an integer of GLib's `guint`.
  public func int(_ index: Int) -> Int {
    Int(g_value_get_uint(values.baseAddress! + index))
  }

  /// An argument that is a GObject; 0 is the one that sends the signal.
  ///
  /// It is a mistake to ask for an argument that is something else.
  public func object(_ index: Int) -> GObjectRef {
    GObjectRef(g_value_get_object(values.baseAddress! + index)!)
  }
}

extension GObjectRef {
  /// Has `handler` called at each emission of a signal, for as long as the object lives.
  ///
  /// - Parameter signal: Its name, with a detail if it has one: `"notify::text"`.
  public func on(_ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void) {
    connect(
      signal,
      HandlerBox {
        handler($0); return nil
      })
  }

  /// The same for a signal whose handler answers something, such as `close-request`.
  public func answer(
    _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Bool
  ) {
    connect(signal, HandlerBox { handler($0) })
  }

  /// Has `handler` called when the keyboard's focus leaves this object, a widget, and what is in it.
  public func onFocusLeave(_ handler: @escaping @MainActor () -> Void) {
    let focus = GObjectRef(adopting: gtk_event_controller_focus_new())
    focus.on("leave") { _ in handler() }
    with(as: GtkWidget.self) { gtk_widget_add_controller($0, focus.retained()) }
  }

  /// Has `handler` called at each emission of a signal, until the connection is released.
  public func connection(
    _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void
  ) -> SignalConnection {
    SignalConnection(
      self,
      connect(
        signal,
        HandlerBox {
          handler($0); return nil
        }))
  }

  @discardableResult
  private func connect(_ signal: String, _ box: HandlerBox) -> gulong {
    let closure = g_closure_new_simple(
      guint(MemoryLayout<GClosure>.size), Unmanaged.passRetained(box).toOpaque())!
    g_closure_add_finalize_notifier(closure, closure.pointee.data) { data, _ in
      Unmanaged<HandlerBox>.fromOpaque(data!).release()
    }
    g_closure_set_marshal(closure) { closure, result, count, values, _, _ in
      HandlerBox.call(closure!, UnsafeBufferPointer(start: values, count: Int(count)), result)
    }
    return g_signal_connect_closure(pointer, signal, closure, 0)
  }
}

/// A handler that is connected to a signal until this is released.
public final class SignalConnection {
  private let object: GObjectRef
  private let handler: gulong

  init(_ object: GObjectRef, _ handler: gulong) {
    self.object = object
    self.handler = handler
  }

  deinit { g_signal_handler_disconnect(object.pointer, handler) }
}

/// A handler as the data of a closure of GLib's.
private final class HandlerBox {
  private let handler: @MainActor (SignalArguments) -> Bool?

  init(_ handler: @escaping @MainActor (SignalArguments) -> Bool?) { self.handler = handler }

  /// GTK calls on the main thread: this is the one place that says so to Swift.
  static func call(
    _ closure: UnsafeMutablePointer<GClosure>, _ values: UnsafeBufferPointer<GValue>,
    _ result: UnsafeMutablePointer<GValue>?
  ) {
    // A handler may have the object dropped, and with it the closure.
    let box = Unmanaged<HandlerBox>.fromOpaque(closure.pointee.data).takeUnretainedValue()
    nonisolated(unsafe) let arguments = SignalArguments(values)
    let handler = box.handler
    let answer = MainActor.assumeIsolated { handler(arguments) }
    if let answer, let result { answer.store(in: result) }
  }
}
