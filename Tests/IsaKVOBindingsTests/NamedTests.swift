import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A view, which tells placeholders from values.
private final class View: KVObject, BindingTarget {
  @Dynamic var text: String?
  @Dynamic var enabled = true
  @Dynamic var editable = true
  @Dynamic var hidden = false
  @Dynamic var shade = 1.0
  var isPlaceholder = false
  var shownCount = 0

  class var bindingNames: [BindingName] { [.value, .selectedIndex, .selectedTag] }

  static func bindingKey(for name: BindingName) -> String {
    [.value, .displayPatternValue].contains(name) ? "text" : name.rawValue
  }

  func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    if name == .value { (isPlaceholder, shownCount) = (shown.isPlaceholder, shownCount + 1) }
    guard name != .selectedIndex, name != .selectedTag else { return }
    try setValue(shown.plain, forKey: Self.bindingKey(for: name))
  }
}

private final class Model: KVObject {
  @Dynamic var name: String? = "Ann"
  @Dynamic var count = 3
  @Dynamic var isGood = true
  @Dynamic var isSafe = true
  @Dynamic var list = ["a", "b"]
  @Dynamic var next: Model?

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "count", \Model.count,
        validate: { _, count in
          if count < 0 { throw Refused() }
          count = min(count, 100)
        })
    ]
  }
}

/// A source whose value may be a marker.
private final class Marked: KVObject {
  var value: Any? = BindingMarker.noSelection

  override func value(forUndefinedKey key: String) -> Any? { value }

  func show(_ value: Any?) {
    willChangeValue(forKey: "any")
    self.value = value
    didChangeValue(forKey: "any")
  }
}

@Suite(.serialized, .oneAtATime) struct NamedTests {
  @Test("BND-4: a name that is not exposed is refused, and the error names those that are")
  func unknown() {
    let error = failure { try View().bind("colour", to: Model(), withKeyPath: "name") }
    #expect(error?.code == .notBindable && error?.cure?.contains("text") == true)
  }

  @Test("BND-5: a first key that nobody knows is refused; nil in the middle is not")
  func keys() throws {
    let view = View(), model = Model()
    #expect(failure { try view.bind(.value, to: model, withKeyPath: "nme") } != nil)
    #expect(view.bindings.isEmpty && registrations(of: model) == 0)
    try view.bind(
      .value, to: model, withKeyPath: "next.name", options: .with { $0.nullPlaceholder = "none" })
    #expect(view.text == "none" && view.isPlaceholder)
    model.next = Model()
    #expect(view.text == "Ann" && !view.isPlaceholder)
  }

  @Test("BND-6: infoForBinding answers what was given; nil when nothing is bound")
  func info() throws {
    let view = View(), model = Model()
    #expect(view.infoForBinding(.value) == nil)
    try view.bind(.value, to: model, withKeyPath: "name", options: .with { $0.nullPlaceholder = 5 })
    let info = view.infoForBinding(.value)
    #expect(info?.observedObject === model && info?.observedKeyPath == "name")
    #expect(info?.options.nullPlaceholder as? Int == 5)
    view.unbind(.value)
    #expect(view.infoForBinding(.value) == nil && registrations(of: model) == 0)
  }

  @Test(
    "BND-7: exposedBindings has the class's own names, its superclass's and its keys, each once")
  func exposed() {
    class Base: KVObject, BindingTarget {
      @Dynamic var text = ""
      class var bindingNames: [BindingName] { [.value, "text"] }
    }
    final class Sub: Base {
      override class var bindingNames: [BindingName] { ["colour", .value] }
    }
    #expect(Sub().exposedBindings.map(\.rawValue) == ["colour", "value", "text"])
  }

