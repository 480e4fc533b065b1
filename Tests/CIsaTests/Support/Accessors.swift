import CIsa
import CIsaTestSupport
import Testing

/// One call of an accessor that changes `items`, on a shelf that has 1, 2, 3: what the accessor
/// notes, what the key has afterwards, and what an observer is told.
struct AccessorCall: CustomTestStringConvertible, Sendable {
  let name: String
  let noted: String
  let kind: String
  let indexes: String?
  let old: String?
  let new: String?
  let left: [Int]
  let call: @Sendable (Shelf) throws -> Void

  var testDescription: String { name }
  var isOrdered: Bool { indexes != nil }

  /// The lines for a registration with `options`.
  func lines(_ options: ObservingOptions) -> [String] {
    let whole = isOrdered ? "(1, 2, 3)" : "{1, 2, 3}"
    let initial = options.contains(.new) ? "initial new \(whole)" : "initial"
    let old = options.contains(.old) ? self.old.map { " old \($0)" } ?? "" : ""
    let new = options.contains(.new) ? self.new.map { " new \($0)" } ?? "" : ""
    let what = indexes.map { "\(kind) \($0)" } ?? kind
    return (options.contains(.initial) ? [initial] : [])
      + (options.contains(.prior) ? ["prior \(what)\(old)"] : []) + ["\(what)\(old)\(new)"]
  }

  /// A shelf that has the accessor, with 1, 2, 3 behind it.
  func makeShelf() throws -> Shelf {
    try isOrdered
      ? Shelf(
        [.getter, .oneByOne, .atIndexes, .replace, .replaceMany],
        CollectionType.mutableArray(1, 2, 3))
      : Shelf([.getter, .each, .setWide], CollectionType.mutableSet(1, 2, 3))
  }

  static let all = ordered + unordered

  static let ordered = [
    AccessorCall(
      name: "insertObject:inItemsAtIndex:", noted: "insert 1", kind: "insertion", indexes: "{1}",
      old: nil, new: "(9)", left: [1, 9, 2, 3], call: { try $0.insert(9, at: 1) }),
    AccessorCall(
      name: "insertItems:atIndexes:", noted: "insertAt {0 2}", kind: "insertion",
      indexes: "{0 2}", old: nil, new: "(8, 9)", left: [8, 1, 9, 2, 3],
      call: { try $0.insert([8, 9], at: [0, 2]) }),
    AccessorCall(
      name: "removeObjectFromItemsAtIndex:", noted: "remove 1", kind: "removal", indexes: "{1}",
      old: "(2)", new: nil, left: [1, 3], call: { try $0.remove(at: 1) }),
    AccessorCall(
      name: "removeItemsAtIndexes:", noted: "removeAt {0 2}", kind: "removal", indexes: "{0 2}",
      old: "(1, 3)", new: nil, left: [2], call: { try $0.remove(at: [0, 2]) }),
    AccessorCall(
      name: "replaceObjectInItemsAtIndex:withObject:", noted: "replace 1", kind: "replacement",
      indexes: "{1}", old: "(2)", new: "(9)", left: [1, 9, 3],
      call: { try $0.replace(at: 1, with: 9) }),
    AccessorCall(
      name: "replaceItemsAtIndexes:withItems:", noted: "replaceAt {0 1}", kind: "replacement",
      indexes: "{0 1}", old: "(1, 2)", new: "(8, 9)", left: [8, 9, 3],
      call: { try $0.replace(at: [0, 1], with: [8, 9]) }),
  ]

  static let unordered = [
    AccessorCall(
      name: "addItemsObject:", noted: "add", kind: "insertion", indexes: nil, old: nil,
      new: "{9}", left: [1, 2, 3, 9], call: { try $0.change("addItemsObject:", by: 9) }),
    AccessorCall(
      name: "addItems:", noted: "addAll 2", kind: "insertion", indexes: nil, old: nil,
      new: "{9}", left: [1, 2, 3, 9], call: { try $0.change("addItems:", by: [3, 9]) }),
    AccessorCall(
      name: "removeItemsObject:", noted: "removeObject", kind: "removal", indexes: nil,
      old: "{2}", new: nil, left: [1, 3], call: { try $0.change("removeItemsObject:", by: 2) }),
    AccessorCall(
      name: "removeItems:", noted: "removeAll 2", kind: "removal", indexes: nil, old: "{2}",
      new: nil, left: [1, 3], call: { try $0.change("removeItems:", by: [2, 7]) }),
    AccessorCall(
      name: "intersectItems:", noted: "intersect 2", kind: "removal", indexes: nil,
      old: "{2, 3}", new: nil, left: [1], call: { try $0.change("intersectItems:", by: [1, 7]) }),
  ]
}

