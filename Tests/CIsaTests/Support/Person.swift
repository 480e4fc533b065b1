import CIsa
import CIsaTestSupport
import IsaKVOTestSupport

/// The class Person of the C fixtures, disposed of when the last reference to it has gone and the
/// last Person.
final class PersonClass: @unchecked Sendable {
  let cls: isa_class

  init(_ name: String = "Person") throws {
    var cls: isa_class?
    try check(isa_test_person_make(name, &cls))
    self.cls = cls!
  }

  deinit { disposeOfClass(cls) }

  var metaclass: isa_class { isa_class_metaclass(cls) }

  /// The notifying class, if it has been made.
  var notifying: isa_class? {
    isa_class_find("NSKVONotifying_" + String(cString: isa_class_name(cls)))
  }

  func make() throws -> Person { try Person(self) }

  /// Persons each of whom has the next as name.
  func chain(_ count: Int) throws -> Held<Person> {
    let persons = try Held(count) { try make() }
    for (person, next) in zip(persons, persons.dropFirst()) { person.set(name: next.id) }
    return persons
  }

  /// Answers `automaticallyNotifiesObserversForKey:` with no, for every key.
  func turnOffAutomaticNotification() throws {
    let no: @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?) -> Bool = { _, _, _ in false }
    try check(
      isa_class_add_method(
        metaclass, selector("automaticallyNotifiesObserversForKey:"),
        unsafeBitCast(no, to: isa_imp.self), "B@:*"))
  }
}

/// An instance of a class pair; the last reference to this releases it.
class Instance: @unchecked Sendable {
  let id: isa_id
  private let owner: AnyObject?

  init(of cls: isa_class, keeping owner: AnyObject? = nil) throws {
    var id: isa_id?
    try check(isa_object_allocate(cls, &id))
    self.id = id!
    self.owner = owner
  }

  deinit { releaseObject(id) }

  /// The true class.
  var isa: isa_class { isa_object_get_class(id) }

  /// The class that the object claims to have: the answer to `class`.
  var claimedClass: isa_class? {
    typealias Question = @convention(c) (isa_id?, isa_sel?) -> isa_class?
    let sel = selector("class")
    return unsafeBitCast(isa_lookup(id, sel), to: Question.self)(id, sel)
  }

  var retainCount: Int { Int(isa_object_retain_count(id)) }

  var isObserved: Bool { kvo_is_observed(id) }

  /// The registrations' key paths, in order.
  var registeredKeys: [String] {
    get throws {
      var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
      try check(kvo_copy_registrations(id, &list, &count))
      defer { isa_free(list) }
      return (0..<count).map { String(cString: list![$0].key_path) }
    }
  }
}

/// An instance of Person.
final class Person: Instance, @unchecked Sendable {
  let people: PersonClass

  init(_ people: PersonClass) throws {
    self.people = people
    try super.init(of: people.cls, keeping: people)
  }

  convenience init() throws { try self.init(PersonClass()) }

  var age: Int64 {
    get { isa_test_age(id) }
    set { isa_test_set_age(id, newValue) }
  }

  func set(height: Double) { isa_test_set_height(id, height) }
  func set(name: isa_id?) { isa_test_set_name(id, name) }
  func set(position: isa_test_point) { isa_test_set_position(id, position) }
  func set(frame: isa_test_rect) { isa_test_set_frame(id, frame) }

  /// Writes the ivar, past the setter.
  func poke(age: Int64) { isa_test_poke_age(id, age) }
}
