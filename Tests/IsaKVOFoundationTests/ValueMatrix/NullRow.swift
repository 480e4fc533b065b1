import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// The row of NSNull, which has one value only, and which stands for nil where there is one.
struct NullRow: AnyValueRow {
  private func holder() -> ValueHolder<NSNull> { ValueHolder(NSNull()) }

  func setByName() {
    let holder = holder()
    for key in ["item", "maybe"] {
      holder.setValue(NSNull(), forKey: key)
      #expect(holder.value(forKey: key) is NSNull, "\(key)")
    }
    holder.setValue([NSNull(), NSNull()], forKey: "list")
    #expect(holder.list.count == 2)
  }

  func readByName() {
    let holder = holder()
    #expect(holder.value(forKey: "item") is NSNull && holder.value(forKey: "maybe") is NSNull)
    #expect(holder.dictionaryWithValues(forKeys: ["item"])["item"] is NSNull)
    #expect(members(of: holder.value(forKey: "list")).map { $0 is NSNull } == [true])
  }

  func byPath() {
    let holder = holder()
    holder.inner = self.holder()
    holder.setValue(NSNull(), forKeyPath: "inner.item")
    #expect(holder.value(forKeyPath: "inner.item") is NSNull)
    #expect(holder.value(forKeyPath: "item.any.key") is NSNull)
  }

  func operators() {
    let holder = filled()
    #expect(holder.value(forKeyPath: "list.@count") as? Int == 2)
    let counts = [
      "others.@unionOfObjects.item": 2, "others.@unionOfArrays.list": 2,
      "others.@distinctUnionOfObjects.item": 1, "others.@distinctUnionOfArrays.list": 1,
      "list.@distinctUnionOfObjects.self": 1,
    ]
    for (keyPath, count) in counts {
      let union = holder.value(forKeyPath: keyPath) as? [Any]
      #expect(union?.count == count && union?.first is NSNull, "\(keyPath)")
    }
  }

  func sums() {
    for keyPath in ["list.@sum.self", "list.@avg.self", "others.@sum.item", "others.@avg.item"] {
      expectRefusal(filled(), keyPath, .unrecognizedSelector, "NSInvalidArgumentException")
    }
  }

  func extremes() {
    for keyPath in ["list.@min.self", "list.@max.self", "others.@min.item", "others.@max.item"] {
      expectRefusal(filled(), keyPath, .unrecognizedSelector, "NSInvalidArgumentException")
    }
  }

  func changes() {
    let holder = holder(), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "item", options: [.old, .new], context: nil)
    holder.item = NSNull()
    holder.removeObserver(watcher, forKeyPath: "item")
    #expect(watcher.changes.map { $0[.oldKey] is NSNull && $0[.newKey] is NSNull } == [true])
  }

  func arrayProxy() {
    let holder = holder(), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "list", options: [.old, .new], context: nil)
    let list = holder.mutableArrayValue(forKey: "list")
    list.add(NSNull())
    #expect(holder.list.count == 2 && list[1] is NSNull && list.index(of: NSNull()) == 0)
    list.remove(NSNull())
    #expect(holder.list.isEmpty)
    holder.removeObserver(watcher, forKeyPath: "list")
    #expect(members(of: watcher.changes.first?[.newKey]).map { $0 is NSNull } == [true])
    #expect(members(of: watcher.changes.last?[.oldKey]).map { $0 is NSNull } == [true, true])
  }

  // It is none of `hashableRowNames`.
  func setsByName() { Issue.record("sets find a null by chance") }
  func setOperators() { setsByName() }
  func setProxy() { setsByName() }

  func validation() throws {
    var value: Any? = NSNull()
    try holder().validateValue(&value, forKey: "item")
    #expect(value is NSNull)
  }

  func nils() {
    let holder = holder()
    holder.setValue(nil, forKey: "maybe")
    #expect(holder.maybe == nil && holder.value(forKey: "maybe") == nil)
    holder.maybe = NSNull()
    holder.setValuesForKeys(["maybe": NSNull()])
    #expect(holder.maybe == nil)
    let misuses = reports { holder.setValue(nil, forKey: "item") }
    #expect(misuses.map(\.exception) == ["NSInvalidArgumentException"])
  }

  private func filled() -> ValueHolder<NSNull> {
    let holder = holder()
    holder.list = [NSNull(), NSNull()]
    holder.others = [self.holder(), self.holder()]
    return holder
  }
}
