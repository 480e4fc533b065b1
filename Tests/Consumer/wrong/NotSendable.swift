import IsaKVO
import IsaRuntime

final class Account: KVObject {
  @Dynamic var balance = 0
}

func account(_ object: RuntimeObject) -> Account? {
  // error below: type 'Account' does not conform to the 'Sendable' protocol
  object.swiftObject(as: Account.self)
}
