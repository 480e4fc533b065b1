import IsaKVO
import IsaRuntime

/// Set by one task after the other, or by one thread alone.
final class Meter: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
  @Dynamic var text = "a"
  @Dynamic var thing: Thing?
  var plain = 0
}

/// A value whose end is noticed.
final class Thing: Sendable {}

@MainActor
final class Screen: KVObject {
  @Dynamic var count = 0
  @Dynamic var title = "t"
}

extension KVObject {
  /// Whether anything is registered on the object.
  var isObserved: Bool {
    get throws { try !RuntimeObject(self).registrations.isEmpty }
  }
}

/// The outcome of `follow` for an object to which `change` happens then, and which goes.
func followed<Result>(
  _ follow: (Meter) -> Result, while change: (Meter) -> Void
) -> Result {
  let meter = Meter()
  defer { withExtendedLifetime(meter) {} }
  let result = follow(meter)
  change(meter)
  return result
}

/// The elements of a sequence up to its end.
func all<Elements: AsyncSequence>(_ elements: Elements) async rethrows -> [Elements.Element] {
  var all: [Elements.Element] = []
  for try await element in elements { all.append(element) }
  return all
}
