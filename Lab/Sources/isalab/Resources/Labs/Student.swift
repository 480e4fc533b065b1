import IsaKVO
import IsaRuntime

/// Your own key-value observing. Split it into as many files as you like.
public final class Student: StudentObserving {
  public init() {}

  public func add(
    _ observer: RuntimeObject, to object: RuntimeObject, keyPath: String,
    options: StudentOptions, context: Int, tell: @escaping StudentTell
  ) throws {
    throw NotRegistered()  // make a notifying class, swap the isa, remember whom to tell
  }

  public func remove(
    _ observer: RuntimeObject, from object: RuntimeObject, keyPath: String, context: Int?
  ) throws {
    throw NotRegistered()  // forget whom to tell; with the last one the isa goes back
  }
// @from 6

  public func setKeyPaths(
    _ keyPaths: Set<String>, affecting key: String, of runtimeClass: RuntimeClass
  ) {}
// @from 7

  public func willChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {}

  public func didChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {}
// @always
}
