import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private class Base: NSKVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 1
  @Dynamic var items = ["a"]
}

/// Overrides what code for Apple systems overrides, each calling `super`.
private class Logged: Base {
  var log: [String] = []

  override func value(forKey key: String) -> Any? {
    log.append("value \(key)")
    return super.value(forKey: key == "alias" ? "age" : key)
  }

  override func setValue(_ value: Any?, forKey key: String) {
    log.append("set \(key)")
    super.setValue(value, forKey: key)
  }

  override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    log.append("add \(keyPath)")
    super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  override func removeObserver(_ observer: KVObject, forKeyPath keyPath: String) {
    log.append("remove \(keyPath)")
    super.removeObserver(observer, forKeyPath: keyPath)
  }

  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    log.append("remove \(keyPath) with context")
    super.removeObserver(observer, forKeyPath: keyPath, context: context)
  }
}

private final class Deeper: Logged {
  override func value(forKey key: String) -> Any? {
    log.append("deeper \(key)")
    return super.value(forKey: key)
  }
}

/// Calls `super` in a function of another name.
private final class Indirect: Base {
  var reads = 0

  override func value(forKey key: String) -> Any? {
    reads += 1
    return read(key)
  }

  private func read(_ key: String) -> Any? { super.value(forKey: key) }
}

private final class KeepsInfo: Person {
  var info: UnsafeMutableRawPointer?

  override var observationInfo: UnsafeMutableRawPointer? {
    get { info }
    set { info = newValue }
  }
}

@Suite("Overrides that call super", .serialized, .leavesNoObjects)
struct OverrideTests {
  /// The object as its own class and as the base class knows it.
  private func onBoth(_ body: (Logged) -> Void, _ base: (KVObject) -> Void) -> [[String]] {
    let logged = Logged()
    body(logged)
    let direct = logged.log
    logged.log = []
    base(logged)
    return [direct, logged.log]
  }

  @Test("value(forKey:) runs once, whichever type it is called by")
  func value() {
    let logs = onBoth {
      #expect($0.value(forKey: "age") as? Int == 1)
    } _: {
      #expect($0.value(forKey: "age") as? Int == 1)
    }
    #expect(logs == [["value age"], ["value age"]])
  }

  @Test("setValue(_:forKey:) runs once, whichever type it is called by")
  func setValue() {
    let logs = onBoth {
      $0.setValue(3, forKey: "age")
      #expect($0.age == 3)
    } _: {
      $0.setValue(NSNumber(value: 4), forKey: "age")
    }
    #expect(logs == [["set age"], ["set age"]])
  }

  @Test("the observer messages run once, whichever type they are called by")
  func observers() {
    let watcher = Watcher(), mark = Context()
    let logs = onBoth {
      $0.addObserver(watcher, forKeyPath: "age", options: .new, context: mark.address)
      $0.age = 5
      $0.removeObserver(watcher, forKeyPath: "age", context: mark.address)
      $0.addObserver(watcher, forKeyPath: "name", context: nil)
      $0.removeObserver(watcher, forKeyPath: "name")
    } _: {
      $0.addObserver(watcher, forKeyPath: "age", options: .new, context: mark.address)
      $0.removeObserver(watcher, forKeyPath: "age", context: mark.address)
      $0.addObserver(watcher, forKeyPath: "name", context: nil)
      $0.removeObserver(watcher, forKeyPath: "name")
    }
    let expected = ["add age", "remove age with context", "add name", "remove name"]
    // The engine reads the new value by the override, as Foundation does.
    #expect(logs.map { $0.filter { $0 != "value age" } } == [expected, expected])
    #expect(watcher.notes.all == ["age"])
  }

  @Test("super with another key reads that key and does not come back")
  func alias() {
    let logged = Logged()
    #expect(logged.value(forKey: "alias") as? Int == 1)
    #expect(logged.log == ["value alias"])
  }

  @Test("an override of an override calls the one above it")
  func twoLevels() {
    let deeper = Deeper()
    #expect(deeper.value(forKey: "age") as? Int == 1)
    #expect((deeper as KVObject).value(forKey: "age") as? Int == 1)
    #expect(deeper.log == ["deeper age", "value age", "deeper age", "value age"])
  }

  @Test("super in a function of another name comes to an end")
  func indirect() {
    let object = Indirect()
    #expect((object as KVObject).value(forKey: "age") as? Int == 1)
    #expect(object.reads == 1)
    #expect(object.value(forKey: "age") as? Int == 1)
    #expect(object.reads == 2)
  }

