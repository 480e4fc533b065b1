import CIsa
import CIsa.Testing
import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Account: KVObject {
  @Dynamic var balance = 1
  @Dynamic var owner = "ada"
  @Dynamic var partner: Account?
}

/// An act of the Swift face, tried with each of the core's allocations failing.
private struct Act: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Leaves no observation behind.
  let perform: @Sendable (Account) throws -> Void

  init(_ words: String, _ perform: @escaping @Sendable (Account) throws -> Void) {
    (testDescription, self.perform) = (words, perform)
  }

  /// None makes an object of a Swift value, for which there has to be memory.
  static let all = [
    Act("a number is set") { $0.balance = 2 },
    Act("an object is set") { $0.partner = nil },
    Act("a number is set by name") {
      try $0.setValue(2, forKey: "balance")
    },
    Act("changes are one transaction") { account in
      KVObject.transaction {
        account.balance = 2
        account.partner?.balance = 3
      }
    },
    Act("a name is observed") {
      try $0.observe(keyPath: "partner.balance") { _, _ in }.invalidate()
    },
    Act("a change is announced by hand") {
      $0.willChangeValue(for: \.balance)
      $0.didChangeValue(for: \.balance)
    },
  ]
}

@Suite(.serialized, .leavesNoObjects)
struct ShortMemoryTests {
  /// The values that observers of an account have been told.
  private final class Heard {
    var balances: [[Int?]] = []
    var partners: [Int??] = []
  }

  private func observations(_ account: Account, _ heard: Heard) -> [KeyValueObservation] {
    [
      account.observe(\.balance, options: [.old, .new]) {
        heard.balances.append([$1.oldValue, $1.newValue])
      },
      account.observe(\.partner?.balance, options: [.new]) { heard.partners.append($1.newValue) },
    ]
  }

  /// Runs `act` with `granted` allocations; answers whether one was refused.
  private func run(_ act: Act, on account: Account, granted: Int) throws -> Bool {
    do {
      return try failingAllocations(after: granted) { try act.perform(account) }
    } catch let error as KeyValueError {
      #expect(error.code == .outOfMemory, "\(error)")
      return true
    }
  }

  @Test("nothing is lost where the core has no memory", arguments: Act.all)
  private func nothingIsLost(_ act: Act) throws {
    let misuses = Recorder<Misuse>()
    KeyValueSettings.misuseHandler = { misuses.add($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    var granted = 0, isRefused = true
    while isRefused {
      let account = Account(), heard = Heard()
      account.partner = Account()
      let observations = observations(account, heard)
      isRefused = try run(act, on: account, granted: granted)
      // All goes on as if memory had never been short.
      account.balance = 10
      account.partner = Account()
      (heard.balances, heard.partners) = ([], [])
      account.balance = 11
      account.partner?.balance = 12
      #expect(heard.balances == [[10, 11]], "\(granted) granted")
      #expect(heard.partners == [12], "\(granted) granted")
      try act.perform(account)
      for observation in observations { observation.invalidate() }
      granted += 1
    }
    #expect(misuses.all.allSatisfy { $0.code == .outOfMemory }, "\(misuses.all)")
  }

  @Test(
    "without memory for the object of a Swift value the process says so and stops: nil is not told",
    arguments: ["string", "number"])
  func stops(_ kind: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [kind] in
      let account = Account()
      account.partner = Account()
      _ = try? account.value(forKeyPath: "partner.balance")
      _ = isa_testing_fail_allocation(0)
      if kind == "string" { _ = try account.value(forKeyPath: "partner.owner") }
      try account.setValue(2, forKeyPath: "partner.balance")
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(kind == "string" ? "no object for a String" : "no object for a Int"))
  }
}
