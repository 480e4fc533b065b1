import IsaKVO
import IsaKVOTestSupport
import Testing

private enum Only { case one }

/// Properties whose values take no room have no place of their own: to Swift's checks of exclusive
/// access all of them are one.
private final class Holder: KVObject {
  @Dynamic var nothing: Void = ()
  @Dynamic var age = 1
  @Dynamic var only = Only.one
  @Dynamic var name = "name"
}

@Suite(.serialized, .leavesNoObjects)
struct EmptyValueTests {
  @Test("a property whose values take no room is read, set and modified, and harms no neighbour")
  func neighbours() {
    let holder = Holder(), told = Recorder<String>()
    let tokens = [
      holder.observe(\.age, options: [.old, .new]) { told.add("\($1.oldValue!), \($1.newValue!)") },
      holder.observe(\.name, options: .new) { told.add($1.newValue!) },
    ]
    holder.nothing = ()
    holder.only = .one
    func modify(_ only: inout Only) { only = .one }
    modify(&holder.only)
    #expect(holder.age == 1 && holder.name == "name" && told.all.isEmpty)
    (holder.age, holder.name) = (2, "new")
    #expect(holder.only == .one && told.all == ["1, 2", "new"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("it has no key, and to observe it is refused with a reason")
  func refused() {
    let holder = Holder()
    #expect(throws: KeyValueError.self) { try holder.value(forKey: "only") }
    let misuses = reports { _ = holder.observe(\.only) { _, _ in } }
    #expect(misuses.count == 1)
    #expect(
      misuses.first?.reason.contains("no two values of type Only differ") == true, "\(misuses)")
  }
}
