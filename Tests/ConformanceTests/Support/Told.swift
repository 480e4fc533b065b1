import IsaKVO
import IsaKVOTestSupport
import IsaRuntime

/// A notification, as an observer of either kind is told of it.
struct Told: Sendable {
  let keyPath: String
  let object: Subject
  let kind: ChangeKind
  let isPrior: Bool
  let isInitial: Bool
  let indexes: [Int]?
  let oldValue: RuntimeValue?
  let newValue: RuntimeValue?
  /// The values in words; nil for one that is absent.
  let oldWords: String?
  let newWords: String?
  let context: ObservationContext
  private let end: @Sendable () -> Void

  /// Ends the observation that was told.
  func stopObserving() { end() }
}

extension Told {
  init(_ change: RuntimeChange) {
    keyPath = change.keyPath
    object = Subject(change.object)
    (kind, indexes) = (change.kind, change.indexes)
    (isPrior, isInitial) = (change.isPrior, change.isInitial)
    (oldValue, newValue) = (change.oldValue, change.newValue)
    (oldWords, newWords) = (oldValue.map { words(for: $0) }, newValue.map { words(for: $0) })
    context = change.context
    end = { change.stopObserving() }
  }

  /// A notification of a Swift closure.
  init<Value>(_ change: ValueChange<Value>, of object: any TypedObject) {
    keyPath = change.keyPath
    self.object = .swift(object)
    (kind, indexes) = (change.kind, change.indexes)
    (isPrior, isInitial) = (change.isPrior, change.isInitial)
    let old = change.oldValue.map { unwrapped($0) }, new = change.newValue.map { unwrapped($0) }
    (oldValue, newValue) = (old.map { RuntimeValue(any: $0) }, new.map { RuntimeValue(any: $0) })
    (oldWords, newWords) = (old.map { words(for: $0) }, new.map { words(for: $0) })
    context = .none
    nonisolated(unsafe) let change = change
    end = { change.stopObserving() }
  }

  /// A notification of a Swift observer object. Its dictionary does not say which notification is
  /// the initial one: the one that comes while the observer is being registered.
  init(
    _ keyPath: String, _ object: any TypedObject, _ change: [ChangeKey: Any],
    _ context: UnsafeMutableRawPointer?, isInitial: Bool
  ) {
    self.keyPath = keyPath
    self.object = .swift(object)
    let number = change[.kindKey] as? UInt ?? 0
    kind = [.setting, .insertion, .removal, .replacement][Int(number) - 1]
    indexes = change[.indexesKey] as? [Int]
    isPrior = change[.notificationIsPriorKey] as? Bool ?? false
    self.isInitial = isInitial
    oldValue = change[.oldKey].map { RuntimeValue(any: $0 is KeyValueNull ? nil : $0) }
    newValue = change[.newKey].map { RuntimeValue(any: $0 is KeyValueNull ? nil : $0) }
    (oldWords, newWords) = (
      change[.oldKey].map { words(for: $0) }, change[.newKey].map { words(for: $0) }
    )
    self.context = ObservationContext(address: UInt(bitPattern: context))
    end = {}
  }
}
