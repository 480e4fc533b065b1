import Testing

@testable import isalab

@Suite("Bad input about paths and collections", .serialized, .oneAtATime)
struct BadCollectionTests {
  private static let preamble = """
    struct Point { x: double, y: double }
    class Address { city: string }
    class Person { name: string, age: int8, home: Address, any: object, at: Point, ivar _raw: int
      items: mutable-array accessors, tags: mutable-set, map: mutable-dictionary
      full: string = join(name, "!") depends on (name), fixed: array, old: array readonly
    }
    let p = Person()
    let list = [1, 2]
    observer o
    observe p.age as t
    shared s for Person
    observe s.age as u

    """
  private static let firstLine = 13

  @Test(
    "a line that cannot be read is answered with its place and what was expected",
    arguments: [
      ("p.home. = 1", 9, "unexpected '=', expected a property"),
      ("get p.", 7, "unexpected the end of the line, expected a property"),
      ("get p (name, 1)", 14, "unexpected '1', expected a key"),
      ("set p = 1", 7, "unexpected '=', expected '.' or a dictionary, as {name: 1}"),
      ("p.any = {a: 1, 2}", 16, "unexpected '2', expected a key and ':'"),
      ("p.any = {1, 2", 14, "unexpected the end of the line, expected ',' or '}'"),
      ("p.any = {1, b: 2}", 16, "unexpected '2', expected ',' or '}'"),
      ("p.map = {a: 1, b}", 17, "unexpected '}', expected a key and ':'"),
      ("let l = {1: 2}", 11, "unexpected ':', expected ',' or '}'"),
      ("insert 1 in p.items at 0", 10, "unexpected 'in', expected 'into'"),
      ("insert 1 into p.items", 22, "unexpected the end of the line, expected 'at'"),
      ("insert 1 into p.items at -1", 26, "unexpected '-1', expected an index from 0"),
      ("insert 1 into p.items at x", 26, "unexpected 'x', expected an index from 0"),
      (
        "insert 1 into p.items at 0 by hand", 31,
        "unexpected 'hand', expected proxy, accessor or ivar"
      ),
      ("union p.tags {1}", 14, "unexpected '{', expected 'with'"),
      ("remove from p.items", 20, "unexpected the end of the line, expected 'at'"),
      ("remove object 1 of p.items", 17, "unexpected 'of', expected 'from'"),
      ("replace p.items at 0 with 1", 9, "unexpected 'p', expected 'in'"),
      ("replace in p.items at 0", 24, "unexpected the end of the line, expected 'with'"),
      (
        "will add 1 to p.items", 6,
        "'add' is not announced, expected insert, remove, replace, union, minus, intersect or fill"
      ),
      ("will insert into p.items", 25, "unexpected the end of the line, expected 'at'"),
      (
        "observe p.items at 0", 17,
        "unexpected 'at', expected 'by OBSERVER' before 'at': only objects observe the elements of an array"
      ),
      ("remove o from list.age at", 26, "unexpected the end of the line, expected an index from 0"),
      ("when t hears p.age = 1", 14, "unexpected 'p', expected ':'"),
      (
        "when t hears: let q = Person()", 15,
        "'let' cannot stand behind 'when', expected what changes or observes an object, such as 'p.age = 2'"
      ),
      (
        "when t hears: p.age", 15,
        "a question cannot stand behind 'when', expected what changes or observes an object, such as 'p.age = 2'"
      ),
      ("on p.age = 1", 4, "unexpected 'p', expected 'thread'"),
      (
        "on thread on thread p.age = 1", 11,
        "'on' cannot stand behind 'on', expected what changes or observes an object, such as 'p.age = 2'"
      ),
      (
        "on thread expect p.age == 1", 11,
        "'expect' cannot stand behind 'on', expected what changes or observes an object, such as 'p.age = 2'"
      ),
      ("shared r Person", 10, "unexpected 'Person', expected 'for' and a class"),
      ("share s p", 9, "unexpected 'p', expected 'with' and an object"),
      ("expect t last insertion at x", 28, "unexpected 'x', expected an index from 0"),
      (
        "expect t last sideways", 15,
        "unexpected 'sideways', expected initial, prior, change, setting, insertion, removal, replacement, at, of, key, old, new or context, or the end of the line"
      ),
      (
        "class K { x: int = }", 20,
        "unexpected '}', expected a value: a number, a text in quotes, true, false, nil, a name, (…), […] or {…}"
      ),
      (
        "class K { x: int = sum(1, }", 27,
        "unexpected '}', expected a value: a number, a text in quotes, true, false, nil, a name, (…), […] or {…}"
      ),
      (
        "class K { x: int depends (y) }", 26,
        "unexpected '(', expected 'on' and key paths in brackets"
      ),
      ("class K { x: int depends on y }", 29, "unexpected 'y', expected '('"),
      (
        "class K { x: int triggered on (y) }", 28,
        "unexpected 'on', expected 'by' and keys in brackets"
      ),
      (
        "class K { x: mutable-set accessors(1) }", 36, "unexpected '1', expected an accessor's kind"
      ),
      ("class K { x: int valid 1 }", 26, "unexpected '}', expected 'to' and the greatest value"),
      (
        "class K { x: int getter getX: }", 25,
        "'getX:' is no getter's selector, expected no argument, as in get<Key>"
      ),
      (
        "class K { ivar class: int }", 16,
        "'class' is a word of the language, expected another name for the ivar"
      ),
      ("class K profile next { x: int }", 17, "unexpected 'next', expected apple or gnustep"),
      ("let @sum = Person()", 5, "unexpected '@sum', expected a name for the object"),
    ])
  func syntax(_ line: String, _ column: Int, _ message: String) {
    expect(line, column, message)
  }

