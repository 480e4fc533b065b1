import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

// MARK: - Proxies

extension ValueRow {
  func arrayProxy() {
    let holder = ValueHolder(first), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "list", options: [.old, .new], context: nil)
    let list = holder.mutableArrayValue(forKey: "list")
    list.add(second)
    #expect(holder.list.count == 2 && isSecond(holder.list.last))
    #expect(isSecond(list[1]) && list.contains(second) && list.index(of: second) == 1)
    list.remove(second)
    #expect(holder.list.count == 1)
    holder.removeObserver(watcher, forKeyPath: "list")
    expectToldSecond(watcher)
    #expect(isSecond(members(of: watcher.changes.first?[.newKey]).first))
    #expect(isSecond(members(of: watcher.changes.last?[.oldKey]).first))
  }

  func setsByName() {
    let holder = SetHolder(first, keys: setKeys)
    for key in setKeys {
      holder.setValue(SetHolder(second, keys: setKeys).value(forKey: key), forKey: key)
      let elements = members(of: holder.value(forKey: key))
      #expect(elements.count == 1 && isEqualToSecond(elements.first), "\(key)")
    }
    guard setKeys.contains("bag") else { return }
    holder.setValue(NSSet(array: [first, second]), forKey: "set")
    #expect(holder.set.count == 2 && holder.set.contains(second))
  }

  func setProxy() {
    for key in setKeys {
      let holder = SetHolder(first, keys: setKeys), watcher = Watcher()
      holder.addObserver(watcher, forKeyPath: key, options: [.old, .new], context: nil)
      let set = holder.mutableSetValue(forKey: key)
      set.add(second)
      #expect(
        set.count == 2 && set.contains(first) && isEqualToSecond(set.member(second)), "\(key)")
      #expect(members(of: holder.value(forKey: key)).contains { isEqualToSecond($0) }, "\(key)")
      set.remove(second)
      #expect(set.count == 1 && set.contains(first) && !set.contains(second), "\(key)")
      holder.removeObserver(watcher, forKeyPath: key)
      expectToldSecond(watcher)
    }
  }

  /// Expects that the second value came, and went.
  private func expectToldSecond(_ watcher: Watcher) {
    #expect(watcher.changes.map { $0[.kindKey] as? UInt } == [2, 3])
    for (change, key) in zip(watcher.changes, [NSKeyValueChangeKey.newKey, .oldKey]) {
      let told = members(of: change[key])
      #expect(told.count == 1 && isEqualToSecond(told.first))
    }
  }
}

// MARK: - Operators

extension ValueRow {
  func operators() {
    let holder = ValueHolder(first)
    holder.others = [first, second, second].map { ValueHolder($0) }
    holder.mutableArrayValue(forKey: "list").addObjects(from: [second, second])
    #expect(holder.value(forKeyPath: "others.item.@count") as? Int == 3)
    #expect(holder.value(forKeyPath: "list.@count") as? Int == 3)
    expectUnion(holder, "others.@unionOfObjects.item", 3)
    expectUnion(holder, "others.@unionOfArrays.list", 3)
    expectUnion(holder, "others.@distinctUnionOfObjects.item", 2)
    expectUnion(holder, "others.@distinctUnionOfArrays.list", 2)
    if isDictionary { return }
    for (keyPath, count) in [("list.@unionOfObjects", 3), ("list.@distinctUnionOfObjects", 2)] {
      let union = holder.value(forKeyPath: "\(keyPath).self") as? [Any]
      #expect(union?.count == count && isEqualToSecond(union?.last), "\(keyPath)")
    }
  }

  func sums() {
    let holder = filled()
    expectSums(holder, "others", "item")
    if !isDictionary { expectSums(holder, "list", "self") }
  }

  func extremes() {
    let holder = filled()
    expectExtremes(holder, "others", "item")
    if !isDictionary { expectExtremes(holder, "list", "self") }
  }

  func setOperators() {
    let holder = SetHolder(first, keys: setKeys)
    holder.others = [first, second, second].map { SetHolder($0, keys: setKeys) }
    for key in setKeys {
      holder.mutableSetValue(forKey: key).add(second)
      #expect(holder.value(forKeyPath: "\(key).@count") as? Int == 2, "\(key)")
      for (keyPath, count) in [("others.@unionOfSets", 3), ("others.@distinctUnionOfSets", 2)] {
        let union = holder.value(forKeyPath: "\(keyPath).\(key)") as? [Any]
        #expect(union?.count == count && isEqualToSecond(union?.last), "\(keyPath)")
      }
      if isDictionary { continue }
      expectSums(holder, key, "self")
      expectExtremes(holder, key, "self")
      let distinct = holder.value(forKeyPath: "\(key).@distinctUnionOfObjects.self")
      #expect(members(of: distinct).count == 2, "\(key)")
    }
  }

  /// A dictionary's key `self` is an entry that it does not have.
  private var isDictionary: Bool { first is [AnyHashable: Any] }

  /// The first value and the second, in each array; the second comes through a proxy.
  private func filled() -> ValueHolder<Value> {
    let holder = ValueHolder(first)
    holder.others = [ValueHolder(first), ValueHolder(second)]
    holder.mutableArrayValue(forKey: "list").add(second)
    return holder
  }

  private func expectSums(_ holder: KVObject, _ left: String, _ right: String) {
    let sum = "\(left).@sum.\(right)", average = "\(left).@avg.\(right)"
    switch arithmetic {
    case .exact(let ofAll, let middle):
      #expect(number(holder, sum) == ofAll, "\(sum)")
      #expect(number(holder, average) == middle, "\(average)")
    case .notNumeric:
      #expect(number(holder, sum) == "NaN", "\(sum)")
      expectRefusal(holder, average, .overflow, "NSDecimalNumberOverflowException")
    case .refused:
      expectRefusal(holder, sum, .unrecognizedSelector, "NSInvalidArgumentException")
      expectRefusal(holder, average, .unrecognizedSelector, "NSInvalidArgumentException")
    }
  }

  private func expectExtremes(_ holder: KVObject, _ left: String, _ right: String) {
    let least = "\(left).@min.\(right)", greatest = "\(left).@max.\(right)"
    guard order == .ascending else {
      let code = order == .noMessage ? KeyValueError.Code.unrecognizedSelector : .invalidArgument
      expectRefusal(holder, least, code, "NSInvalidArgumentException")
      expectRefusal(holder, greatest, code, "NSInvalidArgumentException")
      return
    }
    #expect(isEqualToFirst(holder.value(forKeyPath: least)), "\(least)")
    #expect(isEqualToSecond(holder.value(forKeyPath: greatest)), "\(greatest)")
  }

  /// Expects so many values, the first among them and last the second.
  private func expectUnion(_ holder: KVObject, _ keyPath: String, _ count: Int) {
    let union = holder.value(forKeyPath: keyPath) as? [Any] ?? []
    #expect(union.count == count && isFirst(union.first) && isSecond(union.last), "\(keyPath)")
  }

  private func number(_ holder: KVObject, _ keyPath: String) -> String? {
    (holder.value(forKeyPath: keyPath) as? NSDecimalNumber)?.stringValue
  }
}

/// Expects that key path is refused under Apple's names by the exception, by the library's own by
/// the code.
func expectRefusal(
  _ holder: KVObject, _ keyPath: String, _ code: KeyValueError.Code, _ exception: String
) {
  let misuses = reports { #expect(holder.value(forKeyPath: keyPath) == nil, "\(keyPath)") }
  #expect(misuses.map(\.exception) == [exception], "\(keyPath)")
  expectError(code) { try neutrallyRead(path: keyPath, of: holder) }
}
