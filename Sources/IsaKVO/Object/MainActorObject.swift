/// An object of the main actor, whose properties are used there and nowhere else.
///
///     final class Store: KVObject, MainActorObject {
///       @Dynamic var count = 0
///     }
///
/// The class is `@MainActor` and `Sendable` by this one word. For what is typed, the compiler sees to
/// it that the main actor is kept to. It cannot for values by name, whose functions belong to no
/// actor; so these are checked when they are called: `value(forKey:)`, `setValue(_:forKey:)`, their
/// forms for key paths and for many keys, and proxies, of this object or of one whose key path leads
/// through it. Elsewhere than on the main actor they throw `KeyValueError.Code.wrongThread`, and
/// under Apple's names that is a `Misuse`; nothing has been read or set then. A change that is
/// announced by hand elsewhere is a `Misuse` too, and no observer is notified.
///
/// A class that is `@MainActor` without this word is not known to be so while the program runs: values
/// by name are then not checked. The compiler lets no such object leave the main actor, unless the
/// class is declared `Sendable` as well.
///
/// A typed call costs nothing more than with any class.
@MainActor
public protocol MainActorObject: KVObject, Sendable {}
