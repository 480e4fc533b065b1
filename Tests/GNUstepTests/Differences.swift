/// A difference between this engine, which follows Apple's Foundation, and GNUstep 1.28, whose
/// observing is the old one.
///
/// Each has a program that shows it, so that it is known when it goes away. The generator keeps
/// away from it, or, where it only concerns what is read, `explains` lets it pass.
struct Difference: Sendable {
  let name: String
  let reason: String
  /// The traces of its last command are those given.
  let program: [String]
  let here: [String]
  let there: [String]
  var explains: @Sendable (_ command: String, _ here: [String], _ there: [String]) -> Bool = {
    _, _, _ in false
  }

  /// The first command whose traces differ in what no difference explains.
  static func firstUnexplained(_ program: [String], _ here: [[String]], _ there: [[String]])
    -> Unexplained?
  {
    let index = program.indices.first { index in
      let here = here[index], there = there[index]
      // An object that one side could not make it cannot use either.
      if here == there || there == ["! Unknown"] { return false }
      return !all.contains { $0.explains(program[index], here, there) }
    }
    return index.map { Unexplained(program[$0], here[$0], there[$0]) }
  }
}

/// A difference that nothing explains, as far as it stays the same when its program is shrunk.
struct Unexplained: Equatable {
  private let command: String
  private let raisesHere, raisesThere: Bool

  init(_ command: String, _ here: [String], _ there: [String]) {
    self.command = command
    raisesHere = here.last?.hasPrefix("!") == true
    raisesThere = there.last?.hasPrefix("!") == true
  }
}

private let undefined = "! NSUnknownKeyException"
private let invalid = "! NSInvalidArgumentException"

/// A class with a key of each kind, and two objects.
private let object = [
  "class C0 -", "ivar C0 _n i", "ivar C0 _d d", "ivar C0 _s @", "ivar C0 _a @", "ivar C0 _c c",
  "ivar C0 _k #", "ivar C0 _t T", "new o1 C0", "new o2 C0",
]

extension Difference {
  static let all = search + conversion + paths + operators + many + proxies + observing

  // MARK: accessors

  private static let search = [
    Difference(
      name: "`_get<Key>` is looked for before `_<key>`",
      reason: "Apple's order; there it is the other way round",
      program: [
        "class C0 -", "ivar C0 x i", "ivar C0 y i", "method C0 getter _a x",
        "method C0 getter _getA y", "new o1 C0", "get o1 a",
      ],
      here: ["> _getA", "= 0"], there: ["> _a", "= 0"]),
    Difference(
      name: "`_<key>` is a getter of a class that hides its ivars",
      reason: "Apple looks for methods in any case; there only if ivars may be looked at",
      program: [
        "class C0 -", "ivar C0 x i", "method C0 getter _a x", "method C0 noivars", "new o1 C0",
        "get o1 a",
      ],
      here: ["> _a", "= 0"], there: [undefined],
      explains: { _, here, there in here.first?.hasPrefix("> _") == true && there == [undefined] }),
    Difference(
      name: "`setIs<Key>:` is a setter",
      reason: "measured on Apple's; unknown there",
      program: [
        "class C0 -", "ivar C0 x i", "method C0 setter setIsA: x", "new o1 C0", "set o1 a i:1",
      ],
      here: ["> setIsA:"], there: [undefined]),
    Difference(
      name: "accessors for its elements make an array to read",
      reason: "as with Apple, ordered sets and sets too; unknown there",
      program: [
        "class C0 -", "ivar C0 x @", "method C0 count countOfA x",
        "method C0 object objectInAAtIndex: x", "new o1 C0", "poke o1 x [i:1]", "get o1 a",
      ],
      here: ["= [1]"], there: [undefined]),
  ]

  // MARK: conversion

