import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private protocol TransferDelegate: NSObjectProtocol {
  func transfer(_ name: String, got bytes: Int)
}

private class Meter: KVObject, TransferDelegate {
  @Dynamic var bytes = 0
  func transfer(_ name: String, got bytes: Int) { self.bytes += bytes }
}

private class Ticket: KVObject {
  let number: Int
  init(_ number: Int) { self.number = number }
  override func isEqual(_ object: Any?) -> Bool { (object as? Ticket)?.number == number }
  override var hash: Int { number }
  override var description: String { "ticket \(number)" }
}

@Suite(.serialized, .leavesNoObjects)
struct DelegateTests {
  @Test("an object is a delegate whose protocol asks for NSObjectProtocol, and observed meanwhile")
  func delegate() {
    let meter = Meter()
    var told: [Int] = []
    let token = meter.observe(\.bytes, options: .new) { _, change in told.append(change.newValue!) }
    let delegate: any TransferDelegate = meter
    delegate.transfer("file", got: 3)
    delegate.transfer("file", got: 4)
    token.invalidate()
    #expect(told == [3, 7])
    #expect(delegate.`self`() === meter)
    #expect(!delegate.isProxy())
  }

  @Test("as an NSObjectProtocol an object answers with its own equality, hash and texts")
  func overrides() {
    let first: any NSObjectProtocol = Ticket(3)
    #expect(first.isEqual(Ticket(3)))
    #expect(!first.isEqual(Ticket(4)))
    #expect(!first.isEqual(nil))
    #expect(first.hash == 3)
    #expect(first.description == "ticket 3")
    #expect((Ticket(1) as Any) is any NSObjectProtocol)
  }
}
