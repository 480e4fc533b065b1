import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

/// Values that are set where they stand.
@Suite(.serialized, .balancedCounts)
struct InPlaceTests {
  private static let callback: kvo_callback = { _, info in
    info!.assumingMemoryBound(to: Int.self).pointee += 1
  }

  @Test("a value goes in place beside many functions of which some have ended")
  func besideEnded() throws {
    let people = try PersonClass(), person = try people.make(), sel = selector("setName:")
    // What stands in place is this test's.
    var place = 1, told = 0, tokens: [kvo_token?] = []
    var form = kvo_form(
      setter: isa_class_find_imp(people.cls, sel),
      getter: isa_class_find_imp(people.cls, selector("name")), callback: Self.callback,
      types: ShownTypes.text,
      set: { _, place, value, _ in
        let place = place!.assumingMemoryBound(to: Int.self)
        swap(&place.pointee, &value!.assumingMemoryBound(to: Int.self).pointee)
      },
      copy_object: { _, _ in nil }, info: nil)
    withUnsafeMutablePointer(to: &told) { told in
      var function = kvo_function(callback: Self.callback, info: told, release: nil)
      for _ in 0..<60 {
        var token: kvo_token?
        #expect(kvo_observe(person.id, "name", 3, &function, nil, &token) == ISA_OK)
        tokens.append(token)
      }
      person.set(name: nil)
      for ended in 0..<60 {
        told.pointee = 0
        var value = ended
        #expect(kvo_set_in_place(person.id, sel, &form, &place, &value), "\(ended) ended")
        #expect(place == ended && told.pointee == 60 - ended)
        kvo_token_release(tokens[ended])
      }
    }
  }
}

private enum ShownTypes {
  nonisolated(unsafe) static let text: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 2)
    text[0] = 1
    text[1] = 0
    return UnsafePointer(text)
  }()
}
