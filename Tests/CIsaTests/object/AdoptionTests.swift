import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct AdoptionTests {
  /// An unregistered class of foreign objects that are laid out elsewhere.
  private func makeClass(
    _ name: String, below superclass: ClassPair? = nil, size: Int = 32
  ) throws -> ClassPair {
    let pair = try ClassPair(name, below: superclass, isRegistered: false)
    if superclass == nil {
      try check(isa_class_set_memory_hooks(pair.cls, isa_test_foreign_hooks()))
    }
    try check(isa_class_set_layout(pair.cls, size))
    return pair
  }

  private func isWatched(_ object: Foreign) -> Bool {
    isa_header_is_watched(UnsafeRawPointer(object.id))
  }

  private func isAsked(_ object: Foreign) -> Bool {
    isa_header_is_asked(UnsafeRawPointer(object.id))
  }

  @Test("an ivar of a class that is laid out elsewhere stands where it is said to")
  func ivarAt() throws {
    let pair = try makeClass("Foreign")
    try check(isa_class_add_ivar_at(pair.cls, "_age", "q", 16))
    try check(isa_class_add_ivar_at(pair.cls, "_flag", "B", 24))
    #expect(isa_ivar_offset(isa_class_find_ivar(pair.cls, "_age")) == 16)
    #expect(isa_class_instance_size(pair.cls) == 32)
    #expect(isa_class_add_ivar_at(pair.cls, "_x", "q", 28) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar_at(pair.cls, "_x", "q", 32) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar_at(pair.cls, "_x", "q", Int.max) == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      isa_class_add_ivar(pair.cls, "_x", "q", ISA_OWNERSHIP_NONE) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar_at(pair.cls, "_age", "q", 16) == ISA_ERR_EXISTS)
  }

  @Test("only an unregistered class with memory hooks and no ivars is laid out elsewhere")
  func layoutRefused() throws {
    let own = try ClassPair("Own", isRegistered: false)
    #expect(isa_class_set_layout(own.cls, 64) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_class_add_ivar_at(own.cls, "_x", "q", 16) == ISA_ERR_INVALID_ARGUMENT)
    let pair = try makeClass("Foreign")
    #expect(isa_class_set_layout(pair.cls, 8) == ISA_ERR_INVALID_ARGUMENT)
    try check(isa_class_add_ivar_at(pair.cls, "_x", "q", 16))
    #expect(isa_class_set_layout(pair.cls, 64) == ISA_ERR_INVALID_ARGUMENT)
    try pair.register()
    #expect(isa_class_set_layout(pair.cls, 64) == ISA_ERR_REGISTERED)
  }

  @Test("an object of one such class never becomes one of another")
  func setClass() throws {
    let first = try makeClass("First"), second = try makeClass("Second")
    try first.register()
    try second.register()
    let plain = try ClassPair("Plain", below: first)
    let object = try #require(Foreign(of: first))
    defer { isa_object_release(object.id) }
    #expect(isa_object_set_class(object.id, second.cls, nil) == ISA_ERR_LAYOUT)
    #expect(!isWatched(object))
    try check(isa_object_set_class(object.id, plain.cls, nil))
    #expect(isWatched(object))
    try check(isa_object_set_class(object.id, first.cls, nil))
    #expect(!isWatched(object))
  }

  @Test("an object is watched while it is observed, and its getters stay its class's")
  func watched() throws {
    let pair = try makeClass("Foreign")
    try check(isa_class_add_ivar_at(pair.cls, "_age", "q", 16))
    try pair.register()
    try addMethod(pair.cls, "setAge:", "v@:q") { _ in }
    let object = try #require(Foreign(of: pair))
    defer { isa_object_release(object.id) }
    #expect(!isWatched(object))
    var function = kvo_function(callback: { _, _ in }, info: nil, release: nil)
    var token: kvo_token?
    try check(kvo_observe(object.id, "age", 0, &function, nil, &token))
    #expect(isWatched(object) && !isAsked(object))
    kvo_token_release(token)
    #expect(!isWatched(object))
  }

  @Test("an object of a class that was laid out by nobody is asked, observed or not, and counted")
  func asked() throws {
    let pair = try makeClass("Foreign")
    try check(isa_class_add_ivar_at(pair.cls, "_age", "q", 16))
    try addMethod(pair.cls, "setAge:", "v@:q") { _ in }
    try pair.register()
    let plain = try ClassPair("Plain", below: pair)
    let object = try #require(Foreign(of: pair))
    defer { isa_object_release(object.id) }
    let count = isa_object_retain_count(object.id)
    try check(isa_object_set_class(object.id, plain.cls, nil))
    #expect(isWatched(object) && isAsked(object))
    var function = kvo_function(callback: { _, _ in }, info: nil, release: nil)
    var token: kvo_token?
    try check(kvo_observe(object.id, "age", 0, &function, nil, &token))
    #expect(isWatched(object) && isAsked(object))
    _ = isa_object_retain(object.id)
    #expect(isa_object_retain_count(object.id) == count + 1)
    isa_object_release(object.id)
    #expect(isa_object_retain_count(object.id) == count)
    kvo_token_release(token)
    try check(isa_object_set_class(object.id, pair.cls, nil))
    #expect(!isWatched(object) && !isAsked(object))
  }

  @Test("a maker's pointer is inherited, by the notifying class too")
  func info() throws {
    let value = UnsafeRawPointer(bitPattern: 0x10)
    let base = try ClassPair("Base", isRegistered: false)
    try check(isa_class_set_info(base.cls, value))
    #expect(isa_class_set_info(base.metaclass, value) == ISA_ERR_INVALID_ARGUMENT)
    try check(isa_class_add_ivar(base.cls, "_x", "q", ISA_OWNERSHIP_NONE))
    try base.register()
    #expect(isa_class_set_info(base.cls, nil) == ISA_ERR_REGISTERED)
    let derived = try ClassPair("Derived", below: base)
    #expect(isa_class_find_info(derived.cls) == value)
    #expect(isa_class_find_info(isa_root_class()) == nil)
  }

  @Test("adopting an object again changes nothing")
  func again() throws {
    let pair = try makeClass("Foreign")
    try pair.register()
    let object = try #require(Foreign(of: pair))
    var same: isa_id?
    let header = UnsafeMutableRawPointer(object.id).assumingMemoryBound(to: isa_header.self)
    try check(isa_object_adopt(pair.cls, header, &same))
    #expect(same == object.id)
    isa_object_release(object.id)
  }
}
