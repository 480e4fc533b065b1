// Closures as observers: the closure is the info of a function registration.
//
// Owns:  the closure, and a share of the registration's handle.
// Lives: until the registration has ended and no thread can be inside the closure; the C core then
//        gives back its +1, however long the Observation is kept.
internal import CIsa

/// A closure observer.
final class ObserverBox: Sendable {
  typealias Handler = @Sendable (kvo_change, ChangeSource) -> Void

  private let handler: Handler
  /// What is called instead in the usual case, where the values are of the encoding with that
  /// letter.
  private let teller: UncheckedTeller
  private let letter: UInt16
  /// By which changes find the box as long as it lives; 0 without a teller.
  private let number: UInt64
  private let handle: RegistrationHandle
  private let source: ChangeSource

  private init(
    _ keyPath: String, letter: CChar, _ teller: Teller?, _ handler: @escaping Handler
  ) {
    self.handler = handler
    // Not by `??`, which serves all types and would call the closure by way of another.
    if let teller {
      self.teller = UncheckedTeller(tell: teller)
    } else {
      self.teller = UncheckedTeller { _ in }
    }
    number = teller == nil ? 0 : UInt64(nextNumber())
    self.letter = UInt16(UInt8(bitPattern: letter)).littleEndian
    handle = RegistrationHandle()
    source = ChangeSource(keyPath, handle)
    if number != 0 {
      let address = Unmanaged.passUnretained(self).toOpaque()
      Self.boxes.withLock { $0[number] = address }
    }
  }

  deinit {
    if number != 0 { Self.boxes.withLock { _ = $0.removeValue(forKey: number) } }
  }

  private static let boxes = Locked<[UInt64: UnsafeMutableRawPointer]>([:])

  /// What the changes told to the box of that number have in common; nil once it is gone.
  static func find(_ number: UInt64) -> ChangeSource? {
    // A box whose deinit has begun waits for the lock to take itself out.
    let box: ObserverBox? = boxes.withLock { boxes in
      guard let address = boxes[number], tryRetain(address) else { return nil }
      return Unmanaged<ObserverBox>.fromOpaque(address).takeRetainedValue()
    }
    return box?.source
  }

  /// Registers `handler`; the C core then holds its box.
  ///
  /// - Parameter letter: Of the encoding whose values `teller` takes, if there is one.
  static func register(
    _ handler: @escaping Handler, on id: isa_id, _ keyPath: String, _ options: ObservationOptions,
    letter: CChar = 0, teller: Teller? = nil
  ) -> (outcome: Outcome, handle: RegistrationHandle) {
    let box = ObserverBox(keyPath, letter: letter, letter == 0 ? nil : teller, handler)
    let info = retainedContext(box)
    var function = kvo_function(callback: receiveChange, info: info, release: releaseContext)
    let outcome = answered {
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
    let info = retainedContext(ObserverBox(key, letter: 0, nil, handler))
    var function = kvo_function(callback: receiveChange, info: info, release: releaseContext)
    let outcome = Outcome(
      kvo_shared_observers_add_function(
        shared, &function, key, options.rawValue, context.pointer))
    if outcome.status != ISA_OK { releaseContext(info) }
    return outcome
  }

  @inline(__always)
  fileprivate func deliver(_ record: UnsafePointer<kvo_change>) {
    guard number != 0, isUsual(record) else { return handler(record.pointee, source) }
    teller.tell(
      ChangeInPlace(
        object: swiftObject(record.pointee.object), old: record.pointee.old_value.address,
        new: record.pointee.new_value.address, keyText: LastingText(record.pointee.key_path),
        cause: LastingText(record.pointee.cause), registration: number))
  }

  /// Whether a value was set, both values can be read where they stand, and no scope has a say.
  @inline(__always)
  private func isUsual(_ record: UnsafePointer<kvo_change>) -> Bool {
    record.pointee.kind == KVO_CHANGE_SETTING && !record.pointee.is_prior
      && !record.pointee.is_initial && record.pointee.indexes == nil
      && isInPlace(record.pointee.old_value) && isInPlace(record.pointee.new_value)
      && !DeliveryScope.isAny
  }

  @inline(__always)
  private func isInPlace(_ value: kvc_value) -> Bool {
    // The encoding is the letter and a zero, read as one number.
    value.address == nil
      || UnsafeRawPointer(value.types!).loadUnaligned(as: UInt16.self) == letter
  }
}

/// As ``Unchecked``, but stored as what it is: a closure in a generic type is called by way of
/// another.
private struct UncheckedTeller: @unchecked Sendable {
  let tell: Teller
}

private let receiveChange: kvo_callback = { record, info in
  // The C core holds the box during the call, so that no count need be touched here.
  Unmanaged<ObserverBox>.fromOpaque(info!)._withUnsafeGuaranteedRef { $0.deliver(record!) }
}