  @Test("BND-8: enabled2 can be bound once enabled is; enabled are taken by and, hidden by or")
  func groups() throws {
    let view = View(), model = Model()
    #expect(failure { try view.bind("enabled2", to: model, withKeyPath: "isSafe") } != nil)
    try view.bind(.enabled, to: model, withKeyPath: "isGood")
    try view.bind("enabled2", to: model, withKeyPath: "isSafe")
    #expect(view.enabled)
    model.isSafe = false
    #expect(!view.enabled)
    model.isGood = false
    model.isSafe = true
    #expect(!view.enabled)
    model.isGood = true
    #expect(view.enabled)
    try view.bind(.hidden, to: model, withKeyPath: "isGood")
    try view.bind("hidden2", to: model, withKeyPath: "isSafe")
    model.isGood = false
    #expect(view.hidden)
    model.isSafe = false
    #expect(!view.hidden)
    // They are read-only.
    view.enabled = true
    #expect(!model.isGood)
  }

  @Test("BND-8: when one of several is unbound, the target shows at once what the others yield")
  func leavesGroup() throws {
    let view = View(), model = Model()
    model.isSafe = false
    try view.bind(.enabled, to: model, withKeyPath: "isGood")
    try view.bind(
      "enabled2", to: model, withKeyPath: "isSafe", options: .with { $0.suppressesEqual = true })
    #expect(!view.enabled)
    view.unbind("enabled2")
    #expect(view.enabled)
    try view.bind(
      "enabled2", to: model, withKeyPath: "isSafe", options: .with { $0.suppressesEqual = true })
    model.isSafe = true
    model.isGood = false
    view.unbind(.enabled)
    #expect(view.enabled)
    // BND-93: the last one leaves what it has shown.
    model.isSafe = false
    view.unbind("enabled2")
    #expect(!view.enabled)
    try view.bind("displayPatternValue1", to: model, withKeyPath: "count")
    try view.bind("displayPatternValue2", to: model, withKeyPath: "name")
    #expect(view.text == "3Ann")
    view.unbind("displayPatternValue2")
    #expect(view.text == "3")
  }

  @Test("BND-8: so it does when the source of one has gone")
  func leavesGroupWithSource() throws {
    let view = View(), model = Model()
    try view.bind(.hidden, to: model, withKeyPath: "isGood")
    model.isGood = false
    do {
      let other = Model()
      try view.bind("hidden2", to: other, withKeyPath: "isGood")
      #expect(view.hidden)
    }
    #expect(!view.hidden)
  }

  @Test("BND-9: of names that exclude one another the second is refused")
  func exclusive() throws {
    let view = View(), model = Model()
    try view.bind(.selectedIndex, to: model, withKeyPath: "count")
    let error = failure { try view.bind(.selectedTag, to: model, withKeyPath: "count") }
    #expect(error?.code == .notBindable && error?.cure == "unbind “selectedIndex” first")
    view.unbind(.selectedIndex)
    try view.bind(.selectedTag, to: model, withKeyPath: "count")
  }

  @Test("BND-10: where showing the first value fails, nothing is bound, and BND-120: the old stays")
  func firstFails() throws {
    let view = View(), model = Model()
    let old = try view.bind("shade", to: model, withKeyPath: "count")
    #expect(failure { try view.bind("shade", to: model, withKeyPath: "list") } != nil)
    model.count = 4
    #expect(old.isValid && view.shade == 4 && registrations(of: model) == 1)
  }

  @Test("BND-35: a transformer gets nil; the null placeholder stands for nil behind it")
  func order() throws {
    let view = View(), model = Model()
    model.name = nil
    try view.bind(
      "enabled", to: model, withKeyPath: "name", options: .with { $0.transformerName = .isNil })
    #expect(view.enabled)
    model.name = "x"
    #expect(!view.enabled)
    try view.bind(
      .value, to: model, withKeyPath: "count",
      options: .with {
        $0.transformer = Transformer<Int, String?> { $0 > 5 ? "many" : nil }.erased()
        $0.nullPlaceholder = "few"
      })
    #expect(view.text == "few")
    model.count = 9
    #expect(view.text == "many")
  }

