import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private class Values: KVObject {
  @Dynamic var objcValue2 = "" {
    willSet { willChangeValue(for: \.objcValue2) }
    didSet { didChangeValue(for: \.objcValue2) }
  }
  @Dynamic var objcValue3 = ""
}

private final class Target: Values, NSKeyValueObservingCustomization {
  @Dynamic var objcValue = ""

  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    key == \Target.objcValue ? [\Target.objcValue2, \Target.objcValue3] : []
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool {
    key != \Target.objcValue2 && key != \Target.objcValue3
  }
}

private final class Other: KVObject {
  @Dynamic var name = ""
}

/// The key paths that the classes below were asked for.
private let asked = Recorder<AnyKeyPath>()

private func observeOther() { _ = Other().observe(\.name) { _, _ in } }

private final class First: KVObject, NSKeyValueObservingCustomization {
  @Dynamic var name = ""

  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    asked.add(key)
    observeOther()
    return []
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool {
    asked.add(key)
    observeOther()
    return true
  }
}

private final class Second: KVObject, NSKeyValueObservingCustomization {
  @Dynamic var name = ""

  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    asked.add(key)
    observeOther()
    return []
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool {
    asked.add(key)
    observeOther()
    return true
  }
}

private final class Link: KVObject {
  @Dynamic var next: Link?
  @Dynamic var name = ""
}

@Suite("SWF: NSKeyValueObservingCustomization", .serialized, .leavesNoObjects)
struct CustomizationTests {
  @Test("SWF-02 dependent via customization: it holds at each change, not only while registering")
  func dependent() {
    let target = Target(), notes = Recorder<Void>()
    let token = target.observe(\.objcValue) { _, _ in notes.add(()) }
    target.objcValue2 = "six"
    #expect(notes.count == 1)
    target.objcValue3 = "nothing"
    #expect(notes.count == 1)
    target.objcValue = "seven"
    #expect(notes.count == 2)
    token.invalidate()
  }

  @Test("SWF-08 nested observe inside customization callbacks")
  func nested() {
    asked.clear()
    let first = First(), notes = Recorder<String>()
    let one = first.observe(\.name, options: .new) { notes.add($1.newValue!) }
    #expect(asked.all.allSatisfy { $0 == \First.name } && asked.count == 2)
    asked.clear()
    let second = Second()
    let two = second.observe(\.name, options: .new) { notes.add($1.newValue!) }
    #expect(asked.all.allSatisfy { $0 == \Second.name } && asked.count == 2)
    asked.clear()
    first.name = "a"
    second.name = "b"
    one.invalidate()
    two.invalidate()
    #expect(notes.all == ["a", "b"])
    #expect(first.observationInfo == nil && second.observationInfo == nil)
  }

  @Test("a key path that was observed before is not followed to a nil, though a class is asked")
  func nilOnTheWay() {
    let target = Target(), link = Link(), end = Link()
    target.observe(\.objcValue) { _, _ in }.invalidate()
    link.next = end
    let token = link.observe(\.next!.name) { _, _ in }
    let other = end.observe(\.next!.name) { _, _ in }
    #expect(token.isValid && other.isValid)
    token.invalidate()
    other.invalidate()
  }
}
