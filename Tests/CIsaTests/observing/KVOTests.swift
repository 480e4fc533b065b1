import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct KVOTests {
  // MARK: bad input

  @Test("no key and an empty key are refused", arguments: [nil, ""])
  func emptyKeys(key: String?) throws {
    let person = try Person(), observer = try ObserverClass().make(), notes = Notes()
    var token: kvo_token?
    #expect(observe(person.id, key, .new, notes, nil, &token) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_add_observer(person.id, observer.id, key, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(token == nil && notes.releases == 0)
    expectUntouched(person)
  }

  @Test(
    "option bits that do not exist are refused", arguments: [16, 32, 1 << 15, 1 << 18, 1 << 31])
  func options(bits: UInt32) throws {
    let person = try Person(), observer = try ObserverClass().make()
    var token: kvo_token?
    let status = observe(person.id, "age", .init(rawValue: bits | 1), Notes(), nil, &token)
    #expect(status == KVO_ERR_INVALID_OPTIONS)
    #expect(lastReason().contains("0x\(String(bits, radix: 16)) do not exist"))
    #expect(
      kvo_add_observer(person.id, observer.id, "age", bits, nil) == KVO_ERR_INVALID_OPTIONS)
    expectUntouched(person)
  }

  @Test("a function cannot be retained")
  func retainedFunction() throws {
    let person = try Person()
    var token: kvo_token?
    let status = observe(person.id, "age", .retainObserver, Notes(), nil, &token)
    #expect(status == KVO_ERR_INVALID_OPTIONS)
    expectUntouched(person)
  }

  @Test("no observer and no function are refused")
  func noObserver() throws {
    let person = try Person()
    var token: kvo_token?, function = kvo_function()
    #expect(kvo_observe(person.id, "age", 0, nil, nil, &token) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_observe(person.id, "age", 0, &function, nil, &token) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_add_observer(person.id, nil, "age", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_remove_observer(person.id, nil, "age") == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_remove_observer(person.id, person.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_add_observer(nil, person.id, "age", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_remove_observer(nil, person.id, "age") == ISA_ERR_INVALID_ARGUMENT)
    expectUntouched(person)
  }

  @Test("class objects and objects of a bare root class cannot be observed")
  func notObservable() throws {
    let person = try Person(), cls = isa_class_as_object(person.people.cls)
    var bare: isa_class?, object: isa_id?, token: kvo_token?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    try check(isa_class_pair_register(bare))
    try check(isa_object_allocate(bare, &object))
    for refused in [cls, object] {
      #expect(observe(refused, "age", [], Notes(), nil, &token) == KVO_ERR_NOT_OBSERVABLE)
      #expect(kvo_add_observer(refused, person.id, "age", 0, nil) == KVO_ERR_NOT_OBSERVABLE)
      #expect(kvo_will_change(refused, "age") == KVO_ERR_NOT_OBSERVABLE)
      #expect(kvo_did_change(refused, "age") == KVO_ERR_NOT_OBSERVABLE)
    }
    isa_object_release(object)
    #expect(isa_class_pair_dispose(bare) == ISA_OK)
  }

  @Test("a key that the class does not know is accepted, and told by hand without a value")
  func unknownKey() throws {
    let person = try Person(), observation = try Observation(person, "shoeSize")
    try check(kvo_will_change(person.id, "shoeSize"))
    try check(kvo_did_change(person.id, "shoeSize"))
    #expect(observation.lines == ["change"])
  }

  @Test("an initial value of a key that the class does not know fails, and the isa is as before")
  func unknownInitial() throws {
    let person = try Person(), notes = Notes(), observer = try ObserverClass().make()
    var token: kvo_token?
    let status = observe(person.id, "shoeSize", [.initial, .new], notes, nil, &token)
    #expect(status == KVC_ERR_UNDEFINED_KEY)
    #expect(token == nil && notes.lines == [] && notes.releases == 0)
    #expect(observer.observe(person, "shoeSize", [.initial, .new]) == KVC_ERR_UNDEFINED_KEY)
    #expect(observer.retainCount == 1)
    expectUntouched(person)
    let plain = try Observation(person, "shoeSize", .initial)
    #expect(plain.lines == ["initial"])
  }

  // MARK: introspection

  @Test("registrations are told in order with options, context, and who observes")
  func registrations() throws {
    let person = try Person(), observer = try ObserverClass().make(), notes = Notes()
    let context = UnsafeMutableRawPointer(bitPattern: 5)
    let options: ObservingOptions = [.new, .retainObserver]
    try check(observer.observe(person, "height", options, context: context))
    let observation = try Observation(person.id, "age", [.old, .prior], notes: notes)
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    try check(kvo_copy_registrations(person.id, &list, &count))
    defer { isa_free(list) }
    try #require(count == 2)
    #expect(String(cString: list![0].key_path) == "height" && list![0].options == options.rawValue)
    #expect(list![0].observer == UnsafeRawPointer(observer.id) && list![0].context == context)
    #expect(!list![0].is_function && list![1].is_function)
    #expect(list![1].observer == UnsafeRawPointer(Unmanaged.passUnretained(notes).toOpaque()))
    #expect(try send(person.id, "observationInfo", as: UnsafeRawPointer?.self) != nil)
    observation.invalidate()
    try check(observer.stop(person, "height"))
    #expect(try send(person.id, "observationInfo", as: UnsafeRawPointer?.self) == nil)
  }

  @Test("copying registrations or setters without memory leaks nothing")
  func copyingWithoutMemory() throws {
    let person = try Person(), observation = try Observation(person, "age")
    try withEachAllocationFailing { _ = try person.registeredKeys }
    try withEachAllocationFailing {
      var list: UnsafeMutablePointer<kvo_setter_info>?, count = 0
      try check(kvo_class_copy_setters(person.isa, &list, &count))
      isa_free(list)
    }
    observation.invalidate()
    #expect(try person.registeredKeys == [])
  }

  // MARK: the informal protocol

  @Test("a class may override addObserver and removeObserver, and is asked")
  func overrides() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    let observer = try ObserverClass().make()
    for (name, types) in [
      ("addObserver:forKeyPath:options:context:", "i@:@*Q^v"),
      ("removeObserver:forKeyPath:", "i@:@*"),
      ("removeObserver:forKeyPath:context:", "i@:@*^v"),
    ] {
      try addMethod(people.cls, name, types) { call in
        notes.add(String(cString: call.argument(3, as: UnsafePointer<CChar>.self)))
        call.answer(ISA_ERR_UNSUPPORTED)
      }
    }
    #expect(observer.observe(person, "age") == ISA_ERR_UNSUPPORTED)
    #expect(observer.stop(person, "height") == ISA_ERR_UNSUPPORTED)
    #expect(observer.stop(person, "name", context: nil) == ISA_ERR_UNSUPPORTED)
    #expect(notes.lines == ["age", "height", "name"])
    expectUntouched(person)
  }

  // MARK: events

  @Test("the log tells the first observation and the last removal of an object")
  func events() throws {
    let people = try PersonClass(), person = try people.make()
    let events = try recordEvents {
      let observation = try Observation(person, "age", .new)
      observation.invalidate()
    }
    let kinds = events.map(\.kind)
    #expect(kinds.filter { $0.hasPrefix("class") } == ["class-allocated", "class-registered"])
    #expect(kinds.filter { $0.hasPrefix("method") }.count == 4)
    #expect(kinds.filter { $0 == "isa-swapped" }.count == 2)
    let ours = events.filter { $0.kind.hasPrefix("observer") }
    #expect(ours.map(\.kind) == ["observer-added", "observer-removed"])
    #expect(ours[0].flags == ObservingOptions.new.rawValue && ours[1].reason == ISA_REMOVED_BY_CALL)
  }

  /// Expects an object that nobody observes, with its own class as isa.
  private func expectUntouched(
    _ person: Person, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!person.isObserved, sourceLocation: sourceLocation)
    #expect(person.isa == person.people.cls, sourceLocation: sourceLocation)
  }
}
