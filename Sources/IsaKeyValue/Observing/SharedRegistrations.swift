package import CIsa

/// The C core's collection of observers that are registered once for a class.
///
/// One thread at a time adds to it and assigns it.
package final class SharedRegistrations {
  package let list: kvo_shared_observers
  private let className: String

  /// Makes an empty collection for instances of a class and of its subclasses.
  ///
  /// - Throws: ``KeyValueError`` for a metaclass and when memory is short.
  package init(for cls: isa_class) throws(KeyValueError) {
    className = String(cString: isa_class_name(cls))
    var made: kvo_shared_observers?
    let outcome = Outcome(kvo_shared_observers_make(cls, &made))
    guard outcome.status == ISA_OK, let made else {
      throw KeyValueError(outcome, className: className)
    }
    list = made
  }

  deinit { kvo_shared_observers_release(list) }

  /// Adds a closure.
  ///
  /// - Parameters:
  ///   - knowsForms: Whether it takes values in place of any form.
  ///   - origin: What ``origin(of:)`` answers of an object that has such observers, if they take values
  ///     in place.
  package func observe(
    _ key: String, _ options: ObservationOptions, _ context: ObservationContext = .none,
    knowsForms: Bool, origin: AnyObject = SharedRegistrations.noOrigin, _ sink: Sink
  ) throws(KeyValueError) {
    try check(
      ClosureRegistration.add(
        sink, to: list, key, options, context, knowsForms: knowsForms, origin: origin), key)
  }

  private final class NoOrigin: Sendable {}
  @usableFromInline package static let noOrigin: AnyObject & Sendable = NoOrigin()

  /// The origin of the shared observers that an object has; nil if it has none.
  package static func origin(of id: isa_id) -> AnyObject? { ClosureRegistration.origin(of: id) }

  package func check(_ outcome: Outcome, _ key: String) throws(KeyValueError) {
    try KeyValueError.check(outcome, key: key, className: className)
  }

  /// Assigns shared observers to an object, on any thread; nil takes away its former ones.
  package static func assign(_ shared: SharedRegistrations?, to id: isa_id) -> Outcome {
    answered { kvo_set_shared_observers(id, shared?.list) }
  }
}
