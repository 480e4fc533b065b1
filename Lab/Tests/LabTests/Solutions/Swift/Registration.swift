import Foundation
import IsaKVO
import IsaRuntime

/// Somebody's wish to be told, and the places that are watched for it.
final class Registration {
  /// The two objects are not held; while one of them dies, only its address is left of it.
  let observer: RuntimeWeakReference
  let observerAddress: UInt
  let object: RuntimeWeakReference
  let objectAddress: UInt
  let keyPath: String
  let options: StudentOptions
  let context: Int
  let tell: StudentTell
  /// In the order of registration.
  var number = 0
  var isRemoved = false
  var watches: [Watch] = []

  init(
    observer: RuntimeWeakReference, observerAddress: UInt, object: RuntimeWeakReference,
    objectAddress: UInt,
    keyPath: String, options: StudentOptions, context: Int, tell: @escaping StudentTell
  ) {
    self.observer = observer
    self.observerAddress = observerAddress
    self.object = object
    self.objectAddress = objectAddress
    self.keyPath = keyPath
    self.options = options
    self.context = context
    self.tell = tell
  }

  func change(of object: RuntimeObject) -> StudentChange {
    var change = StudentChange(object: object, keyPath: keyPath)
    change.context = context
    return change
  }

  func watch(of table: Table, _ key: String) -> Watch? {
    watches.first { $0.table === table && $0.key == key }
  }

  /// Under the lock. Returns objects that must not be let go of under it.
  func end() -> [RuntimeObject] {
    isRemoved = true
    let tables = watches.compactMap(\.table)
    watches = []
    return tables.compactMap { $0.take(self) }
  }
}

/// A key of an object whose change a registration is told of.
struct Watch {
  weak var table: Table?
  let key: String
  /// The registered key itself, not one that affects it or leads to it.
  let isEnd: Bool
}

/// The registrations that watch an object, in no order. It goes with the object, with which it is
/// associated.
final class Table: KVObject {
  private let object: RuntimeWeakReference
  private let address: UInt
  private let lock: NSRecursiveLock
  var watching: [Registration] = []

  init(of object: RuntimeWeakReference, address: UInt, lock: NSRecursiveLock) {
    self.object = object
    self.address = address
    self.lock = lock
  }

  /// The object dies: its own registrations end, others lose a place.
  deinit {
    let kept = lock.withLock { watching.filter { $0.objectAddress == address }.map { $0.end() } }
    withExtendedLifetime(kept) {}
  }

  /// Under the lock; as `Registration.end()`.
  func take(_ registration: Registration) -> RuntimeObject? {
    watching.removeAll { $0 === registration }
    guard watching.isEmpty, let object = object.object else { return nil }
    _ = try? object.setIsa(object.class)
    return object
  }
}
