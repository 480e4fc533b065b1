package import CIsa

// A closure as observer, in one with its registration: the C core calls it, a change comes from it,
// and what ends it is here.
//
// Owns:      the closure, until the registration has ended and no thread can be inside it; the C
//            core's token, as long as an Observation or a change may end the registration.
// Lives:     as long as the C core or one of these holds it.
// Invariant: the token is written once, before the closure first runs.

/// The registration of a closure.
package final class ClosureRegistration: ChangeSource, RegistrationControl, @unchecked Sendable {
  // Sendable because the token is written before the registration is published, the handler goes when
  // nobody can be in it any more, and words are reached by atomic calls.
  private struct Contents {
    /// The types that values had when they were found to be of the closure's type: only types of
    /// numbers and forms, which last.
    var types = unknownTypes
    /// The key that caused the first change of such values, and the tag of the changes that it
    /// causes, 0 before that.
    var cause: UInt64 = 0
    var tag: UInt64 = 0
    /// Whether the C core has let go.
    var isOver: UInt64 = 0
    var hasReported: UInt64 = 0
    var sink: Sink
    var token: kvo_token?
    /// Of a shared one, what its maker knows it by.
    var origin: AnyObject?
  }

  /// Where the contents stand. Several threads tell a shared registration at once, so that what
  /// changes is reached by its address: to hand over a field would be an access to it for one alone.
  private struct Place {
    let address: UnsafeMutableRawPointer

    private func field(_ number: Int) -> UnsafeMutablePointer<UInt64> {
      address.assumingMemoryBound(to: UInt64.self) + number
    }

    // The fields as they stand in memory, in the order of their declarations.
    var types: UnsafeMutablePointer<UInt64> { field(0) }
    var cause: UnsafeMutablePointer<UInt64> { field(1) }
    var tag: UnsafeMutablePointer<UInt64> { field(2) }
    var isOver: UnsafeMutablePointer<UInt64> { field(3) }
    var hasReported: UnsafeMutablePointer<UInt64> { field(4) }
    var sink: UnsafeMutablePointer<Sink> {
      UnsafeMutableRawPointer(field(5)).assumingMemoryBound(to: Sink.self)
    }
    var contents: UnsafeMutablePointer<Contents> {
      address.assumingMemoryBound(to: Contents.self)
    }

    /// Whether a value was set, and all that it takes to tell so is known.
    @inline(__always)
    func knows(_ record: UnsafePointer<kvo_change>) -> Bool {
      let known = loadWord(types)
      return record.pointee.isSet && word(record.pointee.new_value.types) == known
        && word(record.pointee.old_value.types) == known
        && word(record.pointee.cause) == loadWord(cause)
    }

    @inline(__always)
    func notifySet(_ record: UnsafePointer<kvo_change>, _ tag: ChangeTag) {
      callInPlace(
        sink, UnsafeRawPointer(record.pointee.object.unsafelyUnwrapped),
        record.pointee.old_value.address, record.pointee.new_value.address, tag)
    }
  }

  // The only stored property. Fields that change are reached by their address, so that the closure
  // is called without being counted.
  private let contents: Contents

  private var place: Place {
    Place(address: _getUnsafePointerToStoredProperties(self))
  }

  private init(_ sink: Sink, origin: AnyObject? = nil) {
    contents = Contents(sink: sink, origin: origin)
    assert(
      MemoryLayout<Contents>.offset(of: \.hasReported) == 32
        && MemoryLayout<Contents>.offset(of: \.sink) == 40)
  }

  deinit {
    kvo_token_release(place.contents.pointee.token)
    giveBack(number: number)
  }

  /// Registers a closure that takes values in place of any form, for a key path whose text lasts.
  package static func register(
    _ sink: Sink, on id: isa_id, _ keyPath: LastingText, _ options: ObservationOptions
  ) -> (status: isa_status, registration: ClosureRegistration) {
    let registration = ClosureRegistration(sink)
    let status = withAnswers {
      registration.register(on: id, keyPath.address, options, receiveInPlace)
    }
    return (status, registration)
  }

  /// Registers a closure.
  ///
  /// - Parameter knowsForms: Whether it takes values in place of any form.
  package static func register(
    _ sink: Sink, on id: isa_id, _ keyPath: String, _ options: ObservationOptions,
    knowsForms: Bool = false
  ) -> (outcome: Outcome, registration: ClosureRegistration) {
    let registration = ClosureRegistration(sink)
    let callback = knowsForms ? receiveInPlace : receiveChange
    let outcome = answered(keyPath) {
      keyPath.withCString { registration.register(on: id, $0, options, callback) }
    }
    return (outcome, registration)
  }

  private func register(
    on id: isa_id, _ keyPath: UnsafePointer<CChar>, _ options: ObservationOptions,
    _ callback: @escaping kvo_callback
  ) -> isa_status {
    var function = function(callback)
    // The initial value is read by the library, and not by a getter that observes.
    let status = DeliveryScope.pausingProbe {
      kvo_observe(id, keyPath, options.bits, &function, nil, &place.contents.pointee.token)
    }
    if status != ISA_OK { letGo(function.info) }
    return status
  }

  /// Adds a closure to shared observers, of which there is nothing to end.
  ///
  /// - Parameters:
  ///   - knowsForms: Whether it takes values in place of any form.
  ///   - origin: What ``origin(of:)`` answers of an object that has it.
  static func add(
    _ sink: Sink, to shared: kvo_shared_observers, _ key: String,
    _ options: ObservationOptions, _ context: ObservationContext, knowsForms: Bool = false,
    origin: AnyObject
  ) -> Outcome {
    let registration = ClosureRegistration(sink, origin: origin)
    var function = registration.function(knowsForms ? receiveInPlace : receiveChange)
    let outcome = answered(key) {
      kvo_shared_observers_add_function(
        shared, &function, key, options.bits, context.pointer)
    }
    if outcome.status != ISA_OK { letGo(function.info) }
    return outcome
  }

  /// The origin of the shared observers that an object has, as far as they are closures that take values
  /// in place.
  static func origin(of id: isa_id) -> AnyObject? {
    guard let info = kvo_find_shared_info(id, receiveInPlace) else { return nil }
    return Unmanaged<ClosureRegistration>.fromOpaque(info)._withUnsafeGuaranteedRef {
      $0.contents.origin
    }
  }

  /// The registration as the C core calls it, with a +1 for it.
  private func function(_ callback: @escaping kvo_callback) -> kvo_function {
    kvo_function(
      callback: callback, info: Unmanaged.passRetained(self).toOpaque(), release: letGo)
  }

  /// Lets go of the closure, however long the Observation is kept.
  fileprivate func end() {
    place.sink.pointee = Sink { _, _, _, _ in }
    storeWord(place.isOver, 1)
  }

  // MARK: Ending

  private var isOver: Bool { loadWord(place.isOver) != 0 }

  package var isValid: Bool {
    !isOver && (place.contents.pointee.token.map { kvo_token_is_valid($0) } ?? false)
  }

  /// Of a shared one, whether the object has it now.
  package func stands(on object: UInt) -> Bool {
    if contents.origin == nil { return isValid }
    let number = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    let id = isa_id(bitPattern: object)
    return copiedList({ kvo_copy_registrations(id, $0, $1) }) {
      $0.is_shared && UInt(bitPattern: $0.observer) == number
    }.contains(true)
  }

  package func invalidate() { if !isOver { kvo_token_invalidate(place.contents.pointee.token) } }

  package func invalidateAndWait() {
    if !isOver { kvo_token_invalidate_and_wait(place.contents.pointee.token) }
  }

  package override var control: (any RegistrationControl)? { self }

  // MARK: Being called

  /// Tells the registration at `address` of a change, without a reference to it: that would have what
  /// is usual take more than it does.
  @inline(__always)
  fileprivate static func receive(_ record: UnsafePointer<kvo_change>, _ address: Context) {
    let place = Place(address: address + headerOffset)
    guard place.knows(record), !DeliveryScope.isAny else {
      return receiveUnusual(record, address)
    }
    place.notifySet(record, ChangeTag(number: loadWord(place.tag)))
  }

  @inline(never)
  fileprivate static func receiveUnusual(
    _ record: UnsafePointer<kvo_change>, _ address: Context
  ) {
    Unmanaged<ClosureRegistration>.fromOpaque(address)._withUnsafeGuaranteedRef {
      $0.receiveUnusual(record)
    }
  }

  private func receiveUnusual(_ record: UnsafePointer<kvo_change>) {
    if !DeliveryScope.isAny, isKnown(record.pointee.old_value), isKnown(record.pointee.new_value),
      notifyInPlace(record)
    {
      return
    }
    contents.sink(ChangeInPlace(record, of: self))
  }

  private func isKnown(_ value: kvc_value) -> Bool {
    let types = loadWord(place.types)
    return types != unknownTypes && (value.address == nil || word(value.types) == types)
  }

  /// Tells of values that are of the closure's type by the code that is compiled for it; false where
  /// it is no such change.
  private func notifyInPlace(_ record: UnsafePointer<kvo_change>) -> Bool {
    if record.pointee.isSet {
      guard let tag = tag(of: number, LastingText(record.pointee.cause)) else { return false }
      place.notifySet(record, tag)
    } else if record.pointee.indexes != nil, !record.pointee.is_prior {
      notifyElements(record)
    } else {
      return false
    }
    return true
  }

  private func notifyElements(_ record: UnsafePointer<kvo_change>) {
    let source = RecordSource(self, record.pointee)
    let change = SourcedChange(
      source: .passUnretained(source), old: record.pointee.old_value.address,
      new: record.pointee.new_value.address,
      tag: ChangeTag(ChangeKind(record.pointee.kind), isPrior: false, isInitial: false))
    withExtendedLifetime(source) {
      withUnsafePointer(to: change) {
        contents.sink(ChangeInPlace($0, object: UnsafeRawPointer(record.pointee.object!)))
      }
    }
  }

  /// By which changes find the registration; 0 before the first that needs it.
  private var number: UInt64 { ChangeTag(number: loadWord(place.tag)).registration }

  // MARK: Code that knows the closure's types

  /// Tells of a change whose values, if there are any, are of the closure's type; false where it is
  /// not told by the code that is compiled for that.
  package func notifyKnowing(_ record: UnsafePointer<kvo_change>) -> Bool {
    if DeliveryScope.isAny { return false }
    let cause = giveTag(
      to: place.tag, of: self, LastingText(record.pointee.key_path)!,
      LastingText(record.pointee.cause))
    if number == 0 { return false }
    storeWord(place.cause, word(cause?.address))
    let types = record.pointee.new_value.types ?? record.pointee.old_value.types
    storeWord(place.types, word(types))
    return notifyInPlace(record)
  }

  /// Whether nothing has been reported of the registration before.
  package func isFirstReport() -> Bool { claimWord(place.hasReported) }
}

/// No address of types.
private let unknownTypes: UInt64 = 1

@inline(__always)
private func word(_ text: UnsafePointer<CChar>?) -> UInt64 {
  // Of none it is 0, without a look whether there is none.
  UInt64(unsafeBitCast(text, to: UInt.self))
}

private let letGo: @convention(c) (Context?) -> Void = { context in
  let registration = Unmanaged<ClosureRegistration>.fromOpaque(context!)
  registration._withUnsafeGuaranteedRef { $0.end() }
  registration.release()
}

// The C core holds the registration during the call, so that no count need be touched here.
let receiveChange: kvo_callback = { record, info in
  ClosureRegistration.receiveUnusual(record!, info!)
}

/// The same for a handler that takes values in place.
package let receiveInPlace: kvo_callback = { record, info in
  ClosureRegistration.receive(record.unsafelyUnwrapped, info.unsafelyUnwrapped)
}

extension kvo_change {
  /// Whether a value was set, and this change is told afterwards.
  @inline(__always)
  fileprivate var isSet: Bool { kind == KVO_CHANGE_SETTING && !is_prior && !is_initial }
}