  @Test("BND-36: the negation of nil and of a marker is true")
  func negation() throws {
    let view = View(), source = Marked()
    try view.bind(
      "hidden", to: source, withKeyPath: "any",
      options: .with { $0.transformerName = .negateBoolean })
    #expect(view.hidden)
    for (value, hidden) in [(nil, true), (true, false), (false, true)] as [(Bool?, Bool)] {
      source.show(value)
      #expect(view.hidden == hidden)
    }
  }

  @Test("BND-37: an empty text is a value")
  func empty() throws {
    let view = View(), source = Marked()
    try view.bind(
      .value, to: source, withKeyPath: "any", options: .with { $0.nullPlaceholder = "none" })
    source.show("")
    #expect(view.text == "" && !view.isPlaceholder)
    let isNotNil = View()
    try isNotNil.bind(
      "enabled", to: source, withKeyPath: "any", options: .with { $0.transformerName = .isNotNil })
    #expect(isNotNil.enabled)
  }

  @Test("BND-38: KeyValueNull counts as nil, for placeholders and for transformers")
  func null() throws {
    let view = View(), isNil = View(), source = Marked()
    source.show("x")
    try view.bind(
      .value, to: source, withKeyPath: "any", options: .with { $0.nullPlaceholder = "none" })
    try isNil.bind(
      "enabled", to: source, withKeyPath: "any", options: .with { $0.transformerName = .isNil })
    #expect(view.text == "x" && !view.isPlaceholder && !isNil.enabled)
    source.show(KeyValueNull())
    #expect(view.text == "none" && view.isPlaceholder && isNil.enabled)
    let late = View()
    try late.bind(
      .value, to: source, withKeyPath: "any",
      options: .with {
        $0.nullPlaceholder = "none"
        $0.transformer = Transformer<Any?, Any?> { $0 == nil ? nil : "some" }
      })
    #expect(late.text == "none" && late.isPlaceholder)
    let plain = View()
    plain.text = "before"
    try plain.bind("text", to: source, withKeyPath: "any")
    #expect(plain.text == nil)
  }

