import Foundation
import IsaKVO
import IsaKVOFoundation

/// An account with computed keys: two that only answer, one that is set.
class Account: KVObject {
  @Dynamic var first = "Ann"
  @Dynamic var last = "Lee"
  @Dynamic var cents = 0
  @Dynamic var limit: Int = 100
  private var storedNote = ""

  var note: String {
    get { storedNote }
    set {
      willChangeValue(forKey: "note")
      defer { didChangeValue(forKey: "note") }
      storedNote = newValue.uppercased()
    }
  }

  var full: String { first + " " + last }

  var isRich: Bool { cents > limit }

  override class var keys: [KeyDeclaration] {
    [
      // Told when the limit is really another.
      .key("limit", \Account.limit, notifiesAutomatically: false),
      .key("note", \Account.note),
      // Both names make it.
      .key("full", \Account.full, paths: ["first", "last"]),
      .key("isRich", \Account.isRich, paths: ["cents", "limit"]),
    ]
  }

  func setLimit(to limit: Int) {
    guard limit != self.limit else { return }
    willChangeValue(forKey: "limit")
    self.limit = limit
    didChangeValue(forKey: "limit")
  }
}

/// An account whose dependent keys are worked out, and whose rule for all keys stays as it is.
final class SharedAccount: Account {
  @Dynamic var other: Account?
  var both: String { full + " and " + (other?.full ?? "nobody") }
  var initials: String { "\(first.prefix(1))\(last.prefix(1))" }

  override class var keys: [KeyDeclaration] {
    [
      .key("both", \SharedAccount.both, paths: keyPathsForValuesAffectingBoth()),
      .key("initials", \SharedAccount.initials),
    ]
  }

  class func keyPathsForValuesAffectingBoth() -> Set<String> {
    let own: Set<String> = ["full"]
    return own.union(["other", "other.full"])
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "initials": return ["full"]
    default: return super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

private final class Listener: KVObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    print("\(keyPath!): \(change![.newKey]!)")
  }
}

func showComputed() {
  let account = SharedAccount(), listener = Listener()
  let keys = ["full", "note", "isRich", "limit", "both", "initials"]
  for key in keys {
    account.addObserver(listener, forKeyPath: key, options: .new, context: nil)
  }
  account.last = "Poe"
  account.note = "late"
  account.setValue("early", forKey: "note")
  account.cents = 150
  account.setLimit(to: 100)
  account.setLimit(to: 200)
  account.other = Account()
  account.other?.first = "Bob"
  print(account.value(forKey: "full") as! String, account.note)
  for key in keys { account.removeObserver(listener, forKeyPath: key) }
}
