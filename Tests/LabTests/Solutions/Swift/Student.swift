import IsaKVO

/// Key-value observing of levels 1 to 3: a list of registrations for each object, a notifying class
/// for each class.
public final class Student: StudentObserving, @unchecked Sendable {
  private struct Registration {
    var number: Int
    var observer: WeakReference
    var observerAddress: UInt
    var key: String
    var options: StudentOptions
    var context: Int
    var tell: StudentTell
  }

  /// By the observed object's address.
  private var registrations: [UInt: [Registration]] = [:]
  private var latestNumber = 0

  /// Begins with nobody observing anything.
  public init() {}

  /// Adds a registration, and makes the object notify.
  public func add(
    _ observer: RuntimeObject, to object: RuntimeObject, key: String, options: StudentOptions,
    context: Int, tell: @escaping StudentTell
  ) throws {
    latestNumber += 1
    let registration = Registration(
      number: latestNumber, observer: try WeakReference(to: observer),
      observerAddress: observer.address, key: key, options: options, context: context, tell: tell)
    if options.contains(.initial) { tellInitial(registration, observer, object) }
    let notifying = try notifyingClass(for: object)
    try wrapSetter(of: key, in: notifying)
    try object.setIsa(notifying)
    registrations[object.address, default: []].append(registration)
  }

  /// Ends the latest registration that matches.
  public func remove(
    _ observer: RuntimeObject, from object: RuntimeObject, key: String, context: Int?
  ) throws {
    let list = registrations[object.address] ?? []
    let found = list.lastIndex {
      $0.observerAddress == observer.address && $0.key == key
        && (context == nil || $0.context == context)
    }
    guard let found else { throw NotRegistered() }
    registrations[object.address]?.remove(at: found)
    if list.count == 1 { try object.setIsa(object.class) }
  }

  private func notifyingClass(for object: RuntimeObject) throws -> RuntimeClass {
    let original = object.class
    let name = "StudentKVO_\(original.name)"
    if let made = RuntimeClass.find(named: name) { return made }
    return try ClassBuilder(name, superclass: original)
      .method("class", "#@:") { _ in RuntimeValue(original) }
      .register()
  }

  private func wrapSetter(of key: String, in notifying: RuntimeClass) throws {
    let setter = Selector("set" + key.prefix(1).uppercased() + key.dropFirst() + ":")
    guard let method = notifying.method(setter), method.declaringClass != notifying else { return }
    try notifying.addMethod(setter, method.encoding) { [unowned self] call -> Void in
      let object = call.receiver
      let told = begin(object, key)
      _ = try? call.callSuper()
      end(object, key, told)
    }
  }

  /// Who is to be told, with the old values.
  private func begin(
    _ object: RuntimeObject, _ key: String
  ) -> [(registration: Registration, observer: RuntimeObject, change: StudentChange)] {
    let list = (registrations[object.address] ?? []).filter { $0.key == key }
    return list.compactMap { registration in
      guard let observer = registration.observer.object else { return nil }
      var change = StudentChange(object: object, key: key)
      change.context = registration.context
      if registration.options.contains(.old) { change.old = try? object.value(forKey: key) }
      if registration.options.contains(.prior) {
        var prior = change
        prior.isPrior = true
        registration.tell(observer, prior)
      }
      return (registration, observer, change)
    }
  }

  private func end(
    _ object: RuntimeObject, _ key: String,
    _ told: [(registration: Registration, observer: RuntimeObject, change: StudentChange)]
  ) {
    for (registration, observer, change) in told.reversed() {
      let isThere = registrations[object.address]?.contains { $0.number == registration.number }
      guard isThere == true else { continue }
      var change = change
      if registration.options.contains(.new) { change.new = try? object.value(forKey: key) }
      registration.tell(observer, change)
    }
  }

  private func tellInitial(
    _ registration: Registration, _ observer: RuntimeObject, _ object: RuntimeObject
  ) {
    var change = StudentChange(object: object, key: registration.key)
    change.context = registration.context
    if registration.options.contains(.new) {
      change.new = try? object.value(forKey: registration.key)
    }
    registration.tell(observer, change)
  }
}
