// Prints what observers hear, in isalab's words; has the functions that the scenario's lines use.
import Foundation
import IsaKVO
import IsaRuntime

// MARK: - Names

private var namesOfObjects: [ObjectIdentifier: String] = [:]
private var namesOfRuntimeObjects: [UInt: String] = [:]
private var namesOfClasses: [String: String] = [:]

/// Gives an object the name that it is printed with.
func named(_ object: KVObject, _ name: String) { namesOfObjects[ObjectIdentifier(object)] = name }

func named(_ object: RuntimeObject, _ name: String) {
  namesOfRuntimeObjects[object.address] = name
}

/// Gives a class the name that it is printed with, where Swift needs the word for itself.
func called(_ cls: AnyClass, _ name: String) { namesOfClasses["\(cls)"] = name }

private func name(of cls: AnyClass) -> String { namesOfClasses["\(cls)"] ?? "\(cls)" }

private func name(of object: Any?) -> String {
  if let object = object as? KVObject {
    return namesOfObjects[ObjectIdentifier(object)] ?? indefinite(name(of: type(of: object)))
  }
  guard let object = object as? RuntimeObject else { return "nil" }
  if let swift = object.unsafeSwiftObject { return name(of: swift) }
  return namesOfRuntimeObjects[object.address] ?? indefinite("\(object.class)")
}

/// The class's name without those of the types that it is declared in.
private func name(of cls: RuntimeClass) -> String {
  let prefix = cls.name.hasPrefix("NSKVONotifying_") ? "NSKVONotifying_" : ""
  let name = String(cls.name.dropFirst(prefix.count).split(separator: ".").last ?? "")
  return prefix + (namesOfClasses[name] ?? name)
}

private func indefinite(_ noun: String) -> String {
  (noun.first.map { "AEIOUaeiou".contains($0) } == true ? "an " : "a ") + noun
}

// MARK: - Values

/// A selector, which nothing in Swift on Linux stands for.
struct Selector: Hashable {
  var name: String
  init(_ name: String) { self.name = name }
}

#if arch(x86_64) || arch(i386)
  typealias LongDouble = Float80
#else
  typealias LongDouble = Double
#endif

private protocol AnyOptional { var any: Any? { get } }
extension Optional: AnyOptional { fileprivate var any: Any? { map { $0 } } }

private func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  return (value as? any AnyOptional).map { unwrapped($0.any) } ?? value
}

private func isNull(_ value: Any) -> Bool { value is KeyValueNull || value is NSNull }

private func quoted(_ text: String) -> String {
  let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
    .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
    .replacingOccurrences(of: "\t", with: "\\t")
  return "\"\(escaped)\""
}

private func real(_ digits: String) -> String {
  digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
}

/// A value as the scenario writes it.
func shown(_ value: Any?) -> String {
  guard let value = unwrapped(value) else { return "nil" }
  if let value = value as? RuntimeValue { return shown(value) }
  if let value = value as? AnyHashable, !(value.base is AnyHashable) { return shown(value.base) }
  if value is KVObject || value is RuntimeObject { return name(of: value) }
  if isNull(value) { return "null" }
  return shownScalar(value) ?? shownCollection(value) ?? shownStructure(value)
}

private func shownScalar(_ value: Any) -> String? {
  switch value {
  case let text as String: quoted(text)
  case let flag as Bool where type(of: value) == Bool.self: flag ? "true" : "false"
  case let number as any BinaryInteger: "\(number)"
  case let number as any BinaryFloatingPoint: real("\(number)")
  case let number as Decimal: "\(number)"
  case let number as NSNumber: real("\(number)")
  case let pointer as UnsafeRawPointer: "0x" + String(UInt(bitPattern: pointer), radix: 16)
  case let selector as Selector: selector.name
  case let cls as AnyClass: name(of: cls)
  case let cls as RuntimeClass: name(of: cls)
  case let method as RuntimeMethod: "-[\(name(of: method.declaringClass)) \(method.selector.name)]"
  default: nil
  }
}

private func shownCollection(_ value: Any) -> String? {
  switch value {
  case let array as [Any]: return "[\(array.map(shown).joined(separator: ", "))]"
  case let set as Set<AnyHashable>: return "{\(sorted(set.map { shown($0.base) }))}"
  case let dictionary as [String: Any]:
    if dictionary.isEmpty { return "{:}" }
    let entries = dictionary.map { key, value in (isWord(key) ? key : quoted(key), shown(value)) }
    return "{" + entries.sorted { $0.0 < $1.0 }.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
  default: return nil
  }
}

