#if Combine
  public import IsaKVO
  internal import IsaKeyValue

  /// An observable object that tells Combine, too, that it is about to change.
  ///
  ///     final class Person: KVObject, ObservableKVObject {
  ///       @Dynamic var name = ""
  ///     }
  ///     let redraw = person.objectWillChange.sink { … }
  ///
  /// ``objectWillChange`` is sent before each change of a wrapped property, made by a setter, a
  /// modification in place, key-value coding, a proxy, an announcement; and of a declared key that
  /// no other affects. A class says so for itself and its subclasses: it then needs no
  /// `@Published`.
  public protocol ObservableKVObject: KVObject, ObservableObject
  where ObjectWillChangePublisher == ObservableObjectPublisher {}

  extension ObservableKVObject {
    /// Sent on the thread that makes the change, before it.
    ///
    /// Made when it is first asked for; the object is observed from then on, so that its properties take
    /// the way of observed ones.
    public var objectWillChange: ObservableObjectPublisher {
      endingMisuse(ObservableObjectPublisher()) { () throws(KeyValueError) in
        let announcer = try kept { Announcer() }
        try announcer.start(on: self)
        return announcer.publisher
      }
    }
  }

  /// Sends that an object is about to change, and belongs to that.
  private final class Announcer: Sendable {
    nonisolated(unsafe) let publisher = ObservableObjectPublisher()
    private let hasStarted = Locked(false)
    private let registration = Locked<(any RegistrationControl)?>(nil)

    deinit { registration.withLock { $0 }?.invalidate() }

    func start(on object: KVObject) throws(KeyValueError) {
      let isFirst = hasStarted.withLock { hasStarted in
        defer { hasStarted = true }
        return !hasStarted
      }
      if !isFirst { return }
      let publisher = publisher
      do {
        let made = try object.registerBeforeChanges { publisher.send() }
        registration.withLock { $0 = made }
      } catch {
        hasStarted.withLock { $0 = false }
        throw error
      }
    }
  }
#endif
