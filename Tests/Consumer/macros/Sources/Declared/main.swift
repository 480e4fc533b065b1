// Each test prints its sentence, behind the outcome.
import IsaKVO
import IsaKVOMacros
import IsaRuntime

/// Prints whether everything in the list holds.
func test(_ sentence: String, _ body: () throws -> [Bool]) {
  do {
    let wrong = try body().enumerated().filter { !$0.element }.map { "\($0.offset)" }
    print(wrong.isEmpty ? "right:" : "wrong (\(wrong.joined(separator: ", "))):", sentence)
  } catch {
    print("thrown (\(error)):", sentence)
  }
}

/// Whether a call fails with that code.
func fails(_ code: KeyValueError.Code, _ call: () throws -> Void) -> Bool {
  do { try call() } catch { return (error as? KeyValueError)?.code == code }
  return false
}

func names(_ type: KVObject.Type) -> Set<String> { Set(type.keys.map(\.name)) }

test("a value set by name runs willSet and didSet, and is told once") {
  let person = Person()
  var told: [Int] = []
  let token = person.observe(\.age, options: [.old, .new]) { told += [$1.oldValue!, $1.newValue!] }
  try person.setValue(2, forKey: "age")
  token.invalidate()
  return [told == [1, 2], person.log == ["will 2", "did 1"]]
}

test("a value set by a key path, or with others, does too") {
  let person = Person(), friend = Person()
  person.friend = friend
  try person.setValue(3, forKeyPath: "friend.age")
  try friend.setValuesForKeys(["age": 4, "first": "Bob"])
  return [friend.log == ["will 3", "did 1", "will 4", "did 3"], friend.first == "Bob"]
}

test("lazy, weak and private properties are set through their observers") {
  let person = Person()
  try person.setValue("x", forKey: "title")
  try person.setValue(nil, forKey: "friend")
  try person.setValue(2, forKey: "secret")
  return [person.log == ["title x", "friend", "secret 2"]]
}

test("a value of another type is refused, and nothing runs") {
  let person = Person()
  return [
    fails(.incompatible) { try person.setValue([1], forKey: "age") },
    fails(.incompatible) { try person.setValue(1, forKey: "text") },
    fails(.nilValue) { try person.setValue(nil, forKey: "age") },
    person.log.isEmpty,
  ]
}

test("a computed property is told once, set by name or by type, to observers of either kind") {
  let person = Person()
  var typed: [String] = [], named: [String] = []
  let tokens = [
    person.observe(\.text, options: .new) { typed.append($1.newValue!) },
    try person.observe("text", as: String.self, options: .new) { named.append($1.newValue!) },
  ]
  person.text = "2"
  try person.setValue("3", forKey: "text")
  tokens.forEach { $0.invalidate() }
  return [typed == ["2", "3"], named == typed]
}

test("a computed property that cannot be set is read by name, and not set") {
  let person = Person()
  return [
    try person.value(forKey: "badge", as: String.self) == "Ann of Paris",
    fails(.undefinedKey) { try person.setValue("x", forKey: "badge") },
  ]
}

test("a typed observation follows a getter through other objects, as before") {
  let person = Person()
  var told: [String] = []
  let token = person.observe(\.badge, options: .new) { told.append($1.newValue!) }
  person.home.city = "Rome"
  person.first = "Bob"
  token.invalidate()
  return [told == ["Ann of Rome", "Bob of Rome"]]
}

test("an observer by name is told of the object's own properties that the getter names") {
  let person = Person(), friend = Person()
  var told: [String] = []
  let token = try person.observe("friendsFirst", as: String.self, options: .new) {
    told.append($1.newValue!)
  }
  person.friend = friend
  person.first = "Bob"
  token.invalidate()
  return [
    told == ["Ann"], Person.keyPathsForValuesAffectingValue(forKey: "text") == ["age"],
    Person.keyPathsForValuesAffectingValue(forKey: "badge") == ["first", "home"],
  ]
}

