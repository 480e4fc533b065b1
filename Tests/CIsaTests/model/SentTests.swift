import CIsa
import CIsa.Testing
import Foundation
import Testing

/// A message that the library sends itself.
private struct Message: CustomTestStringConvertible, Sendable {
  let name: String, types: String
  var isToClass = false

  var testDescription: String { (isToClass ? "+" : "-") + name }

  /// The encoding with an object more, where the library has none.
  var wrong: String { types.hasPrefix("i") ? "@" + types.dropFirst() : types + "@" }

  static let all =
    instance + [
      Message(name: "accessInstanceVariablesDirectly", types: "B@:", isToClass: true),
      Message(name: "automaticallyNotifiesObserversForKey:", types: "B@:*", isToClass: true),
      Message(name: "keyPathsForValuesAffectingValueForKey:", types: "i@:*^@", isToClass: true),
      Message(
        name: "setKeys:triggerChangeNotificationsForDependentKey:", types: "i@:@*", isToClass: true),
    ]

  private static let instance = [
    "class": "#@:", "dealloc": "v@:", "isEqual:": "B@:@",
    "valueForKey:": "i@:*^@", "setValue:forKey:": "i@:@*",
    "valueForUndefinedKey:": "i@:*^@", "setValue:forUndefinedKey:": "i@:@*",
    "setNilValueForKey:": "i@:*",
    "valueForKeyPath:": "i@:*^@", "setValue:forKeyPath:": "i@:@*",
    "validateValue:forKey:error:": "i@:^@*^@^B", "validateValue:forKeyPath:error:": "i@:^@*^@^B",
    "dictionaryWithValuesForKeys:": "i@:@^@", "setValuesForKeysWithDictionary:": "i@:@",
    "mutableArrayValueForKey:": "i@:*^@", "mutableArrayValueForKeyPath:": "i@:*^@",
    "mutableOrderedSetValueForKey:": "i@:*^@", "mutableOrderedSetValueForKeyPath:": "i@:*^@",
    "mutableSetValueForKey:": "i@:*^@", "mutableSetValueForKeyPath:": "i@:*^@",
    "addObserver:forKeyPath:options:context:": "i@:@*Q^v",
    "removeObserver:forKeyPath:": "i@:@*", "removeObserver:forKeyPath:context:": "i@:@*^v",
    "observeValueForKeyPath:ofObject:change:context:": "v@:*@^v^v",
    "willChangeValueForKey:": "i@:*", "didChangeValueForKey:": "i@:*",
    "willChange:valuesAtIndexes:forKey:": "i@:Q^v*",
    "didChange:valuesAtIndexes:forKey:": "i@:Q^v*",
    "willChangeValueForKey:withSetMutation:usingObjects:": "i@:*Q@",
    "didChangeValueForKey:withSetMutation:usingObjects:": "i@:*Q@",
    "observationInfo": "^v@:", "setObservationInfo:": "i@:^v",
  ].sorted { $0.key < $1.key }.map { Message(name: $0.key, types: $0.value) }
}

// A message that the library sends itself must be answered as it is called.
@Suite(.serialized, .balancedCounts)
struct SentTests {
  @Test(
    "a method of another encoding than the library sends is refused, whatever the class",
    arguments: Message.all)
  private func refuses(message: Message) throws {
    let pair = try ClassPair("Sent"), below = try ClassPair("Below", below: pair)
    var bare: isa_class?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    defer { isa_class_pair_dispose(bare) }
    let sel = selector(message.name), code = imp(answering: 1)
    // A class object is asked as any object is.
    var targets = [pair.metaclass, below.metaclass, isa_class_metaclass(bare)!]
    if !message.isToClass { targets += [pair.cls, below.cls, bare!] }
    for cls in targets {
      #expect(isa_class_sent_types(cls, sel).map { String(cString: $0) } == message.types)
      for status in [
        isa_class_add_method(cls, sel, code, message.wrong),
        isa_class_replace_method(cls, sel, code, message.wrong, nil),
      ] {
        #expect(status == ISA_ERR_INVALID_ARGUMENT)
        #expect(lastReason().contains("\"\(message.types)\" was expected"))
      }
    }
    #expect(isa_class_find_method(pair.cls, sel) == isa_class_find_method(below.cls, sel))
    try check(isa_class_add_method(targets.last, sel, code, message.types))
  }

  @Test("frame offsets, qualifiers and what a pointer leads to make no other encoding")
  func sameCalls() throws {
    for types in ["i@:*^@", "i24@0:8r*16^v20", "i@:*^{x}"] {
      let pair = try ClassPair("Sent")
      let sel = selector("valueForKey:")
      try check(isa_class_add_method(pair.cls, sel, imp(answering: 1), types))
    }
  }

  @Test("a class method may have the name of what is sent to classes' instances only, and others")
  func others() throws {
    let pair = try ClassPair("Sent"), code = imp(answering: 1)
    for (cls, name) in [
      (pair.cls, "automaticallyNotifiesObserversForKey:"), (pair.cls, "hash"),
      (pair.cls, "description"), (pair.cls, "count"), (pair.cls, "superclass"),
    ] {
      let colons = name.contains(":") ? "@" : ""
      #expect(isa_class_sent_types(cls, selector(name)) == nil)
      try check(isa_class_add_method(cls, selector(name), code, "@@:" + colons))
    }
  }

  @Test("what a subclass of a collection overrides must be answered as the collection is asked")
  func collections() throws {
    let array = try ClassPair("Special", of: isa_class_find("IsaArray"))
    let sel = selector("count"), code = imp(answering: 1)
    #expect(isa_class_add_method(array.cls, sel, code, "@@:") == ISA_ERR_INVALID_ARGUMENT)
    try check(isa_class_add_method(array.cls, sel, code, "Q@:"))
  }

  @Test("coding.md lists every message with its encoding", arguments: Message.all)
  private func isListed(message: Message) throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../docs/coding.md")
    let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
    let sign = message.isToClass ? "+" : "-"
    let row = text.split(separator: "\n").first { $0.contains("`\(sign)\(message.name)`") }
    #expect(row?.contains("`\(message.types)`") == true)
  }
}
