import IsaKVO
import IsaKVOTestSupport
import Testing

private protocol Customized: KeyValueCustomization {}
private protocol Located: MainActorObject {}

extension Customized {
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> { [] }
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { false }
}

private class Silent: KVObject, @unchecked Sendable { @Dynamic var number = 0 }

private class Direct: Silent, KeyValueCustomization, @unchecked Sendable {
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> { [] }
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { false }
}
private final class Below: Direct, @unchecked Sendable { @Dynamic var more = 0 }
private final class Refined: Silent, Customized, @unchecked Sendable {}
private final class Extended: Silent, @unchecked Sendable {}
extension Extended: Customized {}
private class Generic<Value>: Silent, Customized, @unchecked Sendable {
  @Dynamic var values: [Value] = []
}
private final class Special: Generic<Int>, @unchecked Sendable {}
private class Conditional<Value>: Silent, @unchecked Sendable {
  @Dynamic var values: [Value] = []
}
extension Conditional: KeyValueCustomization, Customized where Value: Numeric {}
private final class Met: Conditional<Int>, @unchecked Sendable {}
private final class NotMet: Conditional<String>, @unchecked Sendable {}

private class OnMain: KVObject, Located { @Dynamic var number = 0 }
private final class BelowMain: OnMain {}

/// Classes say something by conforming to a protocol, however they come to conform.
@Suite("Kinds of conformance", .serialized, .oneAtATime)
struct ConformanceKindTests {
  /// Whether setting a property of an object notifies by itself.
  private func isAutomatic(_ object: Silent) -> Bool {
    var count = 0
    let token = object.observe(\.number) { _, _ in count += 1 }
    object.number += 1
    token.invalidate()
    return count == 1
  }

  @Test("a class is asked that conforms itself, above, by another protocol, in an extension")
  func plain() {
    #expect(isAutomatic(Silent()))
    for object in [Direct(), Below(), Refined(), Extended()] { #expect(!isAutomatic(object)) }
  }

  @Test("a generic class is asked where it conforms, on conditions too")
  func generic() {
    for object in [Generic<String>(), Generic<Silent>(), Special(), Conditional<Double>(), Met()] {
      #expect(!isAutomatic(object))
    }
    for object in [Conditional<Silent>(), NotMet()] { #expect(isAutomatic(object)) }
  }

  @Test("a class of the main actor is known, above and by another protocol too")
  func ofMainActor() async {
    await MainActor.run {
      for object in [OnMain(), BelowMain()] { object.observe(\.number) { _, _ in }.invalidate() }
    }
    let objects = await MainActor.run { [OnMain(), BelowMain()] }
    for object in objects {
      #expect(throws: KeyValueError.self) { try object.value(forKey: "number") }
    }
  }

  @Test("classes are asked where what the compiler notes of protocols is not as it is known")
  func assumed() async {
    await #expect(processExitsWith: .success) {
      SwiftLayout.assumed.existentialProtocol -= MemoryLayout<UInt>.size
      #expect(SwiftLayout().differences.isEmpty)
      let suite = ConformanceKindTests()
      #expect(suite.isAutomatic(Silent()))
      for object in [Direct(), Below(), Extended(), Special(), Met()] {
        #expect(!suite.isAutomatic(object))
      }
      #expect(suite.isAutomatic(NotMet()))
    }
  }
}
