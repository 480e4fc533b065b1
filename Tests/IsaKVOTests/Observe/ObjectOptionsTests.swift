import IsaKVO
import IsaKVOTestSupport
import Testing

/// Options and contexts of registrations on Swift objects.
@Suite(.serialized, .leavesNoObjects)
struct ObjectOptionsTests {
  private nonisolated(unsafe) static var mine = 0

  @Test("the context that comes back to an observer object is that of the pointer it gave")
  func comesBack() throws {
    final class Watcher: KVObject {
      var contexts: [ObservationContext] = []
      override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) { contexts.append(ObservationContext(context)) }
    }
    let human = Human(), watcher = Watcher()
    try human.addObserver(watcher, forKeyPath: "age", context: &Self.mine)
    human.age = 2
    #expect(watcher.contexts == [ObservationContext(&Self.mine)])
    try human.removeObserver(watcher, forKeyPath: "age", context: &Self.mine)
  }

  @Test("bits beyond those that the core has are refused, and not cut off")
  func manyBits() {
    let human = Human()
    let options = ObservationOptions(rawValue: 1 << 40 | 1)
    expectMisuse { _ = human.observe(\.age, options: options) { _, _ in } }
  }
}
