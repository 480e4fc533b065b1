public import IsaRuntime

#if !canImport(ObjectiveC)
  public import IsaKVO

  extension KeyValueObservable {
    /// Observes a property until the returned observation is invalidated or released.
    ///
    ///     observation = person.observe(\.age, options: [.old, .new]) { person, change in
    ///       print(change.oldValue ?? 0, change.newValue ?? 0)
    ///     }
    ///
    /// - Parameters:
    ///   - keyPath: One that leads to a property with a wrapper, or computes from such ones. Any
    ///     other is a misuse, and nothing is observed.
    ///   - changeHandler: Runs on the thread that changes the value, before the setter returns.
    /// - Returns: The only owner of the observation; dropping it ends the observation.
    /// - Note: Source `observe(_:options:changeHandler:)`, Foundation.
    @inlinable
    public func observe<Value>(
      _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
      changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
      begin(with: keyPath) { () throws(KeyValueError) -> KeyValueObservation in
        try observe(keyPath, options: options) { (object: Self, change: ValueChange<Value>) in
          changeHandler(object, NSKeyValueObservedChange(change))
        }
      }
    }

    @usableFromInline
    func begin<Value>(
      with keyPath: KeyPath<Self, Value>, _ observe: () throws(KeyValueError) -> KeyValueObservation
    ) -> NSKeyValueObservation {
      askCustomization(for: keyPath)
      do throws(KeyValueError) {
        return NSKeyValueObservation(try observe())
      } catch {
        Misuse.end(error)
        return NSKeyValueObservation(nil)
      }
    }
  }
#endif
