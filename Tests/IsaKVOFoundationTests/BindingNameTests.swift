import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// A view whose class comes from an Apple system.
private class TextView: KVObject, BindingTarget {
  @Dynamic var text = ""
  @Dynamic var enabled = false
  @Dynamic var number = 0

  class var bindingNames: [NSBindingName] { [.value] }
  class func bindingKey(for name: NSBindingName) -> String {
    name == .value ? "text" : name.rawValue
  }
}

private final class Judged: KVObject {
  @Dynamic var age = 1

  override class var keys: [KeyDeclaration] {
    [.key("age", \Judged.age, validate: { _, new in if new < 0 { throw Refused() } })]
  }
}

private struct Refused: Error {}

/// A transformer as an Apple system has it.
private final class Celsius: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSString.self }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Double).map { "\($0) °C" } }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? String).flatMap { Double($0.prefix { $0 != " " }) }
  }
}

private final class Counting: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { (value as? [Any])?.count }
}

@Suite("AppKit's names for bindings", .serialized, .leavesNoObjects)
struct BindingNameTests {
  @Test("BND-1, BND-40: a name shows the value at once and later, and placeholders by the options")
  func shows() {
    let people = NSArrayController(), view = TextView(), ann = Person()
    people.avoidsEmptySelection = true
    view.bind(
      .value, to: people, withKeyPath: "selection.name",
      options: [.noSelectionPlaceholder: "nobody", .conditionallySetsEnabled: true])
    #expect(view.text == "nobody" && !view.enabled)
    people.content = [ann]
    #expect(view.text == "Ann" && view.enabled)
    ann.name = "Bob"
    #expect(view.text == "Bob")
    view.unbind(.value)
    ann.name = "Eve"
    #expect(view.text == "Bob" && view.infoForBinding(.value) == nil)
  }

  @Test("a call without options, with nil for them and with the library's own binds as well")
  func forms() throws {
    let person = Person(), view = TextView()
    view.bind(.value, to: person, withKeyPath: "name")
    #expect(view.text == "Ann")
    view.bind("number", to: person, withKeyPath: "age", options: nil)
    #expect(view.number == 1)
    let binding = try view.bind(
      .value, to: person, withKeyPath: "nick", options: .with { $0.nullPlaceholder = "none" })
    #expect(view.text == "none" && binding.isValid && view.bindings.count == 2)
  }

  @Test("BND-6: infoForBinding answers the object, the path and the options as they were given")
  func info() throws {
    let person = Person(), view = TextView(), celsius = Celsius()
    let given: [NSBindingOption: Any] = [
      .nullPlaceholder: "none", .continuouslyUpdatesValue: false, .validatesImmediately: 1,
      .valueTransformer: celsius, .displayName: "Name", .selectorName: "show:",
    ]
    view.bind(.value, to: person, withKeyPath: "ratio", options: given)
    let info = try #require(view.infoForBinding(.value))
    #expect(info[.observedObject] as? Person === person)
    #expect(info[.observedKeyPath] as? String == "ratio")
    let options = try #require(info[.options] as? [NSBindingOption: Any])
    #expect(Set(options.keys) == Set(given.keys))
    #expect(options[.nullPlaceholder] as? String == "none")
    #expect(options[.continuouslyUpdatesValue] as? Bool == false)
    #expect(options[.validatesImmediately] as? Int == 1)
    #expect(options[.valueTransformer] as? Celsius === celsius)
    #expect(options[.displayName] as? String == "Name")
    #expect(view.text == "0.5 °C")
    #expect(view.infoForBinding(.enabled) == nil)
  }

