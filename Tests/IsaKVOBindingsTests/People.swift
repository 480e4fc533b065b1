import IsaKVO
import IsaKVOBindings

/// An element of the controllers' tests.
class Person: KVObject, @unchecked Sendable {
  @Dynamic var name: String
  @Dynamic var age: Int

  init(_ name: String, _ age: Int = 0) {
    self.name = name
    self.age = age
    super.init()
  }

  override var description: String { name }
}

/// A model with people.
final class Team: KVObject {
  @Dynamic var name = ""
  @Dynamic var members: [Person] = []
  @Dynamic var leader: Person?
  @Dynamic var stored: IndexList = []
  @Dynamic var guests: Set<Person> = []
  @Dynamic var teams: [Team] = []

  init(_ members: [Person] = []) {
    super.init()
    self.members = members
  }
}

/// People named so, aged by their places.
func people(_ names: String...) -> [Person] {
  names.enumerated().map { Person($1, $0) }
}

extension ArrayController where Element == Person {
  /// The names that are shown, and those that are selected.
  var names: [String] { arrangedObjects.map(\.name) }
  var selectedNames: [String] { selectedObjects.map(\.name) }

  /// A controller of people named so.
  convenience init(_ people: [Person]) {
    self.init()
    content = people
  }
}
