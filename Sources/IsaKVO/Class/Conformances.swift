// Which classes conform to the protocols by which classes tell the library something.
//
// A cast to a protocol looks through all conformances of the program, for each class that does not
// conform: the more a program declares, the longer the first use of each class takes. So the
// library looks once for each protocol, and finds out for which classes a cast is worth it.
//
// Owns:      the addresses of the compiler's notes of the types that conform, for the life of the
//            process.
// Locks:     its own, while the images of the process are looked through.
// Invariant: no class is said not to conform unless the library's own class, which conforms, was
//            found.
internal import CSwiftRuntime
internal import IsaKeyValue

/// The types that are declared to conform to a protocol.
final class Conformances: Sendable {
  private struct Found: @unchecked Sendable {
    // Sendable because what the compiler notes never changes.
    var images = 0
    var types: Set<UnsafeRawPointer?> = []
  }

  static let ofMainActor = Conformances((any MainActorObject).self)
  static let ofCustomization = Conformances((any KeyValueCustomization).self)

  private let type: Any.Type
  private let found = Locked(Found())

  private init(_ type: Any.Type) { self.type = type }

  /// False where a class, beside those above it, is not declared to conform.
  func mayHave(_ type: KVObject.Type) -> Bool {
    let notes = SwiftLayout.known.notes(of: type)
    // Code that an interpreter has compiled declares its conformances elsewhere.
    guard swift_runtime_is_in_image(notes) else { return true }
    let images = swift_runtime_conforming(nil, nil, nil)
    return found.withLock { found in
      if found.images != images { found = look() }
      return found.types.contains(notes)
        || !found.types.contains(SwiftLayout.known.notes(of: Conforming.self))
    }
  }

  private func look() -> Found {
    let described = SwiftLayout.known.onlyProtocol(of: type)
    var types: Set<UnsafeRawPointer?> = []
    let images = withUnsafeMutablePointer(to: &types) { types in
      swift_runtime_conforming(
        described, { $0!.assumingMemoryBound(to: Set<UnsafeRawPointer?>.self).pointee.insert($1) },
        types)
    }
    return Found(images: images, types: types)
  }
}

/// A class that conforms to all of the protocols.
private final class Conforming: KVObject, MainActorObject, KeyValueCustomization {
  nonisolated static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> { [] }
  nonisolated static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
}
