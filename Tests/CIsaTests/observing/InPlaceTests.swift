import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

/// Values that are set, and elements that change, where they stand.
@Suite(.serialized, .balancedCounts, .shortWays)
struct InPlaceTests {
  private static let count: kvo_callback = { _, info in
    info!.assumingMemoryBound(to: Int.self).pointee += 1
  }

  /// A form of numbers for the name of a person.
  private func makeForm(_ people: PersonClass, callback: @escaping kvo_callback) -> kvo_form {
    kvo_form(
      setter: isa_class_find_imp(people.cls, selector("setName:")),
      getter: isa_class_find_imp(people.cls, selector("name")), callback: callback,
      types: ShownTypes.text, size: 0,
      set: { _, place, value, _ in
        let place = place!.assumingMemoryBound(to: Int.self)
        swap(&place.pointee, &value!.assumingMemoryBound(to: Int.self).pointee)
      },
      copy_object: { _, _ in nil }, info: nil, copy_text: nil)
  }

  @Test("a value goes in place beside many functions of which some have ended")
  func besideEnded() throws {
    let people = try PersonClass(), person = try people.make(), sel = selector("setName:")
    // The value in place is this test's own.
    var place = 1, told = 0, tokens: [kvo_token?] = []
    var form = makeForm(people, callback: Self.count)
    withUnsafeMutablePointer(to: &told) { told in
      var function = kvo_function(callback: Self.count, info: told, release: nil)
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

  @Test("a value goes in place where nobody observes the key, whatever the object's isa")
  func nobody() throws {
    let people = try PersonClass(), person = try people.make(), sel = selector("setName:")
    let other = try people.make(), notifying: isa_class
    var place = 1, value = 2, form = makeForm(people, callback: Self.count)
    do {
      let observation = try Observation(person, "age")
      #expect(kvo_set_in_place(person.id, sel, &form, &place, &value) && place == 2)
      notifying = try #require(people.notifying)
      #expect(observation.lines.isEmpty)
    }
    let named = try Observation(other, "name")
    for isa in [people.cls, notifying] {
      try check(isa_object_set_class(person.id, isa, nil))
      value = 3
      #expect(kvo_set_in_place(person.id, sel, &form, &place, &value) && place == 3)
    }
    form.setter = isa_class_find_imp(people.cls, selector("setAge:"))
    #expect(!kvo_set_in_place(person.id, sel, &form, &place, &value))
    #expect(named.lines.isEmpty)
    try check(isa_object_set_class(person.id, people.cls, nil))
  }

  // MARK: Elements

  /// The outcome of an edit, and those that were told of it.
  private final class Edited {
    var made = 0
    var told: [String] = []
    /// An observer's own part, when it is told.
    var meanwhile: () -> Void = {}
  }

  private static let note: kvo_callback = { record, info in
    let edited = Unmanaged<Edited>.fromOpaque(info!).takeUnretainedValue()
    let change = record!.pointee
    let values = [change.old_value, change.new_value].map { value in
      value.address.map { "\($0.load(as: Int.self))" } ?? "absent"
    }
    let places = change.indexes.map { "\($0.pointee.ranges[0].start)" } ?? "nowhere"
    edited.told.append("\(change.kind.rawValue) \(places) \(values[0]) \(values[1])")
    edited.meanwhile()
  }

  /// Replaces 1 by 2 at index 5; the answer.
  private func edit(
    _ person: Person, _ form: kvo_form, _ edited: Edited
  ) -> (isDone: Bool, status: isa_status) {
    var form = form, old = 1, new = 2
    var places = kvc_range(start: 5, count: 1)
    return withUnsafeMutablePointer(to: &places) { places in
      var indexes = kvc_index_set(ranges: places, range_count: 1, count: 1)
      return withUnsafePointer(to: &indexes) { indexes in
        withUnsafePointer(to: &old) { old in
          withUnsafePointer(to: &new) { new in
            var edit = kvo_edit(
              kind: KVO_CHANGE_REPLACEMENT, indexes: indexes, old_value: old, new_value: new,
              make: { Unmanaged<Edited>.fromOpaque($0!).takeUnretainedValue().made += 1 },
              context: Unmanaged.passUnretained(edited).toOpaque(), status: ISA_OK)
            let isDone = kvo_edit_in_place(person.id, selector("setName:"), &form, &edit)
            return (isDone, edit.status)
          }
        }
      }
    }
  }

  /// Registers what notes changes of a key; ends it after `body`.
  private func observing(
    _ person: Person, _ keys: [(key: String, options: UInt32)], _ edited: Edited,
    _ body: () throws -> Void
  ) throws {
    let info = Unmanaged.passUnretained(edited).toOpaque()
    var function = kvo_function(callback: Self.note, info: info, release: nil)
    var tokens: [kvo_token?] = []
    for (key, options) in keys {
      var token: kvo_token?
      try check(kvo_observe(person.id, key, options, &function, nil, &token))
      tokens.append(token)
    }
    defer { tokens.forEach(kvo_token_release) }
    try body()
  }

  @Test("elements are shown where they stand, with their places, to whoever asked")
  func elements() throws {
    let people = try PersonClass(), person = try people.make(), edited = Edited()
    let form = makeForm(people, callback: Self.note)
    #expect(!edit(person, form, edited).isDone && edited.made == 0)
    try observing(person, [("name", 0), ("name", 1), ("name", 2), ("name", 3)], edited) {
      #expect(edit(person, form, edited) == (true, ISA_OK))
    }
    let kind = KVO_CHANGE_REPLACEMENT.rawValue
    #expect(
      edited.told == ["1 2", "1 absent", "absent 2", "absent absent"].map { "\(kind) 5 \($0)" })
    #expect(edited.made == 1)
  }

  @Test("a key that nobody observes is changed all the same")
  func unobserved() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    let form = makeForm(people, callback: Self.note), edited = Edited()
    try observing(person, [("age", 3)], edited) {
      try observing(other, [("name", 3)], Edited()) {
        #expect(edit(person, form, edited) == (true, ISA_OK))
      }
    }
    #expect(edited.made == 1 && edited.told == [])
  }

