internal import IsaKVO
package import IsaRuntime

private let counter = Recorder<Void>()

/// A class name that no test has used.
package func uniqueName(_ stem: String = "Fixture") -> String {
  counter.add(())
  return "\(stem)\(counter.count)"
}

/// Registers a class, runs `body` with it, and disposes of it.
///
/// Everything that `body` makes is gone when it returns, so that the class is no longer in use.
package func withClass(
  _ stem: String = "Fixture", superclass: RuntimeClass = .root,
  _ describe: (RuntimeClassBuilder) throws -> Void = { _ in },
  body: (RuntimeClass) throws -> Void
) throws {
  let builder = try RuntimeClassBuilder(uniqueName(stem), superclass: superclass)
  try describe(builder)
  let made = try builder.register()
  do {
    try body(made)
  } catch {
    try? made.dispose()
    throw error
  }
  try made.dispose()
}

/// Runs `body` with an instance of a class that has a property of each common kind.
package func withPerson(_ body: (RuntimeObject) throws -> Void) throws {
  try withClass("Person", describePerson) { try body($0.allocate()) }
}

/// The properties of a person.
package func describePerson(_ builder: RuntimeClassBuilder) throws {
  try builder
    .property("name", .cString)
    .property("age", .int64)
    .property("height", .double)
    .property("friend", .object)
    .property("corner", "{Point=dd}")
}

/// Runs `body` with a person and an observer object that notes what it is told.
package func withWatchedPerson(
  _ body: (_ person: RuntimeObject, _ watcher: RuntimeObject, Recorder<RuntimeChange>) throws ->
    Void
) throws {
  let told = Recorder<RuntimeChange>()
  let describe: (RuntimeClassBuilder) throws -> Void = {
    try $0.observer { _, change in told.add(change) }
  }
  try withClass("Watcher", describe) { watchers in
    try withPerson { person in
      try body(person, try watchers.allocate(), told)
      told.clear()
    }
  }
}
