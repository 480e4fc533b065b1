import CIsa
import CIsaTestSupport

/// An object that someone else counts, with one strong reference, which is the test's to give up.
struct Foreign {
  let id: isa_id
  private let memory: OpaquePointer

  /// Makes an instance of `pair`, whose class is one of `foreignClass`.
  init?(of pair: ClassPair) {
    guard let memory = isa_test_foreign_make(pair.cls) else { return nil }
    self.memory = memory
    id = isa_test_foreign_object(memory)
  }

  var strong: Int64 { isa_test_foreign_strong(memory) }

  /// Gives the test's reference up right after the next weak reference has been read.
  func giveUpWhenRead() { isa_test_foreign_give_up_when_read(memory) }
}

/// A registered class of foreign objects.
func foreignClass(_ name: String = "Foreign") throws -> ClassPair {
  let pair = try ClassPair(name, isRegistered: false)
  try check(isa_class_set_memory_hooks(pair.cls, isa_test_foreign_hooks()))
  try pair.register()
  return pair
}

/// A registered class with the synthesised weak property `other`.
func weakHolderClass() throws -> ClassPair {
  let pair = try ClassPair("Holder", isRegistered: false)
  let status = "other".withCString { name in
    "@".withCString { types in
      var info = isa_property_info()
      (info.name, info.types, info.ownership) = (name, types, ISA_OWNERSHIP_WEAK)
      return isa_class_synthesize(pair.cls, &info)
    }
  }
  try check(status)
  try pair.register()
  return pair
}
