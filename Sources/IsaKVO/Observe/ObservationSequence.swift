public import IsaKeyValue

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
/// `Sendable`: elements may be consumed in another task than the task that changes the object.
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// How many elements are kept for a consumer that is slower than the changes.
  public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

  @usableFromInline let reader: BufferReader<Element>

  @usableFromInline
  init(_ buffer: ElementBuffer<Element>) { reader = BufferReader(buffer) }

  /// Hands over the elements.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let reader: BufferReader<Element>

    @usableFromInline
    init(_ reader: BufferReader<Element>) { self.reader = reader }

    /// The next element, once there is one; nil at the end.
    @inlinable
    public mutating func next() async -> Element? { await reader.buffer.next(isolation: nil) }

    /// The same for a caller in an actor's isolation, which it does not leave.
    @available(macOS 15, iOS 18, watchOS 11, tvOS 18, visionOS 2, *)
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await reader.buffer.next(isolation: actor)
    }
  }

  /// Begins to hand over the elements.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}

extension KeyValueObservable {
  /// The changes of a property from now on, as an asynchronous sequence.
  ///
  ///     for await change in person.changes(of: \.age) {
  ///       print(change.oldValue ?? 0, change.newValue ?? 0)
  ///     }
  ///
  /// All changes are kept for a consumer that is slower, unless `bufferingPolicy` says otherwise.
  ///
  /// - Returns: A sequence that has ended if nothing is observed, which is a misuse.
  @inlinable
  public func changes<Value: Sendable>(
    of keyPath: KeyPath<Self, Value>, options: ObservationOptions = [.old, .new],
    bufferingPolicy: ObservationSequence<ValueChange<Value>>.BufferingPolicy = .unbounded,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ObservationSequence<ValueChange<Value>> {
    let buffer = ElementBuffer<ValueChange<Value>>(bufferingPolicy)
    fill(
      buffer, keyPath, options,
      Sink { object, old, new, tag in
        ChangeInPlace(object, old, new, tag).notify { (_: Self, change: ValueChange<Value>) in
          buffer.offer(buffer.owning(change))
        }
      }, file, line)
    return ObservationSequence(buffer)
  }

  /// The values of a property, the current one first, as an asynchronous sequence.
  ///
  ///     for await age in person.values(of: \.age) { print(age) }
  ///
  /// Nil that the key path unwraps by force (`\.boss!.name`) is no value, and left out.
  ///
  /// The latest value is kept for a consumer that is slower, unless `bufferingPolicy` says otherwise.
  ///
  /// - Returns: A sequence that has ended if nothing is observed, which is a misuse.
  @inlinable
  public func values<Value: Sendable>(
    of keyPath: KeyPath<Self, Value>,
    bufferingPolicy: ObservationSequence<Value>.BufferingPolicy = .bufferingNewest(1),
    file: StaticString = #fileID, line: UInt = #line
  ) -> ObservationSequence<Value> {
    let buffer = ElementBuffer<Value>(bufferingPolicy), current = CurrentValue(keyPath)
    // The value is read: an element change carries only the elements that came, and another
    // observer may have set the property meanwhile.
    fill(
      buffer, keyPath, [],
      Sink { object, old, new, tag in
        ChangeInPlace(object, old, new, tag).notify { (object: Self, _: ValueChange<Value>) in
          if let value = unobserved({ current.value(of: object) }) { buffer.offer(value) }
        }
      }, file, line)
    // Key-value observing tells the initial value before it registers, and of a change between the two
    // it tells nobody.
    if buffer.isValid, let value = unobserved({ current.value(of: self) }) {
      buffer.offerFirst(value)
    }
    return ObservationSequence(buffer)
  }

  /// Has a registration, which ends with the buffer, offer elements to it by `sink`.
  @usableFromInline
  func fill<Value, Element: Sendable>(
    _ buffer: ElementBuffer<Element>, _ keyPath: KeyPath<Self, Value>,
    _ options: ObservationOptions, _ sink: Sink, _ file: StaticString, _ line: UInt
  ) {
    buffer.open(
      from: observing(file, line) { () throws(KeyValueError) in
        try RegistrationGroup.make { parts throws(KeyValueError) in
          parts.add(try TiedRegistration(buffer, to: self))
          parts.add(try register(keyPath, options, sink))
        }
      })
  }
}