  @Test("BND-39: what is not applicable throws if it is to, and shows a placeholder otherwise")
  func notApplicable() throws {
    let view = View(), source = Marked()
    source.value = BindingMarker.notApplicable
    let raising = BindingOptions.with { $0.raisesForNotApplicableKeys = true }
    #expect(
      failure { try view.bind(.value, to: source, withKeyPath: "any", options: raising) }?.code
        == .undefinedKey)
    source.show("x")
    let binding = try view.bind(.value, to: source, withKeyPath: "any", options: raising)
    var errors: [KeyValueError.Code] = []
    binding.onError = { error, _ in errors.append(error.code) }
    source.show(BindingMarker.notApplicable)
    #expect(errors == [.undefinedKey] && view.text == "x")
  }

  @Test("BND-40: without a placeholder the class's is shown, else the marker's own text")
  func defaults() throws {
    let view = View(), source = Marked()
    view.text = "before"
    try view.bind(.value, to: source, withKeyPath: "any")
    #expect(view.text == "No Selection" && view.isPlaceholder)
    View.setDefaultPlaceholder("several", for: .multipleValues, binding: .value)
    defer { View.setDefaultPlaceholder(nil, for: .multipleValues, binding: .value) }
    source.show(BindingMarker.multipleValues)
    #expect(view.text == "several")
    #expect(View.defaultPlaceholder(for: .multipleValues, binding: .value) as? String == "several")
  }

  @Test("BND-41: a value that is a marker's text is a value")
  func text() throws {
    let view = View(), source = Marked()
    try view.bind(.value, to: source, withKeyPath: "any")
    source.show("No Selection")
    #expect(view.text == "No Selection" && !view.isPlaceholder)
  }

  @Test("BND-116: a placeholder wins over a transformer that takes markers")
  func givenPlaceholder() throws {
    let field = Field(), source = Marked()
    var options = BindingOptions.with { $0.transformerName = .negateBoolean }
    try field.bind("isOn", to: source, withKeyPath: "any", options: options)
    #expect(field.isOn)
    options.noSelectionPlaceholder = false
    try field.bind("isOn", to: source, withKeyPath: "any", options: options)
    #expect(!field.isOn)
  }

  @Test("BND-42: a transformer that is not registered is refused")
  func unregistered() {
    let error = failure {
      try View().bind(
        .value, to: Model(), withKeyPath: "name", options: .with { $0.transformerName = "Upper" })
    }
    #expect(error?.code == .transformerNotFound && error?.cure?.contains("NSIsNil") == true)
    Transformer.register(Transformer<String, String> { $0.uppercased() }, as: "TestUpper")
    let view = View()
    #expect(
      failure {
        try view.bind(
          .value, to: Model(), withKeyPath: "name",
          options: .with { $0.transformerName = "TestUpper" })
      } == nil)
    #expect(view.text == "ANN")
  }

  @Test("BND-43: a transformer gets the whole array, or each element")
  func elements() throws {
    let view = View(), model = Model()
    let count = Transformer<[String], String> { "\($0.count)" }.erased()
    try view.bind(.value, to: model, withKeyPath: "list", options: .with { $0.transformer = count })
    #expect(view.text == "2")
    model.mutableArrayValue(for: \.list).append("c")
    #expect(view.text == "3")
    let field = Field()
    try field.bind(
      "list", to: model, withKeyPath: "list",
      options: .with {
        $0.transformer = Transformer<String, String> { $0 + "!" }.erased()
        $0.transformsElements = true
      })
    #expect(field.list == ["a!", "b!", "c!"])
  }

  @Test(
    "BND-44: a display pattern is rendered anew whenever a part changes; what is missing is nothing"
  )
  func pattern() throws {
    let view = View(), model = Model()
    let options = BindingOptions.with { $0.displayPattern = "%{value1}@ of %{value2}@ (%)" }
    try view.bind("displayPatternValue1", to: model, withKeyPath: "count", options: options)
    #expect(view.text == "3 of  (%)")
    try view.bind("displayPatternValue2", to: model, withKeyPath: "name")
    #expect(view.text == "3 of Ann (%)")
    model.name = nil
    model.count = 4
    #expect(view.text == "4 of  (%)")
  }

  @Test("BND-45: conditions are set with the value")
  func conditions() throws {
    let view = View(), source = Marked()
    try view.bind(
      .value, to: source, withKeyPath: "any",
      options: .with {
        $0.conditionallySetsEnabled = true
        $0.conditionallySetsEditable = true
        $0.conditionallySetsHidden = true
        $0.allowsEditingMultipleValues = false
      })
    #expect(!view.enabled && !view.editable && view.hidden)
    source.show("x")
    #expect(view.enabled && view.editable && !view.hidden)
    source.show(BindingMarker.multipleValues)
    #expect(!view.enabled && !view.editable && !view.hidden)
  }

  @Test("BND-12: an equal value is shown again unless that is suppressed")
  func equal() throws {
    let view = View(), model = Model()
    try view.bind(.value, to: model, withKeyPath: "name")
    model.name = "Ann"
    #expect(view.shownCount == 2)
    try view.bind(
      .value, to: model, withKeyPath: "name", options: .with { $0.suppressesEqual = true })
    model.name = "Ann"
    #expect(view.shownCount == 3)
  }

  @Test("BND-117: by name, setting the property is no edit")
  func noEdit() throws {
    let view = View(), model = Model()
    try view.bind(.value, to: model, withKeyPath: "name")
    view.text = "Bob"
    #expect(model.name == "Ann")
  }
}

