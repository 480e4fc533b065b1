import CIsa
import CIsaTestSupport
import Testing

/// A change of `items`, which has 1, 2, 3, announced and ended by hand.
struct Edit: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let kind: kvo_change_kind
  let indexes: [Int]
  let mutation: kvo_set_mutation?
  let told: (what: String, old: String?, new: String?)
  let mutate: @Sendable (Shelf) throws -> Void

  func makeShelf() throws -> Shelf {
    let type: CollectionType = mutation == nil ? .mutableArray : .mutableSet
    return try Shelf(.getter, type(1, 2, 3))
  }

  func announce(_ shelf: Shelf) throws {
    try bracket(shelf, kvo_will_change_set, kvo_will_change_indexes)
  }

  func end(_ shelf: Shelf) throws { try bracket(shelf, kvo_did_change_set, kvo_did_change_indexes) }

  private func bracket(
    _ shelf: Shelf,
    _ set: (isa_id?, UnsafePointer<CChar>?, kvo_set_mutation, isa_id?) -> isa_status,
    _ at: (isa_id?, kvo_change_kind, UnsafePointer<kvc_index_set>?, UnsafePointer<CChar>?)
      -> isa_status
  ) throws {
    guard let mutation else {
      return try withIndexes(indexes) { try check(at(shelf.id, kind, $0, "items")) }
    }
    let objects = try CollectionType.set(2, 9)
    try check(set(shelf.id, "items", mutation, objects.id))
  }

  /// The lines for a registration with `options`.
  func lines(_ options: ObservingOptions) -> [String] {
    let whole = mutation == nil ? "(1, 2, 3)" : "{1, 2, 3}"
    let initial = options.contains(.new) ? "initial new \(whole)" : "initial"
    let old = options.contains(.old) ? told.old.map { " old \($0)" } ?? "" : ""
    let new = options.contains(.new) ? told.new.map { " new \($0)" } ?? "" : ""
    return (options.contains(.initial) ? [initial] : [])
      + (options.contains(.prior) ? ["prior \(told.what)\(old)"] : [])
      + ["\(told.what)\(old)\(new)"]
  }

  static let ordered = [
    Edit(
      testDescription: "insertion", kind: KVO_CHANGE_INSERTION, indexes: [0, 3], mutation: nil,
      told: ("insertion {0 3}", nil, "(8, 9)"),
      mutate: { shelf in
        let objects = try CollectionType.array(8, 9)
        try withIndexes([0, 3]) {
          try check(kvc_ordered_insert_many(shelf.backing?.id, objects.id, $0))
        }
      }),
    Edit(
      testDescription: "removal", kind: KVO_CHANGE_REMOVAL, indexes: [0, 2], mutation: nil,
      told: ("removal {0 2}", "(1, 3)", nil),
      mutate: { shelf in
        try withIndexes([0, 2]) { try check(kvc_ordered_remove_many(shelf.backing?.id, $0)) }
      }),
    Edit(
      testDescription: "replacement", kind: KVO_CHANGE_REPLACEMENT, indexes: [1], mutation: nil,
      told: ("replacement {1}", "(2)", "(9)"),
      mutate: { try $0.backing?.replace(at: 1, with: .number(9)) }),
    Edit(
      testDescription: "nothing", kind: KVO_CHANGE_REPLACEMENT, indexes: [], mutation: nil,
      told: ("replacement {}", "()", "()"), mutate: { _ in }),
  ]

  static let unordered = [
    Edit(
      testDescription: "union", kind: KVO_CHANGE_INSERTION, indexes: [], mutation: KVO_SET_UNION,
      told: ("insertion", nil, "{9}"), mutate: { try $0.backing?.add(.number(9)) }),
    Edit(
      testDescription: "minus", kind: KVO_CHANGE_REMOVAL, indexes: [], mutation: KVO_SET_MINUS,
      told: ("removal", "{2}", nil), mutate: { try $0.backing?.remove(.number(2)) }),
    Edit(
      testDescription: "intersect", kind: KVO_CHANGE_REMOVAL, indexes: [],
      mutation: KVO_SET_INTERSECT, told: ("removal", "{1, 3}", nil),
      mutate: { try $0.backing?.intersect(CollectionType.set(2, 9)) }),
    Edit(
      testDescription: "set", kind: KVO_CHANGE_REPLACEMENT, indexes: [], mutation: KVO_SET_SET,
      told: ("replacement", "{1, 3}", "{9}"),
      mutate: { $0.backing = try CollectionType.mutableSet(2, 9) }),
  ]
}

