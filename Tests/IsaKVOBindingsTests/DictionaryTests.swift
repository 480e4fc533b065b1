import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct DictionaryTests {
  private final class Request: KVObject {
    @Dynamic var headers = ["b": "2", "a": "1"]
    @Dynamic var other: Request?
  }

  /// A model that takes no value that is empty.
  private final class Strict: KVObject {
    @Dynamic var headers: [String: String] = [:] {
      didSet {
        let full = headers.filter { !$0.value.isEmpty }
        if full != headers { headers = full }
      }
    }
  }

  /// The pairs that are shown, as texts.
  private func texts(_ controller: DictionaryController<String>) -> [String] {
    controller.arrangedObjects.map { "\($0.key)=\($0.value ?? "nil")" }
  }

  private func controller(_ dictionary: [String: String]) -> DictionaryController<String> {
    let controller = DictionaryController<String>()
    controller.contentDictionary = dictionary
    return controller
  }

  @Test("BND-91: a fresh controller is empty, with an initial key and value")
  func fresh() {
    let controller = DictionaryController<String>()
    #expect(controller.initialKey == "key" && controller.initialValue == "value")
    #expect(controller.arrangedObjects.isEmpty && controller.contentDictionary.isEmpty)
    #expect(controller.includedKeys.isEmpty && controller.excludedKeys.isEmpty)
    #expect(DictionaryController<Int>().initialValue == nil)
  }

  @Test("BND-91: the elements are a pair for each key, the same as long as the key is there")
  func pairs() {
    let controller = controller(["b": "2", "a": "1"]), told = Told(controller, ["arrangedObjects"])
    #expect(texts(controller) == ["a=1", "b=2"])
    let first = controller.arrangedObjects[0]
    var values: [String?] = []
    let token = first.observe(\.value, options: .new) { _, change in
      values.append(change.newValue ?? nil)
    }
    controller.contentDictionary = ["d": "4", "a": "0", "c": "3"]
    #expect(texts(controller) == ["a=0", "c=3", "d=4"] && controller.arrangedObjects[0] === first)
    #expect(told.take() == ["arrangedObjects removal [1]", "arrangedObjects insertion [1, 2]"])
    controller.contentDictionary["a"] = nil
    #expect(told.take() == ["arrangedObjects removal [0]"] && values == ["0"])
    first.value = "none of its own"
    #expect(controller.contentDictionary == ["c": "3", "d": "4"])
    withExtendedLifetime(token) {}
  }

  @Test("BND-91: setting a pair's key or value changes the dictionary, which is told")
  func writesBack() throws {
    let controller = controller(["a": "1", "b": "2"])
    var told: [[String: String]] = []
    let token = controller.observe(\.contentDictionary, options: .new) { _, change in
      told.append(change.newValue ?? [:])
    }
    try controller.arrangedObjects[1].setValue("3", forKey: "value")
    try controller.arrangedObjects[1].setValue("c", forKey: "key")
    #expect(told == [["a": "1", "b": "3"], ["a": "1", "c": "3"]])
    controller.arrangedObjects[0].value = nil
    #expect(told.last == ["c": "3"] && texts(controller) == ["c=3"])
    controller.contentDictionary = ["c": "3"]
    #expect(told.count == 3)
    withExtendedLifetime(token) {}
  }

  @Test("BND-91: a key that is there already gets a number")
  func uniqueKeys() {
    let controller = controller(["a": "1"])
    for _ in 0..<3 { controller.add() }
    #expect(texts(controller) == ["a=1", "key=value", "key1=value", "key2=value"])
    #expect(controller.selectionIndexes == [3])
    controller.excludedKeys = ["b"]
    controller.contentDictionary["b"] = "hidden"
    controller.arrangedObjects[1].key = "b"
    controller.arrangedObjects[2].key = "a"
    controller.add(contentsOf: [DictionaryPair("x", "8"), DictionaryPair("x", "9")])
    #expect(texts(controller) == ["a=1", "b1=value", "a1=value", "key2=value", "x=8", "x1=9"])
    #expect(
      controller.contentDictionary["b"] == "hidden" && controller.contentDictionary.count == 7)
    controller.arrangedObjects[1].key = "b1"
    #expect(controller.arrangedObjects[1].key == "b1")
  }

  @Test("BND-91: excluded keys are hidden, and keep their values")
  func excluded() {
    let controller = controller(["a": "1", "b": "2"])
    controller.excludedKeys = ["a", "c"]
    #expect(texts(controller) == ["b=2"])
    controller.arrangedObjects[0].key = "c"
    #expect(texts(controller) == [] && controller.contentDictionary == ["a": "1", "c": "2"])
    controller.add(DictionaryPair("c", "5"))
    #expect(texts(controller) == ["c1=5"])
    controller.excludedKeys = []
    #expect(texts(controller) == ["c1=5", "a=1", "c=2"])
  }

  @Test("BND-91: included keys are always shown, and stay as they are")
  func included() throws {
    let controller = controller(["a": "1"])
    controller.excludedKeys = ["a"]
    let told = Told(controller, ["arrangedObjects"])
    controller.includedKeys = ["z", "a"]
    #expect(texts(controller) == ["a=1", "z=nil"] && controller.contentDictionary == ["a": "1"])
    let pair = controller.arrangedObjects[1]
    #expect(try pair.value(forKey: "explicitlyIncluded", as: Bool.self))
    pair.key = "y"
    #expect(pair.key == "z")
    pair.value = "26"
    #expect(controller.contentDictionary == ["a": "1", "z": "26"])
    _ = told.take()
    controller.remove(pair)
    #expect(texts(controller) == ["a=1", "z=nil"] && controller.contentDictionary == ["a": "1"])
    #expect(told.take() == [])
    controller.includedKeys = []
    #expect(texts(controller) == [] && !pair.isExplicitlyIncluded)
  }

  @Test("BND-91: adding, inserting and removing pairs changes the dictionary")
  func addsAndRemoves() {
    let controller = controller(["a": "1", "b": "2", "c": "3"])
    controller.insert(DictionaryPair("x", "9"), atArranged: 1)
    #expect(texts(controller) == ["a=1", "x=9", "b=2", "c=3"])
    #expect(controller.selectedObjects.map(\.key) == ["x"])
    controller.removeSelected()
    #expect(controller.selectedObjects.map(\.key) == ["b"])
    controller.remove(atArranged: [0, 2])
    #expect(controller.contentDictionary == ["b": "2"])
    let kept = controller.arrangedObjects[0]
    controller.add(kept)
    controller.content = [DictionaryPair("y", "7"), kept]
    #expect(controller.contentDictionary == ["b": "2", "y": "7"])
    let numbers = DictionaryController<Int>()
    numbers.add()
    #expect(numbers.contentDictionary.isEmpty)
    numbers.initialValue = 5
    numbers.add()
    #expect(numbers.contentDictionary == ["key": 5])
  }

  @Test("BND-91: a pair is added once, and belongs to the dictionary that it was added to last")
  func pairsOfOthers() {
    let first = DictionaryController<String>(), second = DictionaryController<String>()
    let pair = DictionaryPair("a", "1" as String?)
    first.add(contentsOf: [pair, pair])
    #expect(first.content.map(\.key) == ["a"] && first.contentDictionary == ["a": "1"])
    second.add(pair)
    #expect(first.content.count == 1 && first.content[0] !== pair && second.content == [pair])
    pair.key = "b"
    first.content[0].value = "2"
    #expect(first.content.map(\.key) == ["a"] && first.contentDictionary == ["a": "2"])
    #expect(second.contentDictionary == ["b": "1"])
  }

  @Test("BND-91: sorting and filtering are those of an array controller")
  func arranged() throws {
    let controller = controller(["a": "3", "b": "1", "c": "2"])
    controller.sort = [.ascending("value")]
    #expect(texts(controller) == ["b=1", "c=2", "a=3"])
    controller.filter = .where(\.key, >, "a")
    controller.select(1)
    try controller.setValue("9", forKeyPath: "selection.value")
    #expect(controller.contentDictionary == ["a": "3", "b": "1", "c": "9"])
  }

  @Test("BND-91: the dictionary is bound to a model's, both ways")
  func bound() throws {
    let request = Request(), controller = DictionaryController<String>()
    controller.bindContentDictionary(to: request, \.headers)
    #expect(texts(controller) == ["a=1", "b=2"])
    var told = 0
    let token = request.observe(\.headers) { _, _ in told += 1 }
    controller.arrangedObjects[0].value = "5"
    controller.arrangedObjects[0].key = "c"
    controller.add()
    #expect(request.headers == ["c": "5", "b": "2", "key": "value"] && told == 3)
    request.headers["b"] = nil
    #expect(texts(controller) == ["c=5", "key=value"])
    controller.unbindContentDictionary()
    request.headers = [:]
    #expect(controller.contentDictionary.count == 2)
    withExtendedLifetime(token) {}
  }

  @Test("BND-73, BND-91: bound by name, nothing is an empty dictionary")
  func boundByName() throws {
    let request = Request(), controller = DictionaryController<String>()
    let requests = ArrayController<Request>()
    try controller.bindContentDictionary(to: requests, withKeyPath: "selection.headers")
    #expect(texts(controller) == [])
    requests.content = [request]
    #expect(texts(controller) == ["a=1", "b=2"])
    controller.removeSelected()
    #expect(request.headers == ["b": "2"])
    #expect(throws: KeyValueError.self) {
      try controller.bindContentDictionary(to: request, withKeyPath: "none")
    }
    requests.select([])
    #expect(texts(controller) == [])
    try controller.bindContentDictionary(to: request, withKeyPath: "other.headers")
    #expect(texts(controller) == [])
    request.other = Request()
    #expect(texts(controller) == ["a=1", "b=2"])
  }

  @Test("BND-128: a model that refuses an entry has its own shown")
  func refused() {
    let model = Strict(), controller = DictionaryController<String>()
    controller.bindContentDictionary(to: model, \.headers)
    controller.initialValue = ""
    controller.add()
    #expect(texts(controller) == [] && controller.contentDictionary.isEmpty)
    controller.add(DictionaryPair("a", "1"))
    controller.arrangedObjects[0].value = ""
    #expect(texts(controller) == [] && model.headers.isEmpty)
  }

  @Test("BND-100: nothing is kept alive, and no registration stays")
  func lifetimes() {
    let request = Request()
    weak var gone: DictionaryController<String>?
    var pair: DictionaryPair<String>?
    do {
      let controller = DictionaryController<String>()
      controller.bindContentDictionary(to: request, \.headers)
      pair = controller.arrangedObjects.first
      gone = controller
    }
    #expect(gone == nil && registrations(of: request) == 0)
    pair?.value = "7"
    pair?.key = "z"
    #expect(request.headers["a"] == "1")
  }
}
