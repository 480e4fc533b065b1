import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A view that shows anything.
private final class Show: KVObject, BindingTarget {
  var shown: Any?
  var count = 0

  class var bindingNames: [BindingName] { [.value] }

  func show(_ shown: Shown<Any?>, for name: BindingName) throws(KeyValueError) {
    (self.shown, count) = (shown.plain, count + 1)
  }

  /// A view that is bound.
  convenience init(_ source: KVObject, _ path: String) throws {
    self.init()
    try bind(.value, to: source, withKeyPath: path)
  }
}

/// An element that others use as an owner, too.
private final class Shelf: KVObject {
  @Dynamic var width = 1.0
  @Dynamic var books: [Book] = []
  @Dynamic var guests: Set<Book> = []
  @Dynamic var next: Shelf?
  @Dynamic var anything: Any?
}

private final class Book: KVObject {
  @Dynamic var title: String
  @Dynamic var price: Double
  @Dynamic var place = Home()
  @Dynamic var pages = [1, 2]
  /// Depends on another, and so has no shared observers.
  var label: String { "\(title)!" }

  init(_ title: String, _ price: Double = 1) {
    self.title = title
    self.price = price
    super.init()
  }

  override class var keys: [KeyDeclaration] {
    [.key("label", \Book.label, affectedBy: [\Book.title])]
  }
}

private let operators = [
  "arrangedObjects.@sum.price", "arrangedObjects.@avg.price", "arrangedObjects.@min.price",
  "arrangedObjects.@max.price", "arrangedObjects.@count", "arrangedObjects.@count.price",
  "arrangedObjects.@unionOfObjects.title", "arrangedObjects.@distinctUnionOfObjects.title",
  "arrangedObjects.@unionOfArrays.pages", "arrangedObjects.@distinctUnionOfArrays.pages",
  "arrangedObjects.title", "arrangedObjects.price", "arrangedObjects.label",
  "arrangedObjects.place.city", "arrangedObjects.@max.place.city",
  "arrangedObjects.@sum.pages.@count",
  "content.@sum.price", "selectedObjects.@sum.price", "selection.@count", "selection.@sum.price",
  "selection.@unionOfObjects.title", "selection.place.city", "selection.pages.@count",
]

@Suite(.serialized, .oneAtATime) struct MemberPathTests {
  @Test(
    "BND-133: by name, a key path may lead through a controller's list: each change is shown",
    arguments: operators)
  func list(path: String) throws {
    let books = [Book("c", 3), Book("a", 1), Book("b", 2)]
    let controller = ArrayController<Book>()
    controller.content = books
    let show = try Show(controller, path)
    func check(_ what: Comment, _ change: () -> Void) {
      change()
      let now = try? controller.value(forKeyPath: path)
      #expect(isSameValue(show.shown, now is BindingMarker ? nil : now), what)
    }
    check("at first") {}
    check("an edit") { books[0].price = 9 }
    check("another key") { books[0].title = "z" }
    check("a key behind it") { books[2].place.city = "Zug" }
    check("another object behind it") { books[1].place = Home() }
    check("the key of that") { books[1].place.city = "Ulm" }
    check("an array of an element") { books[0].pages = [7] }
    let late = Book("d", 40)
    check("an insertion") { controller.add(late) }
    check("its edit") { late.price = 50 }
    check("its title") { late.title = "dd" }
    check("an order") { controller.sort = [.ascending(\.title)] }
    check("a filter") { controller.filter = .where(\.price, <, 45) }
    check("an edit of a hidden one") { late.price = 60 }
    check("no filter") { controller.filter = nil }
    check("a selection") { controller.select([0, 2]) }
    check("an edit in it") { controller.arrangedObjects[0].price = 11 }
    check("a place in it") { controller.arrangedObjects[2].place.city = "Ulm" }
    check("the same place in all of it") { controller.arrangedObjects[0].place.city = "Ulm" }
    check("nothing selected") { controller.select([]) }
    check("a removal") { controller.remove(late) }
    check("others") { controller.content = [Book("x", 5), books[0], books[0]] }
    check("an edit of one that stayed") { books[0].price = 13 }
    check("nothing") { controller.content = [] }
    let told = show.count
    books[0].price = 99
    late.price = 98
    #expect(show.count == told)
  }

