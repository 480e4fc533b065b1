internal import CIsa

/// One thing that the runtime did. A field that its kind has no use for is nil.
///
/// Objects, classes and observers are told by address and name, since they may be gone.
public struct RuntimeEvent: Hashable, Sendable {
  /// In the order of the process; never used again in it.
  public let id: UInt64
  /// The event in whose course this one happened.
  public let cause: UInt64?
  /// 1, 2, 3, … in the order in which threads came to the runtime.
  public let thread: UInt64
  /// The kind of event.
  public let kind: RuntimeEventKind
  /// The object's address.
  public let object: UInt?
  /// The class: the new one of an isa swap.
  public let className: String?
  /// Whether it is the class of a class, as where a class method was added.
  public let isMetaclass: Bool
  /// The other class: the old one of an isa swap, the superclass of a new class.
  public let otherClassName: String?
  /// The message.
  public let selector: RuntimeSelector?
  /// The code: of a wrapper, the original.
  public let implementation: RuntimeImplementation?
  /// The observer object's address, or a number that names a closure, as in ``RuntimeRegistration``.
  public let observer: UInt?
  /// Why a registration ended.
  public let reason: RuntimeRemovalReason?
  /// A key, a key path, a type encoding, or the text of a misuse.
  public let name: String?
  /// The contents of a notification that an observer wanted.
  public let options: ObservationOptions?
  /// Whether a notification is prior, before the change.
  public let isPrior: Bool
  /// Whether a notification is initial, while registering.
  public let isInitial: Bool
  /// Whether a registration that came or went, or was told, only serves another: of several keys, or of
  /// a dependent key.
  public let isForwarder: Bool
  /// Whether a wrapper is a libffi closure; else it is a compiled thunk.
  public let isClosure: Bool
  /// Whether a value that was read is the value before the change.
  public let isOld: Bool
  /// The value that was read or written; nil if it is an object, or holds one.
  public let value: RuntimeValue?
  /// The address of the object that was read or written; 0 is nil.
  public let valueObject: UInt?
  /// The value before the change, of a notification; nil if it is an object, or holds one.
  public let oldValue: RuntimeValue?
  /// The address of the object that was the value before the change; 0 is nil.
  public let oldValueObject: UInt?
  /// The value, if it is a text.
  public let text: String?
  /// The value before the change, if it is a text.
  public let oldText: String?
  /// The registration's number in the log: no other registration of the process has it.
  public let registration: UInt64?
  /// The number of the registration that a forwarder's serves.
  public let servedRegistration: UInt64?
  /// Whether the registration belongs to shared observers.
  public let isShared: Bool
  /// The function of a registration of a function.
  public let callback: RuntimeImplementation?
  /// The key of an observed setter, or of a misuse.
  public let key: String?
  /// Why something was refused, or what a misuse is.
  public let failure: KeyValueError.Code?
  /// Where the program registered, or began a span: the `#fileID`.
  public let file: String?
  /// The line there.
  public let line: UInt?
  /// How many weak references were cleared; how many registrations asked for a value that was read;
  /// how many changes a transaction held.
  public let count: UInt64

  init(_ event: isa_event) {
    id = event.id
    cause = event.cause == 0 ? nil : event.cause
    thread = event.thread
    kind = RuntimeEventKind(event.kind)
    object = event.object.map { UInt(bitPattern: $0) }
    className = event.cls.map { RuntimeClass($0).name }
    isMetaclass = event.cls.map { RuntimeClass($0).isMetaclass } ?? false
    otherClassName = event.other.map { RuntimeClass($0).name }
    selector = event.selector.map { RuntimeSelector($0) }
    implementation = RuntimeImplementation(event.imp)
    observer = event.observer.map { UInt(bitPattern: $0) }
    reason = RuntimeRemovalReason(event.reason)
    name = event.name.map { String(cString: $0) }
    let flags = event.flags
    let wanted = flags & ~UInt32(ISA_EVENT_FORWARDER | ISA_EVENT_SHARED)
    let reading = Reading(event, ofOld: false)
    (value, valueObject) = (reading.value, reading.object)
    let oldReading = Reading(event, ofOld: true)
    (oldValue, oldValueObject) = (oldReading.value, oldReading.object)
    text = copiedText(event, ofOld: false)
    oldText = copiedText(event, ofOld: true)
    registration = event.registration == 0 ? nil : event.registration
    servedRegistration = event.serves == 0 ? nil : event.serves
    callback = RuntimeImplementation(event.callback)
    key = event.key.flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    failure = event.status == ISA_OK ? nil : KeyValueError.Code(event.status)
    file = event.file.map { String(cString: $0) }
    line = event.file == nil ? nil : UInt(event.line)
    isOld = kind == .valueRead && flags & UInt32(ISA_EVENT_OLD) != 0
    isClosure = flags & UInt32(ISA_EVENT_CLOSURE) != 0
    options = kind == .observerAdded ? ObservationOptions(bits: wanted) : nil
    let isNotification = kind.isOfNotification
    let isReached = kind == .dependentReached
    isPrior = (isNotification || isReached) && flags & UInt32(ISA_EVENT_PRIOR) != 0
    isInitial = isNotification && flags & UInt32(ISA_EVENT_INITIAL) != 0
    let hasRegistration = isNotification || kind.isOfRegistration
    isForwarder = hasRegistration && flags & UInt32(ISA_EVENT_FORWARDER) != 0
    isShared = hasRegistration && flags & UInt32(ISA_EVENT_SHARED) != 0
    count = event.count
  }
}

/// The value of an event, which keeps no object alive.
private struct Reading {
  var value: RuntimeValue?
  var object: UInt?

  init(_ event: isa_event, ofOld: Bool) {
    guard let types = ofOld ? event.old_types : event.types,
      let address = ofOld ? event.old_value : event.value, types.pointee != inPlaceLetter
    else { return }
    let encoding = RuntimeTypeEncoding(String(cString: types))
    if encoding == .object || encoding == .classObject {
      object = address.assumingMemoryBound(to: UInt.self).pointee
    } else if !holdsReferences(encoding) {
      value = RuntimeValue(encoding, at: address)
    }
  }
}

/// The text of an event's value, if it is one.
private func copiedText(_ event: isa_event, ofOld: Bool) -> String? {
  var event = event
  let length = isa_event_copy_text(&event, ofOld, nil, 0)
  if length == Int(bitPattern: UInt.max) { return nil }
  var buffer = [CChar](repeating: 0, count: Int(length) + 1)
  _ = isa_event_copy_text(&event, ofOld, &buffer, buffer.count)
  return String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension RuntimeEventKind {
  fileprivate var isOfNotification: Bool {
    switch self {
    case .notification, .notificationEnded, .changeHeld, .changeMuted, .handlerSent,
      .handlerArrived, .handlerEnded:
      true
    default: false
    }
  }

  fileprivate var isOfRegistration: Bool {
    self == .observerAdded || self == .observerRemoved || self == .observerRefused
  }
}

extension RuntimeEvent: CustomStringConvertible {
  /// The event in one line, with symbolic names only.
  public var description: String {
    let words = [kind.name, className, otherClassName.map { "(\($0))" }, selector?.name, name]
    return "#\(id) " + words.compactMap { $0 }.joined(separator: " ")
  }
}
