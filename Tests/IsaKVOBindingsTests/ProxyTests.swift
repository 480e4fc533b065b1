import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// An object with an object.
private final class Employee: Person, @unchecked Sendable {
  @Dynamic var employer: Person?
}

@Suite(.serialized, .oneAtATime) struct ProxyTests {
  private let controller = ArrayController(people("a", "b", "b"))

  /// Notes of the values that are told for a key path of the controller.
  private final class Notes {
    var lines: [String] = []
    private var tokens: [KeyValueObservation] = []

    func watch<Object: KVObject>(_ object: Object, _ path: String) throws {
      tokens.append(
        try object.observe(path, as: Any?.self, options: [.old, .new]) { [unowned self] _, change in
          lines.append("\(path): \(text(change.oldValue)) to \(text(change.newValue))")
        })
    }

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  @Test("BND-46: the value is that of the selected, or what several have in common, or a marker")
  func values() throws {
    func name() throws -> String { text(try controller.value(forKeyPath: "selection.name")) }
    #expect(try name() == "a")
    controller.select([])
    #expect(try name() == "noSelection")
    controller.select([1, 2])
    #expect(try name() == "b")
    controller.alwaysUsesMultipleValuesMarker = true
    #expect(try name() == "multipleValues")
    controller.select(1)
    #expect(try name() == "b")
    controller.alwaysUsesMultipleValuesMarker = false
    controller.select([0, 1])
    #expect(try name() == "multipleValues")
  }

  @Test("BND-47: a key that a selected object has not is not applicable")
  func noSuchKey() throws {
    #expect(text(try controller.value(forKeyPath: "selection.wings")) == "notApplicable")
    controller.add(Employee("e"))
    #expect(text(try controller.value(forKeyPath: "selection.employer")) == "nil")
    controller.select([0, 3])
    #expect(text(try controller.value(forKeyPath: "selection.employer")) == "notApplicable")
    let notes = Notes()
    try notes.watch(controller, "selection.employer")
    controller.select(3)
    #expect(notes.take() == ["selection.employer: notApplicable to nil"])
  }

  @Test("BND-48: nil is a value as any other")
  func nilValue() throws {
    let first = Employee("1"), second = Employee("2")
    controller.content = [first, second]
    controller.select([0, 1])
    #expect(text(try controller.value(forKeyPath: "selection.employer")) == "nil")
    first.employer = second
    #expect(text(try controller.value(forKeyPath: "selection.employer")) == "multipleValues")
    second.employer = second
    #expect(try controller.value(forKeyPath: "selection.employer", as: Person.self) === second)
    second.employer = nil
  }

  @Test("BND-49: setting sets every selected object, and none if none is selected")
  func sets() throws {
    controller.select([0, 2])
    try controller.setValue("x", forKeyPath: "selection.name")
    #expect(controller.content.map(\.name) == ["x", "b", "x"])
    controller.select([])
    try controller.setValue("y", forKeyPath: "selection.name")
    #expect(controller.content.map(\.name) == ["x", "b", "x"])
  }

