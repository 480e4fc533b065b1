import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct NullTests {
  @Test("there is one null, which nobody keeps alive and nobody ends")
  func singleton() throws {
    let null = kvc_null()!
    #expect(kvc_kind_of(null) == KVC_KIND_NULL)
    #expect(isa_object_retain_count(null) == Int(bitPattern: UInt.max))
    isa_object_release(null)
    #expect(try send(null, "copy", as: isa_id?.self) == null)
    #expect(try Boxed { kvc_copy_description(null, $0) }.description == "<null>")
  }

  @Test("null is equal to itself only")
  func equality() throws {
    #expect(kvc_is_equal(kvc_null(), kvc_null()))
    let zero = try Boxed.number(0)
    #expect(!kvc_is_equal(kvc_null(), nil) && !kvc_is_equal(kvc_null(), zero.id))
  }

  @Test("null answers itself for every key, and refuses every value")
  func coding() throws {
    for key in ["name", "@count", ""] {
      var value: isa_id?
      try check(kvc_copy_value(kvc_null(), key, &value))
      #expect(value == kvc_null())
    }
    #expect(kvc_set_value(kvc_null(), "name", nil) == KVC_ERR_UNDEFINED_KEY)
  }
}