  @Test(
    "a declaration whose parts do not fit each other is found before anything runs",
    arguments: [
      (
        "let l: int = [1]", 8,
        "'int' is no collection, expected array, dictionary, mutable-array, mutable-dictionary, mutable-ordered-set, mutable-set, ordered-set or set"
      ),
      (
        "let l: array = {1}", 16,
        "{1} does not fit here, expected values in [ ], an object's name or nil"
      ),
      ("shared s for Person", 8, "'s' is taken already, expected a name of its own"),
      (
        "shared r for Persn", 14,
        "unknown class 'Persn', expected Address or Person, or a declaration of it above"
      ),
      ("class K { x: int = foo }", 20, "K has no property 'foo', expected x"),
      (
        "class K { x: int = join(x) }", 20,
        "'join' gives no value of type int, expected the type string"
      ),
      (
        "class K { x: string = sum(x) }", 23,
        "'sum' gives no value of type string, expected a number's type, or an object's"
      ),
      (
        "class K { x: Point = 1 }", 22,
        "a computed property gives no value of type Point, expected a number's type, or an object's"
      ),
      (
        "class K { x: int = \"text\" }", 20,
        "\"text\" does not fit here, expected a whole number from -2147483648 to 2147483647"
      ),
      (
        "class K { x: int = count(x, x) }", 20,
        "'count' counts 2 collections, expected one key path"
      ),
      ("class K { x: int depends on (y) }", 30, "K has no property 'y', expected x"),
      ("class K { x: int depends on (home.city) }", 30, "K has no property 'home', expected x"),
      ("class K { x: int triggered by (y) }", 32, "K has no property 'y', expected x"),
      (
        "class K { x: int accessors }", 11,
        "'x' stores no array or set, expected a type such as mutable-array for accessors of elements"
      ),
      (
        "class K { x: mutable-dictionary accessors }", 11,
        "'x' stores no array or set, expected a type such as mutable-array for accessors of elements"
      ),
      (
        "class K { x: mutable-array accessors(add) }", 38,
        "'add' is no accessor of a mutable-array, expected insert, remove, replace, insert-many, remove-many or replace-many"
      ),
      (
        "class K { x: mutable-set accessors(insert) }", 36,
        "'insert' is no accessor of a mutable-set, expected add, remove-object, union, minus or intersect"
      ),
      (
        "class K { x: int8 valid 0 to 300 }", 30,
        "300 does not fit here, expected a whole number from -128 to 127"
      ),
      (
        "class K { x: string valid 0 to 3 }", 27,
        "'x' is no number, expected a number's type for valid … to …"
      ),
      (
        "class K { x: int = 1 weak }", 14, "weak int, expected an object's type for a weak property"
      ),
      (
        "class K { x: int = 1 setter setY: }", 11,
        "'x' is computed and stores nothing, expected no weak and no setter"
      ),
      (
        "class K { ivar x: int getter getX }", 16,
        "'x' is an ivar without methods, expected no setter and no getter"
      ),
      ("class Dictionary {}", 7, "'Dictionary' is taken already, expected a name of its own"),
      ("class array {}", 7, "'array' is taken already, expected a name of its own"),
      (
        "class K { x: bool valid true to false }", 25,
        "'x' is no number, expected a number's type for valid … to …"
      ),
      (
        "class K { x: long-double = 1 }", 28,
        "a computed property gives no value of type long-double, expected a number's type, or an object's"
      ),
    ])
  func declarations(_ line: String, _ column: Int, _ message: String) {
    expect(line, column, message)
  }