// MARK: - Calling accessors

extension Shelf {
  func insert(_ number: Int, at index: Int) throws {
    try insert(Boxed.number(number), at: index)
  }

  func insert(_ object: Boxed, at index: Int) throws {
    try send("insertObject:inItemsAtIndex:", object.id, UInt64(index), keeping: object)
  }

  func insert(_ numbers: [Int], at indexes: [Int]) throws {
    let objects = try CollectionType.array(boxes(numbers))
    try withIndexes(indexes) {
      try send("insertItems:atIndexes:", objects.id, $0, keeping: objects)
    }
  }

  func remove(at index: Int) throws { try send("removeObjectFromItemsAtIndex:", UInt64(index)) }

  func remove(at indexes: [Int]) throws {
    try withIndexes(indexes) { try send("removeItemsAtIndexes:", $0) }
  }

  func replace(at index: Int, with number: Int) throws {
    try replace(at: index, with: Boxed.number(number))
  }

  func replace(at index: Int, with object: Boxed) throws {
    try send(
      "replaceObjectInItemsAtIndex:withObject:", UInt64(index), object.id, keeping: object)
  }

  func replace(at indexes: [Int], with numbers: [Int]) throws {
    try replace(at: indexes, with: boxes(numbers))
  }

  func replace(at indexes: [Int], with boxes: [Boxed]) throws {
    let objects = try CollectionType.array(boxes)
    try withIndexes(indexes) {
      try send("replaceItemsAtIndexes:withItems:", $0, objects.id, keeping: objects)
    }
  }

  /// Sends an accessor that takes one object.
  func change(_ accessor: String, by number: Int) throws {
    let object = try Boxed.number(number)
    try withExtendedLifetime(object) { try send(accessor, object.id) }
  }

  /// Sends an accessor that takes a set.
  func change(_ accessor: String, by numbers: [Int]) throws {
    let set = try CollectionType.set(boxes(numbers))
    try withExtendedLifetime(set) { try send(accessor, set.id) }
  }

  func send<First>(_ accessor: String, _ first: First) throws {
    try withUnsafePointer(to: first) {
      try call(accessor, [UnsafeMutableRawPointer(mutating: $0)])
    }
  }

  func send<First, Second>(
    _ accessor: String, _ first: First, _ second: Second, keeping object: Boxed
  ) throws {
    try withUnsafePointer(to: first) { first in
      try withUnsafePointer(to: second) { second in
        try call(
          accessor,
          [UnsafeMutableRawPointer(mutating: first), UnsafeMutableRawPointer(mutating: second)])
      }
    }
    withExtendedLifetime(object) {}
  }

  private func call(_ accessor: String, _ arguments: [UnsafeMutableRawPointer?]) throws {
    var arguments = arguments
    let sel = selector(accessor)
    guard let code else { return try check(isa_invoke_message(id, sel, &arguments, nil)) }
    let types = isa_method_types(isa_class_find_method(cls, sel))
    try withUnsafePointer(to: id) { receiver in
      try withUnsafePointer(to: sel) { sel in
        let head = [
          UnsafeMutableRawPointer(mutating: receiver), UnsafeMutableRawPointer(mutating: sel),
        ]
        var all = head + arguments
        try check(isa_invoke(code, types, &all, nil))
      }
    }
  }
}

/// The numbers in their boxes.
func boxes(_ numbers: [Int]) throws -> [Boxed] { try numbers.map { try Boxed.number($0) } }

// MARK: - Observing

extension Shelf {
  func observe(
    _ options: ObservingOptions = [.old, .new], _ reaction: Notes.Reaction? = nil
  ) throws -> Observation {
    try Observation(id, "items", options, notes: Notes(reaction))
  }

  /// The numbers behind the accessors, those of a set sorted.
  var numbers: [Int] {
    guard let backing, let objects = try? Boxed({ kvc_collection_copy_objects(backing.id, $0) })
    else { return [] }
    let found = (0..<objects.count).compactMap { index in
      (try? Boxed { kvc_ordered_copy_object(objects.id, index, $0) }).flatMap { Int("\($0)") }
    }
    return backing.kind == KVC_KIND_SET ? found.sorted() : found
  }

  /// The methods that the class's notifying class wraps, each with whether by a closure.
  func wrapped() throws -> [String: Bool] {
    let name = "NSKVONotifying_" + String(cString: isa_class_name(cls))
    guard let notifying = isa_class_find(name) else { return [:] }
    var list: UnsafeMutablePointer<kvo_setter_info>?, count = 0
    try check(kvo_class_copy_setters(notifying, &list, &count))
    defer { isa_free(list) }
    let pairs = (0..<count).map { index in
      (String(cString: isa_sel_name(list![index].selector)), list![index].is_closure)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
