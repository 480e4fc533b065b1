import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Flat: KVObject {
  @Dynamic var city = "Rome"
  @Dynamic var zip: Int? = 75
  @LazyDynamic var sign = "none"
  @WeakDynamic var tenant: Contact?
  let number = 7
  var floor = 3
}

private class Contact: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic private(set) var code = 1
  @Dynamic var home = Flat()
  @Dynamic var second: Flat?
  @Dynamic var third: Flat!
  @Dynamic var tags: [String] = []
  @Dynamic var isOpen = false
  @Dynamic private var secret = "s"
  @Dynamic var `default` = 1
  let office = Flat()
  let spare: Flat? = nil
  var note = "plain"
  var size = (1, 2)

  var full: String { name + "!" }
  var title: String {
    get { name }
    set { withChange(of: \.title) { name = newValue } }
  }
  var place: Flat? { second }
  var undeclared: String { name + "?" }
  subscript(number: Int) -> Int { number }

  static var secretPath: AnyKeyPath { \Contact.secret }

  override class var keys: [KeyDeclaration] {
    [
      .key("full", \Contact.full, affectedBy: [\Contact.name]),
      .key("heading", \Contact.title), .key("place", \Contact.place),
    ]
  }
}

private class Friend: Contact {
  @Dynamic var since = 2000
  override var name: String {
    get { super.name + "y" }
    set { super.name = newValue }
  }
}

private final class LastFriend: Friend {
  @Dynamic var until = 2001
}

private class Pair<Element>: KVObject {
  @Dynamic var element: Element
  @Dynamic var flat: Flat?
  init(_ element: Element) { self.element = element }
}

private final class IntPair: Pair<Int> {
  @Dynamic var count = 2
}

private final class FinalPair<Element>: KVObject {
  @Dynamic var element: Element
  init(_ element: Element) { self.element = element }
}

private struct Wrapper { var contact = Contact() }

/// Names of key paths, and key paths by name.
@Suite(.serialized, .leavesNoObjects)
struct KeyPathNameTests {
  // MARK: Names

  @Test("wrapped properties have their names, of every kind and through one another")
  func wrapped() {
    #expect(KVObject.keyPath(of: \Contact.name) == "name")
    #expect(KVObject.keyPath(of: \Contact.code) == "code")
    #expect(KVObject.keyPath(of: \Contact.tags) == "tags")
    #expect(KVObject.keyPath(of: \Contact.isOpen) == "isOpen")
    #expect(KVObject.keyPath(of: \Contact.default) == "default")
    #expect(KVObject.keyPath(of: \Contact.home) == "home")
    #expect(KVObject.keyPath(of: \Contact.home.city) == "home.city")
    #expect(KVObject.keyPath(of: \Contact.home.sign) == "home.sign")
    #expect(KVObject.keyPath(of: \Flat.tenant) == "tenant")
    #expect(KVObject.keyPath(of: Contact.secretPath) == "secret")
  }

  @Test("key paths by their most general and their writable types have the same names")
  func types() {
    let writable: ReferenceWritableKeyPath<Contact, String> = \.name
    let longer: ReferenceWritableKeyPath<Contact, String> = \.home.city
    let any: AnyKeyPath = \Contact.home.city
    let partial: PartialKeyPath<Contact> = \.home.city
    #expect(KVObject.keyPath(of: writable) == "name")
    #expect(Contact.keyPath(of: longer) == "home.city")
    #expect(KVObject.keyPath(of: any) == "home.city")
    #expect(Contact.keyPath(of: partial) == "home.city")
    #expect(Contact.keyPath(of: \.home.city) == "home.city")
    #expect(KVObject.keyPath(of: (\Contact.home).appending(path: \.city)) == "home.city")
  }