  @Test("a function of the same name in another type reaches the override, as any other does")
  func forwarding() {
    struct Asks {
      let object: KVObject
      func value(forKey key: String) -> Any? { object.value(forKey: key) }
      func setValue(_ value: Any?, forKey key: String) { object.setValue(value, forKey: key) }
    }
    let logged = Logged(), asks = Asks(object: logged)
    #expect(asks.value(forKey: "age") as? Int == 1)
    asks.setValue(2, forKey: "age")
    #expect(logged.log == ["value age", "set age"])
  }

  @Test("an override that hands on to another object reaches that one's override")
  func decorator() {
    final class Decorator: NSKVObject {
      let inner: KVObject
      init(_ inner: KVObject) { self.inner = inner }
      override func value(forKey key: String) -> Any? { inner.value(forKey: key) }
      override func addObserver(
        _ observer: KVObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
        context: UnsafeMutableRawPointer?
      ) {
        inner.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
      }
    }
    let logged = Logged(), decorator = Decorator(logged), watcher = Watcher()
    #expect(decorator.value(forKey: "age") as? Int == 1)
    #expect((decorator as KVObject).value(forKey: "age") as? Int == 1)
    decorator.addObserver(watcher, forKeyPath: "name", options: [], context: nil)
    #expect(logged.log == ["value age", "value age", "add name"])
    logged.removeObserver(watcher, forKeyPath: "name")
  }

  @Test("an override of a class below KVObject itself comes to an end, and a report says the cure")
  func belowKVObject() {
    final class Plain: Person {
      var reads = 0
      override func value(forKey key: String) -> Any? {
        reads += 1
        return super.value(forKey: key)
      }
    }
    let object = Plain()
    let misuses = reports {
      #expect(object.value(forKey: "age") as? Int == 1)
      #expect(object.value(forKey: "age") as? Int == 1)
    }
    #expect(object.reads == 4)
    #expect(misuses.count == 1 && misuses[0].reason.contains("NSKVObject"))
  }

  @Test("a key path through an object fails as a whole where super refuses a key")
  func refusals() {
    final class Owner: KVObject {
      @Dynamic var logged = Logged()
      @Dynamic var base = Base()
    }
    let owner = Owner()
    let misuses = reports {
      #expect(owner.value(forKeyPath: "logged.nope") == nil)
      #expect(owner.value(forKeyPath: "base.nope") == nil)
      #expect(owner.logged.value(forKey: "nope") == nil)
    }
    #expect(misuses.map(\.exception) == Array(repeating: "NSUnknownKeyException", count: 3))
    expectError(.undefinedKey) { try neutrallyRead(path: "logged.nope", of: owner) }
  }

  @Test("the proxies can be overridden under Apple's signatures")
  func proxies() {
    final class Counted: Base {
      var asked = 0
      override func mutableArrayValue(forKey key: String) -> NSMutableArray {
        asked += 1
        return super.mutableArrayValue(forKey: key)
      }
    }
    let object = Counted()
    object.mutableArrayValue(forKey: "items").add("b")
    (object as KVObject).mutableArrayValue(forKey: "items").add("c")
    #expect(object.asked == 2 && object.items == ["a", "b", "c"])
  }

  @Test("the engine's own messages reach overrides, and super ends them")
  func fromEngine() {
    let logged = Logged()
    #expect(logged.value(forKeyPath: "age") as? Int == 1)
    logged.setValue(2, forKeyPath: "age")
    #expect(logged.dictionaryWithValues(forKeys: ["age"])["age"] as? Int == 2)
    logged.setValuesForKeys(["age": 3])
    #expect(logged.log == ["value age", "set age", "value age", "set age"])
    #expect(logged.age == 3)
  }

  @Test("an object that overrides addObserver is asked in the middle of a path too")
  func forwarders() {
    final class Owner: KVObject {
      @Dynamic var member: Logged? = Logged()
    }
    let owner = Owner(), watcher = Watcher()
    owner.addObserver(watcher, forKeyPath: "member.age", options: [], context: nil)
    owner.member?.age = 9
    #expect(watcher.notes.all == ["member.age"])
    #expect(owner.member?.log.first == "add age")
    owner.removeObserver(watcher, forKeyPath: "member.age")
    #expect(owner.member?.log.last == "remove age with context")
  }

  @Test("a class may keep observationInfo itself")
  func observationInfo() {
    let object = KeepsInfo(), watcher = Watcher()
    object.addObserver(watcher, forKeyPath: "age", options: [], context: nil)
    #expect(object.info != nil)
    object.age = 2
    #expect(watcher.notes.count == 1)
    object.removeObserver(watcher, forKeyPath: "age")
    #expect(object.info == nil)
  }
}
