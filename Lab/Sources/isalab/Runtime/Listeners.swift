// Observers as the C core tells them: functions with their tokens, shared observers, and the method of
// observing objects.
//
// The core's own calls are the subject here: a scenario shows how many references there are while
// somebody is told, and may end what it hears of. A closure of IsaRuntime's is handed a change that
// keeps the object; these functions keep nothing.
//
// Owns:  the tokens and the shared observers.
// Lives: `end` gives them up; the recorder outlives that.
import CIsa
import IsaRuntime

final class Listeners {
  private let recorder: Recorder
  private let names: Names
  private var tokens: [(name: String, token: ListenerToken)] = []
  private var shared: [String: kvo_shared_observers] = [:]

  init(_ recorder: Recorder, _ names: Names) {
    self.recorder = recorder
    self.names = names
  }

  /// Ends the registrations, and lets go of the shared observers.
  func end() {
    tokens = []
    for observers in shared.values { kvo_shared_observers_release(observers) }
    shared = [:]
  }

  // MARK: Objects

  /// Makes instances of a class observers, by the method that the core calls.
  func addObservingMethod(to cls: RuntimeClass) throws(KeyValueError) {
    let callback: isa_callback = { _, arguments, context in
      let recorder = Unmanaged<Recorder>.fromOpaque(context!).takeUnretainedValue()
      let receiver = arguments![0]!.load(as: UInt.self)
      let change = arguments![4]!.load(as: UInt.self)
      recorder.hear(recorder.name(ofObserver: receiver)) { RuntimeChange(unsafeAddress: change) }
    }
    let context = Unmanaged.passUnretained(recorder).toOpaque()
    try refusing(
      isa_class_add_callback(cls.cls, observingMethod, "v@:*@^v^v", callback, context, nil))
  }

  // MARK: Functions

  /// Registers a function that records what it hears.
  func observe(
    _ object: RuntimeObject, _ statement: ObserveStatement, as name: String
  ) throws(KeyValueError) {
    let token = ListenerToken()
    // Before it is registered: an initial notification may end it already.
    tokens.append((name, token))
    do throws(KeyValueError) {
      try listener(name).observe(object, statement, token)
    } catch {
      tokens.removeAll { $0.token === token }
      throw error
    }
  }

  private func listener(_ name: String) -> Listener {
    let listener = Listener { [recorder] change in recorder.hear(name, change) }
    names.addObserver(listener.address, as: name)
    return listener
  }

  /// Ends a function's registration; answers whether it still stood.
  func endToken(_ name: String) -> Bool {
    tokens.last { $0.name == name }?.token.invalidate() ?? false
  }

  // MARK: Shared observers

  func makeShared(_ name: String, _ cls: RuntimeClass) throws(KeyValueError) {
    try refusing(kvo_shared_observers_make(cls.cls, &shared[name]))
  }

  func isShared(_ name: Name) -> Bool { shared[name.text] != nil }

  /// Adds an object, or a function called `functionName`, to shared observers.
  func observeShared(
    _ statement: ObserveStatement, by observer: RuntimeObject?, functionName: String
  ) throws(KeyValueError) {
    let observers = shared[statement.target.object.text]
    let path = statement.target.path
    guard let observer else {
      return try listener(functionName).hand { function in
        kvo_shared_observers_add_function(
          observers, &function, path, statement.bits, statement.contextPointer)
      }
    }
    try refusing(
      kvo_shared_observers_add(
        observers, observer.id, path, statement.bits, statement.contextPointer))
  }

  /// Takes an object out of shared observers.
  func removeShared(_ statement: RemoveStatement, _ observer: RuntimeObject) throws(KeyValueError) {
    let context = UnsafeMutableRawPointer(bitPattern: statement.context ?? 0)
    try refusing(
      kvo_shared_observers_remove(
        shared[statement.target.object.text], observer.id, statement.target.path, context))
  }

  /// Assigns shared observers to an object, or takes them away.
  func share(_ name: Name?, with object: RuntimeObject) throws(KeyValueError) {
    try refusing(kvo_set_shared_observers(object.id, name.flatMap { shared[$0.text] }))
  }
}

nonisolated(unsafe) private let observingMethod = isa_sel_register(
  RuntimeSelector.observeValue.name)!

/// A function that the core calls: the core owns it through the registration.
final class Listener {
  private let heard: (UnsafePointer<kvo_change>) -> Void

  /// - Parameter heard: Takes the change when it asks for it.
  init(_ heard: @escaping (() -> RuntimeChange) -> Void) {
    self.heard = { change in
      heard { RuntimeChange(unsafeAddress: UInt(bitPattern: change)) }
    }
  }

  /// Sends the observing message to what stands at an address by then.
  init(forwardingTo observer: UInt) {
    heard = { change in
      typealias Implementation =
        @convention(c) (
          isa_id, isa_sel, UnsafePointer<CChar>?, isa_id?, UnsafePointer<kvo_change>,
          UnsafeMutableRawPointer?
        ) -> Void
      let object = isa_id(bitPattern: observer)!
      let code = unsafeBitCast(isa_lookup(object, observingMethod), to: Implementation.self)
      let (path, context) = (change.pointee.key_path, change.pointee.context)
      code(object, observingMethod, path, change.pointee.object, change, context)
    }
  }

  /// The address by which events and registrations name the function.
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// Registers the function, for the token to end.
  func observe(
    _ object: RuntimeObject, _ statement: ObserveStatement, _ token: ListenerToken
  ) throws(KeyValueError) {
    try hand { function in
      kvo_observe(
        object.id, statement.target.path, statement.bits, &function,
        statement.contextPointer, token.place)
    }
  }

  /// Hands the function to the core, which owns it if it takes it.
  fileprivate func hand(_ register: (inout kvo_function) -> isa_status) throws(KeyValueError) {
    let info = Unmanaged.passRetained(self)
    var function = kvo_function(
      callback: { change, info in
        Unmanaged<Listener>.fromOpaque(info!).takeUnretainedValue().heard(change!)
      },
      info: info.toOpaque(), release: { Unmanaged<Listener>.fromOpaque($0!).release() })
    let status = register(&function)
    guard status != ISA_OK else { return }
    let error = KeyValueError(cStatus: status.rawValue)
    info.release()
    throw error
  }
}

/// The only owner of a function's registration: it ends when this goes.
final class ListenerToken {
  // At an address of its own: the core writes it before an initial notification, in whose course it
  // may be asked for.
  fileprivate let place: UnsafeMutablePointer<kvo_token?>

  init() {
    place = .allocate(capacity: 1)
    place.initialize(to: nil)
  }

  deinit {
    kvo_token_release(place.pointee)
    place.deallocate()
  }

  /// Ends the registration; answers whether it still stood.
  @discardableResult
  func invalidate() -> Bool { place.pointee.map { kvo_token_invalidate($0) } ?? false }
}

extension ObserveStatement {
  /// The options as the core has them.
  fileprivate var bits: UInt32 { UInt32(wanted.rawValue) }

  fileprivate var contextPointer: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: context)
  }
}
