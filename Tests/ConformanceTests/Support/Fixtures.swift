import IsaKVO
import IsaRuntime
import Testing

extension Stage {
  /// An Item: `name` (object), `count` (integer), `flag` (bool), announced automatically.
  func item() throws -> Subject {
    switch kind {
    case .runtime: .made(try itemClass().allocate())
    case .swift: .swift(Item())
    }
  }

  /// The class of Items made at run time.
  func itemClass() throws -> RuntimeClass {
    try fixture("Item") {
      try $0.property("name", .object).property("count", .int64).property("flag", .bool)
    }
  }

  /// A Manual: `silent`, `manual` and `k` without automatic notification, `auto` with.
  func manual() throws -> Subject {
    try shared("Manual", Manual()) { builder in
      for key in ["silent", "manual", "k", "auto"] { try builder.property(key, .int64) }
      try builder.notAutomatic(["silent", "manual", "k"])
    }
  }

  /// An object with one integer, `count`, that ``Subject/write(_:_:)`` reaches.
  func plain() throws -> Subject {
    try shared("Plain", Plain()) { try $0.property("count", .int64) }
  }

  /// An object with the key `items`, whose value is of any type.
  ///
  /// A class made at run time has an ivar for it, a Swift class a property.
  func holder(of value: RuntimeValue) throws -> Subject {
    let holder = try shared("Holder", AnyItems()) {
      try $0.ivar("_items", .object, ownership: .retain)
    }
    try holder.setValue(value, forKey: "items")
    return holder
  }

  /// A parent with a child as a Node has, that ``Subject/write(_:_:)`` reaches.
  func looseFamily() throws -> (parent: Subject, child: Subject) {
    let parent = try shared("Loose", Loose()) { try $0.property("child", .object) }
    let child = try node()
    try parent.assign("child", child)
    return (parent, child)
  }

  /// An object with one integer, `anInt`, whose setter assigns and then sends did alone.
  func badObservable() throws -> Subject {
    let base = try fixture("Observable") { try $0.property("anInt", .int64) }
    return try make("BadObservable", BadObservable(), superclass: base) {
      try $0.method("setAnInt:", "v@:q") { call in
        attempt {
          try call.callSuper()
          try call.receiver.didChangeValue(forKey: "anInt")
        }
      }
    }
  }

  /// A text as the value of an object property: an object that stands for it, or a string.
  func text(_ text: String) throws -> RuntimeValue {
    guard kind == .runtime else { return RuntimeValue(text) }
    return RuntimeValue(try textObject(text))
  }

  /// An object that stands for a text.
  func textObject(_ text: String) throws -> RuntimeObject {
    let object = try fixture("Text") { try $0.property("text", .cString) }.allocate()
    try object.assign("text", RuntimeValue(text))
    return object
  }
}

extension RuntimeClassBuilder {
  /// Switches automatic notification off for `keys`.
  @discardableResult
  func notAutomatic(_ keys: Set<String>) throws -> RuntimeClassBuilder {
    try classMethod("automaticallyNotifiesObserversForKey:", "B@:*") { call in
      RuntimeValue(!keys.contains(call.arguments[0].string ?? ""))
    }
  }
}

extension RuntimeObject {
  /// Sends `set<Key>:`.
  func assign(_ key: String, _ value: RuntimeValue) throws {
    try send(RuntimeSelector("set\(key.prefix(1).uppercased())\(key.dropFirst()):"), value)
  }

  /// Sends `set<Key>:` with an object.
  func assign(_ key: String, _ object: RuntimeObject) throws {
    try assign(key, RuntimeValue(object))
  }
}
