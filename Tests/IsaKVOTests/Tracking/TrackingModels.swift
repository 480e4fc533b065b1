import IsaKVO
import IsaKVOTestSupport
import Observation

/// An object with a property of each kind.
class TrackedMember: KVObject {
  @Dynamic var first = "Ada"
  @Dynamic var last = "L"
  @Dynamic var age = 36
  @Dynamic var friend: TrackedMember?
  @Dynamic var scores: [Int] = [1]
  @Dynamic var tags: Set<String> = []
  @Dynamic var items: [TrackedMember] = []
  @LazyDynamic var motto = "none"
  @WeakDynamic var boss: TrackedMember?
  private var storedColor = "red"

  override class var keys: [KeyDeclaration] { [.key("color", \TrackedMember.color)] }

  var full: String { "\(first) \(last)" }

  var color: String {
    get {
      access(\.color)
      return storedColor
    }
    set { withChange(of: \.color) { storedColor = newValue } }
  }
}

final class TrackedBoss: TrackedMember {
  @Dynamic var office = 1
  override var age: Int {
    get { super.age + 1 }
    set { super.age = newValue }
  }
}

@Observable final class TrackedScreen {
  var member = TrackedMember()
  var title = "t"
}

/// Counts how often trackings fire.
final class Fires: Sendable {
  private let told = Recorder<Void>()

  var value: Int { told.count }

  /// Tracks what `read` reads.
  func track(_ read: () -> Void) { withObservationTracking(read) { self.told.add(()) } }
}

/// How often a tracking of what `read` reads fires while `change` runs.
func fires(reading read: () -> Void, while change: () throws -> Void) rethrows -> Int {
  let fires = Fires()
  fires.track(read)
  try change()
  return fires.value
}