  @Test("BND-133: an element is heard of once, and no more once it has gone")
  func once() throws {
    let book = Book("a", 2), other = Book("b", 3), controller = ArrayController<Book>()
    controller.content = [book, book, other]
    let show = try Show(controller, "arrangedObjects.@sum.price")
    let first = show.count
    book.price = 4
    #expect(show.count == first + 1 && number(show) == 11)
    controller.remove(atArranged: 0)
    let second = show.count
    book.price = 5
    #expect(show.count == second + 1)
    controller.remove(book)
    let third = show.count
    book.price = 6
    other.title = "z"
    #expect(show.count == third)
    show.unbindAll()
    #expect(registrations(of: controller) == 0 && registrations(of: other) == 0)
    other.price = 1
    #expect(show.count == third)
  }

  @Test("BND-133, BND-17: at the end of a transaction the value is that of all of its changes")
  func transaction() throws {
    let books = [Book("a", 1), Book("b", 2)], controller = ArrayController<Book>()
    controller.content = books
    let show = try Show(controller, "arrangedObjects.@sum.price"), first = show.count
    KVObject.transaction {
      for book in books { book.price += 10 }
      controller.add(Book("c", 5))
      controller.remove(books[0])
      #expect(show.count == first && number(show) == 3)
    }
    #expect(number(show) == 17)
    books[0].muting { books[0].price = 0 }
    books[1].muting { books[1].price = 0 }
    #expect(number(show) == 17)
    controller.content[1].price = 6
    #expect(number(show) == 6)
  }

  @Test("BND-133: the list may be one of any object, behind others, and come and go")
  func models() throws {
    let shelf = Shelf(), show = try Show(shelf, "next.books.@sum.price")
    let titles = try Show(shelf, "next.books.title")
    let guests = try Show(shelf, "next.guests.@sum.price")
    #expect(show.shown == nil)
    let next = Shelf(), book = Book("a", 3)
    next.books = [book]
    shelf.next = next
    #expect(number(show) == 3 && titles.shown as? [String] == ["a"])
    book.price = 4
    book.title = "b"
    #expect(number(show) == 4 && titles.shown as? [String] == ["b"])
    let come = Book("c", 5)
    next.mutableArrayValue(for: \.books).append(come)
    #expect(number(show) == 9)
    come.price = 6
    next.mutableArrayValue(for: \.books)[0] = Book("d", 1)
    #expect(number(show) == 7 && titles.shown as? [String] == ["d", "c"])
    next.mutableSetValue(for: \.guests).insert(book)
    #expect(number(guests) == 4)
    book.price = 8
    #expect(number(guests) == 8)
    let other = Shelf()
    shelf.next = other
    #expect(number(show) == 0)
    other.books = [come]
    #expect(number(show) == 6)
    shelf.next = nil
    #expect(show.shown == nil)
    let told = show.count
    come.price = 100
    #expect(show.count == told)
  }

  @Test("BND-133: a list may come where no type tells of one, and have lists of its own")
  func untyped() throws {
    let shelf = Shelf(), titles = try Show(shelf, "anything.title")
    #expect(titles.shown == nil)
    let book = Book("a")
    shelf.anything = [book]
    #expect(titles.shown as? [String] == ["a"])
    book.title = "b"
    #expect(titles.shown as? [String] == ["b"])
    shelf.anything = book
    #expect(titles.shown as? String == "b")
    book.title = "c"
    #expect(titles.shown as? String == "c")
    titles.unbindAll()
    let inner = Shelf()
    shelf.anything = [inner]
    let prices = try Show(shelf, "anything.@unionOfArrays.books.price")
    inner.books = [book]
    book.price = 7
    #expect(prices.shown as? [Double] == [7])
  }

  @Test("BND-133: the lists of several selected objects, and none, are followed")
  func selected() throws {
    let shelves = [Shelf(), Shelf()], book = Book("a", 2)
    let controller = ArrayController<Shelf>()
    let show = try Show(controller, "selection.books.@sum.price")
    #expect(show.shown as? String == nil)
    shelves[0].books = [book]
    shelves[1].books = [Book("b", 2)]
    controller.content = shelves
    #expect(number(show) == 2)
    controller.select([0, 1])
    #expect(number(show) == 2)
    book.price = 3
    #expect(number(show) == nil)
    shelves[1].books[0].price = 3
    #expect(number(show) == 3)
    controller.select(1)
    let told = show.count
    book.price = 4
    #expect(show.count == told && number(show) == 3)
  }

