import IsaKVO
import IsaKVOTestSupport
import Testing

/// An address of which one property announces in its setter, over plain storage.
private final class Address: KVObject {
  private var storedCity = "Paris" { didSet { cities += 1 } }
  private(set) var cities = 0
  @Dynamic var street = "Rue"

  var city: String {
    get { storedCity }
    set {
      willChangeValue(forKey: "city")
      defer { didChangeValue(forKey: "city") }
      storedCity = newValue
    }
  }

  override class var keys: [KeyDeclaration] { [.key("city", \Address.city)] }
}

private final class Resident: KVObject {
  private var storedHome = Address() { didSet {} }
  private var storedOther: Address? { didSet {} }
  @Dynamic var wrapped = Address()

  var home: Address {
    get { storedHome }
    set {
      willChangeValue(forKey: "home")
      defer { didChangeValue(forKey: "home") }
      storedHome = newValue
    }
  }

  var other: Address? {
    get { storedOther }
    set {
      willChangeValue(forKey: "other")
      defer { didChangeValue(forKey: "other") }
      storedOther = newValue
    }
  }

  override class var keys: [KeyDeclaration] {
    [.key("home", \Resident.home), .key("other", \Resident.other)]
  }
}

@Suite(.serialized, .leavesNoObjects)
struct AnnouncedPathTests {
  @Test("a key path through properties that announce follows them as one of wrapped ones")
  func follows() {
    let resident = Resident()
    var told: [String] = []
    let tokens = [
      resident.observe(\.home.city, options: [.old, .new]) { resident, change in
        told.append("city \(change.oldValue!) \(change.newValue!) \(resident.home.cities)")
      },
      resident.observe(\.home.street, options: [.old, .new]) { _, change in
        told.append("street \(change.oldValue!) \(change.newValue!)")
      },
      resident.observe(\.wrapped.city, options: .new) { _, change in
        told.append("wrapped \(change.newValue!)")
      },
      resident.observe(\.other?.city, options: [.old, .new]) { _, change in
        told.append("other \(change.oldValue! ?? "none") \(change.newValue! ?? "none")")
      },
      resident.observe(\.other?.street, options: .new) { _, change in
        told.append("other's \(change.newValue! ?? "none")")
      },
    ]
    #expect(tokens.allSatisfy { $0.isValid })
    resident.home.city = "Rome"
    resident.home.street = "Via"
    resident.home = Address()
    resident.wrapped.city = "Oslo"
    resident.other = Address()
    resident.other?.city = "Bern"
    resident.other = nil
    #expect(
      told == [
        "city Paris Rome 1", "street Rue Via", "street Via Rue", "city Rome Paris 0",
        "wrapped Oslo", "other's Rue", "other none Paris", "other Paris Bern", "other's none",
        "other Bern none",
      ])
    tokens.forEach { $0.invalidate() }
    resident.home.city = "Lyon"
    #expect(told.count == 10)
  }
}