private func isWord(_ text: String) -> Bool {
  text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
}

/// Numbers by size, then all else by its text.
private func sorted(_ texts: [String]) -> String {
  texts.sorted { first, second in
    switch (Double(first), Double(second)) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: first < second
    }
  }.joined(separator: ", ")
}

private func shownStructure(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle != .struct { return "\(value)" }
  let members = mirror.children.map { child in
    let label = child.label ?? "_"
    return (label.hasPrefix("_") ? "" : label + ": ") + shown(child.value)
  }
  return "(\(members.joined(separator: ", ")))"
}

private func shown(_ value: RuntimeValue) -> String {
  if value.isNil { return "nil" }
  if value.isNull { return "null" }
  if let object = value.object, object.boxKind == nil { return name(of: object) }
  if let text = value.string { return quoted(text) }
  if let set = value.set { return "{\(sorted(set.map(shown)))}" }
  if let elements = value.array ?? value.orderedSet {
    return "[\(elements.map(shown).joined(separator: ", "))]"
  }
  if let dictionary = value.dictionary { return shown(dictionary) }
  return real(value.unboxed.description)
}

// MARK: - Observers

private struct Notification {
  var observer: String
  var object: Any?
  var key: String
  var isInitial = false
  var isPrior = false
  var kind = ChangeKind.setting
  var indexes: [Int]?
  var old: String?
  var new: String?
  var context = 0

  func tell() {
    let phase = isInitial ? "" : isPrior ? " will change" : " changed"
    let what = "\(name(of: object)).\(key)"
    let parts = self.parts
    print(
      "→ \(observer) hears \(isInitial ? "the current value of" : "that") \(what)\(phase)"
        + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")))
    react(observer)
  }

  private var parts: [String] {
    var parts: [String] = []
    if kind != .setting {
      let places = indexes.map { " at (\($0.map(String.init).joined(separator: ", ")))" }
      parts.append("\(kind)" + (places ?? ""))
    }
    if let old { parts.append("old \(old)") }
    if let new { parts.append("new \(new)") }
    if context != 0 { parts.append("context \(context)") }
    if isElsewhere { parts.append("on another thread") }
    return parts
  }
}

/// Prints what a closure hears; then whoever waits for that acts.
func hears<Object: KVObject, Value>(
  _ observer: String, _ object: Object, _ change: ValueChange<Value>, context: Int = 0
) {
  Notification(
    observer: observer, object: object, key: change.keyPath, isInitial: change.isInitial,
    isPrior: change.isPrior, kind: change.kind, indexes: change.indexes.map(Array.init),
    old: change.oldValue.map { shown($0) }, new: change.newValue.map { shown($0) },
    context: context
  ).tell()
}

func hears(_ observer: String, _ change: RuntimeChange) {
  Notification(
    observer: observer, object: change.object, key: change.keyPath, isInitial: change.isInitial,
    isPrior: change.isPrior, kind: change.kind, indexes: change.indexes,
    old: change.oldValue.map { shown($0) }, new: change.newValue.map { shown($0) }
  ).tell()
}

/// The method that swizzling puts before a setter: has the original work, and tells of the change.
func hears(
  _ observer: String, _ key: String, _ call: RuntimeMethodCall, _ original: () throws -> Void
) {
  let old = try? call.receiver.value(forKey: key)
  refused(original)
  let new = try? call.receiver.value(forKey: key)
  Notification(
    observer: observer, object: call.receiver, key: key, old: shown(old), new: shown(new)
  ).tell()
}

/// An observer that is an object.
class Observer: KVObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let kind = (change?[.kindKey] as? UInt).flatMap { ChangeKind(rawValue: $0) }
    Notification(
      observer: name(of: self), object: object, key: keyPath ?? "",
      isInitial: isRegistering && change?[.oldKey] == nil,
      isPrior: change?[.notificationIsPriorKey] as? Bool == true, kind: kind ?? .setting,
      indexes: change?[.indexesKey] as? [Int], old: change?[.oldKey].map(told),
      new: change?[.newKey].map(told), context: Int(bitPattern: context)
    ).tell()
  }

  /// In a dictionary null stands for nil.
  private func told(_ value: Any) -> String { isNull(value) ? "nil" : shown(value) }
}

