import Foundation
import IsaKVO
import IsaKVOFoundation

nonisolated(unsafe) private var balanceContext = 0

/// The classic pattern: registers in its initialiser, removes itself in its deinit.
final class AccountObserver: KVObject {
  private let account: Account

  init(account: Account) {
    self.account = account
    super.init()
    account.addObserver(
      self, forKeyPath: "balance", options: [.old, .new], context: &balanceContext)
    account.addObserver(self, forKeyPath: "entries", options: .new, context: nil)
    account.addObserver(self, forKeyPath: "nickname", options: [.initial, .new], context: nil)
  }

  deinit {
    account.removeObserver(self, forKeyPath: "balance", context: &balanceContext)
    account.removeObserver(self, forKeyPath: "entries")
    account.removeObserver(self, forKeyPath: "nickname")
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if context == &balanceContext {
      let old = change?[.oldKey] as? Double ?? 0
      let new = change?[.newKey] as? Double ?? 0
      print("balance by \(new - old)")
    } else if keyPath == "entries" {
      let kind = (change?[.kindKey] as? UInt).flatMap(NSKeyValueChange.init)
      let indexes = change?[.indexesKey] as? IndexSet
      print(
        "entries: \(kind == .insertion ? "insertion" : "other") at \(indexes.map(Array.init) ?? [])"
      )
    } else if keyPath == "nickname" {
      print("nickname: \(change?[.newKey] is NSNull ? "none" : change?[.newKey] as? String ?? "?")")
    } else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }
}

/// The same with tokens.
final class AccountView {
  private var observations: [NSKeyValueObservation] = []

  init(account: Account) {
    observations = [
      account.observe(\.summary, options: [.initial, .new]) { _, change in
        print("summary: \(change.newValue ?? "?")")
      },
      account.observe(\.nickname, options: [.old, .new]) { account, change in
        if case .some(let name) = change.newValue {
          print("\(account.owner) is \(name ?? "nobody")")
        }
      },
    ]
  }

  deinit { observations.forEach { $0.invalidate() } }
}
