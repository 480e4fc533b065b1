import IsaKVO
import IsaRuntime
import Testing

extension Stage {
  /// A Node: `name`, `count`, `child` and `dict`, and `derived`, which is the name in exclamation
  /// marks.
  func node() throws -> Subject {
    try shared("Node", Node()) { builder in
      try builder.property("name", .object).property("count", .int64)
      try builder.property("child", .object).property("dict", .object)
      try builder.method("derived", "@@:") { call in
        call.receiver.isNil("name") ? nil : RuntimeValue("!!!\(call.receiver.text("name"))!!!")
      }
      try builder.key("derived", affectedBy: ["name"])
    }
  }

  /// A Node with a child, and that child.
  func family() throws -> (parent: Subject, child: Subject) {
    let parent = try node(), child = try node()
    try parent.assign("child", child)
    return (parent, child)
  }

  /// An object with an ordered key, `list`, that ``Subject/appendToList(_:)`` announces.
  func lister() throws -> Subject {
    let made = try shared("Lister", Lister()) {
      try $0.property("list", .object).automaticallyNotifies("list", false)
    }
    try made.assign("list", RuntimeValue.array([], isMutable: true))
    return made
  }
}

extension RuntimeClassBuilder {
  /// Adds one property of an encoding for each key.
  @discardableResult
  func properties(_ encoding: RuntimeTypeEncoding, _ keys: String...) throws -> RuntimeClassBuilder
  {
    for key in keys { try property(key, encoding) }
    return self
  }

  /// Adds `total`, the sum of two integers, which both affect.
  @discardableResult
  func sum(_ total: String, of first: String, _ second: String) throws -> RuntimeClassBuilder {
    try method(RuntimeSelector(total), "q@:") { call in
      RuntimeValue(call.receiver.number(first) + call.receiver.number(second))
    }
    return try key(total, affectedBy: [first, second])
  }
}

extension RuntimeObject {
  /// The value at the end of a key path; nil if it cannot be followed.
  func at(_ keyPath: String) -> RuntimeValue { (try? value(forKeyPath: keyPath)) ?? nil }

  /// The integer at the end of a key path; 0 for nil.
  func number(_ keyPath: String) -> Int { at(keyPath).int ?? 0 }

  /// The text at the end of a key path; empty for nil.
  func text(_ keyPath: String) -> String { at(keyPath).string ?? "" }

  /// Whether the value at the end of a key path is nil.
  func isNil(_ keyPath: String) -> Bool { at(keyPath).isNil }
}

extension Subject {
  /// Appends to a list in place, between will and did.
  func appendToList(_ value: RuntimeValue) throws {
    switch self {
    case .made(let object):
      let list = try #require(object.get("list").object.flatMap { MutableArrayProxy($0) })
      try change("list", .insertion, at: [list.count]) { try list.append(value) }
    case .swift(let object):
      let lister = try #require(object as? any Listing)
      try change("list", .insertion, at: [lister.list.count]) {
        lister.list.append(try #require(value.any))
      }
    }
  }
}

/// A mutable dictionary, as an object.
func dictionaryObject(_ values: [String: RuntimeValue]) throws -> RuntimeObject {
  try #require(RuntimeValue.dictionary(values, isMutable: true).object)
}

/// An array, as an object.
func arrayObject(_ objects: [Subject]) throws -> RuntimeObject {
  try #require(RuntimeValue.array(objects.map { RuntimeValue($0) }).object)
}