  @Test("optionals on the way make no difference, chained or unwrapped by force")
  func optionals() {
    #expect(KVObject.keyPath(of: \Contact.second) == "second")
    #expect(KVObject.keyPath(of: \Contact.second?.city) == "second.city")
    #expect(KVObject.keyPath(of: \Contact.second?.zip) == "second.zip")
    #expect(KVObject.keyPath(of: \Contact.second!.city) == "second.city")
    #expect(KVObject.keyPath(of: \Contact.second!) == "second")
    #expect(KVObject.keyPath(of: \Contact.third.city) == "third.city")
    #expect(KVObject.keyPath(of: \Contact.third?.city) == "third.city")
    #expect(
      KVObject.keyPath(of: \Contact.second?.tenant?.home.tenant!.name)
        == "second.tenant.home.tenant.name")
  }

  @Test("properties of generic classes have their names")
  func generic() {
    func name<Element>(_ type: Element.Type) -> [String?] {
      [
        KVObject.keyPath(of: \Pair<Element>.element),
        KVObject.keyPath(of: \FinalPair<Element>.element),
      ]
    }
    #expect(KVObject.keyPath(of: \Pair<Int>.element) == "element")
    #expect(KVObject.keyPath(of: \Pair<String>.element) == "element")
    #expect(KVObject.keyPath(of: \FinalPair<[Int]>.element) == "element")
    #expect(KVObject.keyPath(of: \Pair<Int>.flat?.city) == "flat.city")
    #expect(name(Double.self) == ["element", "element"])
    #expect(KVObject.keyPath(of: \IntPair.element) == "element")
    #expect(KVObject.keyPath(of: \IntPair.count) == "count")
  }

  @Test("a subclass's properties have names: its own, inherited ones, and overrides")
  func subclasses() {
    #expect(KVObject.keyPath(of: \Friend.since) == "since")
    #expect(KVObject.keyPath(of: \Friend.code) == "code")
    #expect(KVObject.keyPath(of: \Friend.name) == "name")
    #expect(KVObject.keyPath(of: \LastFriend.until) == "until")
    #expect(KVObject.keyPath(of: \LastFriend.name) == "name")
    #expect(KVObject.keyPath(of: \LastFriend.home.city) == "home.city")
    #expect(KVObject.keyPath(of: \LastFriend.full) == "full")
    #expect(KVObject.keyPath(of: \Friend.title) == "heading")
  }

  @Test("constants have their names, at the end and on the way")
  func constants() {
    #expect(KVObject.keyPath(of: \Contact.office) == "office")
    #expect(KVObject.keyPath(of: \Contact.office.city) == "office.city")
    #expect(KVObject.keyPath(of: \Contact.home.number) == "home.number")
    #expect(KVObject.keyPath(of: \Contact.spare?.city) == "spare.city")
  }

  @Test("declared computed properties have the names that they are declared by, also on the way")
  func declared() {
    #expect(KVObject.keyPath(of: \Contact.full) == "full")
    #expect(KVObject.keyPath(of: \Contact.title) == "heading")
    #expect(KVObject.keyPath(of: \Contact.place?.city) == "place.city")
    #expect(KVObject.keyPath(of: \Flat.tenant?.title) == "tenant.heading")
  }

  @Test("computed properties that are not declared, variables and elements have no name")
  func nameless() {
    #expect(KVObject.keyPath(of: \Contact.undeclared) == nil)
    #expect(KVObject.keyPath(of: \Contact.note) == nil)
    #expect(KVObject.keyPath(of: \Contact.size.0) == nil)
    #expect(KVObject.keyPath(of: \Contact.home.floor) == nil)
    #expect(KVObject.keyPath(of: \Contact[3]) == nil)
    #expect(KVObject.keyPath(of: \Contact.tags[0]) == nil)
    #expect(KVObject.keyPath(of: \Contact.name.count) == nil)
    #expect(KVObject.keyPath(of: \Contact.self) == nil)
    #expect(KVObject.keyPath(of: \Wrapper.contact.name) == nil)
    #expect(KVObject.keyPath(of: \String.count) == nil)
  }

  // MARK: And back

  @Test(
    "a name leads to a key path that has it, is the same each time, and has the types of its properties"
  )
  func back() throws {
    for name in [
      "name", "home.city", "second.zip", "office.city", "full", "heading", "third.tenant.name",
    ] {
      let path = try #require(Contact.keyPath(named: name))
      #expect(KVObject.keyPath(of: path) == name)
      #expect(path == Contact.keyPath(named: name))
    }
    #expect(Contact.keyPath(named: "name") is ReferenceWritableKeyPath<Contact, String>)
    #expect(Contact.keyPath(named: "home.city") is ReferenceWritableKeyPath<Contact, String>)
    #expect(Contact.keyPath(named: "second.city") is KeyPath<Contact, String?>)
    #expect(Contact.keyPath(named: "second.zip") is KeyPath<Contact, Int?>)
    #expect(Contact.keyPath(named: "heading") is ReferenceWritableKeyPath<Contact, String>)
    let full = try #require(Contact.keyPath(named: "full") as? KeyPath<Contact, String>)
    #expect(!(full is ReferenceWritableKeyPath<Contact, String>))
    #expect(Friend.keyPath(named: "name") is ReferenceWritableKeyPath<Friend, String>)
    #expect(Pair<Int>.keyPath(named: "element") is ReferenceWritableKeyPath<Pair<Int>, Int>)
  }

  @Test("names that the class does not have lead to none")
  func unknown() {
    for name in ["agee", "", ".", "name.", "name.count", "home.cities", "note", "home.@count"] {
      #expect(Contact.keyPath(named: name) == nil)
    }
  }

  @Test("a key path by name reads and sets, and observers are told")
  func readsAndSets() throws {
    let contact = Contact()
    let city = try #require(
      Contact.keyPath(named: "home.city") as? ReferenceWritableKeyPath<Contact, String>)
    let code = try #require(
      Contact.keyPath(named: "code") as? ReferenceWritableKeyPath<Contact, Int>)
    let heading = try #require(
      Contact.keyPath(named: "heading") as? ReferenceWritableKeyPath<Contact, String>)
    let office = try #require(Contact.keyPath(named: "office.city") as? KeyPath<Contact, String>)
    contact[keyPath: city] = "Bonn"
    contact[keyPath: code] += 1
    #expect(contact.home.city == "Bonn" && contact[keyPath: city] == "Bonn" && contact.code == 2)
    #expect(contact[keyPath: office] == "Rome")
    var told: [String] = []
    let tokens = [
      contact.observe(\.home.city, options: .new) { told.append($1.newValue!) },
      contact.observe(\.code, options: .new) { told.append("\($1.newValue!)") },
      contact.observe(\.title, options: .new) { told.append($1.newValue!) },
    ]
    contact[keyPath: city] = "Kiel"
    contact[keyPath: code] += 1
    contact[keyPath: heading] = "Eve"
    #expect(told == ["Kiel", "3", "Eve"])
    #expect(contact[keyPath: city] == "Kiel" && contact[keyPath: code] == 3)
    #expect(contact[keyPath: heading] == "Eve")
    tokens.forEach { $0.invalidate() }
  }

  @Test("a key path by name is read by the getter that a class overrides")
  func overridden() throws {
    let name = try #require(
      Friend.keyPath(named: "name") as? ReferenceWritableKeyPath<Friend, String>)
    let friend = Friend()
    #expect(friend[keyPath: name] == "Anny")
  }

  @Test("a key path by name is observed, with values of its type")
  func observed() throws {
    let contact = Contact()
    let name = try #require(Contact.keyPath(named: "name") as? KeyPath<Contact, String>)
    let zip = try #require(Contact.keyPath(named: "second.zip") as? KeyPath<Contact, Int?>)
    let office = try #require(Contact.keyPath(named: "office.city") as? KeyPath<Contact, String>)
    var told: [String] = []
    let tokens = [
      contact.observe(name, options: [.old, .new]) { _, change in
        told.append("\(change.keyPath): \(change.oldValue!) → \(change.newValue!)")
      },
      contact.observe(zip, options: .new) { told.append("zip \($1.newValue.flatMap { $0 } ?? 0)") },
      contact.observe(office, options: .new) { told.append("office \($1.newValue!)") },
      contact.observe(anyOf: [name, zip]) { told.append(KVObject.keyPath(of: $1)!) },
    ]
    contact.name = "Eve"
    contact.second = Flat()
    contact.second!.zip = 8
    contact.office.city = "Bern"
    #expect(
      told.sorted() == [
        "name", "name: Ann → Eve", "office Bern", "second.zip", "second.zip", "zip 75", "zip 8",
      ])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a subclass's object is observed by its superclass's key path by name")
  func inheritedPath() throws {
    let path = try #require(Contact.keyPath(named: "home.city") as? KeyPath<Contact, String>)
    let friend: Contact = LastFriend()
    var told: [String] = []
    let token = friend.observe(path, options: .new) { told.append($1.newValue!) }
    friend.home.city = "Jena"
    friend.home = Flat()
    #expect(told == ["Jena", "Rome"])
    token.invalidate()
  }
}