@Suite(.serialized, .oneAtATime) struct EditTests {
  @Test("BND-33: what is entered is written back when editing ends, or at once if it is continuous")
  func continuous() throws {
    let view = View(), model = Model()
    let binding = try view.bind(.value, to: model, withKeyPath: "name")
    binding.userDidEdit("B")
    binding.userDidEdit("Bo")
    #expect(model.name == "Ann" && binding.isEditing)
    #expect(binding.userDidEndEditing() && model.name == "Bo" && !binding.isEditing)
    let other = try view.bind(
      .value, to: model, withKeyPath: "name",
      options: .with { $0.continuouslyUpdatesValue = true })
    other.userDidEdit("Eve")
    #expect(model.name == "Eve")
  }

  @Test("BND-124: nothing but what its user has done to a view is written back")
  func told() throws {
    let view = View(), model = Model()
    let binding = try view.bind(.value, to: model, withKeyPath: "name")
    view.text = "set"
    #expect(binding.userDidEndEditing() && model.name == "Ann" && !binding.isEditing)
    binding.userDidEdit("edited")
    #expect(model.name == "Ann" && binding.isEditing)
    #expect(binding.userDidEndEditing() && model.name == "edited" && !binding.isEditing)
  }

  @Test("BND-28: a value is judged when it is committed")
  func commit() throws {
    let field = Field(), model = Model()
    let binding = try field.bind("number", to: model, withKeyPath: "count")
    var refused: [String] = []
    binding.onError = { error, _ in refused.append("\(error.code)") }
    binding.userDidEdit(-1)
    #expect(refused.isEmpty)
    #expect(!binding.userDidEndEditing() && model.count == 3 && refused == ["invalid"])
    binding.userDidEdit(500)
    #expect(binding.userDidEndEditing() && model.count == 100 && field.number == 100)
  }

  @Test("BND-119: a continuous binding sets the model unjudged; the commit judges and reports")
  func continuousCommit() throws {
    let field = Field(), model = Model()
    let binding = try field.bind(
      "number", to: model, withKeyPath: "count",
      options: .with { $0.continuouslyUpdatesValue = true })
    var refused: [String] = []
    binding.onError = { error, value in refused.append("\(error.code) \(value as? Int ?? 0)") }
    binding.userDidEdit(-5)
    #expect(model.count == -5 && refused.isEmpty)
    #expect(!binding.userDidEndEditing() && refused == ["invalid -5"])
    // The model is not put back, and the edit goes on.
    #expect(model.count == -5 && binding.isEditing)
    binding.userDidEdit(7)
    #expect(binding.userDidEndEditing() && model.count == 7 && refused.count == 1)
  }

  @Test("BND-27: with immediate validation each value is judged when it is entered")
  func immediately() throws {
    let field = Field(), model = Model()
    let binding = try field.bind(
      "number", to: model, withKeyPath: "count",
      options: .with {
        $0.validatesImmediately = true
        $0.continuouslyUpdatesValue = true
      })
    var refused: [Any?] = []
    binding.onError = { _, value in refused.append(value) }
    binding.userDidEdit(-1)
    #expect(model.count == 3 && refused.count == 1)
    binding.userDidEdit(200)
    #expect(model.count == 100 && field.number == 100)
  }

  @Test("BND-30: nil for a property that has none goes to setNilValueForKey")
  func nilValue() throws {
    let field = Field(), model = Model()
    let binding = try field.bind("number", to: model, withKeyPath: "count")
    var code: KeyValueError.Code?
    binding.onError = { error, _ in code = error.code }
    binding.userDidEdit(nil)
    #expect(!binding.userDidEndEditing() && model.count == 3 && code != nil)
  }

