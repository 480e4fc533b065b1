import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct UserDefaultsTests {
  /// Runs a test with defaults of their own.
  private func withDefaults(_ body: (UserDefaults) throws -> Void) throws {
    let name = "isa-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    try body(defaults)
  }

  private func postChange() {
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
  }

  @Test("BND-92: values are kept in Foundation's defaults, and read from them")
  func keeps() throws {
    try withDefaults { userDefaults in
      userDefaults.register(defaults: ["width": 3])
      let defaults = DefaultsController(
        UserDefaultsStore(userDefaults), initialValues: ["size": 12, "width": 4])
      let values: [(String, Any)] = [
        ("size", 14), ("ratio", 1.5), ("isOn", true), ("name", "Ann"), ("data", Data([1, 2])),
        ("date", Date(timeIntervalSince1970: 1)), ("tags", ["a", "b"]),
        ("mixed", [1, "a"] as [Any]),
        ("table", ["a": [1, 2], "b": []]),
      ]
      for (key, value) in values {
        try defaults.values.setValue(value, forKey: key)
        let kept = try #require(defaults.values.value(forKey: key))
        #expect(NSArray(array: [kept]) == NSArray(array: [value]))
      }
      #expect(userDefaults.integer(forKey: "size") == 14 && userDefaults.bool(forKey: "isOn"))
      #expect(try defaults.values.value(forKey: "tags", as: [String].self) == ["a", "b"])
      #expect(try defaults.values.value(forKey: "width", as: Int.self) == 3)
      try defaults.values.setValue(nil, forKey: "size")
      #expect(userDefaults.object(forKey: "size") == nil)
      #expect(try defaults.values.value(forKey: "size", as: Int.self) == 12)
    }
  }

  @Test("BND-92: a change made outside is told through the values, with the value before")
  func outside() throws {
    try withDefaults { userDefaults in
      userDefaults.set(["a": 1], forKey: "table")
      let defaults = DefaultsController(UserDefaultsStore(userDefaults), initialValues: ["size": 1])
      var told: [String] = []
      var tokens: [KeyValueObservation] = []
      for key in ["size", "table"] {
        let path = "values.\(key)"
        let token = try defaults.observe(keyPath: path, options: [.old, .new]) { _, change in
          told.append("\(key) \(plain(change.oldValue)) to \(plain(change.newValue))")
        }
        tokens.append(token)
      }
      func plain(_ value: Any??) -> String { (value ?? nil).map { "\($0)" } ?? "nil" }
      userDefaults.set(2, forKey: "size")
      postChange()
      userDefaults.set(["a": 1], forKey: "table")
      postChange()
      userDefaults.removeObject(forKey: "table")
      postChange()
      userDefaults.removeObject(forKey: "size")
      postChange()
      #expect(
        told == ["size 1 to 2", #"table ["a": 1] to nil"#, "size 2 to 1"])
      tokens = []
    }
  }

  @Test("BND-92: controllers of one suite hear of one another, each change once")
  func twoStores() throws {
    try withDefaults { userDefaults in
      let first = DefaultsController(UserDefaultsStore(userDefaults))
      let second = DefaultsController(UserDefaultsStore(userDefaults))
      var told: [Int?] = []
      let tokens = try [first, second].map { defaults in
        try defaults.observe("values.size", as: Int?.self, options: .new) { _, change in
          told.append(change.newValue ?? nil)
        }
      }
      try first.values.setValue(5, forKey: "size")
      #expect(told == [5, 5])
      second.appliesImmediately = false
      try second.values.setValue(6, forKey: "size")
      #expect(told == [5, 5, 6])
      try second.save()
      #expect(told == [5, 5, 6, 6])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("BND-92: a value that is no property list is refused, and nothing changes")
  func refuses() throws {
    struct Point {}
    try withDefaults { userDefaults in
      let defaults = DefaultsController(UserDefaultsStore(userDefaults))
      try defaults.values.setValue(1, forKey: "size")
      for value in [Point(), [1, Point()] as [Any], [1: 2], URL(fileURLWithPath: "/")] as [Any] {
        let error = #expect(throws: KeyValueError.self) {
          try defaults.values.setValue(value, forKey: "size")
        }
        #expect(error?.code == .incompatible && error?.key == "size")
      }
      #expect(userDefaults.integer(forKey: "size") == 1)
    }
  }

  @Test("BND-131: a change on another thread is told where the controllers belong")
  func elsewhere() throws {
    try withDefaults { userDefaults in
      let queue = DispatchQueue(label: "controllers")
      let defaults = DefaultsController(UserDefaultsStore(userDefaults, delivery: .queue(queue)))
      var told = 0
      let token = try defaults.observe(keyPath: "values.size") { _, _ in
        dispatchPrecondition(condition: .onQueue(queue))
        told += 1
      }
      userDefaults.set(2, forKey: "size")
      postChange()
      queue.sync {}
      #expect(told == 1)
      try queue.sync { try defaults.values.setValue(3, forKey: "size") }
      queue.sync {}
      #expect(told == 2)
      withExtendedLifetime(token) {}
    }
  }

  @Test("BND-92: the shared controller applies immediately")
  @MainActor
  func shared() {
    #expect(DefaultsController.shared.appliesImmediately)
    #expect(DefaultsController.shared === DefaultsController.shared)
  }

  @Test("BND-100: a store hears nothing once it is gone")
  func lifetimes() throws {
    try withDefaults { userDefaults in
      weak var store: UserDefaultsStore?
      do {
        let controller = DefaultsController(UserDefaultsStore(userDefaults))
        store = controller.store as? UserDefaultsStore
        #expect(store != nil)
      }
      #expect(store == nil)
      postChange()
    }
  }
}