  private static let conversion = [
    Difference(
      name: "a string is converted to every type of number",
      reason:
        "there, as with Apple, only to those that a string has messages for: int, long long, "
        + "float, double and `BOOL`",
      program: object + ["set o1 c \"65\"", "get o1 c"], here: ["= 65"], there: ["= 0"]),
    Difference(
      name: "a string beyond an integer's range is the end of the range",
      reason: "as with Apple; there the bits are cut",
      program: object + ["set o1 n \"4000000000\"", "get o1 n"],
      here: ["= 2147483647"], there: ["= -294967296"]),
    Difference(
      name: "null is not nil for a number",
      reason: "Apple sends null the message `intValue`; there `setNilValueForKey:` is sent",
      program: ["class C0 -", "ivar C0 _n i", "method C0 nilhook", "new o1 C0", "set o1 n null"],
      here: [invalid], there: ["> nil n"]),
    Difference(
      name: "a key of type `Class` takes classes only",
      reason: "anything else would be a wild pointer in this runtime, whose classes are C structs",
      program: object + ["set o1 k o2"], here: [invalid], there: []),
    Difference(
      name: "a struct takes a struct of its own members only",
      reason: "there the bytes are copied whatever they are, as many as there are",
      program: object + ["set o1 t P:1,2"], here: [invalid], there: []),
    Difference(
      name: "a number is no struct",
      reason: "there its bytes are copied into it",
      program: object + ["set o1 t i:3"], here: [invalid], there: []),
  ]

  // MARK: paths

  private static let paths = [
    Difference(
      name: "null answers every key with itself",
      reason: "as Apple's and later GNUsteps do; there null has no keys",
      program: object + ["set o1 a null", "path o1 a.n"], here: ["= null"], there: [undefined],
      explains: { command, here, there in
        command.hasPrefix("path") && here.first?.contains("null") == true && there == [undefined]
      }),
    Difference(
      name: "a dictionary looks for the whole path as a key first",
      reason: "as Apple's; there the path is always split",
      program: ["let d (\"a.b\" i:9)", "path d a.b"], here: ["= 9"], there: ["= nil"]),
    Difference(
      name: "a value set for a key of a set is set on its members",
      reason: "as Apple's; there a set has no keys to set",
      program: object + ["let s {o1 o2}", "set s n i:6"], here: [], there: [undefined]),
    Difference(
      name: "a set answers `@count` as a key, not only as a path",
      reason: "as Apple's", program: ["let s {i:1}", "get s @count"], here: ["= 1"],
      there: [undefined]),
    Difference(
      name: "an ordered set answers a key with an ordered set",
      reason: "as Apple's; there with a set",
      program: object + ["let s <o1>", "path s n"], here: ["= <0>"], there: ["= {0}"]),
    Difference(
      name: "an ordered set has operators",
      reason: "as Apple's", program: ["let s <i:1>", "path s @count"], here: ["= 1"],
      there: [undefined]),
  ]

  // MARK: operators

  private static let operators = [
    Difference(
      name: "the average of nothing is nil",
      reason: "as Apple's; there it is 0", program: ["let e []", "path e @avg.n"],
      here: ["= nil"], there: ["= 0"],
      explains: { $0.contains("@avg") && $1 == ["= nil"] && $2 == ["= 0"] }),
    Difference(
      name: "unions leave nil out",
      reason: "as Apple's do, whatever the documentation says; there nil raises",
      program: object + ["let l [o1]", "path l @unionOfObjects.s"], here: ["= []"],
      there: [invalid],
      explains: { command, here, there in
        command.contains("nionOf") && there == [invalid] && here != [undefined]
      }),
    Difference(
      name: "distinct unions keep the order of first appearance",
      reason: "Apple's order is none; there it is that of a hash table",
      program: ["let l [i:3 i:1]", "path l @distinctUnionOfObjects.self"],
      here: ["= [3, 1]"], there: ["= [1, 3]"],
      explains: { command, here, there in
        command.contains("@distinct") && members(here) == members(there)
      }),
    Difference(
      name: "a union over a set is a set",
      reason: "as Apple's; there an array",
      program: ["let s {{i:1}}", "path s @distinctUnionOfSets.self"], here: ["= {1}"],
      there: ["= [1]"]),
    Difference(
      name: "`@unionOfObjects` is no operator of sets",
      reason: "as with Apple", program: ["let s {i:1}", "path s @unionOfObjects.self"],
      here: [invalid], there: ["= [1]"]),
    Difference(
      name: "an unknown operator with a path raises `NSInvalidArgumentException`",
      reason: "as Apple's; there it is an undefined key",
      program: ["let l [i:1]", "path l @bogus.self"], here: [invalid], there: [undefined]),
    Difference(
      name: "an operator without a path is an undefined key, of an empty collection too",
      reason: "as with Apple; there an empty collection answers every path with itself",
      program: ["let s {}", "path s @sum"], here: [undefined], there: ["= {}"],
      explains: {
        $0.hasPrefix("path") && $1 == [undefined] && ["= {}", "= []"].contains($2.joined())
      }),
    Difference(
      name: "a dictionary has no operators with a path",
      reason: "Apple raises `NSInvalidArgumentException`; there the operator is an undefined key",
      program: ["let d (\"k\" i:1)", "path d @sum.k"], here: [invalid], there: [undefined]),
  ]