/// A change of an ordered set of 1, 2, 3 part of which changes nothing.
struct Trim: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let prior: (what: String, old: String?)
  let post: (what: String, old: String?, new: String)
  let change: @Sendable (Shelf) throws -> Void

  func lines(_ options: ObservingOptions) -> [String] {
    func old(_ text: String?) -> String {
      options.contains(.old) ? text.map { " old \($0)" } ?? "" : ""
    }
    let new = options.contains(.new) ? " new \(post.new)" : ""
    return (options.contains(.prior) ? ["prior \(prior.what)\(old(prior.old))"] : [])
      + ["\(post.what)\(old(post.old))\(new)"]
  }

  static let all = [
    Trim(
      testDescription: "one that is there is inserted", prior: ("insertion {0}", nil),
      post: ("insertion {}", nil, "()"), change: { try $0.insert(3, at: 0) }),
    Trim(
      testDescription: "one that is there is inserted at the end", prior: ("insertion {3}", nil),
      post: ("insertion {}", nil, "()"), change: { try $0.insert(3, at: 3) }),
    Trim(
      testDescription: "one that is there and one that is not", prior: ("insertion {0 1}", nil),
      post: ("insertion {0}", nil, "(9)"), change: { try $0.insert([9, 3], at: [0, 1]) }),
    Trim(
      testDescription: "two new ones", prior: ("insertion {0 1}", nil),
      post: ("insertion {0 1}", nil, "(8, 9)"), change: { try $0.insert([8, 9], at: [0, 1]) }),
    Trim(
      testDescription: "one replaces itself", prior: ("replacement {1}", "(2)"),
      post: ("replacement {}", "()", "()"),
      change: { shelf in
        let object = try Boxed { kvc_ordered_copy_object(shelf.backing?.id, 1, $0) }
        try shelf.replace(at: 1, with: object)
      }),
    Trim(
      testDescription: "one replaces itself and one another",
      prior: ("replacement {0 2}", "(1, 3)"),
      post: ("replacement {2}", "(3)", "(9)"),
      change: { shelf in
        let object = try Boxed { kvc_ordered_copy_object(shelf.backing?.id, 0, $0) }
        try shelf.replace(at: [0, 2], with: [object, Boxed.number(9)])
      }),
    Trim(
      testDescription: "two change places", prior: ("replacement {0 1}", "(1, 2)"),
      post: ("replacement {0 1}", "(1, 2)", "(2, 1)"),
      change: { try $0.replace(at: [0, 1], with: [2, 1]) }),
    Trim(
      testDescription: "a new one", prior: ("insertion {1}", nil),
      post: ("insertion {1}", nil, "(9)"), change: { try $0.insert(9, at: 1) }),
  ]
}

/// Overrides the four messages that announce to-many changes by ones that note that they were sent,
/// and send them on.
func overrideToManyMessages(_ cls: isa_class, _ sent: Notes) throws {
  typealias At =
    @convention(c) (
      isa_id?, isa_sel?, UInt64, UnsafeRawPointer?, UnsafePointer<CChar>?
    ) -> Int32
  typealias By =
    @convention(c) (
      isa_id?, isa_sel?, UnsafePointer<CChar>?, UInt64, isa_id?
    ) -> Int32
  for word in ["will", "did"] {
    let at = "\(word)Change:valuesAtIndexes:forKey:"
    try addMethod(cls, at, "i@:Q^v*") { call in
      sent.add("\(word)Change:valuesAtIndexes:")
      let imp = isa_class_find_imp(isa_root_class(), selector(at))
      call.answer(
        unsafeBitCast(imp, to: At.self)(
          call.receiver, selector(at), call.argument(2), call.argument(3), call.argument(4)))
    }
    let by = "\(word)ChangeValueForKey:withSetMutation:usingObjects:"
    try addMethod(cls, by, "i@:*Q@") { call in
      sent.add("\(word)Change:withSetMutation:")
      let imp = isa_class_find_imp(isa_root_class(), selector(by))
      call.answer(
        unsafeBitCast(imp, to: By.self)(
          call.receiver, selector(by), call.argument(2), call.argument(3), call.argument(4)))
    }
  }
}
