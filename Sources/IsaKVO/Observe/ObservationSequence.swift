public import IsaRuntime

/// The changes of an observation, for `for await`.
///
///     for await age in person.values(of: \.age) { print(age) }
///
/// It observes from the call that made it, and buffers as that call says until somebody iterates.
/// It ends when the object goes, when the iterating task is cancelled, by
/// `ValueChange.stopObserving()`, and when nobody holds it or iterates any more. A value that was
/// buffered before the object went is still told.
///
/// As an `AsyncStream`, it is for one consumer: two that iterate share the elements.
///
/// `Sendable`: elements may be consumed in another task than the one that changes the object.
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// How many elements are kept for a consumer that is slower than the changes.
  public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let reader: BufferReader<Element>

  init(_ buffer: ElementBuffer<Element>) { reader = BufferReader(buffer) }

  /// Hands over the elements.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: BufferReader<Element>

    fileprivate init(_ reader: BufferReader<Element>) { self.reader = reader }

    /// The next element, once there is one; nil at the end.
    public mutating func next() async -> Element? { await reader.buffer.next(isolation: nil) }

    /// The same for a caller in an actor's isolation, which it does not leave.
    @available(macOS 15, iOS 18, watchOS 11, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await reader.buffer.next(isolation: actor)
    }
  }

  /// Begins to hand over the elements.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}

extension KeyValueObservable {
  /// The changes of a property from now on, as an asynchronous sequence.
  ///
  ///     for await change in person.changes(of: \.age) {
  ///       print(change.oldValue ?? 0, change.newValue ?? 0)
  ///     }
  ///
  /// - Parameter bufferingPolicy: Which changes are kept for a consumer that is slower; by default
  ///   all of them.
  /// - Returns: A sequence that has ended if nothing is observed, which is a misuse.
  public func changes<Value: Sendable>(
    of keyPath: KeyPath<Self, Value>, options: ObservationOptions = [.old, .new],
    bufferingPolicy: ObservationSequence<ValueChange<Value>>.BufferingPolicy = .unbounded,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ObservationSequence<ValueChange<Value>> {
    sequence(bufferingPolicy, file, line) { buffer throws(KeyValueError) in
      try register(keyPath, options) { _, change in buffer.offer(change.owned(by: buffer)) }
    }
  }

  /// The values of a property, the current one first, as an asynchronous sequence.
  ///
  ///     for await age in person.values(of: \.age) { print(age) }
  ///
  /// Nil that the key path unwraps by force (`\.boss!.name`) is no value, and left out.
  ///
  /// - Parameter bufferingPolicy: Which values are kept for a consumer that is slower; by default
  ///   the latest one.
  /// - Returns: A sequence that has ended if nothing is observed, which is a misuse.
  public func values<Value: Sendable>(
    of keyPath: KeyPath<Self, Value>,
    bufferingPolicy: ObservationSequence<Value>.BufferingPolicy = .bufferingNewest(1),
    file: StaticString = #fileID, line: UInt = #line
  ) -> ObservationSequence<Value> {
    let property = PropertyEnd(keyPath), missing = keyPath.missing
    return sequence(bufferingPolicy, file, line) { buffer throws(KeyValueError) in
      // The value is read: a change of elements carries those that came only, and another observer may
      // have set the property meanwhile.
      try register(keyPath, .initial) { object, _ in
        if let missing, object[keyPath: missing] { return }
        buffer.offer(property.value(of: object))
      }
    }
  }

  /// A sequence of the elements that `register` has a registration offer to its buffer.
  private func sequence<Element: Sendable>(
    _ policy: ElementBuffer<Element>.Policy, _ file: StaticString, _ line: UInt,
    _ register: (ElementBuffer<Element>) throws(KeyValueError) -> any RegistrationControl
  ) -> ObservationSequence<Element> {
    let buffer = ElementBuffer<Element>(policy)
    buffer.open(
      from: observing(file, line) { () throws(KeyValueError) in
        try RegistrationGroup.make { parts throws(KeyValueError) in
          parts.add(try TiedRegistration(buffer, to: self))
          parts.add(try register(buffer))
        }
      })
    return ObservationSequence(buffer)
  }
}