  @Test("BND-26: through a transformer without a way back nothing is written")
  func noWayBack() throws {
    let view = View(), model = Model()
    let binding = try view.bind(
      .value, to: model, withKeyPath: "count",
      options: .with { $0.transformer = Transformer<Int, String> { "\($0)" }.erased() })
    binding.userDidEdit("7")
    #expect(binding.userDidEndEditing() && model.count == 3)
    let other = try view.bind(
      .value, to: model, withKeyPath: "count",
      options: .with { $0.transformer = Transformer<Int, String>.text.erased() })
    other.userDidEdit("7")
    #expect(other.userDidEndEditing() && model.count == 7)
    var refused: [Any?] = []
    other.onError = { _, value in refused.append(value) }
    other.userDidEdit("seven")
    #expect(!other.userDidEndEditing() && model.count == 7 && other.isEditing)
    #expect(refused.map { $0 as? String } == ["seven"])
  }

  @Test(
    "BND-104: a change while an edit is pending leaves it; BND-103: discarding shows the new value")
  func pending() throws {
    let view = View(), other = View(), model = Model()
    let binding = try view.bind(.value, to: model, withKeyPath: "name")
    try other.bind(.value, to: model, withKeyPath: "name")
    view.text = "typing"
    binding.userDidEdit("typing")
    model.name = "Zoe"
    #expect(view.text == "typing" && other.text == "Zoe")
    binding.discardEditing()
    #expect(view.text == "Zoe" && !binding.isEditing)
  }

  @Test("BND-123: an edit of an object that has left is dropped")
  func left() throws {
    let view = View(), model = Model(), first = Model(), second = Model()
    second.name = "Second"
    model.next = first
    let binding = try view.bind(.value, to: model, withKeyPath: "next.name")
    binding.userDidEdit("typing")
    model.next = second
    #expect(view.text == "Second" && !binding.isEditing)
    #expect(binding.userDidEndEditing() && second.name == "Second" && first.name == "Ann")
  }

  @Test("BND-34: by name, what is entered behind nil is dropped, and the placeholder shown")
  func behindNil() throws {
    let controller = ArrayController<Model>(), view = View(), models = [Model(), Model()]
    controller.content = models
    let binding = try view.bind(
      .value, to: controller, withKeyPath: "selection.next.name",
      options: .with {
        $0.nullPlaceholder = "none"
        $0.validatesImmediately = true
      })
    binding.onError = { error, _ in Issue.record(error) }
    func type(_ text: String) {
      view.text = text
      binding.userDidEdit(text)
    }
    type("a")
    #expect(controller.select(1) && view.text == "none" && !controller.isEditing)
    type("b")
    try controller.commitEditing()
    #expect(view.text == "none" && !binding.isEditing)
    models[0].next = Model()
    controller.select([0, 1])
    type("c")
    #expect(binding.userDidEndEditing() && models[0].next?.name == "c" && models[1].next == nil)
  }

  @Test("BND-97: an edit keeps no controller alive")
  func editedControllerGone() throws {
    weak var gone: ArrayController<Person>?
    let field = Field()
    do {
      let controller = ArrayController(people("a"))
      gone = controller
      try field.bind("text", to: controller, withKeyPath: "selection.name").userDidEdit("b")
      #expect(controller.isEditing)
    }
    #expect(gone == nil && field.bindings.isEmpty)
  }

  @Test("BND-101: the first edit registers with the controllers on the path, BND-99: until the end")
  func registries() throws {
    let controller = ObjectController<Model>()
    controller.content = Model()
    do {
      let view = View()
      let binding = try view.bind(.value, to: controller, withKeyPath: "selection.name")
      #expect(view.text == "Ann" && !controller.isEditing)
      binding.userDidEdit("B")
      binding.userDidEdit("Bo")
      #expect(controller.isEditing)
      // BND-102
      try controller.commitEditing()
      #expect(controller.content?.name == "Bo" && !controller.isEditing && !binding.isEditing)
      binding.userDidEdit("Boo")
      #expect(controller.isEditing)
    }
    #expect(!controller.isEditing && controller.content?.name == "Bo")
  }
}

private func failure(_ body: () throws -> some Any) -> KeyValueError? {
  do {
    _ = try body()
    return nil
  } catch { return error as? KeyValueError }
}