  @Test(
    "a wrong key, an element or a collection that does not fit is found before anything runs",
    arguments: [
      ("p.home.town = \"x\"", 8, "Address has no property 'town', expected city"),
      (
        "p.home.city = 1", 15,
        "1 does not fit here, expected an object's name, a text in quotes or nil"
      ),
      ("p.full = \"x\"", 3, "'full' is read-only, expected a property with a setter"),
      ("poke p.full = \"x\"", 8, "'full' is computed and has no ivar, expected a stored property"),
      (
        "poke p.map.x = 1", 8,
        "nothing is known of 'map.x', expected a property whose class the declarations give"
      ),
      (
        "poke p._raw = \"x\"", 15,
        "\"x\" does not fit here, expected a whole number from -2147483648 to 2147483647"
      ),
      (
        "p._raw = 1", 3,
        "'_raw' is read-only, expected a property with a setter, or 'poke', which writes the ivar"
      ),
      ("get q.age", 5, "unknown object 'q', expected list, o or p"),
      (
        "set p {1, 2}", 7,
        "{1, 2} does not fit here, expected keys and values, as {name: 1}, an object's name or nil"
      ),
      (
        "set p {name: nil}", 14,
        "nil does not fit here, expected null, which stands for nothing in a collection"
      ),
      (
        "set p.any = (1, 2)", 13,
        "(1, 2) does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      (
        "p.any = q", 9,
        "q does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      (
        "p.items = {1}", 11,
        "{1} does not fit here, expected values in [ ], an object's name or nil"
      ),
      (
        "p.items = [nil]", 12,
        "nil does not fit here, expected null, which stands for nothing in a collection"
      ),
      (
        "p.items = [(1, 2)]", 12,
        "(1, 2) does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      (
        "p.tags = [1]", 10, "[1] does not fit here, expected values in { }, an object's name or nil"
      ),
      (
        "p.map = {1}", 9,
        "{1} does not fit here, expected keys and values, as {name: 1}, an object's name or nil"
      ),
      ("p.fixed = 1", 11, "1 does not fit here, expected values in [ ], an object's name or nil"),
      (
        "insert 1 into p.tags at 0", 17,
        "'p.tags' has no order, expected an array, or add and remove object"
      ),
      ("insert nil into p.items at 0", 8, "nil is no element, expected null, or another value"),
      ("insert 1 into p.items at (0, 1)", 8, "1 does not fit here, expected values in [ ] or { }"),
      (
        "insert 1 into p.age at 0", 17,
        "'p.age' is no collection, expected a property of a type such as mutable-array"
      ),
      ("insert 1 into p.map at 0", 17, "'p.map' is a dictionary, expected an array or a set"),
      (
        "insert 1 into p at 0", 15,
        "'p' is no collection, expected a property of a type such as mutable-array"
      ),
      ("insert 1 into q.items at 0", 15, "unknown object 'q', expected list, o or p"),
      ("union p.items with {1}", 9, "'p.items' is an array, expected a set or an ordered set"),
      ("union p.tags with 1", 19, "1 does not fit here, expected values in [ ] or { }"),
      (
        "minus p.tags with [q]", 20,
        "q does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      ("add nil to p.tags", 5, "nil is no element, expected null, or another value"),
      (
        "add 1 to p.itemz", 12,
        "Person has no property 'itemz', expected name, age, home, any, at, _raw, items, tags, map, full, fixed or old"
      ),
      (
        "add 1 to list by accessor", 10,
        "no accessor does this to 'list', expected 'by proxy' or 'by ivar'"
      ),
      (
        "fill p.tags with {1} by accessor", 8,
        "no accessor does this to 'p.tags', expected 'by proxy' or 'by ivar'"
      ),
      (
        "will insert into p.home.city at 0", 20,
        "'p.home.city' is no collection, expected a property of a type such as mutable-array"
      ),
      ("did union p.tags with 3", 23, "3 does not fit here, expected values in [ ] or { }"),
      ("when v hears: p.age = 1", 6, "unknown observer 'v', expected t, u, list, o or p"),
      (
        "when t hears: p.agee = 1", 17,
        "Person has no property 'agee', expected name, age, home, any, at, _raw, items, tags, map, full, fixed or old"
      ),
      ("share r with p", 7, "unknown shared observers 'r', expected s"),
      ("share s with q", 14, "unknown object 'q', expected list, o or p"),
      (
        "remove u", 8,
        "'u' is one of the shared observers s, expected 'share nil with OBJECT', which ends them for an object"
      ),
      ("validate q.age 1", 10, "unknown object 'q', expected list, o or p"),
      (
        "affected p.agee", 12,
        "Person has no property 'agee', expected name, age, home, any, at, _raw, items, tags, map, full, fixed or old"
      ),
      (
        "affecting p.agee", 13,
        "Person has no property 'agee', expected name, age, home, any, at, _raw, items, tags, map, full, fixed or old"
      ),
      (
        "closure p.agee", 11,
        "Person has no property 'agee', expected name, age, home, any, at, _raw, items, tags, map, full, fixed or old"
      ),
      (
        "expect closure p.full == name", 26,
        "name does not fit here, expected keys in { }, as {first, \"home.city\"}"
      ),
      (
        "expect closure p.full == {1}", 26,
        "{1} does not fit here, expected keys in { }, as {first, \"home.city\"}"
      ),
      ("expect affected p.age == \"x\"", 26, "\"x\" does not fit here, expected a number"),
      ("expect validate p.age 1 == 1", 28, "1 does not fit here, expected true or false"),
      (
        "expect get p.age == (1, 2)", 21,
        "(1, 2) does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      (
        "expect get p (name) == [1]", 24,
        "[1] does not fit here, expected keys and values, as {name: 1}, an object's name or nil"
      ),
      ("expect pending p == x", 21, "x does not fit here, expected a number"),
      ("pending list2", 9, "unknown object 'list2', expected list, o or p"),
      ("expect t last of q", 18, "unknown object 'q', expected list, o or p"),
      (
        "expect t last old {1}", 19,
        "{1} does not fit here, expected a whole number from -128 to 127"
      ),
      ("p.@sum = 3", 3, "'@sum' is an operator, expected a property"),
      (
        "isa list = Person", 5,
        "'list' is a collection, expected an object made by 'let NAME = CLASS()'"
      ),
      ("p.home.age.@sum = 1", 8, "Address has no property 'age', expected city"),
    ])
  func meaning(_ line: String, _ column: Int, _ message: String) {
    expect(line, column, message)
  }

  private func expect(_ line: String, _ column: Int, _ message: String) {
    let before = liveCounts()
    let (code, output) = runScenario(BadCollectionTests.preamble + line + "\n")
    #expect(code == 2)
    #expect(output.out == [])
    #expect(output.err == ["test.kvo:\(BadCollectionTests.firstLine):\(column): \(message)"])
    #expect(liveCounts() == before)
  }
}