  @Test("BND-54: the key path that leads on from several selected objects hears of each")
  func homes() throws {
    let books = [Book("a"), Book("b")], controller = ArrayController<Book>(), field = Field()
    controller.content = books
    controller.select([0, 1])
    try field.bind("text", to: controller, withKeyPath: "selection.place.city")
    #expect(field.text == "Bern")
    books[1].place.city = "Chur"
    #expect(field.text == "Multiple Values")
    books[0].place.city = "Chur"
    #expect(field.text == "Chur")
    // BND-129
    let told = ToldValues(field, \.text)
    try controller.setValue("Genf", forKeyPath: "selection.place.city")
    #expect(told.values == ["Genf"])
  }

  @Test(
    "BND-97: a key path through a list keeps its source not, BND-100: and leaves no registration")
  func lifetimes() throws {
    weak var gone: Shelf?
    let show = Show(), book = Book("a")
    do {
      let shelf = Shelf()
      gone = shelf
      shelf.books = [book]
      try show.bind(.value, to: shelf, withKeyPath: "books.@sum.price")
      #expect(show.bindings.count == 1)
    }
    #expect(gone == nil && show.bindings.isEmpty)
    let told = show.count
    book.price = 7
    #expect(show.count == told)
    do {
      let short = try Show(ArrayController<Book>(), "arrangedObjects.@sum.price")
      #expect(short.bindings.isEmpty)
    }
  }

  @Test("BND-97: the source may be an element of the list on the way")
  func sourceInList() throws {
    weak var gone: Sibling?
    let show = Show()
    do {
      let parent = Sibling(), child = Sibling()
      parent.children = [child, Sibling()]
      child.parent = parent
      gone = child
      try show.bind(.value, to: child, withKeyPath: "parent.children.@sum.weight")
      #expect(number(show) == 2)
      child.weight = 5
      parent.children[1].weight = 6
      #expect(number(show) == 11)
    }
    #expect(gone == nil)
  }

  @Test("BND-5: an element without such a key is an error, once")
  func missing() throws {
    let controller = ArrayController<Book>()
    controller.content = [Book("a")]
    #expect(throws: KeyValueError.self) { try Show(controller, "arrangedObjects.@sum.weight") }
    #expect(registrations(of: controller) == 0)
    controller.content = []
    let show = try Show(controller, "arrangedObjects.@sum.weight")
    var errors: [KeyValueError.Code] = []
    show.bindings[0].onError = { error, _ in errors.append(error.code) }
    controller.content = [Book("a")]
    #expect(errors == [.undefinedKey])
  }
}

extension MemberPathTests {
  @Test(
    "BND-47, BND-5: a key that an object on the way has not is a marker or an error, and no misuse")
  func missingOnTheWay() throws {
    let misuses = Misuses()
    KeyValueSettings.misuseHandler = { misuses.append($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    let shelf = Shelf(), controller = ObjectController<Shelf>(), field = Field(), show = Show()
    controller.content = shelf
    shelf.next = Shelf()
    try field.bind(
      "text", to: controller, withKeyPath: "selection.next.wings.span",
      options: .with { $0.nullPlaceholder = "nothing" })
    #expect(field.text == "Not Applicable")
    try show.bind(.value, to: shelf, withKeyPath: "next.next.wings.span")
    var codes: [KeyValueError.Code] = []
    show.bindings[0].onError = { error, _ in codes.append(error.code) }
    shelf.next = nil
    shelf.next = Shelf()
    shelf.next!.next = Shelf()
    #expect(field.text == "Not Applicable" && codes == [.undefinedKey])
    #expect(throws: KeyValueError.self) {
      try Show(shelf, "next.next.wings.span")
    }
    #expect(misuses.all.isEmpty)
  }
}

private final class Misuses: @unchecked Sendable {
  var all: [Misuse] = []
  func append(_ misuse: Misuse) { all.append(misuse) }
}

/// An object among others of its parent.
private final class Sibling: KVObject {
  @Dynamic var weight = 1
  @Dynamic var children: [Sibling] = []
  @WeakDynamic var parent: Sibling?
}

private func number(_ show: Show) -> Double? { converted(show.shown) }

private func converted(_ value: Any?) -> Double? {
  (value as? Double) ?? (value as? Int).map(Double.init)
    ?? value.flatMap { Double("\($0)") }
}

private func isSameValue(_ first: Any?, _ second: Any?) -> Bool {
  if let first = converted(first), let second = converted(second) { return first == second }
  return "\(first as Any)" == "\(second as Any)"
}