  @Test("nothing is done where the change is to be announced, or where somebody does not know it")
  func refused() throws {
    let people = try PersonClass(), person = try people.make(), edited = Edited()
    let form = makeForm(people, callback: Self.note)
    let unknown = makeForm(people, callback: Self.count)
    try observing(person, [("name", 3), ("name", UInt32(KVO_OPTION_PRIOR))], edited) {
      #expect(!edit(person, form, edited).isDone)
    }
    try observing(person, [("name", 3)], edited) {
      #expect(!edit(person, unknown, edited).isDone)
      #expect(edit(person, form, edited).isDone)
      try addMethod(people.cls, "didChange:valuesAtIndexes:forKey:", "i@:Q^v*") { _ in }
      #expect(!edit(person, form, edited).isDone)
    }
    #expect(edited.made == 1 && edited.told.count == 1)
  }

  @Test("a setter whose plan is stale leaves the first change to others, and no more")
  func stale() throws {
    let people = try PersonClass(), person = try people.make(), edited = Edited()
    let form = makeForm(people, callback: Self.note)
    try observing(person, [("name", 3)], edited) {
      try addMethod(people.cls, "unrelated", "v@:") { _ in }
      #expect(!edit(person, form, edited).isDone)
      #expect(edit(person, form, edited).isDone && edited.made == 1)
    }
  }

  @Test(
    "an isa that is set by hand makes no setter of another object stale, in the middle of a change either"
  )
  func isaSet() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    let form = makeForm(people, callback: Self.note), edited = Edited()
    let observation = try Observation(other, "age")
    let notifying = try #require(people.notifying)
    try observing(person, [("name", 3)], edited) {
      #expect(edit(person, form, edited).isDone)
      try check(isa_object_set_class(other.id, notifying, nil))
      #expect(edit(person, form, edited).isDone && edited.made == 2)
      let acting = try Observation(other, "age") { _ in
        _ = isa_object_set_class(other.id, notifying, nil)
      }
      other.age = 1
      isa_testing_fail_allocation(0)
      let outcome = edit(person, form, edited)
      #expect(!isa_testing_fail_allocation(-1) && outcome.isDone && edited.made == 3)
      #expect(acting.lines == ["change"] && observation.lines == ["change"])
    }
  }

  @Test("once the object has changed, elements are read from it, and are those that came if gone")
  func meanwhile() throws {
    let people = try PersonClass(), person = try people.make(), edited = Edited()
    let form = makeForm(people, callback: Self.note)
    try observing(person, [("name", 1), ("name", 1)], edited) {
      edited.meanwhile = {
        edited.meanwhile = {}
        person.set(name: nil)
        edited.told = []
      }
      let misuses = collectMisuses {
        let answer = edit(person, form, edited)
        #expect(answer == (true, ISA_OK) && edited.made == 1)
      }
      #expect(misuses.isEmpty)
    }
    // The object that the form makes of those that came: nil.
    #expect(edited.told == ["\(KVO_CHANGE_REPLACEMENT.rawValue) 5 absent 0"])
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
