// The product IsaKVOFoundation: the same under the names that Apple's Foundation has.
import Foundation
import IsaKVO
import IsaKVOFoundation

class Account: KVObject {
  @Dynamic var balance = 0.0
  @Dynamic var entries: [Double] = []
}

class Auditor: KVObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let indexes = change![.indexesKey] as? IndexSet
    print(keyPath!, change![.newKey]!, indexes.map { "at \(Array($0))" } ?? "")
  }
}

let account = Account(), auditor = Auditor()
account.addObserver(auditor, forKeyPath: "balance", options: .new, context: nil)
account.addObserver(auditor, forKeyPath: "entries", options: .new, context: nil)
account.setValuesForKeys(["balance": 12.5])
account.mutableArrayValue(forKey: "entries").add(2.5)
account.removeObserver(auditor, forKeyPath: "balance")
account.removeObserver(auditor, forKeyPath: "entries")
print(account.value(forKeyPath: "entries.@sum.self") as! Double)