/// Whether an observer that is an object is being registered: its dictionary does not tell that a
/// notification is the initial one.
var isRegistering = false

private var kept: [KeyValueObservation] = []

/// Holds the token of an observation that has no name, which would end with it.
func keep(_ observation: KeyValueObservation) { kept.append(observation) }

/// Ends the life of a scenario's objects here and not before.
func keepAlive(_ things: Any?...) {}

// MARK: - Acts of observers

private var onceReactions: [String: [() throws -> Void]] = [:]
private var reactions: [String: [() throws -> Void]] = [:]
private var isElsewhere = false

/// Acts inside the observer's callback the next time that it is told.
func once(_ observer: String, _ act: @escaping () throws -> Void) {
  onceReactions[observer, default: []].append(act)
}

/// The same each time.
func always(_ observer: String, _ act: @escaping () throws -> Void) {
  reactions[observer, default: []].append(act)
}

private func react(_ observer: String) {
  if onceReactions[observer]?.isEmpty == false {
    refused { try onceReactions[observer]!.removeFirst()() }
  }
  for act in reactions[observer] ?? [] { refused(act) }
}

/// Tells of an error instead of ending by it.
func refused(_ act: () throws -> Void) {
  do {
    try act()
  } catch {
    print("error \((error as? KeyValueError)?.exceptionName ?? "\(error)")")
  }
}

/// On another thread, for which this one waits.
func onThread(_ act: @escaping () throws -> Void) throws {
  let done = DispatchSemaphore(value: 0)
  isElsewhere = true
  Thread.detachNewThread {
    outcomeElsewhere = Result { try act() }
    done.signal()
  }
  done.wait()
  isElsewhere = false
  try outcomeElsewhere.get()
}

private var outcomeElsewhere: Result<Void, any Error> = .success(())

// MARK: - Lines of scenarios

func show(_ value: Any?) { print(shown(value)) }

func value(_ any: Any?) -> RuntimeValue {
  switch unwrapped(any) {
  case nil: .nilObject
  case let object as KVObject: RuntimeValue(try? RuntimeObject(object))
  case let object as RuntimeObject: RuntimeValue(object)
  case let value as any RuntimeConvertible: value.runtimeValue
  case let array as [Any]: .array(values(array))
  case let value? where isNull(value): .null
  default: .nilObject
  }
}

func values(_ elements: [Any]) -> [RuntimeValue] { elements.map { value($0) } }

/// Whether two elements are equal, as a scenario shows them.
func same(_ first: Any?, _ second: Any?) -> Bool { shown(first) == shown(second) }

/// A value that its key does not take.
struct Invalid: Error { var message: String }

func check(_ value: Double, _ range: ClosedRange<Double>, _ message: String) throws {
  if !range.contains(value) { throw Invalid(message: message) }
}

func isValid(_ value: Any?, _ object: KVObject, _ keyPath: String) -> Bool {
  var value = value
  do { try object.validateValue(&value, forKeyPath: keyPath) } catch { return false }
  return true
}

/// A class as the runtime has it, or the notifying class of its objects; nil before it has met it.
func runtimeClass(_ cls: KVObject.Type, isNotifying: Bool) -> RuntimeClass? {
  RuntimeClass.find(named: (isNotifying ? "NSKVONotifying_" : "") + String(reflecting: cls))
}

extension KVObject {
  /// The values that computed properties are made of.
  func object(_ keyPath: String) -> Any? { (try? value(forKeyPath: keyPath)) ?? nil }
  func number(_ keyPath: String) -> Double {
    (try? value(forKeyPath: keyPath, as: Double.self)) ?? 0
  }
  func text(_ keyPath: String) -> String {
    let value = object(keyPath)
    return value as? String ?? (value == nil ? "" : shown(value))
  }
  func elementCount(_ keyPath: String) -> Double {
    let value = object(keyPath)
    return Double((value as? [Any])?.count ?? (value as? Set<AnyHashable>)?.count ?? 0)
  }
}

extension ArrayProxy where Element == Any {
  /// As an ordered set does it: an element that is there stays where it is.
  func appendNew(_ element: Any) {
    if !contains(where: { same($0, element) }) { append(element) }
  }

  func appendNew(contentsOf elements: [Any]) { for element in elements { appendNew(element) } }
}
