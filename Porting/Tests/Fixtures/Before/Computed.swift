import Foundation

/// An account with computed keys: two that only answer, one that is set.
class Account: NSObject {
  @objc dynamic var first = "Ann"
  @objc dynamic var last = "Lee"
  @objc dynamic var cents = 0
  @objc dynamic var limit: Int = 100
  private var storedNote = ""

  @objc dynamic var note: String {
    get { storedNote }
    set { storedNote = newValue.uppercased() }
  }

  @objc dynamic var full: String { first + " " + last }

  // Both names make it.
  @objc class func keyPathsForValuesAffectingFull() -> Set<String> {
    return [#keyPath(Account.first), #keyPath(Account.last)]
  }

  @objc dynamic var isRich: Bool { cents > limit }

  @objc class var keyPathsForValuesAffectingIsRich: Set<String> { ["cents", "limit"] }

  // Told when the limit is really another.
  @objc class func automaticallyNotifiesObserversOfLimit() -> Bool { false }

  func setLimit(to limit: Int) {
    guard limit != self.limit else { return }
    willChangeValue(forKey: #keyPath(limit))
    self.limit = limit
    didChangeValue(forKey: #keyPath(limit))
  }
}

/// An account whose dependent keys are worked out, and whose rule for all keys stays as it is.
final class SharedAccount: Account {
  @objc dynamic var other: Account?
  @objc dynamic var both: String { full + " and " + (other?.full ?? "nobody") }
  @objc dynamic var initials: String { "\(first.prefix(1))\(last.prefix(1))" }

  @objc class func keyPathsForValuesAffectingBoth() -> Set<String> {
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

private final class Listener: NSObject {
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
