import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Makes the classes of one test, and disposes of them when the test is over.
final class Stage {
  /// The kind of class that the objects of the test are of.
  let kind: Kind
  private var classes: [RuntimeClass] = []
  private var fixtures: [String: RuntimeClass] = [:]

  fileprivate init(_ kind: Kind) { self.kind = kind }

  /// An object of the stage's kind: `swift`, or one of a class that `describe` makes at run time,
  /// which has the superclass and the profile that `swift` has of its own.
  func make(
    _ stem: String, _ swift: @autoclosure () -> any TypedObject,
    superclass: RuntimeClass = .root, profile: KeyValueProfile? = nil,
    _ describe: (RuntimeClassBuilder) throws -> Void = { _ in }
  ) throws -> Subject {
    switch kind {
    case .runtime:
      .made(try define(stem, superclass: superclass, profile: profile, describe).allocate())
    case .swift: .swift(swift())
    }
  }

  /// The same, whose class is made when it is first asked for.
  func shared(
    _ name: String, _ swift: @autoclosure () -> any TypedObject,
    profile: KeyValueProfile? = nil, _ describe: (RuntimeClassBuilder) throws -> Void
  ) throws -> Subject {
    switch kind {
    case .runtime: .made(try fixture(name, profile: profile, describe).allocate())
    case .swift: .swift(swift())
    }
  }

  /// Registers a class under `stem` and a number that makes the name unique.
  func define(
    _ stem: String, superclass: RuntimeClass = .root, profile: KeyValueProfile? = nil,
    _ describe: (RuntimeClassBuilder) throws -> Void = { _ in }
  ) throws -> RuntimeClass {
    try define(exactly: uniqueName(stem), superclass: superclass, profile: profile, describe)
  }

  /// Registers a class under this very name.
  func define(
    exactly name: String, superclass: RuntimeClass = .root, profile: KeyValueProfile? = nil,
    _ describe: (RuntimeClassBuilder) throws -> Void = { _ in }
  ) throws -> RuntimeClass {
    let builder = try RuntimeClassBuilder(name, superclass: superclass, profile: profile)
    try describe(builder)
    let made = try builder.register()
    classes.append(made)
    return made
  }

  /// The class of a fixture, made when it is first asked for.
  func fixture(
    _ name: String, profile: KeyValueProfile? = nil,
    _ describe: (RuntimeClassBuilder) throws -> Void
  ) throws -> RuntimeClass {
    if let made = fixtures[name] { return made }
    let made = try define(name, profile: profile, describe)
    fixtures[name] = made
    return made
  }

  fileprivate func close() throws {
    // Subclasses and observers were made later; objects that their closures hold go with them.
    for made in classes.reversed() { try made.dispose() }
  }
}

/// Runs a test. Everything that `body` makes is gone when it returns, so that no class is in use; but
/// what Swift's own classes register stays.
func onStage(_ kind: Kind = .runtime, _ body: (Stage) throws -> Void) throws {
  switch kind {
  case .runtime: try play(kind, body)
  case .swift: try keepingClasses { try play(kind, body) }
  }
}

private func play(_ kind: Kind, _ body: (Stage) throws -> Void) throws {
  let stage = Stage(kind)
  do {
    try body(stage)
  } catch {
    try? stage.close()
    throw error
  }
  try stage.close()
}

private let names = Shared(0)

/// A class name that no test has used.
func uniqueName(_ stem: String) -> String {
  names.update { number in
    number += 1
    return "\(stem)\(number)"
  }
}

/// Runs what a closure that cannot throw has to do; an error is an issue of the test.
func attempt(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
  do { try body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
}
