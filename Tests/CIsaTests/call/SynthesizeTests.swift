import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct SynthesizeTests {
  /// Synthesises a property; `ivar` and accessors get their default names unless given.
  private func synthesize(
    _ cls: isa_class, _ name: String, _ types: String, _ ownership: isa_ownership,
    ivar: String? = nil, getter: String? = nil, setter: String? = nil, readonly: Bool = false
  ) -> isa_status {
    withOptionalCStrings([name, types, getter, setter, ivar]) { texts in
      var info = isa_property_info(
        name: texts[0], types: texts[1], getter: texts[2], setter: texts[3], ivar: texts[4],
        ownership: ownership, readonly: readonly)
      return isa_class_synthesize(cls, &info)
    }
  }

  private func withOptionalCStrings<Result>(
    _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { $0.map { Array($0.utf8CString) } }
    func next(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
      guard index < copies.count else { return body(pointers) }
      guard let copy = copies[index] else { return next(index + 1, pointers + [nil]) }
      return copy.withUnsafeBufferPointer { next(index + 1, pointers + [$0.baseAddress]) }
    }
    return next(0, [])
  }

  /// A registered class with one synthesised property `value`, and an instance of it.
  private func withProperty(
    _ className: String, _ types: String, _ ownership: isa_ownership,
    _ body: (isa_id) throws -> Void
  ) throws {
    try withBalancedCounts {
      try withClass(className) { cls in
        try check(synthesize(cls, "value", types, ownership))
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls, body)
      }
    }
  }

  private func set(_ object: isa_id, _ value: isa_id?) {
    typealias Setter = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Void
    let sel = selector("setValue:")
    unsafeBitCast(isa_lookup(object, sel), to: Setter.self)(object, sel, value)
  }

  private func get(_ object: isa_id) -> isa_id? {
    typealias Getter = @convention(c) (isa_id?, isa_sel?) -> isa_id?
    let sel = selector("value")
    return unsafeBitCast(isa_lookup(object, sel), to: Getter.self)(object, sel)
  }

  // MARK: values

  @Test(
    "getter and setter keep values of every type, and touch nothing beside", arguments: TestType.all
  )
  func everyType(type: TestType) throws {
    try withBalancedCounts {
      try withClass("SynthesizedEvery") { cls in
        #expect(isa_class_add_ivar(cls, "before", "C", ISA_OWNERSHIP_NONE) == ISA_OK)
        #expect(synthesize(cls, "value", type.encoding, ISA_OWNERSHIP_NONE) == ISA_OK)
        #expect(isa_class_add_ivar(cls, "after", "C", ISA_OWNERSHIP_NONE) == ISA_OK)
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { object in
          let neighbours = ["before", "after"].map { (name: String) in
            isa_object_ivar_address(object, isa_class_find_ivar(cls, name))!
          }
          for neighbour in neighbours { neighbour.storeBytes(of: 0xAA, as: UInt8.self) }
          let value = type.value(seed: 7), result = Cell(size: type.c.size)
          let setter = selector("setValue:"), getter = selector("value")
          type.c.call_set(isa_lookup(object, setter), object, setter, value.address)
          type.c.call_get(isa_lookup(object, getter), object, getter, result.address)
          #expect(type.equal(result, value))
          #expect(neighbours.allSatisfy { $0.load(as: UInt8.self) == 0xAA })
        }
      }
    }
  }

  @Test(
    "each of many properties has its own place, wherever in the object it stands",
    arguments: TestType.all)
  func manyProperties(type: TestType) throws {
    // More than there is compiled code for: 32 places of 8 bytes, 128 of one.
    let count = 140
    try withBalancedCounts {
      try withClass("SynthesizedMany") { cls in
        for i in 0..<count {
          #expect(synthesize(cls, "value\(i)", type.encoding, ISA_OWNERSHIP_NONE) == ISA_OK)
        }
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { object in
          let values = (0..<count).map { type.value(seed: UInt32($0 % 11)) }
          for (i, value) in values.enumerated() {
            let setter = selector("setValue\(i):")
            type.c.call_set(isa_lookup(object, setter), object, setter, value.address)
          }
          for (i, value) in values.enumerated() {
            let getter = selector("value\(i)"), result = Cell(size: type.c.size)
            type.c.call_get(isa_lookup(object, getter), object, getter, result.address)
            #expect(type.equal(result, value), "\(type.encoding) \(i)")
          }
        }
      }
    }
  }

  @Test("code taken from one property serves under any selector, and goes along in an exchange")
  func exchange() throws {
    typealias Setter = @convention(c) (isa_id?, isa_sel?, Int64) -> Void
    typealias Getter = @convention(c) (isa_id?, isa_sel?) -> Int64
    try withBalancedCounts {
      try withClass("SynthesizedExchange") { cls in
        try check(synthesize(cls, "first", "q", ISA_OWNERSHIP_NONE))
        try check(synthesize(cls, "second", "q", ISA_OWNERSHIP_NONE))
        let setFirst = isa_class_find_method(cls, selector("setFirst:"))!
        let setSecond = isa_class_find_method(cls, selector("setSecond:"))!
        try check(
          isa_class_add_method(cls, selector("setOther:"), isa_method_imp(setSecond), "v@:q"))
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try check(isa_method_exchange(setFirst, setSecond))
        try withInstance(of: cls) { object in
          func set(_ name: String, _ value: Int64) {
            let sel = selector(name)
            unsafeBitCast(isa_lookup(object, sel), to: Setter.self)(object, sel, value)
          }
          func get(_ name: String) -> Int64 {
            let sel = selector(name)
            return unsafeBitCast(isa_lookup(object, sel), to: Getter.self)(object, sel)
          }
          set("setFirst:", 1)
          set("setSecond:", 2)
          #expect(get("first") == 2 && get("second") == 1)
          set("setOther:", 3)
          #expect(get("first") == 2 && get("second") == 3)
        }
      }
    }
  }

  @Test("want of memory nowhere matters to a scalar setter")
  func allocatesNothing() throws {
    try withProperty("SynthesizedScalar", "q", ISA_OWNERSHIP_NONE) { object in
      typealias Setter = @convention(c) (isa_id?, isa_sel?, Int64) -> Void
      let sel = selector("setValue:")
      let setter = unsafeBitCast(isa_lookup(object, sel), to: Setter.self)
      _ = isa_testing_fail_allocation(0)
      setter(object, sel, 42)
      #expect(!isa_testing_fail_allocation(-1))
      let ivar = isa_class_find_ivar(isa_object_get_class(object), "_value")
      #expect(isa_object_ivar_address(object, ivar).load(as: Int64.self) == 42)
    }
  }

  // MARK: ownership

  @Test(
    "a retaining setter keeps the new value, releases the old one, and survives self-assignment")
  func retains() throws {
    try withProperty("SynthesizedRetain", "@", ISA_OWNERSHIP_RETAIN) { holder in
      try withInstance(of: isa_root_class()) { first in
        try withInstance(of: isa_root_class()) { second in
          set(holder, first)
          #expect(isa_object_retain_count(first) == 2)
          set(holder, get(holder))
          #expect(isa_object_retain_count(first) == 2)
          set(holder, second)
          #expect(isa_object_retain_count(first) == 1)
          #expect(isa_object_retain_count(second) == 2)
          set(holder, nil)
          #expect(get(holder) == nil)
          #expect(isa_object_retain_count(second) == 1)
          set(holder, first)
        }
      }
    }
  }

  @Test("self-assignment of the only reference does not deallocate")
  func selfAssignment() throws {
    try withProperty("SynthesizedSelf", "@", ISA_OWNERSHIP_RETAIN) { holder in
      try withInstance(of: isa_root_class()) { set(holder, $0) }
      let only = try #require(get(holder))
      #expect(isa_object_retain_count(only) == 1)
      set(holder, only)
      #expect(isa_object_retain_count(only) == 1)
      #expect(get(holder) == only)
    }
  }

  @Test("a copying setter stores what the message copy answers")
  func copies() throws {
    let copy: isa_callback = { result, arguments, _ in
      let object = arguments![0]!.load(as: isa_id.self)
      var made: isa_id?
      #expect(isa_object_allocate(isa_object_get_class(object), &made) == ISA_OK)
      result!.storeBytes(of: made, as: isa_id?.self)
    }
    try withProperty("SynthesizedCopy", "@", ISA_OWNERSHIP_COPY) { holder in
      try withClass("Copyable") { cls in
        let added = isa_class_add_callback(cls, selector("copy"), "@@:", copy, nil, nil)
        #expect(added == ISA_OK)
        #expect(isa_class_pair_register(cls) == ISA_OK)
        try withInstance(of: cls) { original in
          set(holder, original)
          let stored = try #require(get(holder))
          #expect(stored != original)
          #expect(isa_object_retain_count(original) == 1)
          #expect(isa_object_retain_count(stored) == 1)
          set(holder, nil)
        }
      }
    }
  }

  @Test("a value that cannot be copied goes to the misuse handler, and the old value stays")
  func cannotCopy() throws {
    try withClass("Uncopyable") { cls in
      #expect(isa_class_pair_register(cls) == ISA_OK)
      try withProperty("SynthesizedUncopied", "@", ISA_OWNERSHIP_COPY) { holder in
        try withInstance(of: cls) { value in
          guard !isa_object_responds_to(value, selector("copy")) else { return }
          let reasons = recordMisuse { set(holder, value) }
          #expect(reasons.count == 1)
          #expect(reasons.first?.contains("Uncopyable") == true)
          #expect(get(holder) == nil)
        }
      }
    }
  }

  @Test("a weak property keeps nothing alive and reads nil afterwards")
  func weak() throws {
    try withProperty("SynthesizedWeak", "@", ISA_OWNERSHIP_WEAK) { holder in
      try withInstance(of: isa_root_class()) { value in
        set(holder, value)
        #expect(get(holder) == value)
        #expect(isa_object_retain_count(value) == 1)
      }
      #expect(get(holder) == nil)
    }
  }

  @Test("a weak setter short of memory goes to the misuse handler, and the old value stays")
  func weakWithoutMemory() throws {
    try withProperty("SynthesizedWeakFailing", "@", ISA_OWNERSHIP_WEAK) { holder in
      try withInstance(of: isa_root_class()) { old in
        try withInstance(of: isa_root_class()) { new in
          set(holder, old)
          let reasons = recordMisuse {
            _ = isa_testing_fail_allocation(0)
            set(holder, new)
            #expect(isa_testing_fail_allocation(-1))
          }
          #expect(reasons.count == 1)
          #expect(get(holder) == old)
        }
      }
    }
  }

  private func recordMisuse(_ body: () -> Void) -> [String] {
    var reasons: [String] = []
    withUnsafeMutablePointer(to: &reasons) { reasons in
      isa_set_misuse_handler(
        { error, context in
          let reason = String(cString: error!.pointee.reason)
          context!.assumingMemoryBound(to: [String].self).pointee.append(reason)
        }, reasons)
      body()
      isa_set_misuse_handler(nil, nil)
    }
    return reasons
  }

  @Test("threads that set one retaining property at once keep the counts exact")
  func exchangesAtomically() async throws {
    let before = LiveCounts()
    try await hammerOneProperty()
    #expect(LiveCounts() == before)
  }

  private struct Handle: @unchecked Sendable { let id: isa_id }

  private func hammerOneProperty() async throws {
    var cls: isa_class?
    try check(isa_class_pair_allocate(isa_root_class(), "SynthesizedRaced", &cls))
    try check(synthesize(cls!, "value", "@", ISA_OWNERSHIP_RETAIN))
    try check(isa_class_pair_register(cls!))
    var made: isa_id?
    try check(isa_object_allocate(cls!, &made))
    let holder = Handle(id: made!)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2000 {
            var value: isa_id?
            guard isa_object_allocate(isa_root_class(), &value) == ISA_OK else { return }
            set(holder.id, value)
            isa_object_release(value)
          }
        }
      }
    }
    isa_object_release(holder.id)
    #expect(isa_class_pair_dispose(cls!) == ISA_OK)
  }

  // MARK: declaring

  @Test("defaults are filled in, and given names are used")
  func names() throws {
    try withBalancedCounts {
      try withClass("SynthesizedNames") { cls in
        #expect(synthesize(cls, "age", "i", ISA_OWNERSHIP_NONE) == ISA_OK)
        let status = synthesize(
          cls, "open", "B", ISA_OWNERSHIP_NONE, ivar: "flag", getter: "isOpen", setter: "putOpen:")
        #expect(status == ISA_OK)
        #expect(isa_class_find_ivar(cls, "_age") != nil)
        #expect(isa_class_find_ivar(cls, "flag") != nil)
        for name in ["age", "setAge:", "isOpen", "putOpen:"] {
          #expect(isa_class_find_imp(cls, selector(name)) != nil, "\(name)")
        }
        let info = isa_property_get_info(isa_class_find_property(cls, "age"))!.pointee
        #expect(String(cString: info.setter) == "setAge:")
        #expect(String(cString: info.ivar) == "_age")
      }
    }
  }

  @Test("a read-only property has no setter")
  func readonly() throws {
    try withBalancedCounts {
      try withClass("SynthesizedReadonly") { cls in
        #expect(synthesize(cls, "age", "i", ISA_OWNERSHIP_NONE, readonly: true) == ISA_OK)
        #expect(isa_class_find_imp(cls, selector("age")) != nil)
        #expect(isa_class_find_imp(cls, selector("setAge:")) == nil)
      }
    }
  }

  @Test("an ivar that exists, inherited ones included, is used where type and ownership agree")
  func existingIvar() throws {
    try withBalancedCounts {
      try withClass("SynthesizedBase") { base in
        #expect(isa_class_add_ivar(base, "_age", "i", ISA_OWNERSHIP_NONE) == ISA_OK)
        #expect(isa_class_pair_register(base) == ISA_OK)
        #expect(synthesize(base, "age", "i", ISA_OWNERSHIP_NONE) == ISA_OK)
        #expect(synthesize(base, "size", "q", ISA_OWNERSHIP_NONE) == ISA_ERR_NOT_FOUND)
        let mismatch = synthesize(base, "years", "q", ISA_OWNERSHIP_NONE, ivar: "_age")
        #expect(mismatch == ISA_ERR_INVALID_ARGUMENT)
        #expect(isa_class_find_property(base, "years") == nil)
        #expect(isa_class_find_property(base, "size") == nil)
      }
    }
  }

  @Test(
    "what cannot be synthesised is refused",
    arguments: [
      ("a", "(u=qd)", ISA_OWNERSHIP_NONE, ISA_ERR_NOT_PASSABLE),
      ("a", "[4q]", ISA_OWNERSHIP_NONE, ISA_ERR_NOT_PASSABLE),
      ("a", "t", ISA_OWNERSHIP_NONE, ISA_ERR_NOT_PASSABLE),
      ("a", "q", ISA_OWNERSHIP_RETAIN, ISA_ERR_INVALID_ARGUMENT),
      ("a", "qq", ISA_OWNERSHIP_NONE, ISA_ERR_BAD_ENCODING),
      ("a", "z", ISA_OWNERSHIP_NONE, ISA_ERR_BAD_ENCODING),
      ("", "q", ISA_OWNERSHIP_NONE, ISA_ERR_INVALID_ARGUMENT),
      ("taken", "q", ISA_OWNERSHIP_NONE, ISA_ERR_EXISTS),
      ("half", "q", ISA_OWNERSHIP_NONE, ISA_ERR_EXISTS),
    ])
  func refuses(name: String, types: String, ownership: isa_ownership, expected: isa_status) throws {
    let nothing: isa_callback = { _, _, _ in }
    try withBalancedCounts {
      try withClass("SynthesizedNever") { cls in
        #expect(synthesize(cls, "taken", "q", ISA_OWNERSHIP_NONE) == ISA_OK)
        let added = isa_class_add_callback(cls, selector("setHalf:"), "v@:q", nothing, nil, nil)
        #expect(added == ISA_OK)
        let before = Shape(of: cls)
        #expect(synthesize(cls, name, types, ownership) == expected)
        #expect(Shape(of: cls) == before)
      }
    }
  }

  /// The counts that a failed synthesis must leave as they were.
  private struct Shape: Equatable {
    var methods = 0, ivars = 0, properties = 0, size = 0
    let trampolines: Int64

    init(of cls: isa_class) {
      trampolines = isa_testing_live_counts().trampolines
      size = isa_class_instance_size(cls)
      var list: UnsafeMutablePointer<OpaquePointer?>?
      #expect(isa_class_copy_methods(cls, &list, &methods) == ISA_OK)
      isa_free(list)
      #expect(isa_class_copy_ivars(cls, &list, &ivars) == ISA_OK)
      isa_free(list)
      #expect(isa_class_copy_properties(cls, &list, &properties) == ISA_OK)
      isa_free(list)
    }
  }

  @Test("want of memory at any point of a synthesis leaves the class as it was")
  func allocationFailure() throws {
    try withBalancedCounts {
      try withClass("SynthesizedFailing") { cls in
        // A first property makes the class's own pages and lists, which stay.
        #expect(synthesize(cls, "value", "{?=[3s]d}", ISA_OWNERSHIP_NONE) == ISA_OK)
        let before = Shape(of: cls)
        var failures = 0
        for after: Int64 in 0..<200 {
          _ = isa_testing_fail_allocation(after)
          let status = synthesize(cls, "other", "{?=[3s]d}", ISA_OWNERSHIP_NONE)
          guard isa_testing_fail_allocation(-1) else { break }
          failures += 1
          #expect(status == ISA_ERR_NO_MEMORY)
          #expect(Shape(of: cls) == before)
        }
        #expect(failures > 5)
        #expect(isa_class_find_imp(cls, selector("setOther:")) != nil)
      }
    }
  }

  // MARK: callbacks

  @Test("a class ends its callbacks with itself, and releases each context once")
  func callbackLife() throws {
    var releases = 0
    try withUnsafeMutablePointer(to: &releases) { releases in
      let answer: isa_callback = { result, _, _ in result!.storeBytes(of: -5, as: Int8.self) }
      let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        $0!.assumingMemoryBound(to: Int.self).pointee += 1
      }
      try withBalancedCounts {
        try withClass("CallbackOwner") { cls in
          let sel = selector("answer")
          #expect(isa_class_add_callback(cls, sel, "c@:", answer, releases, release) == ISA_OK)
          let again = isa_class_add_callback(cls, sel, "c@:", answer, releases, release)
          #expect(again == ISA_ERR_EXISTS)
          let colon = selector("answer:")
          let wrong = isa_class_add_callback(cls, colon, "c@:", answer, releases, release)
          #expect(wrong == ISA_ERR_BAD_ENCODING)
          #expect(releases.pointee == 0)
          let imp = isa_class_find_imp(cls, sel)
          #expect(isa_imp_find_context(imp) == UnsafeMutableRawPointer(releases))
          #expect(isa_imp_dispose(imp) == ISA_ERR_NOT_FOUND)
          #expect(isa_class_pair_register(cls) == ISA_OK)
          try withInstance(of: cls) { object in
            let result = Cell(size: 1)
            #expect(isa_invoke_message(object, sel, nil, result.address) == ISA_OK)
            #expect(result.load(as: Int8.self) == -5)
          }
        }
      }
      #expect(releases.pointee == 1)
    }
  }

  @Test("want of memory adds no callback and does not release its context")
  func callbackAllocationFailure() throws {
    let nothing: isa_callback = { _, _, _ in }
    Self.contextReleases = 0
    try withBalancedCounts {
      try withClass("CallbackFailing") { cls in
        let first = isa_class_add_callback(cls, selector("one"), "v@:", nothing, nil, nil)
        #expect(first == ISA_OK)
        let before = Shape(of: cls), two = selector("two")
        var failures = 0
        for after: Int64 in 0..<100 {
          _ = isa_testing_fail_allocation(after)
          let status = isa_class_add_callback(
            cls, two, "v@:", nothing, nil, { _ in Self.contextReleases += 1 })
          guard isa_testing_fail_allocation(-1) else { break }
          failures += 1
          #expect(status == ISA_ERR_NO_MEMORY)
          #expect(Shape(of: cls) == before)
        }
        #expect(failures > 1)
        #expect(isa_class_find_imp(cls, two) != nil)
        #expect(Self.contextReleases == 0)
      }
    }
    #expect(Self.contextReleases == 1)
  }

  nonisolated(unsafe) private static var contextReleases = 0
}
