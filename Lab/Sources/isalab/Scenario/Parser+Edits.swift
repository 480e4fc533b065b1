// Collections changed by their elements.

extension Parser {
  /// `insert x into p.items at 0`, `union p.tags with {1}` and their like, `remove` left out.
  mutating func edit() throws(Diagnostic) -> Edit {
    var edit = try editHeader(isAnnounced: false)
    edit.way = try way()
    return edit
  }

  /// `remove from p.items at 0` or `remove object x from p.items`; `remove` is read already.
  mutating func removal() throws(Diagnostic) -> Edit {
    var edit = try removalHeader()
    edit.way = try way()
    return edit
  }

  /// `will p.age`, or `will insert into p.items at 0`.
  mutating func announcement(_ word: String) throws(Diagnostic) -> Statement.Kind {
    try advance()
    guard case .word(let next) = token.kind,
      ["insert", "remove", "replace", "add", "union", "minus", "intersect", "fill"].contains(next)
    else {
      let target = try property()
      return word == "will" ? .willChange(target) : .didChange(target)
    }
    let start = token
    let edit = try editHeader(isAnnounced: true)
    guard edit.kind != .add, edit.kind != .removeObject else {
      throw Diagnostic(
        file: file, location: start.location,
        problem: Text("syntax.not-announced", ["kind": edit.kind.rawValue]),
        expected: Text("syntax.change-kinds"))
    }
    return word == "will" ? .willEdit(edit) : .didEdit(edit)
  }

  private mutating func editHeader(isAnnounced: Bool) throws(Diagnostic) -> Edit {
    guard case .word(let word) = token.kind else {
      throw unexpected(Text("syntax.collection-change"))
    }
    try advance()
    switch word {
    case "insert": return try insertion(isAnnounced: isAnnounced)
    case "remove": return try removalHeader()
    case "replace": return try replacement(isAnnounced: isAnnounced)
    case "add":
      let object = try literal()
      try expectWord("to")
      return Edit(kind: .add, target: try collection(), objects: object)
    default:
      let target = try collection()
      try expectWord("with")
      return Edit(kind: Edit.Kind(rawValue: word)!, target: target, objects: try literal())
    }
  }

  private mutating func insertion(isAnnounced: Bool) throws(Diagnostic) -> Edit {
    let objects: Literal? = isAnnounced ? nil : try literal()
    try expectWord("into")
    let target = try collection()
    return Edit(kind: .insert, target: target, indexes: try indexes(), objects: objects)
  }

  private mutating func removalHeader() throws(Diagnostic) -> Edit {
    if try skip("object") {
      let object = try literal()
      try expectWord("from")
      return Edit(kind: .removeObject, target: try collection(), objects: object)
    }
    try expectWord("from")
    let target = try collection()
    return Edit(kind: .remove, target: target, indexes: try indexes())
  }

  private mutating func replacement(isAnnounced: Bool) throws(Diagnostic) -> Edit {
    try expectWord("in")
    let target = try collection()
    var edit = Edit(kind: .replace, target: target, indexes: try indexes())
    if isAnnounced { return edit }
    try expectWord("with")
    edit.objects = try literal()
    return edit
  }

  private mutating func way() throws(Diagnostic) -> Edit.Way {
    guard try skip("by") else { return .proxy }
    guard case .word(let word) = token.kind, let way = Edit.Way(rawValue: word) else {
      throw unexpected(alternatives(Edit.Way.allCases.map(\.rawValue)))
    }
    try advance()
    return way
  }

  /// `p.items`, or a collection that is an object itself.
  private mutating func collection() throws(Diagnostic) -> PropertyReference {
    let object = try name(Text("syntax.collection"))
    guard token.kind == .sign(".") else { return PropertyReference(object: object, keys: []) }
    return try path(from: object)
  }

  /// `at 0` or `at (0, 2)`.
  mutating func indexes() throws(Diagnostic) -> IndexList {
    try expectWord("at")
    let location = token.location
    guard token.kind == .sign("(") else {
      return IndexList(indexes: [try index()], isList: false, location: location)
    }
    var indexes: [UInt] = []
    try advance()
    while token.kind != .sign(")") {
      indexes.append(try index())
      guard token.kind != .sign(")") else { break }
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return IndexList(indexes: indexes, isList: true, location: location)
  }

  private mutating func index() throws(Diagnostic) -> UInt {
    guard case .integer(let digits) = token.kind, let index = UInt(scenario: digits) else {
      throw unexpected(Text("syntax.index"))
    }
    try advance()
    return index
  }

  private mutating func expectWord(_ word: String) throws(Diagnostic) {
    guard try skip(word) else { throw unexpected(Text(same: "'\(word)'")) }
  }
}
