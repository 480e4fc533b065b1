import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// Code that has to change as PortingFromApple.md says, and how it works then.
@Suite("Porting from Apple systems", .serialized, .leavesNoObjects)
struct PortingTests {
  @Test("keyPathsForValuesAffecting<Key> becomes a case of the method for all keys")
  func affecting() {
    final class Couple: KVObject {
      @Dynamic var first = "Ann"
      @Dynamic var last = "Lee"
      var full: String { "\(first) \(last)" }

      override class var keys: [KeyDeclaration] { [.key("full", \Couple.full)] }

      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        switch key {
        case "full": ["first", "last"]
        default: super.keyPathsForValuesAffectingValue(forKey: key)
        }
      }
    }
    let couple = Couple(), watcher = Watcher()
    couple.addObserver(watcher, forKeyPath: "full", options: .new, context: nil)
    couple.first = "Bob"
    #expect(watcher.changes.map { $0[.newKey] as? String } == ["Bob Lee"])
    couple.removeObserver(watcher, forKeyPath: "full")
  }

  @Test("automaticallyNotifiesObserversOf<Key> becomes a case of the method for all keys")
  func automatic() {
    final class Manual: KVObject {
      @Dynamic var count = 1
      @Dynamic var other = 1

      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        key == "count" ? false : super.automaticallyNotifiesObservers(forKey: key)
      }
    }
    let object = Manual(), watcher = Watcher()
    object.addObserver(watcher, forKeyPath: "count", options: [], context: nil)
    object.addObserver(watcher, forKeyPath: "other", options: [], context: nil)
    object.count = 2
    object.other = 2
    #expect(watcher.notes.all == ["other"])
    object.removeObserver(watcher, forKeyPath: "count")
    object.removeObserver(watcher, forKeyPath: "other")
  }

  @Test("a didSet that assigns its own property notifies again")
  func didSetAssigns() {
    final class Clamped: KVObject {
      @Dynamic var level = 1 { didSet { if level > 10 { level = 10 } } }
    }
    final class Wrapped: KVObject {
      @Dynamic private var stored = 1
      var level: Int {
        get { stored }
        set { stored = min(newValue, 10) }
      }
    }
    let clamped = Clamped(), wrapped = Wrapped(), notes = Recorder<Int>()
    let first = clamped.observe(\.level, options: .new) { notes.add($1.newValue!) }
    clamped.level = 12
    first.invalidate()
    #expect(notes.all == [12, 10])
    notes.clear()
    let second = wrapped.observe(\.level, options: .new) { notes.add($1.newValue!) }
    wrapped.level = 12
    second.invalidate()
    #expect(notes.all == [10])
  }

  @Test("setting by name runs didSet if the key is declared")
  func didSetByName() {
    class Plain: KVObject {
      var sets = 0
      @Dynamic var level = 1 { didSet { sets += 1 } }
    }
    final class Declared: Plain {
      override class var keys: [KeyDeclaration] { [.key("level", \Declared.level)] }
    }
    let plain = Plain(), declared = Declared()
    plain.setValue(2, forKey: "level")
    declared.setValue(2, forKey: "level")
    #expect(plain.level == 2 && plain.sets == 0)
    #expect(declared.level == 2 && declared.sets == 1)
  }

  @Test("lazy and weak properties have wrappers of their own")
  func lazyAndWeak() {
    final class Node: KVObject {
      @LazyDynamic var title = "made"
      @WeakDynamic var parent: Node?
    }
    let node = Node(), parent = Node(), notes = Recorder<String>()
    let title = node.observe(\.title, options: [.old, .new]) { _, change in
      notes.add("\(show(change.oldValue)) \(show(change.newValue))")
    }
    node.title = "set"
    let up = node.observe(\.parent) { _, _ in notes.add("parent") }
    node.parent = parent
    title.invalidate()
    up.invalidate()
    #expect(notes.all == ["made set", "parent"])
  }

  @Test("validation takes the value inout and throws")
  func validation() throws {
    struct Bad: Error {}
    final class Checked: KVObject {
      @Dynamic var age = 1

      override func validateValue(_ value: inout Any?, forKey key: String) throws {
        guard key == "age", let age = value as? Int else {
          return try super.validateValue(&value, forKey: key)
        }
        if age > 200 { throw Bad() }
        value = max(age, 0)
      }
    }
    let object = Checked()
    var value: Any? = -3
    try object.validateValue(&value, forKey: "age")
    #expect(value as? Int == 0)
    value = 300
    #expect(throws: Bad.self) { try object.validateValue(&value, forKey: "age") }
  }

  @Test("undefined keys and nil for a number go to the methods that a class overrides")
  func undefined() {
    final class Open: KVObject {
      @Dynamic var age = 1
      var extra: [String: Any] = [:]

      override func value(forUndefinedKey key: String) -> Any? { extra[key] }
      override func setValue(_ value: Any?, forUndefinedKey key: String) { extra[key] = value }
      override func setNilValueForKey(_ key: String) {
        if key == "age" { age = 0 } else { super.setNilValueForKey(key) }
      }
    }
    let object = Open()
    let misuses = reports {
      object.setValue(5, forKey: "any")
      object.setValue(nil, forKey: "age")
    }
    #expect(object.value(forKey: "any") as? Int == 5 && object.age == 0 && misuses.isEmpty)
  }
}