  @Test("BND-6: of a binding made otherwise, options by AppKit's names are told too")
  func translated() throws {
    let person = Person(), view = TextView()
    let options = BindingOptions.with {
      $0.continuouslyUpdatesValue = true
      $0.nullPlaceholder = "none"
      $0.transformerName = .isNotNilTransformerName
      $0.others = ["NSDisplayName": "Name"]
    }
    try view.bind("enabled", to: person, withKeyPath: "nick", options: options)
    let told = view.infoForBinding("enabled")?[.options] as? [NSBindingOption: Any] ?? [:]
    #expect(
      Set(told.keys) == [
        .continuouslyUpdatesValue, .nullPlaceholder, .valueTransformerName, .displayName,
      ])
    #expect(told[.valueTransformerName] as? NSValueTransformerName == .isNil.other)
    view.bind("number", to: person, withKeyPath: "age")
    var gone: Person? = Person()
    view.bind(.value, to: gone!, withKeyPath: "name")
    gone = nil
    #expect(view.infoForBinding(.value) == nil && view.infoForBinding("number") != nil)
  }

  @Test("each option by name sets the one of the library")
  func eachOption() throws {
    let person = Person()
    let flags: [(NSBindingOption, KeyPath<BindingOptions, Bool>)] = [
      (.conditionallySetsEditable, \.conditionallySetsEditable),
      (.conditionallySetsEnabled, \.conditionallySetsEnabled),
      (.conditionallySetsHidden, \.conditionallySetsHidden),
      (.continuouslyUpdatesValue, \.continuouslyUpdatesValue),
      (.handlesContentAsCompoundValue, \.handlesContentAsCompoundValue),
      (.raisesForNotApplicableKeys, \.raisesForNotApplicableKeys),
      (.validatesImmediately, \.validatesImmediately),
    ]
    final class Full: TextView {
      @Dynamic var editable = false
      @Dynamic var hidden = false
    }
    for (option, path) in flags {
      let view = Full()
      let binding = view.bind(.value, to: person, withKeyPath: "name", options: [option: true])
      let options = try #require(binding).info.options
      for (other, path) in flags where other != option { #expect(!options[keyPath: path]) }
      #expect(options[keyPath: path] && options.allowsEditingMultipleValues)
    }
    let placeholders: [(NSBindingOption, KeyPath<BindingOptions, Any?>)] = [
      (.multipleValuesPlaceholder, \.multipleValuesPlaceholder),
      (.noSelectionPlaceholder, \.noSelectionPlaceholder),
      (.notApplicablePlaceholder, \.notApplicablePlaceholder),
      (.nullPlaceholder, \.nullPlaceholder),
    ]
    for (option, path) in placeholders {
      let view = Full()
      let binding = view.bind(.value, to: person, withKeyPath: "name", options: [option: "x"])
      #expect(try #require(binding).info.options[keyPath: path] as? String == "x")
    }
    let view = Full()
    view.enabled = true
    let binding = view.bind(
      "enabled", to: person, withKeyPath: "name",
      options: [
        .allowsEditingMultipleValuesSelection: NSNumber(value: false),
        .valueTransformerName: "NSIsNil", .displayPattern: "%{value1}@",
      ])
    let options = try #require(binding).info.options
    #expect(!options.allowsEditingMultipleValues && options.displayPattern == "%{value1}@")
    #expect(options.transformerName == .isNilTransformerName && !view.enabled)
  }

  @Test("BND-4, BND-5, BND-10, BND-42, BND-120: a failure is a misuse, and the old binding stays")
  func failures() {
    let person = Person(), view = TextView()
    view.bind(.value, to: person, withKeyPath: "name")
    let told = reports {
      #expect(view.bind(.title, to: person, withKeyPath: "name") == nil)
      #expect(view.bind(.value, to: person, withKeyPath: "nope") == nil)
      #expect(view.bind("number", to: person, withKeyPath: "name") == nil)
      #expect(
        view.bind(
          .value, to: person, withKeyPath: "name", options: [.valueTransformerName: "None"]) == nil)
      #expect(
        view.bind(.value, to: person, withKeyPath: "name", options: [.validatesImmediately: "x"])
          == nil)
      #expect(
        view.bind(.value, to: person, withKeyPath: "name", options: [.valueTransformer: 3]) == nil)
    }
    #expect(told.count == 6)
    for (misuse, part) in zip(
      told, ["title", "nope", "number", "None", "Validates", "Transformer"])
    {
      #expect(misuse.reason.contains(part), "\(misuse.reason)")
    }
    person.name = "Bob"
    #expect(view.text == "Bob" && view.bindings.count == 1)
  }

  @Test("a strict process stops at a binding that fails")
  func strict() async {
    await #expect(processExitsWith: .failure) {
      KeyValueSettings.misusePolicy = .strict
      TextView().bind(.title, to: Person(), withKeyPath: "name")
    }
  }

  @Test("BND-7: exposedBindings has the names of AppKit's constants")
  func exposed() {
    #expect(TextView().exposedBindings == ["value", "enabled", "number", "text"])
  }

  @Test("BND-27: a value that is entered is validated at once by that option")
  func validates() throws {
    let judged = Judged(), view = TextView()
    let made = view.bind(
      "number", to: judged, withKeyPath: "age",
      options: [.validatesImmediately: true, .continuouslyUpdatesValue: true])
    let binding = try #require(made)
    var refused: [Int] = []
    binding.onError = { _, value in refused.append(value as? Int ?? 0) }
    binding.userDidEdit(-1)
    #expect(judged.age == 1 && refused == [-1])
    binding.userDidEdit(2)
    #expect(judged.age == 2)
  }

  @Test("BND-41, BND-46: the markers are values of any type, and told apart")
  func markers() throws {
    let people = NSArrayController()
    let ann = Person(), bob = Person()
    bob.name = "Bob"
    people.content = [ann, bob]
    func shown() -> Any? { people.selection.value(forKey: "name") }
    #expect(shown() as? String == "Ann" && !NSIsControllerMarker(shown()))
    people.selectionIndexes = [0, 1]
    #expect(shown() as? NSBindingSelectionMarker == .multipleValues)
    #expect(NSMultipleValuesMarker as? BindingMarker == .multipleValues)
    people.selectionIndexes = []
    #expect(shown() as? NSBindingSelectionMarker == .noSelection)
    #expect(NSNoSelectionMarker as? BindingMarker == .noSelection)
    #expect(NSNotApplicableMarker as? BindingMarker == .notApplicable)
    #expect(NSIsControllerMarker(shown()) && !NSIsControllerMarker("No Selection"))
  }

  @Test("BND-40: placeholders are set for a class by marker")
  func defaults() {
    final class Special: TextView {}
    let people = NSObjectController()
    Special.setDefaultPlaceholder("nobody", forMarker: NSNoSelectionMarker, withBinding: .value)
    Special.setDefaultPlaceholder("none", forMarker: nil, withBinding: .value)
    let special = Special(), plain = TextView()
    for view in [special, plain] { view.bind(.value, to: people, withKeyPath: "selection.nick") }
    #expect(special.text == "nobody" && plain.text == "No Selection")
    people.content = Person()
    #expect(special.text == "none")
    #expect(
      Special.defaultPlaceholder(forMarker: NSNoSelectionMarker, withBinding: .value) as? String
        == "nobody")
    #expect(TextView.defaultPlaceholder(forMarker: nil, withBinding: .value) == nil)
    Special.setDefaultPlaceholder(nil, forMarker: NSNull(), withBinding: .value)
    #expect(Special.defaultPlaceholder(forMarker: nil, withBinding: .value) == nil)
    let told = reports {
      Special.setDefaultPlaceholder("x", forMarker: "No Selection", withBinding: .value)
      #expect(Special.defaultPlaceholder(forMarker: 3, withBinding: .value) == nil)
    }
    #expect(told.count == 2)
  }

  @Test("controllers have AppKit's names")
  func controllers() throws {
    let list: NSController = NSArrayController(), one: NSController = NSObjectController()
    #expect(list is ArrayController<KVObject> && one is ObjectController<KVObject>)
    final class Folder: KVObject { @Dynamic var folders: [Folder] = [] }
    let tree = NSTreeController<Folder>(children: \.folders)
    tree.content = [Folder()]
    #expect(tree.arrangedObjects.children.count == 1)
    let table = NSDictionaryController()
    table.contentDictionary = ["a": 1, "b": "two"]
    #expect(table.arrangedObjects.count == 2)
  }

  @Test("BND-92: a controller of Foundation's defaults is made under AppKit's name")
  func userDefaults() throws {
    let name = "isa-\(UUID())"
    let store = try #require(UserDefaults(suiteName: name))
    defer { store.removePersistentDomain(forName: name) }
    let defaults = NSUserDefaultsController(defaults: store, initialValues: ["size": 12])
    let view = TextView()
    let binding = view.bind("number", to: defaults, withKeyPath: "values.size")
    #expect(view.number == 12)
    binding?.userDidEdit(14)
    binding?.userDidEndEditing()
    #expect(store.integer(forKey: "size") == 14)
    #expect(NSUserDefaultsController(defaults: nil, initialValues: nil).initialValues.isEmpty)
  }

  @Test("BND-102: committing answers whether all editors could, and throws where that is asked")
  func editors() {
    final class Text: NSEditor {
      var commits = false
      func commitEditing() throws(KeyValueError) {
        if !commits { throw KeyValueError(.invalid, reason: "no") }
      }
      func discardEditing() {}
    }
    let controller: NSController & NSEditorRegistration = NSArrayController(), text = Text()
    controller.objectDidBeginEditing(text)
    #expect(controller.isEditing && !controller.commitEditing() && controller.isEditing)
    #expect(throws: KeyValueError.self) { try controller.commitEditing() }
    text.commits = true
    #expect(controller.commitEditing() && !controller.isEditing)
  }
}

