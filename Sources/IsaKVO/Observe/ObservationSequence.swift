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

  private let stream: AsyncStream<Element>

  init(_ stream: AsyncStream<Element>) { self.stream = stream }

  /// Hands over the elements.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<Element>.Iterator

    fileprivate init(_ base: AsyncStream<Element>.Iterator) { self.base = base }

    /// The next element, once there is one; nil at the end.
    public mutating func next() async -> Element? { await base.next() }
  }

  /// Begins to hand over the elements.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream.makeAsyncIterator()) }
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
    sequence(of: keyPath, options, bufferingPolicy, file, line) { _, change, end in
      change.owned(by: end)
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
    let missing = keyPath.missing
    // Read, because a change of elements carries those that came only.
    return sequence(of: keyPath, .initial, bufferingPolicy, file, line) { object, _, _ in
      missing.map { object[keyPath: $0] } == true ? nil : .some(object[keyPath: keyPath])
    }
  }

  /// Registers what fills a stream.
  private func sequence<Value, Element: Sendable>(
    of keyPath: KeyPath<Self, Value>, _ options: ObservationOptions,
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ file: StaticString, _ line: UInt,
    _ element: @escaping (Self, ValueChange<Value>, any RegistrationControl) -> Element?
  ) -> ObservationSequence<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
    let end = StreamEnd(continuation)
    let whole = observing(file, line) { () throws(KeyValueError) in
      try RegistrationGroup.make { parts throws(KeyValueError) in
        parts.add(try TiedRegistration(end, to: self))
        parts.add(
          try register(keyPath, options) { object, change in
            if let next = element(object, change, end) { continuation.yield(next) }
          })
      }
    }
    if !whole.isValid { end.invalidate() }
    continuation.onTermination = { _ in
      end.letGo()
      whole.invalidate()
    }
    return ObservationSequence(stream)
  }
}

/// Ends a stream as if it were a registration.
///
/// Lives: buffered changes hold it, and the stream holds them: once ended, it lets go of the stream,
///        or what nobody consumes would hold itself for ever.
private final class StreamEnd<Element: Sendable>: RegistrationControl {
  private let continuation: Locked<AsyncStream<Element>.Continuation?>

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = Locked(continuation)
  }

  var isValid: Bool { true }

  func invalidate() { letGo()?.finish() }

  func invalidateAndWait() { invalidate() }

  @discardableResult
  func letGo() -> AsyncStream<Element>.Continuation? {
    continuation.withLock { $0.take() }
  }
}