  /// The members of a collection's description, in order of text.
  private static func members(_ trace: [String]) -> [String] {
    trace.joined().filter { !"[]= ".contains($0) }.split(separator: ",").map(String.init).sorted()
  }

  // MARK: many keys and observing

  private static let many = [
    Difference(
      name: "null in a dictionary of values sets nil",
      reason: "as with Apple; there null is set",
      program: object + ["setvalues o1 (\"s\" null)", "read o1 _s"], here: ["= nil"],
      there: ["= null"])
  ]

  private static let proxies = [
    Difference(
      name: "a proxy of an unknown key raises when it changes",
      reason: "as with Apple; there when it is asked for",
      program: object + ["proxy p array o1 none"], here: [], there: [undefined],
      explains: { command, here, there in
        command.hasPrefix("proxy") && here.isEmpty && [[undefined], [invalid]].contains(there)
      }),
    Difference(
      name: "a proxy over a setter looks at the object anew",
      reason: "as Apple's do; there it adds at the end of long ago",
      program: [
        "class C0 -", "ivar C0 x @", "method C0 getter a x", "method C0 setter setA: x",
        "new o1 C0", "poke o1 x []", "proxy p array o1 a", "add p i:1", "add p i:2", "read o1 x",
      ],
      here: ["= [1, 2]"], there: ["= [2, 1]"]),
    Difference(
      name: "an index beyond the end is refused before the accessor is called",
      reason: "the accessor's own answer could not be told from success: it is void",
      program: [
        "class C0 -", "ivar C0 x @", "method C0 getter a x",
        "method C0 insert insertObject:inAAtIndex: x",
        "method C0 removal removeObjectFromAAtIndex: x", "new o1 C0", "poke o1 x m[]",
        "proxy p array o1 a", "remove p 0",
      ],
      here: ["! NSRangeException"], there: ["> removeObjectFromAAtIndex: 0", "! NSRangeException"],
      explains: { $1 == ["! NSRangeException"] && $2.count == 2 && $2.last == $1.last }),
  ]

  private static let observing = [
    Difference(
      name: "removing what is not registered raises `NSRangeException`",
      reason: "as with Apple; there nothing happens",
      program: object + ["unobserve o1 n"], here: ["! NSRangeException"], there: [],
      explains: { command, here, there in
        command.hasPrefix("unobserve") && here == ["! NSRangeException"] && there.isEmpty
      }),
    Difference(
      name: "nil at the first of three keys is nil at the end",
      reason: "as with Apple; there the old value is told as the new one",
      program: object + [
        "new o3 C0", "poke o1 _a o2", "poke o2 _a o3", "observe o1 a.a.n", "set o1 a nil",
      ],
      here: ["* o1.a.a.n 1: 0 to null"], there: ["* o1.a.a.n 1: 0 to 0"]),
    Difference(
      name: "a change of a set is told with what came and what went",
      reason: "as with Apple; there with nothing",
      program: [
        "class C0 -", "ivar C0 x @", "method C0 getter a x", "method C0 add addAObject: x",
        "method C0 take removeAObject: x", "new o1 C0", "poke o1 x m{}", "observe o1 a",
        "proxy p set o1 a", "add p i:1",
      ],
      here: ["> addAObject: 1", "* o1.a 2: null to {1}"],
      there: ["> addAObject: 1", "* o1.a 2: null to {}"]),
  ]
}
