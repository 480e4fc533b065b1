// Closures as observers: the closure is the info of a function registration.
//
// Owns:  the closure, and a share of the registration's handle.
// Lives: until the registration has ended and no thread can be inside the closure; the C core then
//        gives back its +1, however long the Observation is kept.
package import CIsa

/// A closure observer.
package final class ObserverBox: Sendable {
  package typealias Handler = @Sendable (kvo_change, ChangeSource) -> Void

  private let handler: Handler
  /// What is called instead in the usual case, where the values are of the observer's type.
  private let teller: UncheckedTeller
  private let mark: ValueMark
  /// By which changes find the box as long as it lives; 0 without a teller.
  private let number: UInt64
  private let handle: RegistrationHandle
  private let source: ChangeSource

  private init(
    _ keyPath: String, _ mark: ValueMark?, _ teller: Teller?, _ handler: @escaping Handler
  ) {
    self.handler = handler
    // Not by `??`, which serves all types and would call the closure by way of another.
    if let teller {
      self.teller = UncheckedTeller(tell: teller)
    } else {
      self.teller = UncheckedTeller { _ in }
    }
    self.mark = mark ?? ValueMark(letter: 0, type: nil)
    handle = RegistrationHandle()
    source = ChangeSource(keyPath, handle)
    number = teller == nil ? 0 : takeNumber(for: source)
  }

  deinit {
    if number != 0 { giveBack(number: number) }
  }

  /// Registers `handler`; the C core then holds its box.
  ///
  /// - Parameter mark: Of the values that `teller` takes; `handler` then takes values in place of
  ///   any form.
  package static func register(
    _ handler: @escaping Handler, on id: isa_id, _ keyPath: String, _ options: ObservationOptions,
    mark: ValueMark? = nil, teller: Teller? = nil
  ) -> (outcome: Outcome, handle: RegistrationHandle) {
    let box = ObserverBox(keyPath, mark, teller, handler)
    let info = retainedContext(box)
    var function = kvo_function(
      callback: mark == nil ? receiveChange : receiveInPlace, info: info, release: releaseContext)
    let outcome = answered(keyPath) {
      box.handle.open { kvo_observe(id, keyPath, options.rawValue, &function, nil, $0) }
    }
    if outcome.status != ISA_OK { releaseContext(info) }
    return (outcome, box.handle)
  }

  /// Adds `handler` to shared observers; the C core then holds its box, which has nothing to end.
  static func add(
    _ handler: @escaping Handler, to shared: kvo_shared_observers, _ key: String,
    _ options: ObservationOptions, _ context: ObservationContext
  ) -> Outcome {
    let info = retainedContext(ObserverBox(key, nil, nil, handler))
    var function = kvo_function(callback: receiveChange, info: info, release: releaseContext)
    let outcome = answered(key) {
      kvo_shared_observers_add_function(
        shared, &function, key, options.rawValue, context.pointer)
    }
    if outcome.status != ISA_OK { releaseContext(info) }
    return outcome
  }

  fileprivate func pass(_ record: UnsafePointer<kvo_change>) { handler(record.pointee, source) }

  @inline(__always)
  fileprivate func deliver(_ record: UnsafePointer<kvo_change>) {
    guard number != 0, isUsual(record) else { return deliverUnusual(record) }
    teller.tell(
      ChangeInPlace(
        object: UnsafeRawPointer(record.pointee.object!), old: record.pointee.old_value.address,
        new: record.pointee.new_value.address, keyText: LastingText(record.pointee.key_path),
        cause: LastingText(record.pointee.cause), registration: number))
  }

  /// Tells of elements that changed in the course of no scope, and of all else by the code that
  /// serves all types.
  @inline(never)
  private func deliverUnusual(_ record: UnsafePointer<kvo_change>) {
    guard number != 0, record.pointee.indexes != nil, !record.pointee.is_prior, isShown(record)
    else { return handler(record.pointee, source) }
    let source = source.at(indexes(in: record.pointee.indexes))
    withExtendedLifetime(source) {
      teller.tell(
        ChangeInPlace(
          object: UnsafeRawPointer(record.pointee.object!), old: record.pointee.old_value.address,
          new: record.pointee.new_value.address, cause: LastingText(record.pointee.cause),
          kind: ChangeKind(record.pointee.kind), source: source))
    }
  }

  /// Whether a value was set, both values can be read where they stand, and no scope has a say.
  @inline(__always)
  private func isUsual(_ record: UnsafePointer<kvo_change>) -> Bool {
    record.pointee.kind == KVO_CHANGE_SETTING && !record.pointee.is_prior
      && !record.pointee.is_initial && record.pointee.indexes == nil && isShown(record)
  }

  @inline(__always)
  private func isShown(_ record: UnsafePointer<kvo_change>) -> Bool {
    isInPlace(record.pointee.old_value) && isInPlace(record.pointee.new_value)
      && !DeliveryScope.isAny
  }

  @inline(__always)
  private func isInPlace(_ value: kvc_value) -> Bool {
    value.address == nil || mark.fits(value.types!)
  }
}

/// As ``Unchecked``, but stored as what it is: a closure in a generic type is called by way of
/// another.
private struct UncheckedTeller: @unchecked Sendable {
  let tell: Teller
}

/// What types of values in place begin with, instead of an encoding's letter.
package let inPlaceLetter: CChar = 1

/// What stands in the place of an encoding: a letter that none begins with, and the Swift type.
package struct FormMark {
  package let letter: UInt64
  package let type: UnsafeRawPointer
  package let form: UnsafePointer<kvo_form>

  package init(type: UnsafeRawPointer, form: UnsafePointer<kvo_form>) {
    letter = UInt64(inPlaceLetter).littleEndian
    self.type = type
    self.form = form
  }
}

/// Whether values of these types are in place, as the Swift type has them.
@inline(__always)
package func isForm(_ types: EncodingText, of type: UnsafeRawPointer?) -> Bool {
  UnsafeRawPointer(types).assumingMemoryBound(to: FormMark.self).pointee.type == type
}

/// What tells that a value in place is of an observer's type.
package struct ValueMark: @unchecked Sendable {
  // Sendable because metadata never changes.
  /// The letter of the encoding whose bytes are the value, or that of values in place, and a zero.
  private let letters: UInt16
  private let type: UnsafeRawPointer?

  package init(letter: CChar, type: UnsafeRawPointer?) {
    letters = UInt16(UInt8(bitPattern: letter)).littleEndian
    self.type = letter == inPlaceLetter ? type : nil
  }

  @inline(__always)
  package func fits(_ types: EncodingText) -> Bool {
    // An encoding is a letter and a zero, read as one number.
    UnsafeRawPointer(types).loadUnaligned(as: UInt16.self) == letters
      && (type == nil || isForm(types, of: type))
  }
}

private let receiveChange: kvo_callback = { record, info in
  // The C core holds the box during the call, so that no count need be touched here.
  Unmanaged<ObserverBox>.fromOpaque(info!)._withUnsafeGuaranteedRef { $0.pass(record!) }
}

/// The same for a box that takes values in place.
package let receiveInPlace: kvo_callback = { record, info in
  Unmanaged<ObserverBox>.fromOpaque(info!)._withUnsafeGuaranteedRef { $0.deliver(record!) }
}
