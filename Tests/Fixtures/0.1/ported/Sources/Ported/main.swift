import Foundation
import IsaKVO
import IsaKVOFoundation

let account = AuditedAccount(owner: "Ann")
var observer: AccountObserver? = AccountObserver(account: account)
var view: AccountView? = AccountView(account: account)

account.balance = 10
account.setValue(NSNumber(value: 25), forKey: "balance")
account.mutableArrayValue(forKey: "entries").add("rent")
account.rename("Annie")
withExtendedLifetime((observer, view)) {}
observer = nil
view = nil
account.balance = 0

print(account.value(forKeyPath: "entries.@count") as? Int ?? -1, account.audit)
let values = account.dictionaryWithValues(forKeys: ["owner", "balance"])
print(values["owner"] as? String ?? "?", values["balance"] as? Double ?? -1)