extension TransformerName {
  /// The opposite of `isNil`.
  fileprivate var other: TransformerName { .isNotNil }
}

@Suite("Foundation's transformers", .serialized, .leavesNoObjects)
struct ValueTransformerTests {
  @Test("BND-42: one that is registered is found by both names, and is the same object")
  func registered() throws {
    let celsius = Celsius()
    ValueTransformer.setValueTransformer(celsius, forName: "Celsius")
    #expect(
      ValueTransformer(forName: "Celsius") === celsius && Celsius(forName: "Celsius") === celsius)
    #expect(Counting(forName: "Celsius") == nil && ValueTransformer(forName: "none") == nil)
    #expect(ValueTransformer.valueTransformerNames().contains("Celsius"))
    let same = try #require(Transformer<Any?, Any?>.registered(as: "Celsius"))
    #expect(try same(2.5) as? String == "2.5 °C" && same.reversed("3 °C") as? Double == 3)
    ValueTransformer.setValueTransformer(nil, forName: "Celsius")
    #expect(ValueTransformer(forName: "Celsius") == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains("Celsius"))
  }

  @Test("BND-26: without a way back nothing is written")
  func oneWay() throws {
    let person = Person(), view = TextView()
    let binding = view.bind(
      "number", to: person, withKeyPath: "items", options: [.valueTransformer: Counting()])
    #expect(view.number == 2)
    binding?.userDidEdit(5)
    binding?.userDidEndEditing()
    #expect(person.items == ["a", "b"])
    let told = reports { #expect(Counting().reverseTransformedValue(3) == nil) }
    #expect(told.count == 1)
    #expect(!Counting.allowsReverseTransformation() && Celsius.allowsReverseTransformation())
  }

  @Test("BND-20: with one, what is entered is written back through it")
  func bothWays() {
    let person = Person(), view = TextView()
    let binding = view.bind(
      .value, to: person, withKeyPath: "ratio", options: [.valueTransformer: Celsius()])
    #expect(view.text == "0.5 °C")
    binding?.userDidEdit("7 °C")
    binding?.userDidEndEditing()
    #expect(person.ratio == 7)
  }

  @Test("BND-36, BND-42: those of Foundation's names make what Foundation's make")
  func standard() throws {
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(negate.transformedValue(true) as? Bool == false)
    #expect(negate.transformedValue(nil) as? Bool == true)
    #expect(negate.reverseTransformedValue(false) as? Bool == true)
    #expect(type(of: negate).allowsReverseTransformation())
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNil.transformedValue(1) as? Bool == false)
    #expect(isNotNil.transformedValue(1) as? Bool == true)
    #expect(!type(of: isNil).allowsReverseTransformation())
    let names: [NSValueTransformerName] = ["NSNegateBoolean", "NSIsNil", "NSIsNotNil"]
    #expect(Set(ValueTransformer.valueTransformerNames()).isSuperset(of: names))
  }

  @Test("an object of no class of its own passes values on; an error of a transformer is a misuse")
  func base() {
    #expect(ValueTransformer().transformedValue(3) as? Int == 3)
    #expect(ValueTransformer().reverseTransformedValue("a") as? String == "a")
    #expect(
      ObjectIdentifier(ValueTransformer.transformedValueClass()) == ObjectIdentifier(NSObject.self))
    Transformer.register(
      Transformer<Any?, Any?> { _ in throw Refused() }, as: "Refusing")
    defer { ValueTransformer.setValueTransformer(nil, forName: "Refusing") }
    let told = reports {
      #expect(ValueTransformer(forName: "Refusing")?.transformedValue(1) == nil)
    }
    #expect(told.count == 1)
  }
}
