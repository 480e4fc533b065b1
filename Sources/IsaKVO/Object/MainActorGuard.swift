// Objects of the main actor: where the calling code runs, and the question that the core asks
// before it reads or sets a key of such an object.
//
// Owns:  a mark on the main queue, for the life of the process.
// Locks: none.
internal import CIsa
internal import CSwiftRuntime
internal import IsaKeyValue

#if canImport(Dispatch)
  internal import Dispatch

  // The main actor runs on the main queue, which need not be the main thread's: once a program waits
  // for the queue, other threads serve it.
  private let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code runs on the main actor.
  package func isOnMainActor() -> Bool {
    DispatchQueue.getSpecific(key: mark) == true || isItsExecutor()
  }
#else
  /// Whether the calling code runs on the main actor.
  package func isOnMainActor() -> Bool { isItsExecutor() }
#endif

/// Whether Swift runs the calling code on the main actor's executor: on another queue too, which it
/// waits for.
private func isItsExecutor() -> Bool {
  let executor = unsafeBitCast(
    MainActor.sharedUnownedExecutor, to: (identity: UnsafeRawPointer?, witnesses: Int).self)
  return swift_runtime_is_executor(executor.identity, executor.witnesses)
}

/// Has key-value coding of a class's objects ask where it is called.
func guardMainActor(_ cls: isa_class) throws(KeyValueError) {
  try KeyValueError.check(
    isa_class_set_guard(cls) { id, key in
      statusOf {
        try ClassRegistration.of(id!)
          .checkActor(String(cString: key!), of: ObjectIdentifier(KVObject.at(id!)))
      }
    }, className: String(cString: isa_class_name(cls)))
}

extension ClassRegistration {
  /// Throws if objects of the class belong to the main actor and the caller does not.
  func checkActor(_ keyPath: String, of object: ObjectIdentifier) throws(KeyValueError) {
    if !isOfMainActor || isOnMainActor() { return }
    let key = String(keyPath.prefix { $0 != "." })
    throw KeyValueError(
      .wrongThread, key: key, className: name,
      reason: "“\(key)” of \(name) was used elsewhere than on the main actor, to which it belongs",
      cure: KeyValueError.Code.wrongThread.cure, keyPath: key == keyPath ? nil : keyPath,
      object: object)
  }
}

/// The result of an expression that makes key paths: it touches nothing that belongs to an actor.
func madeAnywhere<Made>(_ make: @MainActor () -> Made) -> Made {
  withoutActuallyEscaping(make) { unsafeBitCast($0, to: (() -> Made).self)() }
}
