import Foundation
import IsaKVO
import IsaKVOFoundation

class Account: NSKVObject {
  @Dynamic var owner: String
  @Dynamic var balance: Double = 0
  @Dynamic var nickname: String?
  @Dynamic var entries: [String] = []

  init(owner: String) {
    self.owner = owner
    super.init()
  }

  var summary: String { "\(owner): \(balance)" }

  override class var keys: [KeyDeclaration] { [.key("summary", \Account.summary)] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "summary": return ["owner", "balance"]
    default: return super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

final class AuditedAccount: Account {
  private(set) var audit: [String] = []

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    if key == "nickname" { return false }
    return super.automaticallyNotifiesObservers(forKey: key)
  }

  override func setValue(_ value: Any?, forKey key: String) {
    audit.append(key)
    super.setValue(value, forKey: key)
  }

  func rename(_ name: String?) {
    willChangeValue(forKey: "nickname")
    nickname = name
    didChangeValue(forKey: "nickname")
  }
}
