// The classes of the demonstration, the tests and the figures.
public import IsaKVO
public import Store

/// Somebody who works in a team.
public final class Person: Managed {
  /// By which people know them.
  @Dynamic public var name = ""
  /// In years.
  @Dynamic public var age = 0
  /// By which friends do.
  @Dynamic public var nickname: String?
  /// Of an hour.
  @Dynamic public var wage = 0.0
  /// Whether they are on leave.
  @Dynamic public var isAway = false
  /// Where they work.
  @Dynamic public var team: Team?

  /// A computed property, which reads two others.
  public var title: String { "\(name) (\(age))" }

  /// Somebody of that name and age.
  public convenience init(_ name: String, _ age: Int, in team: Team? = nil) {
    self.init()
    self.name = name
    self.age = age
    self.team = team
  }
}

/// A team: the other end of each member's reference.
public final class Team: Managed {
  /// By which it is known.
  @Dynamic public var name = ""
  /// Who works there.
  @Dynamic public var members: [Person] = []

  /// A team of that name.
  public convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
