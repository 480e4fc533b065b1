import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

/// How a test has its setters wrapped.
enum Wrapping: CaseIterable, CustomTestStringConvertible {
  case thunk, closure

  var testDescription: String { self == .thunk ? "typed thunk" : "libffi closure" }
  var policy: kvo_wrapping { self == .thunk ? KVO_WRAP_AUTOMATIC : KVO_WRAP_LIBFFI }
}

/// Runs `body` under a wrapping policy.
func withPolicy<Result>(_ policy: kvo_wrapping, _ body: () throws -> Result) rethrows -> Result {
  kvo_set_wrapping(policy)
  defer { kvo_set_wrapping(KVO_WRAP_AUTOMATIC) }
  return try body()
}

@Suite(.serialized, .balancedCounts)
struct SetterTests {
  // MARK: every encoding

  @Test(
    "a setter of every type notifies through thunk and closure, with any options",
    arguments: TestType.all, Wrapping.allCases)
  func matrix(type: TestType, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let pair = try type.makeClass()
      let options =
        type.isScalar ? ObservingOptions.combinations : [[.new, .old, .initial, .prior]]
      for option in options { try observeOnce(pair, type, option) }
      let info = try #require(try setters(of: pair).first)
      #expect(info.selector == "setKey:" && info.key == "key")
      #expect(info.isClosure == (wrapping == .closure || !type.isScalar))
    }
  }

  /// Sets a fresh object's value, observed with `options`, and compares what is told.
  private func observeOnce(_ pair: ClassPair, _ type: TestType, _ options: ObservingOptions) throws
  {
    let object = try Instance(of: pair.cls), values = Values(type)
    type.set(object, values[1])
    let told = Notes { change in
      #expect(
        values.isValue(change.old_value, 1) == (options.contains(.old) && !change.is_initial))
      let hasNew = options.contains(.new) && !change.is_prior
      #expect(values.isValue(change.new_value, change.is_initial ? 1 : 2) == hasNew)
    }
    let observation = try Observation(object.id, "key", options, notes: told)
    type.set(object, values[2])
    let expected = 1 + (options.contains(.prior) ? 1 : 0) + (options.contains(.initial) ? 1 : 0)
    #expect(told.lines.count == expected)
    let stored = (UnsafeMutableRawPointer(object.id) + MemoryLayout<isa_header>.size)
    #expect(type.c.equal(stored, values[2].address))
    observation.invalidate()
    type.set(object, values[1])
    #expect(told.lines.count == expected)
  }

  // MARK: names

  @Test(
    "a setter under each of its names is wrapped", arguments: ["setKey:", "_setKey:", "setIsKey:"],
    Wrapping.allCases)
  func names(name: String, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let pair = try ClassPair("Named", isRegistered: false)
      try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
      let quad = try #require(TestType.all.first { $0.encoding == "q" })
      try check(isa_class_add_method(pair.cls, selector(name), quad.c.set, "v@:q"))
      try pair.register()
      let object = try Instance(of: pair.cls)
      let observation = try Observation(object, "key", [.old, .new])
      try send(object.id, name, Int64(4))
      #expect(observation.lines == ["old 0 new 4"])
      #expect(try setters(of: pair).map(\.selector) == [name])
    }
  }

  @Test("two keys that differ in their first letter share a setter, and the latest is notified")
  func sharedSetter() throws {
    let person = try Person()
    let first = try Observation(person, "age"), second = try Observation(person, "Age")
    person.age = 1
    #expect(first.lines == [] && second.lines == ["change"])
    #expect(try setters(of: person.people).map(\.key) == ["Age"])
    let again = try Observation(person, "age")
    person.age = 2
    #expect(first.lines.count == 1 && again.lines.count == 1 && second.lines.count == 1)
  }

  @Test("an inherited setter is wrapped in the notifying class of the class that is observed")
  func inherited() throws {
    let people = try PersonClass()
    var cls: isa_class?
    try check(isa_class_pair_allocate(people.cls, "Employee", &cls))
    try check(isa_class_pair_register(cls))
    do {
      let employee = try Instance(of: cls!), person = try people.make()
      let observation = try Observation(employee, "age", .new)
      isa_test_set_age(employee.id, 4)
      person.age = 5
      #expect(observation.lines == ["new 4"])
      #expect(people.notifying == nil)
      #expect(String(cString: isa_class_name(employee.isa)) == "NSKVONotifying_Employee")
    }
    #expect(isa_class_pair_dispose(cls) == ISA_OK)
  }

  // MARK: what is left alone

  @Test("a setter that returns something is reported once and left alone")
  func nonVoid() throws {
    let pair = try ClassPair("Fluent", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    try addMethod(pair.cls, "setKey:", "@@:q") { $0.answer($0.receiver) }
    let object = try Instance(of: pair.cls)
    let setter = address(of: isa_class_find_imp(pair.cls, selector("setKey:")))
    let misuses = try collectMisuses {
      for _ in 0..<2 {
        let observation = try Observation(object, "key", .new)
        #expect(address(of: isa_lookup(object.id, selector("setKey:"))) == setter)
        #expect(kvo_will_change(object.id, "key") == ISA_OK)
        #expect(kvo_did_change(object.id, "key") == ISA_OK)
        #expect(observation.lines == ["new 0"])
      }
    }
    #expect(misuses.map(\.status) == [KVO_ERR_NOT_WRAPPED])
    #expect(misuses.first?.reason.contains("-[Fluent setKey:]") == true)
    #expect(try setters(of: pair).isEmpty)
  }

  @Test("a setter with an out-parameter is left alone, and keeps it", arguments: Wrapping.allCases)
  func outParameter(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let pair = try ClassPair("Keyed"), sel = selector("setKey:")
      try addMethod(pair.cls, "setKey:", "v@:q^q") { call in
        call.argument(3, as: UnsafeMutablePointer<Int64>.self).pointee = call.argument(2)
      }
      let object = try Instance(of: pair.cls), observation = try Observation(object, "key")
      #expect(try setters(of: pair).isEmpty)
      typealias Setter =
        @convention(c) (isa_id?, isa_sel?, Int64, UnsafeMutablePointer<Int64>) -> Void
      var out: Int64 = 0
      unsafeBitCast(isa_lookup(object.id, sel), to: Setter.self)(object.id, sel, 7, &out)
      #expect(out == 7 && observation.lines == [])
    }
  }

  @Test(
    "a value that libffi cannot pass leaves its setter alone, with one report",
    arguments: ["(u=iq)", "{P=b3}", "t"])
  func notPassable(types: String) throws {
    let pair = try ClassPair("Strange")
    try check(
      isa_class_add_method(pair.cls, selector("setKey:"), imp(answering: 0), "v@:" + types))
    let object = try Instance(of: pair.cls)
    let misuses = try collectMisuses {
      for _ in 0..<2 { _ = try Observation(object, "key") }
    }
    #expect(misuses.map(\.status) == [KVO_ERR_NOT_WRAPPED])
    #expect(object.isa == pair.cls)
  }

  @Test(
    "as Apple does, long double and pointers are left alone with one report, the rest is wrapped",
    arguments: TestType.all)
  func asApple(type: TestType) throws {
    try withPolicy(KVO_WRAP_AS_APPLE) {
      let pair = try type.makeClass(), object = try Instance(of: pair.cls), values = Values(type)
      var wrapped = false
      let misuses = try collectMisuses {
        for _ in 0..<2 {
          let observation = try Observation(object, "key")
          type.set(object, values[1])
          wrapped = !observation.lines.isEmpty
        }
      }
      let isComplex = type.encoding.hasPrefix("j")
      let leftAlone = isComplex || ["D", "^v", "*", ":"].contains(type.encoding)
      #expect(wrapped == !leftAlone)
      #expect(misuses.map(\.status) == (leftAlone ? [KVO_ERR_NOT_WRAPPED] : []))
      let alias = selector("_original_setKey:")
      let aliased = address(of: pair.notifying.flatMap { isa_class_find_imp($0, alias) })
      let hasAlias = aliased == address(of: type.c.set)
      let isApple = ["{CGPoint=\"x\"d\"y\"d}", "{CGRect={CGPoint=dd}{CGSize=dd}}"]
      #expect(hasAlias == (type.encoding.hasPrefix("{") && !isApple.contains(type.encoding)))
    }
  }

  @Test(
    "without executable memory the thunk serves, and a struct's setter is reported and left alone")
  func noTrampolines() throws {
    isa_testing_deny_trampolines(true)
    defer { isa_testing_deny_trampolines(false) }
    try withPolicy(KVO_WRAP_LIBFFI) {
      let person = try Person()
      let misuses = try collectMisuses {
        let age = try Observation(person, "age", .new)
        let frame = try Observation(person, "frame", .new)
        person.age = 4
        person.set(frame: isa_test_rect())
        #expect(age.lines == ["new 4"] && frame.lines == [])
      }
      #expect(misuses.map(\.status) == [KVO_ERR_NOT_WRAPPED])
      #expect(try setters(of: person.people).map(\.isClosure) == [false])
    }
  }

  // MARK: policy

  @Test("a policy that is switched wraps the setters anew of keys observed from then on")
  func switching() throws {
    let person = try Person()
    for policy in [KVO_WRAP_AUTOMATIC, KVO_WRAP_LIBFFI, KVO_WRAP_AS_APPLE, KVO_WRAP_LIBFFI] {
      try withPolicy(policy) {
        #expect(kvo_get_wrapping() == policy)
        let observation = try Observation(person, "age", .new)
        person.age = 4
        #expect(observation.lines == ["new 4"])
        let info = try setters(of: person.people)
        #expect(info.map(\.isClosure) == [policy == KVO_WRAP_LIBFFI])
      }
    }
    #expect(kvo_get_wrapping() == KVO_WRAP_AUTOMATIC)
  }

  @Test("what wraps a setter, and what it calls, are told as they are at the moment")
  func introspection() throws {
    let people = try PersonClass(), person = try people.make()
    let setAge = address(of: isa_class_find_imp(people.cls, selector("setAge:")))
    #expect(try setters(of: people).isEmpty)
    let age = try Observation(person, "age"), name = try Observation(person, "name")
    var infos = try setters(of: people)
    #expect(infos.map(\.key) == ["age", "name"])
    #expect(infos[0].original == setAge)
    #expect(infos[0].wrapper == address(of: isa_lookup(person.id, selector("setAge:"))))
    let other = isa_class_find_imp(people.cls, selector("setHeight:"))!
    try check(isa_class_replace_method(people.cls, selector("setAge:"), other, "v@:q", nil))
    infos = try setters(of: people)
    #expect(infos[0].original == address(of: other))
    withExtendedLifetime((age, name)) {}
  }

  // MARK: between two observers

  @Test("a getter that an observer replaces is what the next one's value is read by")
  func patchedGetter() throws {
    let people = try PersonClass(), person = try people.make()
    let hundred: @convention(c) (isa_id?, isa_sel?) -> Int64 = { _, _ in 100 }
    let last = try Observation(person, "age", .new)
    var isPatched = false
    let patching = try Observation(person, "age", .new) { _ in
      guard !isPatched else { return }
      isPatched = true
      let getter = unsafeBitCast(hundred, to: isa_imp.self)
      _ = isa_class_replace_method(people.cls, selector("age"), getter, "q@:", nil)
      person.age = 5
    }
    person.age = 1
    #expect(patching.lines == ["new 1", "new 100"])
    #expect(last.lines == ["new 100", "new 100"])
  }

  @Test("what an observer sets is in the next one's value, whether or not the key is observed")
  func setMeanwhile() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    var more: Int64 = 0
    try addMethod(people.cls, "getAge", "q@:") { $0.answer(isa_test_age($0.receiver) + more) }
    let elsewhere = try Observation(other, "height"), last = try Observation(person, "age", .new)
    let acting = try Observation(person, "age", .new) { _ in
      more = 2
      person.set(height: 3)
    }
    person.age = 1
    #expect(acting.lines == ["new 1"] && last.lines == ["new 3"])
    withExtendedLifetime(elsewhere) {}
  }

  // MARK: the original

  @Test("an original that is replaced later is what a wrapper calls", arguments: Wrapping.allCases)
  func patchedOriginal(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let people = try PersonClass(), person = try people.make(), notes = Notes()
      let observation = try Observation(person, "age", [.old, .new])
      let method = isa_class_find_method(people.cls, selector("setAge:"))
      var patch: isa_imp?
      try check(
        isa_imp_make(
          "v@:q",
          { _, arguments, _ in
            isa_test_poke_age(
              arguments![0]!.load(as: isa_id.self), arguments![2]!.load(as: Int64.self) * 2)
          }, nil, nil, &patch))
      var old: isa_imp?
      try check(isa_method_set_imp(method, patch, &old))
      person.age = 4
      #expect(observation.lines == ["old 0 new 8"])
      try check(isa_method_set_imp(method, old, nil))
      #expect(isa_imp_dispose(patch) == ISA_OK)
      withExtendedLifetime(notes) {}
    }
  }

  @Test(
    "a setter replaced by one of another type is wrapped anew", arguments: ["d", "{?=[64q]}"],
    Wrapping.allCases)
  func replacedByAnotherType(encoding: String, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let quad = try #require(TestType.all.first { $0.encoding == "q" })
      let type = try #require(TestType.all.first { $0.encoding == encoding })
      let pair = try ClassPair("Retyped", isRegistered: false), value = type.value(seed: 1)
      try check(isa_class_add_ivar(pair.cls, "_key", encoding, ISA_OWNERSHIP_NONE))
      try check(isa_class_add_method(pair.cls, selector("setKey:"), quad.c.set, quad.setterTypes))
      try pair.register()
      let object = try Instance(of: pair.cls), first = try Observation(object, "key")
      quad.set(object, quad.value(seed: 2))
      #expect(first.lines == ["change"])
      first.invalidate()
      let sel = selector("setKey:")
      try check(isa_class_replace_method(pair.cls, sel, type.c.set, type.setterTypes, nil))
      let second = try Observation(object, "key", .new) {
        #expect(type.c.equal($0.new_value.address, value.address))
      }
      type.set(object, value)
      #expect(second.lines.count == 1)
    }
  }

  @Test(
    "a wrapper fetched before the isa went back runs the original, once",
    arguments: Wrapping.allCases)
  func staleWrapper(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let person = try Person(), sel = selector("setAge:")
      let observation = try Observation(person, "age")
      let wrapper = isa_lookup(person.id, sel)
      observation.invalidate()
      #expect(person.isa == person.people.cls)
      typealias Setter = @convention(c) (isa_id?, isa_sel?, Int64) -> Void
      unsafeBitCast(wrapper, to: Setter.self)(person.id, sel, 9)
      #expect(person.age == 9)
      #expect(observation.lines == [])
    }
  }

  @Test("a setter for a key that nobody observes on this object goes straight to the original")
  func otherObject() throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    let age = try Observation(first, "age"), height = try Observation(second, "height")
    second.age = 3
    first.set(height: 1)
    #expect(second.age == 3 && age.lines == [] && height.lines == [])
  }

  // MARK: the class's own will- and didChangeValueForKey:

  @Test("a class with its own willChangeValueForKey: has it called by the wrapped setter")
  func overridden() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    try overrideChanges(people.cls) { notes.add($1) }
    let observation = try Observation(person, "age", [.old, .new, .prior]) { _ in notes.add("told")
    }
    person.age = 2
    #expect(
      notes.lines == [
        "willChangeValueForKey:age", "told", "didChangeValueForKey:age", "told",
      ])
    #expect(observation.lines == ["prior old 0", "old 0 new 2"])
  }

  @Test("a class that overrides willChange gets its did for the same key")
  func overriddenAndShared() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    let newcomer = Box<Observation?>(nil), pending = isa_testing_live_counts().pending
    // The newcomer's key has the same setter, which from then on notifies of that key.
    try overrideChanges(people.cls) { object, call in
      notes.add(call)
      if newcomer.value == nil { newcomer.value = try? Observation(object, "Age", notes: Notes()) }
    }
    let observation = try Observation(person, "age", .new)
    person.age = 5
    #expect(notes.lines == ["willChangeValueForKey:age", "didChangeValueForKey:age"])
    #expect(observation.lines == ["new 5"])
    #expect(isa_testing_live_counts().pending == pending)
    newcomer.value = nil
  }

  /// Overrides will- and didChangeValueForKey: with methods that hand `body` the receiver and the call
  /// as text, and then run the inherited one.
  private func overrideChanges(_ cls: isa_class, _ body: @escaping (isa_id, String) -> Void) throws
  {
    typealias Change = @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?) -> isa_status
    for name in ["willChangeValueForKey:", "didChangeValueForKey:"] {
      let root = isa_class_find_imp(isa_root_class(), selector(name))!
      try addMethod(cls, name, "i@:*") { call in
        let key = call.argument(2, as: UnsafePointer<CChar>.self)
        body(call.receiver, name + String(cString: key))
        call.answer(unsafeBitCast(root, to: Change.self)(call.receiver, selector(name), key))
      }
    }
  }

  @Test("an override that comes after the first observation counts as well")
  func overriddenLater() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    let observation = try Observation(person, "age")
    person.age = 1
    try addMethod(people.cls, "willChangeValueForKey:", "i@:*") {
      notes.add("will")
      $0.answer(ISA_OK)
    }
    person.age = 2
    #expect(notes.lines == ["will"])
    #expect(observation.lines == ["change"])
  }

  // MARK: memory

  @Test("an observed scalar is set without an allocation", arguments: Wrapping.allCases)
  func allocatesNothing(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let person = try Person(), tally = Tally()
      let token = tally.observe(person.id, "age", [.old, .new, .prior])
      person.age = 1
      _ = isa_testing_fail_allocation(0)
      for age in 0..<100 { person.age = Int64(age) }
      #expect(!isa_testing_fail_allocation(-1))
      #expect(tally.value.changes == 101 && tally.value.priors == 101)
      kvo_token_release(token)
    }
  }

  @Test("many setters of one class are all found", arguments: Wrapping.allCases)
  func manySetters(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let pair = try ClassPair("Wide", isRegistered: false)
      let quad = try #require(TestType.all.first { $0.encoding == "q" })
      let keys = (0..<40).map { "key\($0)" }
      try check(isa_class_add_ivar(pair.cls, "storage", "q", ISA_OWNERSHIP_NONE))
      for key in keys {
        try check(
          isa_class_add_method(pair.cls, selector("setK\(key.dropFirst()):"), quad.c.set, "v@:q"))
      }
      try pair.register()
      let object = try Instance(of: pair.cls)
      let observations = try keys.map { try Observation(object, $0) }
      for key in keys { try send(object.id, "setK\(key.dropFirst()):", Int64(1)) }
      #expect(observations.allSatisfy { $0.lines == ["change"] })
      #expect(try setters(of: pair).map(\.key) == keys)
    }
  }
}

/// One setter as kvo_class_copy_setters tells of it.
struct SetterInfo {
  let selector, key: String
  let wrapper, original: Int
  let isClosure: Bool
}

/// The setters that the notifying class of `cls` wraps.
private func setters(of notifying: isa_class?) throws -> [SetterInfo] {
  guard let notifying else { return [] }
  var list: UnsafeMutablePointer<kvo_setter_info>?, count = 0
  try check(kvo_class_copy_setters(notifying, &list, &count))
  defer { isa_free(list) }
  return (0..<count).map { index in
    let info = list![index]
    return SetterInfo(
      selector: String(cString: isa_sel_name(info.selector)), key: String(cString: info.key),
      wrapper: address(of: info.wrapper), original: address(of: info.original),
      isClosure: info.is_closure)
  }
}

/// The code's address; 0 for none.
private func address(of imp: isa_imp?) -> Int { unsafeBitCast(imp, to: Int.self) }

private func setters(of people: PersonClass) throws -> [SetterInfo] {
  try setters(of: people.notifying)
}

private func setters(of pair: ClassPair) throws -> [SetterInfo] {
  try setters(of: pair.notifying)
}
