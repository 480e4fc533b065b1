// Your own key-value observing: what you write, and what it is handed. Leave this file as it is.

import IsaRuntime

/// The contents of a change that an observer wants; from level 3 on, empty until then.
public struct StudentOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The change carries the value after it.
  public static let new = StudentOptions(rawValue: 1)
  /// The change carries the value before it.
  public static let old = StudentOptions(rawValue: 2)
  /// One notification before `add` returns.
  public static let initial = StudentOptions(rawValue: 4)
  /// One more notification, before each change.
  public static let prior = StudentOptions(rawValue: 8)
}

/// The kind of a change: from level 7 on also one of a single element of an array.
public enum StudentKind: Hashable, Sendable {
  case setting
  case insertion(at: Int)
  case removal(at: Int)
  case replacement(at: Int)
}

/// A change, as an observer gets it.
public struct StudentChange: Sendable {
  /// The object that was handed to `add`.
  public var object: RuntimeObject
  /// The key that was handed to `add`, from level 5 on a key path.
  public var keyPath: String
  /// Level 3: the context that was handed to `add`.
  public var context = 0
  /// Level 3: notified before the change.
  public var isPrior = false
  /// Level 3: the values, where they were asked for; nil as a value is `RuntimeValue.nilObject`.
  public var old: RuntimeValue?
  public var new: RuntimeValue?
  /// Level 7: where it is not a setting, the values are the one element.
  public var kind = StudentKind.setting

  public init(object: RuntimeObject, keyPath: String) {
    self.object = object
    self.keyPath = keyPath
  }
}

/// How an observer is notified: on the thread of the change, before the setter returns.
public typealias StudentTell = @Sendable (_ observer: RuntimeObject, StudentChange) -> Void

/// The error that `remove` throws where nothing matches.
public struct NotRegistered: Error {
  public init() {}
}

/// The type to write, as the class `Student`.
public protocol StudentObserving {
  init()

  /// Calls `tell` after each change of `keyPath` that a setter makes. Level 2: as often as it was
  /// added, for as long as the observer lives; neither of the objects is held.
  func add(
    _ observer: RuntimeObject, to object: RuntimeObject, keyPath: String,
    options: StudentOptions, context: Int, tell: @escaping StudentTell) throws

  /// Ends the latest registration of that observer and key path; level 3: with exactly that
  /// context, unless it is nil. Throws `NotRegistered` if there is none.
  func remove(
    _ observer: RuntimeObject, from object: RuntimeObject, keyPath: String, context: Int?) throws
// @from 6

  /// Level 6: the key paths affect `key` of instances of the class and its subclasses, besides
  /// what the superclass declares; a second call for the same class and key replaces the first.
  func setKeyPaths(
    _ keyPaths: Set<String>, affecting key: String, of runtimeClass: RuntimeClass)
// @from 7

  /// Level 7: announce a change that no setter makes; they come in pairs, which may be nested.
  func willChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind)
  func didChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind)
// @always
}
