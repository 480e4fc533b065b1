// The order in which what a test holds comes to its end.
//
// Optimised code keeps the object in a variable while calls into C may depend on it, but ends the
// variables of a scope in any order, and an array with its last mention. Hence a fixture that owns
// a class may go before one that owns an instance, and an object of an array before its id is used.
//
// Owns:  the classes whose fixtures have gone and that still have instances or subclasses.
// Locks: `waiting` is reached under `lock` only; no class is disposed of under it, since the bodies
//        of methods go with their class and may own fixtures.
import CIsa
import Foundation

private let lock = NSLock()
nonisolated(unsafe) private var waiting: [isa_class] = []

/// Disposes of a class, at once or when the last of its instances and subclasses has gone.
package func disposeOfClass(_ cls: isa_class) {
  lock.withLock { waiting.append(cls) }
  disposeOfWaitingClasses()
}

/// Gives up a reference, and disposes of the classes that have waited for that.
package func releaseObject(_ object: isa_id?) {
  isa_object_release(object)
  disposeOfWaitingClasses()
}

private func disposeOfWaitingClasses() {
  while true {
    let classes = lock.withLock {
      defer { waiting = [] }
      return waiting
    }
    let used = classes.filter { isa_class_pair_dispose($0) == ISA_ERR_IN_USE }
    lock.withLock { waiting += used }
    // A class that went may have been a subclass of one that did not.
    if used.count == classes.count { return }
  }
}

/// Fixtures that stay until the variable that holds them all ends, as one fixture does.
package final class Held<Member>: RandomAccessCollection {
  private let members: [Member]

  package init(_ members: [Member]) { self.members = members }

  /// Holds `count` fixtures that `make` makes.
  package init(_ count: Int, _ make: () throws -> Member) rethrows {
    members = try (0..<count).map { _ in try make() }
  }

  package var startIndex: Int { members.startIndex }
  package var endIndex: Int { members.endIndex }
  package subscript(index: Int) -> Member { members[index] }
}

extension Held: Sendable where Member: Sendable {}
