import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct DefaultsTests {
  /// A store that takes whole numbers only.
  private final class Numbers: DefaultsStore {
    private var values: [String: Int] = [:]
    let changes = DefaultsChanges()

    func defaultsValue(forKey key: String) -> Any? { values[key] }

    func setDefaultsValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
      guard value == nil || value is Int else { throw KeyValueError(.incompatible, key: key) }
      let old = values[key]
      values[key] = value as? Int
      changes.tell(key, old: old)
    }
  }

  /// Notes of the changes of some keys of the values, and of whether there are unapplied changes.
  private final class Notes {
    private var lines: [String] = []
    private var tokens: [KeyValueObservation] = []

    init(_ defaults: DefaultsController, _ keys: String...) throws {
      for key in keys {
        for options in [ObservationOptions([.old, .new]), .prior] {
          let token = try defaults.observe(keyPath: "values.\(key)", options: options) {
            [unowned self] defaults, change in
            if options == .prior { return }
            let now = try? defaults.values.value(forKey: key)
            #expect("\(now ?? "nil")" == "\((change.newValue ?? nil) ?? "nil")")
            note(key, change.oldValue ?? nil, change.newValue ?? nil)
          }
          tokens.append(token)
        }
      }
      tokens.append(
        defaults.observe(\.hasUnappliedChanges, options: [.old, .new]) {
          [unowned self] _, change in
          note("unapplied", change.oldValue, change.newValue)
        })
    }

    private func note(_ key: String, _ old: Any?, _ new: Any?) {
      lines.append("\(key) \(old ?? "nil") to \(new ?? "nil")")
    }

    /// The notes since this was last asked.
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private func size(_ defaults: DefaultsController) throws -> Int? {
    try defaults.values.value(forKey: "size") as? Int
  }

  @Test(
    "BND-92: a fresh controller applies immediately, and has initial values where none are stored")
  func fresh() throws {
    let store = MemoryDefaults(["name": "Ann"])
    let defaults = DefaultsController(store, initialValues: ["size": 12, "name": "nobody"])
    #expect(defaults.appliesImmediately && !defaults.hasUnappliedChanges)
    #expect(try size(defaults) == 12)
    #expect(try defaults.value(forKeyPath: "values.name", as: String.self) == "Ann")
    #expect(try defaults.values.value(forKey: "colour") == nil)
    #expect(store.values.count == 1)
  }

  @Test("BND-92: a value that is set is stored at once, and one that is removed is the initial one")
  func immediate() throws {
    let store = MemoryDefaults(), defaults = DefaultsController(store, initialValues: ["size": 12])
    let notes = try Notes(defaults, "size", "name")
    try defaults.setValue(14, forKeyPath: "values.size")
    try defaults.values.setValue("Bob", forKey: "name")
    #expect(store["size"] as? Int == 14 && store["name"] as? String == "Bob")
    #expect(notes.take() == ["size 12 to 14", "name nil to Bob"])
    try defaults.values.setValue(14, forKey: "size")
    #expect(notes.take() == [])
    try defaults.values.setValue(nil, forKey: "size")
    #expect(store["size"] == nil)
    #expect(notes.take() == ["size 14 to 12"])
    try defaults.save()
    #expect(notes.take() == [] && !defaults.hasUnappliedChanges)
  }

  @Test("BND-92: without that, values are stored when they are saved, and thrown away by reverting")
  func deferred() throws {
    let store = MemoryDefaults(["size": 10])
    let defaults = DefaultsController(store, initialValues: ["size": 12])
    defaults.appliesImmediately = false
    let notes = try Notes(defaults, "size", "name")
    try defaults.values.setValue(14, forKey: "size")
    try defaults.values.setValue("Bob", forKey: "name")
    #expect(defaults.hasUnappliedChanges && store.values.count == 1 && store["size"] as? Int == 10)
    #expect(notes.take() == ["size 10 to 14", "unapplied false to true", "name nil to Bob"])
    defaults.revert()
    #expect(notes.take() == ["size 14 to 10", "name Bob to nil", "unapplied true to false"])
    try defaults.values.setValue(14, forKey: "size")
    try defaults.values.setValue(nil, forKey: "name")
    _ = notes.take()
    try defaults.save()
    #expect(store["size"] as? Int == 14 && !defaults.hasUnappliedChanges)
    #expect(notes.take() == ["unapplied true to false"])
    try defaults.values.setValue(nil, forKey: "size")
    #expect(store["size"] as? Int == 14)
    #expect(notes.take() == ["size 14 to 12", "unapplied false to true"])
    try defaults.save()
    #expect(store.values.isEmpty)
    #expect(notes.take() == ["unapplied true to false"])
  }

  @Test("BND-92: a value that is set back is no change")
  func setBack() throws {
    let defaults = DefaultsController(MemoryDefaults(["tags": [1, "a"] as [Any], "size": 1]))
    defaults.initialValues = ["isOn": false]
    defaults.appliesImmediately = false
    for (key, other, back) in [
      ("tags", [1, "b"], [1, "a"]), ("size", 2, 1), ("isOn", true, false), ("name", "Bob", nil),
    ] as [(String, Any, Any?)] {
      try defaults.values.setValue(other, forKey: key)
      #expect(defaults.hasUnappliedChanges)
      try defaults.values.setValue(back, forKey: key)
      #expect(!defaults.hasUnappliedChanges)
    }
  }

  @Test("BND-92: a change made outside is told through the values, but for one that is set over it")
  func outside() throws {
    let store = MemoryDefaults(), defaults = DefaultsController(store, initialValues: ["size": 12])
    let other = DefaultsController(store)
    let notes = try Notes(defaults, "size")
    store["size"] = 20
    try other.values.setValue(21, forKey: "size")
    store["size"] = 21
    store["size"] = nil
    #expect(notes.take() == ["size 12 to 20", "size 20 to 21", "size 21 to 12"])
    store["size"] = 12
    #expect(notes.take() == [])
    defaults.appliesImmediately = false
    try defaults.values.setValue(14, forKey: "size")
    _ = notes.take()
    store["size"] = 30
    #expect(try size(defaults) == 14)
    #expect(notes.take() == [])
    defaults.revert()
    #expect(notes.take() == ["size 14 to 30", "unapplied true to false"])
  }

  @Test("BND-92: other initial values are told where nothing else is shown")
  func initialValues() throws {
    let store = MemoryDefaults(["name": "Ann"])
    let defaults = DefaultsController(store, initialValues: ["size": 12, "width": 1])
    let notes = try Notes(defaults, "size", "name", "width", "depth")
    defaults.initialValues = ["size": 13, "name": "Bob", "depth": 2]
    #expect(
      Set(notes.take()) == ["size 12 to 13", "width 1 to nil", "depth nil to 2"])
    #expect(try defaults.value(forKey: "initialValues", as: [String: Any].self).count == 3)
  }

  @Test("BND-135: reverting to initial values sets those that there are, as any value is set")
  func revertsToInitialValues() throws {
    let store = MemoryDefaults(["size": 10, "name": "Ann"])
    let defaults = DefaultsController(store, initialValues: ["size": 12, "width": 1])
    let notes = try Notes(defaults, "size", "name", "width")
    try defaults.revertToInitialValues()
    #expect(
      store["size"] as? Int == 12 && store["width"] == nil && store["name"] as? String == "Ann")
    #expect(notes.take() == ["size 10 to 12"])
    defaults.appliesImmediately = false
    try defaults.values.setValue(5, forKey: "width")
    store["size"] = 11
    _ = notes.take()
    try defaults.revertToInitialValues()
    #expect(notes.take() == ["size 11 to 12", "width 5 to 1"])
    #expect(defaults.hasUnappliedChanges && store["size"] as? Int == 11)
    try defaults.save()
    #expect(store["size"] as? Int == 12 && store["width"] == nil)
  }

  @Test("BND-92: a value that the store refuses is thrown back, and the value is as it was")
  func refusals() throws {
    let store = Numbers(), defaults = DefaultsController(store)
    let notes = try Notes(defaults, "a", "b", "c")
    #expect(throws: KeyValueError.self) { try defaults.values.setValue("x", forKey: "b") }
    #expect(notes.take() == [] && store.defaultsValue(forKey: "b") == nil)
    defaults.appliesImmediately = false
    for (key, value) in [("a", 1), ("b", "x"), ("c", 3)] as [(String, Any)] {
      try defaults.values.setValue(value, forKey: key)
    }
    _ = notes.take()
    #expect(throws: KeyValueError.self) { try defaults.save() }
    #expect(store.defaultsValue(forKey: "a") as? Int == 1 && defaults.hasUnappliedChanges)
    #expect(store.defaultsValue(forKey: "c") == nil)
    try defaults.values.setValue(2, forKey: "b")
    try defaults.save()
    #expect(store.defaultsValue(forKey: "c") as? Int == 3 && !defaults.hasUnappliedChanges)
    #expect(notes.take() == ["b x to 2", "unapplied true to false"])
  }

  @Test("BND-92: saving has the editors commit, reverting has them discard")
  func editors() throws {
    final class Edit: Editor {
      var log = ""
      var refuses = false
      func commitEditing() throws(KeyValueError) {
        if refuses { throw KeyValueError(.invalid) }
        log += "commit "
      }
      func discardEditing() { log += "discard " }
    }
    let store = MemoryDefaults(), defaults = DefaultsController(store), edit = Edit()
    defaults.appliesImmediately = false
    try defaults.values.setValue(1, forKey: "size")
    defaults.objectDidBeginEditing(edit)
    edit.refuses = true
    #expect(throws: KeyValueError.self) { try defaults.save() }
    #expect(store.values.isEmpty && defaults.isEditing)
    edit.refuses = false
    try defaults.save()
    defaults.objectDidBeginEditing(edit)
    defaults.revert()
    defaults.objectDidBeginEditing(edit)
    try defaults.revertToInitialValues()
    #expect(edit.log == "commit discard discard " && !defaults.isEditing)
  }

  @Test("BND-92: a value that the store reaches from outside is no unapplied change any more")
  func reachedFromOutside() throws {
    let store = MemoryDefaults(["size": 1, "name": "Ann"]), defaults = DefaultsController(store)
    defaults.appliesImmediately = false
    try defaults.values.setValue(2, forKey: "size")
    try defaults.values.setValue(nil, forKey: "name")
    var told: [Bool] = []
    let token = defaults.observe(\.hasUnappliedChanges, options: .new) { _, change in
      told.append(change.newValue!)
    }
    let notes = try Notes(defaults, "size")
    store["size"] = 5
    #expect(defaults.hasUnappliedChanges && notes.take().isEmpty)
    store["size"] = 2
    #expect(defaults.hasUnappliedChanges && notes.take().isEmpty)
    store["name"] = nil
    #expect(!defaults.hasUnappliedChanges && told == [false])
    _ = notes.take()
    store["size"] = 3
    #expect(try defaults.values.value(forKey: "size") as? Int == 3 && notes.take().count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("BND-92: a controller may go while another is made for the store")
  func goesMeanwhile() throws {
    /// Tells the store of its end, which is not to be under the store's lock.
    final class Ending: DefaultsController {
      deinit { store.changes.tell("end", old: nil) }
    }
    final class Store: DefaultsStore, @unchecked Sendable {
      let changes = DefaultsChanges()
      func defaultsValue(forKey key: String) -> Any? { nil }
      func setDefaultsValue(_ value: Any?, forKey key: String) {}
    }
    let store = Store()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<20000 { _ = Ending(store) }
    }
    #expect(try DefaultsController(store).values.value(forKey: "end") == nil)
  }

  @Test("BND-92: a view is bound to a value by name, both ways")
  func bound() throws {
    let store = MemoryDefaults(), defaults = DefaultsController(store, initialValues: ["size": 12])
    let field = Field()
    let binding = try field.bind("number", to: defaults, withKeyPath: "values.size")
    #expect(field.number == 12)
    store["size"] = 13
    #expect(field.number == 13)
    field.number = 14
    binding.userDidEdit(14)
    binding.userDidEndEditing()
    #expect(store["size"] as? Int == 14)
  }

  @Test("BND-131: a change on another thread is told where the controller belongs")
  func elsewhere() throws {
    final class Store: DefaultsStore, @unchecked Sendable {
      let changes = DefaultsChanges()
      func defaultsValue(forKey key: String) -> Any? { 2 }
      func setDefaultsValue(_ value: Any?, forKey key: String) {}
    }
    let queue = DispatchQueue(label: "controller"), store = Store()
    let defaults = DefaultsController(store)
    defaults.delivery = .queue(queue)
    var told = 0
    let token = try defaults.observe(keyPath: "values.size") { _, _ in
      dispatchPrecondition(condition: .onQueue(queue))
      told += 1
    }
    let thread = Thread { store.changes.tell("size", old: 1) }
    thread.start()
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    queue.sync {}
    #expect(told == 1)
    withExtendedLifetime(token) {}
  }

  @Test("BND-137: a setting whose name has dots is not bound, and the error says the cure")
  func dottedNames() throws {
    let defaults = DefaultsController(MemoryDefaults(["com.app.size": 1]))
    let field = Field(), headers = DictionaryController<String>()
    do {
      try field.bind("number", to: defaults, withKeyPath: "values.com.app.size")
      Issue.record("it was bound")
    } catch {
      #expect(error.code == .notBindable && error.key == "com.app.size")
      #expect(error.cure?.contains("com_app_size") == true)
    }
    #expect(throws: KeyValueError.self) {
      try headers.bindContentDictionary(to: defaults, withKeyPath: "values.com.app.headers")
    }
    #expect(field.bindings.isEmpty && registrations(of: defaults) == 0)
    #expect(try defaults.values.value(forKey: "com.app.size") as? Int == 1)
    defaults.initialValues = ["theme": ["size": 3]]
    try field.bind("number", to: defaults, withKeyPath: "values.theme.size")
    #expect(field.number == 3)
  }

  @Test("BND-100: nothing is kept alive, and no registration stays")
  func lifetimes() throws {
    let store = MemoryDefaults()
    weak var controller: DefaultsController?
    let values: DefaultsValues
    do {
      let defaults = DefaultsController(store)
      controller = defaults
      values = defaults.values
      let notes = try Notes(defaults, "size")
      try values.setValue(1, forKey: "size")
      #expect(notes.take().count == 1)
    }
    #expect(controller == nil && registrations(of: values) == 0)
    try values.setValue(2, forKey: "size")
    #expect(try values.value(forKey: "size") == nil && store["size"] as? Int == 1)
    store["size"] = 3
  }
}
