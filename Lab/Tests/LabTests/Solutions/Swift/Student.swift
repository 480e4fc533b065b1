import Foundation
import IsaKVO
import IsaRuntime

/// Key-value observing: registrations, each of which watches keys of objects along its key path.
public final class Student: StudentObserving, @unchecked Sendable {
  /// Guards all below, tables and registrations; never held while somebody else's code runs.
  /// Recursive, as the last reference to a table may go under it.
  let lock = NSRecursiveLock()
  private var latestNumber = 0
  private var declarations: Declarations = [:]
  private var announced: [Announcement] = []
  let tableKey = RuntimeAssociationKey()

  /// Begins with nobody observing anything.
  public init() {}

  // MARK: Registrations

  /// Adds a registration, and makes the objects on its way notify.
  public func add(
    _ observer: RuntimeObject, to object: RuntimeObject, keyPath: String, options: StudentOptions,
    context: Int, tell: @escaping StudentTell
  ) throws {
    let registration = Registration(
      observer: try RuntimeWeakReference(to: observer), observerAddress: observer.address,
      object: try RuntimeWeakReference(to: object), objectAddress: object.address, keyPath: keyPath,
      options: options, context: context, tell: tell)
    if options.contains(.initial) { tellInitial(registration, observer, object) }
    lock.withLock {
      latestNumber += 1
      registration.number = latestNumber
    }
    try follow(registration)
  }

  /// Told before it is registered, as Foundation does.
  private func tellInitial(
    _ registration: Registration, _ observer: RuntimeObject, _ object: RuntimeObject
  ) {
    var change = registration.change(of: object)
    if registration.options.contains(.new) { change.new = object.value(at: registration.keyPath) }
    registration.tell(observer, change)
  }

  /// Ends the latest registration that matches.
  public func remove(
    _ observer: RuntimeObject, from object: RuntimeObject, keyPath: String, context: Int?
  ) throws {
    let kept = try lock.withLock {
      let found = table(of: object)?.watching.filter {
        $0.objectAddress == object.address && $0.observerAddress == observer.address
          && $0.keyPath == keyPath && (context == nil || $0.context == context)
      }.max { $0.number < $1.number }
      guard let found else { throw NotRegistered() }
      return found.end()
    }
    // Objects may go with their last reference, and their tables need the lock.
    withExtendedLifetime(kept) {}
  }

  // MARK: Dependent keys

  /// Declares what affects a key.
  public func setKeyPaths(
    _ keyPaths: Set<String>, affecting key: String, of runtimeClass: RuntimeClass
  ) {
    lock.withLock { declarations[runtimeClass, default: [:]][key] = keyPaths }
  }

  // MARK: Watching

  /// Works out anew where the registration has to watch, and watches there.
  func follow(_ registration: Registration) throws {
    guard let object = registration.object.object else { return }
    // Getters run here, without the lock.
    var places = Places(declarations: lock.withLock { declarations })
    places.follow(registration.keyPath, from: object, isEnd: true)
    let kept = try lock.withLock { try watch(registration, places.all) }
    withExtendedLifetime(kept) {}
  }

  private func watch(
    _ registration: Registration, _ places: [Place]
  ) throws -> [RuntimeObject] {
    if registration.isRemoved { return [] }
    let before = registration.watches
    registration.watches = try places.map { place in
      let table = try table(of: place.object) ?? makeTable(for: place.object)
      try beginNotifying(place.object, place.key)
      if !table.watching.contains(where: { $0 === registration }) {
        table.watching.append(registration)
      }
      return Watch(table: table, key: place.key, isEnd: place.isEnd)
    }
    let left = before.compactMap(\.table).filter { table in
      !registration.watches.contains { $0.table === table }
    }
    return left.compactMap { $0.take(registration) }
  }

  func table(of object: RuntimeObject) -> Table? {
    object.associated(forKey: tableKey)?.unsafeSwiftObject as? Table
  }

  private func makeTable(for object: RuntimeObject) throws -> Table {
    let table = Table(of: try RuntimeWeakReference(to: object), address: object.address, lock: lock)
    try object.setAssociated(try RuntimeObject(table), forKey: tableKey)
    return table
  }

  // MARK: Changes announced by hand

  /// Begins a change of this thread.
  public func willChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {
    let change = Change(of: object, key, kind, student: self)
    change.begin()
    lock.withLock { announced.append(Announcement(thread: .current, change: change)) }
  }

  /// Ends the latest change that this thread has begun of that key.
  public func didChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {
    let change: Change? = lock.withLock {
      let found = announced.lastIndex {
        $0.thread === Thread.current && $0.change.object == object && $0.change.key == key
      }
      return found.map { announced.remove(at: $0).change }
    }
    change?.end()
  }
}

private struct Announcement {
  let thread: Thread
  let change: Change
}
