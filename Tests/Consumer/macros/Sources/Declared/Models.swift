// Classes of which the macro writes the keys.
import IsaKVO
import IsaKVOMacros

final class Home: KVObject {
  @Dynamic var city = "Paris"
}

@DeclaresKeys
class Person: KVObject {
  var log: [String] = []
  @Dynamic var first = "Ann"
  @Dynamic var age = 1 {
    willSet { log.append("will \(newValue)") }
    didSet { log.append("did \(oldValue)") }
  }
  @Dynamic var scores = [1] { didSet { log.append("scores \(scores)") } }
  @KVObject.Dynamic var tags: Set<String> = [] { didSet { log.append("tags \(tags.count)") } }
  @LazyDynamic var title = "made" { didSet { log.append("title \(title)") } }
  @WeakDynamic var friend: Person? { didSet { log.append("friend") } }
  @Dynamic private var secret = 1 { didSet { log.append("secret \(secret)") } }
  @Dynamic var home = Home()
  var badge: String { "\(first) of \(home.city)" }
  var text: String {
    get { "\(self.age)" }
    set { age = Int(newValue) ?? 0 }
  }
  var friendsFirst: String { friend?.first ?? "nobody" }
  var doubled: [Int] {
    get { scores.map { 2 * $0 } }
    set { scores = newValue.map { $0 / 2 } }
  }
  override var description: String { first }
}

@DeclaresKeys
class Employee: Person {
  @Dynamic var salary = 1.5 { didSet { log.append("salary") } }
  override var age: Int { didSet { log.append("employee") } }
  override var first: String {
    get { super.first }
    set { super.first = newValue.uppercased() }
  }
  override var badge: String { "employee \(salary)" }
}

/// Without the macro, below a class that has it.
class Guest: Person {
  override var age: Int { didSet { log.append("guest") } }
}

@DeclaresKeys
class Box<Value>: KVObject {
  var sets = 0
  @Dynamic var value: Value { didSet { sets += 1 } }
  var values: [Value] { [value] }
  init(_ value: Value) { self.value = value }
}

@DeclaresKeys
final class Screen: KVObject, MainActorObject {
  var sets = 0
  @Dynamic var count = 0 { didSet { sets += 1 } }
  var sign: String { "\(count)" }
}

@MainActor @DeclaresKeys
class Panel: KVObject {
  var sets = 0
  @Dynamic var count = 0 { didSet { sets += 1 } }
}

@DeclaresKeys
open class Shared: KVObject {
  /// How often the property was set.
  public var sets = 0
  /// The property.
  @Dynamic public internal(set) var count = 0 { didSet { sets += 1 } }
}

@DeclaresKeys
package final class Packaged: KVObject {
  package var sets = 0
  @Dynamic package var count = 0 { didSet { sets += 1 } }
}

/// Of its properties those alone that have something to go through.
@DeclaresKeys
final class Mixed: KVObject {
  @Dynamic var plain = 0
  @Dynamic var items = [1]
  @Dynamic var loud = 0 { didSet {} }
  let fixed = 1
  var stored = 2
  lazy var late = 3
  static var shared: Int { 4 }
  class var other: Int { 5 }
  var risky: Int { get throws { 6 } }
  var slow: Int { get async { 7 } }
  @available(*, deprecated) var old: Int { 8 }
  var `class`: Int { plain }
  #if IsaKVONever
    var never: Int { 9 }
  #elseif true
    var always: Int { 10 }
  #endif
}

extension Mixed {
  var added: Int { 11 }
}

struct Negative: Error {}

@DeclaresKeys
class Checked: KVObject {
  var sets = 0
  @Dynamic var age = 1 { didSet { sets += 1 } }
  var next: Int { age + 1 }

  private static let moreKeys: [KeyDeclaration] = [
    .key("age", \Checked.age, validate: { _, age in if age < 0 { throw Negative() } })
  ]
}

/// Nothing of its own is to be declared.
@DeclaresKeys
class Empty: Checked {}

/// Names of properties in key paths, of another object; a superclass's property overridden; more
/// declarations under a condition.
@DeclaresKeys
class Team: KVObject {
  @Dynamic var name = "a"
  @Dynamic var members: [Team] = []
  var names: [String] { members.map(\.name) }
  var title: String { name + "." }
  #if true
    private static let moreKeys: [KeyDeclaration] = [
      .key("name", \Team.name, validate: { _, name in name = name.lowercased() })
    ]
  #endif
}

@DeclaresKeys
final class Club: Team {
  @Dynamic var town = "b"
  override var name: String { didSet {} }
  override var title: String { super.title + town }
}

@MainActor @DeclaresKeys
final class Stage: KVObject {
  @Dynamic var light = 0 { didSet {} }
  private nonisolated static let moreKeys: [KeyDeclaration] = [
    .key("light", \Stage.light, validate: { _, light in light = max(light, 0) })
  ]
}