test("proxies of collections set through the property") {
  let person = Person()
  var told: [String] = []
  let token = person.observe(\.scores, options: .new) { told.append("\($1.kind) \($1.newValue!)") }
  person.mutableArrayValue(for: \.scores).append(2)
  try person.mutableArrayValue(forKey: "scores").append(3)
  try person.mutableSetValue(forKey: "tags").insert("a")
  person.mutableArrayValue(for: \.doubled).removeLast()
  token.invalidate()
  return [
    person.log == ["scores [1, 2]", "scores [1, 2, 3]", "tags 1", "scores [1, 2]"],
    told.prefix(2) == ["insertion [2]", "insertion [3]"], told.count == 3,
  ]
}

test("a subclass has its superclass's keys, and its overrides run") {
  let employee = Employee()
  try employee.setValue(2, forKey: "age")
  try employee.setValue(3, forKey: "salary")
  try employee.setValue("bob", forKey: "first")
  return [
    employee.log == ["will 2", "did 1", "employee", "salary"], employee.first == "BOB",
    try employee.value(forKey: "badge", as: String.self) == "employee 3.0",
    names(Employee.self) == names(Person.self).union(["salary"]),
  ]
}

test("a subclass without the macro has its overrides run") {
  let guest = Guest()
  try guest.setValue(2, forKey: "age")
  return [guest.log == ["will 2", "did 1", "guest"]]
}

test("a generic class has keys for each of its types") {
  let number = Box(1), text = Box("a")
  try number.setValue(2, forKey: "value")
  try text.setValue("b", forKey: "value")
  return [
    number.value == 2, text.value == "b", number.sets == 1, text.sets == 1,
    try text.value(forKey: "values", as: [String].self) == ["b"],
  ]
}

test("classes of the main actor have keys") {
  let screen = Screen(), panel = Panel()
  try screen.setValue(2, forKey: "count")
  try panel.setValue(3, forKey: "count")
  return [
    screen.sets == 1, panel.sets == 1, panel.count == 3,
    try screen.value(forKey: "sign", as: String.self) == "2",
  ]
}

test("public and package classes have keys") {
  let shared = Shared(), packaged = Packaged()
  try shared.setValue(2, forKey: "count")
  try packaged.setValue(3, forKey: "count")
  return [shared.sets == 1, shared.count == 2, packaged.sets == 1]
}

test("a class within a function has keys") {
  @DeclaresKeys
  final class Local: KVObject {
    var sets = 0
    @Dynamic var value = 0 { didSet { sets += 1 } }
  }
  let local = Local()
  try local.setValue(2, forKey: "value")
  return [local.sets == 1]
}

test("what has nothing to go through, or cannot be a key, is not declared") {
  let mixed = Mixed()
  try mixed.setValue(2, forKey: "plain")
  try mixed.mutableArrayValue(forKey: "items").append(2)
  return [
    names(Mixed.self) == ["loud", "class", "always"], mixed.plain == 2, mixed.items == [1, 2],
    try mixed.value(forKey: "class", as: Int.self) == 2,
    Mixed.keyPathsForValuesAffectingValue(forKey: "class") == ["plain"],
    !names(Person.self).contains("description"),
    fails(.undefinedKey) { _ = try mixed.value(forKey: "added") },
  ]
}

test("declarations by hand are added, and count before the macro's") {
  let checked = Checked(), empty = Empty()
  try checked.setValue(2, forKey: "age")
  var isRefused = false
  do { _ = try checked.validated(-1, forKey: "age") } catch is Negative { isRefused = true }
  try empty.setValue(3, forKey: "age")
  return [isRefused, checked.sets == 1, empty.sets == 1, names(Empty.self) == ["age", "next"]]
}

test("an override is told as what it overrides; key paths name others") {
  let club = Club()
  var told: [String] = []
  let token = try club.observe("title", as: String.self, options: .new) {
    told.append($1.newValue!)
  }
  club.name = "c"
  club.town = "d"
  token.invalidate()
  return [
    Team.keyPathsForValuesAffectingValue(forKey: "names") == ["members"], told == ["c.b", "c.d"],
  ]
}

test("more declarations may stand under a condition, and hold for an override") {
  [
    try Team().validated("A", forKey: "name") as? String == "a",
    try Club().validated("A", forKey: "name") as? String == "a",
    try MainActor.assumeIsolated { try Stage().validated(-1, forKey: "light") as? Int == 0 },
  ]
}