  @Test("BND-50: a set that fails leaves those before it set; validation asks all of them first")
  func failure() throws {
    final class Child: Person, @unchecked Sendable {
      override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if let age = value as? Int, age > 17 { throw KeyValueError(.invalid, key: key) }
      }
      override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
        if let age = value as? Int, age > 17 { throw KeyValueError(.incompatible, key: key) }
        try super.setValue(value, forKey: key)
      }
    }
    controller.content = [Person("1", 1), Child("2", 2), Person("3", 3)]
    controller.select([0, 1, 2])
    #expect(throws: KeyValueError.self) { try controller.selection.validated(20, forKey: "age") }
    #expect(controller.content.map(\.age) == [1, 2, 3])
    #expect(throws: KeyValueError.self) { try controller.setValue(20, forKeyPath: "selection.age") }
    #expect(controller.content.map(\.age) == [20, 2, 3])
  }

  @Test("BND-50: several objects get a value that each of them accepts, or none does")
  func commonValue() throws {
    final class Limited: Person, @unchecked Sendable {
      var ages = 0...100
      override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if let age = value as? Int { value = min(max(age, ages.lowerBound), ages.upperBound) }
      }
    }
    let limited = [Limited("1"), Limited("2"), Limited("3")], field = Field()
    (limited[1].ages, limited[2].ages) = (0...50, 60...80)
    controller.content = limited
    controller.select([0, 1])
    let binding = try field.bind("number", to: controller, withKeyPath: "selection.age")
    binding.userDidEdit(200)
    #expect(binding.userDidEndEditing() && limited.map(\.age) == [50, 50, 0] && field.number == 50)
    controller.select([0, 2])
    binding.userDidEdit(200)
    #expect(binding.userDidEndEditing() && limited.map(\.age) == [80, 50, 80])
    controller.select([0, 1, 2])
    var code: KeyValueError.Code?
    binding.onError = { error, _ in code = error.code }
    binding.userDidEdit(55)
    #expect(!binding.userDidEndEditing() && limited.map(\.age) == [80, 50, 80] && code == .invalid)
  }

  @Test(
    "BND-52: each change of the selection tells each observed key once, with the old one's value")
  func toldOnce() throws {
    let all = controller.content
    var names: [String] = [], ages: [String] = []
    func text(_ value: Any??) -> String { (value ?? nil).map { "\($0)" } ?? "nil" }
    let tokens = [
      try controller.observe(keyPath: "selection.name", options: [.old, .new]) { _, change in
        names.append("\(text(change.oldValue)) to \(text(change.newValue))")
      },
      try controller.observe(keyPath: "selection.age", options: [.old, .new]) { _, change in
        ages.append("\(text(change.oldValue)) to \(text(change.newValue))")
      },
    ]
    controller.select(1)
    controller.select([0, 1])
    controller.select([])
    #expect(names == ["a to b", "b to multipleValues", "multipleValues to noSelection"])
    #expect(ages == ["0 to 1", "1 to multipleValues", "multipleValues to noSelection"])
    // A value that was set before the selection changed is the old one then.
    controller.select(0)
    all[0].name = "z"
    (names, ages) = ([], [])
    controller.remove(atArranged: 0)
    #expect(names == ["z to b"] && ages == ["0 to 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("BND-51: a key is told when others are selected, and when it changes in one, not otherwise")
  func told() throws {
    let notes = Notes(), all = controller.content
    try notes.watch(controller, "selection.name")
    try notes.watch(controller.selection, "name")
    func expect(_ change: String) {
      #expect(notes.take().sorted() == ["name: \(change)", "selection.name: \(change)"])
    }
    controller.select(1)
    expect("a to b")
    all[1].name = "c"
    expect("b to c")
    all[0].name = "x"
    all[1].age = 7
    controller.sort = [.descending(\.name)]
    #expect(notes.take() == [])
    controller.select([0, 1])
    expect("c to multipleValues")
    all[0].name = "c"
    expect("multipleValues to c")
    all[1].name = "d"
    expect("c to multipleValues")
    controller.select([])
    expect("multipleValues to noSelection")
    all[1].name = "e"
    #expect(notes.take() == [])
  }

  @Test("BND-53: those that observe before there is a content are told when there is")
  func laterContent() throws {
    let controller = ObjectController<Person>(), notes = Notes()
    try notes.watch(controller, "selection.name")
    try notes.watch(controller, "selection.age")
    controller.content = Person("a", 3)
    #expect(
      notes.take().sorted() == [
        "selection.age: noSelection to 3", "selection.name: noSelection to a",
      ])
  }

  @Test("BND-54: a path leads on from the selected object")
  func paths() throws {
    let employee = Employee("e"), boss = Person("boss"), other = Person("other"), notes = Notes()
    employee.employer = boss
    controller.content = [employee]
    try notes.watch(controller, "selection.employer.name")
    boss.name = "Boss"
    #expect(notes.take() == ["selection.employer.name: boss to Boss"])
    employee.employer = other
    #expect(notes.take() == ["selection.employer.name: Boss to other"])
    boss.name = "no"
    other.name = "Other"
    #expect(notes.take() == ["selection.employer.name: other to Other"])
  }

  @Test("BND-53, BND-54: a path leads on behind a marker, which is its value then")
  func pathsBehindMarkers() throws {
    let controller = ArrayController<Person>(), notes = Notes(), field = Field()
    try notes.watch(controller, "selection.employer.name")
    try field.bind("text", to: controller, withKeyPath: "selection.employer.name")
    #expect(field.text == "No Selection")
    let first = Employee("a"), second = Employee("b"), third = Person("c")
    first.employer = Person("x")
    second.employer = Person("x")
    controller.content = [first, second, third]
    #expect(notes.take() == ["selection.employer.name: noSelection to x"])
    first.employer!.name = "y"
    #expect(notes.take() == ["selection.employer.name: x to y"] && field.text == "y")
    controller.select([0, 1])
    #expect(notes.take() == ["selection.employer.name: y to multipleValues"])
    controller.select(2)
    #expect(notes.take() == ["selection.employer.name: multipleValues to notApplicable"])
    controller.select([])
    #expect(notes.take() == ["selection.employer.name: notApplicable to noSelection"])
    #expect(field.text == "No Selection")
    controller.content = []
    try ObjectController<Person>().bind(
      "content", to: controller, withKeyPath: "selection.employer")
  }

  @Test("BND-46, BND-49, BND-50: a path is read, set and validated in each selected object")
  func pathsOfSeveral() throws {
    let employees = [Employee("a"), Employee("b")]
    for employee in employees { employee.employer = Person("x") }
    controller.content = employees
    controller.select([0, 1])
    let path = "selection.employer.name", notes = Notes()
    #expect(text(try controller.value(forKeyPath: path)) == "x")
    try notes.watch(controller, path)
    try controller.setValue("y", forKeyPath: path)
    #expect(employees.map(\.employer!.name) == ["y", "y"])
    #expect(notes.take() == ["\(path): x to y"])
    var value: Any? = "z"
    try controller.validateValue(&value, forKeyPath: path)
    employees[1].employer = nil
    #expect(text(try controller.value(forKeyPath: path)) == "multipleValues")
  }

  @Test("BND-55: an operator is asked of the selected objects")
  func operators() throws {
    controller.select([1, 2])
    #expect(try controller.value(forKeyPath: "selection.@count", as: Int.self) == 2)
    #expect(try controller.selection.value(forKeyPath: "@sum.age", as: Int.self) == 3)
  }

  @Test("BND-129: setting several objects tells each key once, and no value in between")
  func setsTogether() throws {
    let notes = Notes(), each = Notes()
    for person in controller.content { try each.watch(person, "name") }
    controller.select([0, 1, 2])
    try notes.watch(controller, "selection.name")
    try notes.watch(controller, "selection.age")
    try controller.setValue("x", forKeyPath: "selection.name")
    #expect(notes.take() == ["selection.name: multipleValues to x"])
    #expect(each.take() == ["name: a to x", "name: b to x", "name: b to x"])
    controller.content[1].name = "y"
    #expect(notes.take() == ["selection.name: x to multipleValues"])
  }

  @Test("BND-129: an object that several selected objects lead to is set, and told, once")
  func sharedObject() throws {
    let employees = [Employee("a"), Employee("b"), Employee("c")], boss = Person("x")
    for employee in employees { employee.employer = boss }
    controller.content = employees
    controller.select([0, 1, 2])
    let notes = Notes()
    try notes.watch(boss, "name")
    try controller.setValue("y", forKeyPath: "selection.employer.name")
    #expect(notes.take() == ["name: x to y"])
    controller.content = [employees[0], employees[0]]
    controller.select([0, 1])
    try notes.watch(employees[0], "age")
    try controller.setValue(7, forKeyPath: "selection.age")
    #expect(notes.take() == ["age: 0 to 7"])
  }

  @Test("BND-97: neither the proxy nor those that observe it keep the controller")
  func lifetimes() throws {
    let notes = Notes()
    weak var gone: ArrayController<Person>?
    var proxy: SelectionProxy?
    do {
      let controller = ArrayController(people("a", "b"))
      try notes.watch(controller, "selection.name")
      controller.select([0, 1])
      (gone, proxy) = (controller, controller.selection)
    }
    #expect(gone == nil)
    #expect(text(try proxy?.value(forKey: "name")) == "noSelection")
  }
}

/// A value for people.
private func text(_ value: Any??) -> String {
  guard let value, let value else { return "nil" }
  return "\(value)"
}
