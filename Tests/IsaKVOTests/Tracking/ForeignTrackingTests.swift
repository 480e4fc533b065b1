import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Observation
import Testing

@Suite("Key paths through classes of the macro @Observable", .serialized, .oneAtATime)
struct ForeignTrackingTests {
  final class Person: KVObject {
    @Dynamic var name = "p"
    @Dynamic var friend: Person?
    @Dynamic var model: ViewModel?
    var plain = 0
  }

  final class Holder {
    var value = 1
    var model = Title("h")
    let fixedModel = Title("h")
  }

  @Observable final class Title {
    var title: String
    init(_ title: String) { self.title = title }
  }

  @Observable final class ViewModel {
    var title: String
    var count = 0
    var child: ViewModel?
    var person = Person()
    var people: [Person] = []
    let fixedPerson = Person()
    var holder = Holder()
    @ObservationIgnored var ignored = 0
    @ObservationIgnored weak var parent: ViewModel?
    /// Set in the middle of a change of its own.
    var total = 0 { didSet { count = total } }
    init(_ title: String) { self.title = title }
  }

  @Observable class OpenModel {
    var title = "o"
    @ObservationIgnored var ignored = 0
    var next: OpenModel?
    let constant = ViewModel("c")
  }

  @MainActor @Observable final class MainModel {
    var person = MainPerson()
  }

  final class MainPerson: KVObject, MainActorObject {
    @Dynamic var name = "p"
  }

  final class MainPage: KVObject, MainActorObject {
    @Dynamic var model = MainModel()
  }

  final class Page: KVObject {
    @Dynamic var model = ViewModel("t")
    @Dynamic var name = "n"
    @Dynamic var isShort = false
    @Dynamic var open = OpenModel()
    @Dynamic var holder = Holder()
    @Dynamic var person: Person?
    let fixed = ViewModel("f")

    var personName: String { model.person.name }
    var names: [String] { model.people.map(\.name) }
    var both: String { "\(model.person.name) \(person?.name ?? "-")" }
    var sums: [Int] { [model.total, model.count] }

    var heading: String { isShort ? name : "\(name):\(model.title)" }
  }

  /// The notes of changes of a key path.
  private final class Notes<Value> {
    private(set) var all: [String] = []
    private var token: KeyValueObservation?

    init(_ page: Page, _ path: KeyPath<Page, Value>, _ options: ObservationOptions = [.old, .new]) {
      token = page.observe(path, options: options) { [unowned self] _, change in
        let old = change.oldValue.map { "\($0)" } ?? "-",
          new = change.newValue.map { "\($0)" } ?? "-"
        all.append(change.isPrior ? "will \(old)" : "\(old)>\(new)")
      }
    }

    var isValid: Bool { token!.isValid }
    func end() { token!.invalidate() }
  }

  @Test("a property of such an object is told with old and new, others are not")
  func property() {
    let page = Page(), notes = Notes(page, \.model.title)
    #expect(notes.isValid)
    page.model.title = "u"
    page.model.count = 5
    page.name = "m"
    page.model.title += "v"
    #expect(notes.all == ["t>u", "u>uv"])
  }

  @Test("the object may be replaced: the old one is heard no more, the new one is")
  func replaced() {
    let page = Page(), notes = Notes(page, \.model.title)
    let old = page.model
    page.model = ViewModel("w")
    old.title = "x"
    page.model.title = "y"
    #expect(notes.all == ["t>w", "w>y"])
  }

  @Test("a computed property hears of both kinds of object, as far as it reads them")
  func computed() {
    let page = Page(), notes = Notes(page, \.heading)
    page.model.title = "u"
    page.name = "m"
    page.isShort = true
    page.model.title = "w"
    page.name = "k"
    page.isShort = false
    page.model.title = "x"
    #expect(notes.all == ["n:t>n:u", "n:u>m:u", "m:u>m", "m>k", "k>k:w", "k:w>k:x"])
  }

  @Test("a path may lead through a constant")
  func constant() {
    let page = Page(), notes = Notes(page, \.fixed.title)
    #expect(notes.isValid)
    page.fixed.title = "g"
    page.fixed.count = 1
    #expect(notes.all == ["f>g"])
  }

  @Test("options are heeded: initial, prior, new alone, none")
  func options() {
    let page = Page()
    let initial = Notes(page, \.model.title, [.initial, .new])
    let prior = Notes(page, \.model.title, [.prior, .old, .new])
    let new = Notes(page, \.model.title, .new), none = Notes(page, \.model.title, [])
    page.model.title = "u"
    #expect(initial.all == ["->t", "->u"] && prior.all == ["will t", "t>u"])
    #expect(new.all == ["->u"] && none.all == ["->-"])
  }

  @Test("in a transaction such a path is told once")
  func transaction() {
    let page = Page(), notes = Notes(page, \.heading)
    KVObject.transaction {
      page.model.title = "u"
      page.name = "m"
      page.model.title = "v"
    }
    #expect(notes.all == ["n:t>m:v"])
  }

  @Test("an ended observation is told nothing, and keeps no object")
  func ending() {
    weak var page: Page?, model: ViewModel?
    let kept = ViewModel("kept")
    var notes: Notes<String>?
    do {
      let made = Page()
      page = made
      model = made.model
      notes = Notes(made, \.heading)
      made.model = kept
      kept.title = "k"
    }
    #expect(page == nil && model == nil && notes?.isValid == false)
    kept.title = "l"
    #expect(notes?.all == ["n:t>n:kept", "n:kept>n:k"])
    let other = Page(), ended = Notes(other, \.model.title)
    ended.end()
    other.model.title = "z"
    #expect(ended.all.isEmpty)
  }

  @Test("a thousand changes beside such an object leave nothing with it")
  func nothingLeft() {
    let page = Page()
    final class Mark {}
    weak var gone: Mark?
    do {
      let mark = Mark()
      gone = mark
      let token = page.observe(\.heading) { _, _ in withExtendedLifetime(mark) {} }
      for number in 0..<1000 { page.name = "\(number)" }
      token.invalidate()
    }
    #expect(gone == nil)
  }

  @Test("a property that Observation ignores is refused as any without a wrapper")
  func ignored() {
    let page = Page()
    let told = reports { #expect(!Notes(page, \.fixed.ignored).isValid) }
    #expect(told.count == 1)
  }

  @Test("such a path observed in a tracking makes nothing of it tracked")
  func insideTracking() {
    let page = Page(), fires = Fires()
    var notes: Notes<String>?
    fires.track { notes = Notes(page, \.heading) }
    page.model.title = "u"
    page.name = "m"
    #expect(fires.value == 0 && notes?.all.count == 2)
  }

  /// A property that is computed once, until what it is computed of has changed.
  final class Memo: KVObject {
    private final class Cache: @unchecked Sendable { var value: Int? }
    @Dynamic var number = 1
    @Dynamic var name = "n"
    private let cache = Cache()

    var text: String { "\(name)\(doubled)" }

    var doubled: Int {
      if let value = cache.value { return value }
      let value = withObservationTracking {
        number * 2
      } onChange: { [cache] in
        cache.value = nil
      }
      cache.value = value
      return value
    }
  }

  @Test("a tracking that a getter begins hears of what it reads, whoever evaluates the getter")
  func insideGetter() {
    let memo = Memo()
    let token = memo.observe(\.text, options: .new) { _, _ in }
    memo.number = 2
    #expect(memo.doubled == 4)
    memo.name = "m"
    memo.number = 3
    #expect(memo.doubled == 6)
    token.invalidate()
    memo.number = 4
    #expect(memo.doubled == 8)
  }

  @Test("no tracking hears of what an observation reads when it tells a change")
  func readsOfTelling() {
    let page = Page(), notes = Notes(page, \.heading), fires = Fires()
    fires.track { page.name = "m" }
    page.model.title = "u"
    fires.track { page.model.count = 1 }
    fires.track { page.model.title = "v" }
    page.name = "k"
    #expect(fires.value == 0)
    #expect(notes.all == ["n:t>m:t", "m:t>m:u", "m:u>m:v", "m:v>k:v"])
  }

  @Test("no tracking hears of what a sequence of values reads")
  func readsOfSequences() {
    let page = Page(), fires = Fires()
    fires.track {
      _ = page.values(of: \.name)
      _ = page.values(of: \.heading)
    }
    page.name = "m"
    page.model.title = "u"
    #expect(fires.value == 0)
  }

  // MARK: KVObjects behind such an object

  @Test("an object of a wrapped class behind such an object is heard")
  func behind() {
    let page = Page()
    let direct = Notes(page, \.model.person.name), computed = Notes(page, \.personName)
    page.model.person.name = "q"
    page.model.person = Person()
    page.model.person.name = "r"
    page.model.person.name += "s"
    #expect(direct.all == ["p>q", "q>p", "p>r", "r>rs"])
    #expect(computed.all == direct.all)
  }

  @Test("so is one behind constants, in an array, and one to which others lead")
  func behindOthers() {
    let page = Page()
    let fixed = Notes(page, \.fixed.person.name), constant = Notes(page, \.fixed.fixedPerson.name)
    let list = Notes(page, \.names), both = Notes(page, \.model.person.friend?.model?.title)
    #expect(fixed.isValid && constant.isValid && list.isValid && both.isValid)
    page.fixed.person.name = "q"
    page.fixed.fixedPerson.name = "r"
    #expect(fixed.all == ["p>q"] && constant.all == ["p>r"])
    page.model.people = [Person(), Person()]
    page.model.people[1].name = "s"
    #expect(list.all == ["[]>[\"p\", \"p\"]", "[\"p\", \"p\"]>[\"p\", \"s\"]"])
    page.model.person.friend = Person()
    page.model.person.friend!.model = ViewModel("v")
    page.model.person.friend!.model!.title = "w"
    #expect(both.all.suffix(2) == [#"nil>Optional("v")"#, #"Optional("v")>Optional("w")"#])
  }

  @Test("one that other objects of the path lead to as well is told once")
  func reachedTwice() {
    let page = Page()
    page.person = page.model.person
    let notes = Notes(page, \.both)
    page.model.person.name = "q"
    page.person!.name = "r"
    page.person = nil
    page.model.person.name = "s"
    #expect(notes.all == ["p p>q q", "q q>r r", "r r>r -", "r ->s -"])
  }

  @Test("options, transactions and muting are heeded for such an object")
  func behindScopes() {
    let page = Page()
    let prior = Notes(page, \.model.person.name, [.prior, .old, .new])
    let new = Notes(page, \.model.person.name, [.initial, .new])
    page.model.person.name = "q"
    KVObject.transaction {
      page.model.person.name = "r"
      page.model.person.name = "s"
    }
    page.model.person.muting { page.model.person.name = "t" }
    page.model.person.name = "u"
    #expect(prior.all == ["will p", "p>q", "will q", "q>s", "will t", "t>u"])
    #expect(new.all == ["->p", "->q", "->s", "->u"])
  }

  @Test("trackings of others hear of such an object once, observed or not")
  func behindTracked() {
    let page = Page(), notes = Notes(page, \.personName)
    for number in 0..<5 {
      #expect(fires(reading: { _ = page.personName }) { page.model.person.name = "\(number)" } == 1)
      #expect(fires(reading: { _ = page.name }) { page.model.person.name = "k\(number)" } == 0)
    }
    #expect(notes.all.count == 10)
  }

  @Test("on the main actor such objects are heard")
  @MainActor func behindOnMainActor() {
    let page = MainPage()
    var told: [String] = []
    let token = page.observe(\.model.person.name, options: [.old, .new]) { _, change in
      told.append("\(change.oldValue!)>\(change.newValue!)")
    }
    page.model.person.name = "q"
    page.model.person = MainPerson()
    #expect(told == ["p>q", "q>p"])
    token.invalidate()
  }

  @Test("an ended observation leaves nothing with such an object")
  func behindEnded() throws {
    let person = Person(), object = try RuntimeObject(person)
    weak var page: Page?
    do {
      let made = Page()
      page = made
      made.model.person = person
      let notes = Notes(made, \.personName)
      person.name = "q"
      #expect(notes.all == ["p>q"])
    }
    #expect(page == nil)
    person.name = "r"
    person.name = "s"
    #expect(object.registrations.isEmpty)
  }

  // MARK: Properties that nobody hears of

  @Test("a variable that nobody tells of is refused, wherever it stands")
  func unheard() {
    let page = Page()
    func refusal<Value>(_ path: KeyPath<Page, Value>) -> String? {
      let told = reports { #expect(!Notes(page, path).isValid) }
      return told.count == 1 ? told[0].reason : nil
    }
    for _ in 0..<2 {
      #expect(refusal(\.model.child?.ignored)?.contains("ViewModel.ignored is a variable") == true)
      #expect(refusal(\.model.holder.value)?.contains("Holder.value is a variable") == true)
      #expect(refusal(\.holder.model.title)?.contains("Holder.model is a variable") == true)
      #expect(refusal(\.model.person.plain)?.contains("Person.plain is a variable") == true)
      #expect(refusal(\.open.next?.ignored)?.contains("OpenModel.ignored is a variable") == true)
      #expect(refusal(\.model.parent?.title)?.contains("ViewModel.parent is a variable") == true)
    }
  }

  @Test("a constant on the way is none of them")
  func constantsOnTheWay() {
    let page = Page()
    let fixed = Notes(page, \.holder.fixedModel.title), open = Notes(page, \.open.constant.title)
    let next = Notes(page, \.open.next?.title)
    page.holder.fixedModel.title = "i"
    page.open.constant.title = "d"
    page.open.next = OpenModel()
    page.open.next!.title = "e"
    #expect(fixed.all == ["h>i"] && open.all == ["c>d"])
    #expect(next.all == [#"nil>Optional("o")"#, #"Optional("o")>Optional("e")"#])
  }

  // MARK: Changes under way

  @Test("a path that is observed within a change is told from the next one on")
  func insideChange() {
    let page = Page(), fires = Recorder<Notes<String>>()
    nonisolated(unsafe) let observed = page
    withObservationTracking {
      _ = page.model.title
    } onChange: {
      fires.add(Notes(observed, \.model.title))
    }
    page.model.title = "u"
    page.model.title = "v"
    #expect(fires.all.map(\.all) == [["u>v"]])
  }

  @Test("a change within a change is told with the values around it")
  func nestedChange() {
    let page = Page(), notes = Notes(page, \.sums)
    page.model.total = 1
    #expect(notes.all == ["[1, 0]>[1, 1]", "[0, 0]>[1, 1]"])
  }

  @Test("the slow way tells the same")
  func slowly() async {
    setenv("ISAKVO_TRACKING", "slow", 1)
    defer { unsetenv("ISAKVO_TRACKING") }
    await #expect(processExitsWith: .success) {
      let page = ForeignTrackingTests.Page()
      var told: [String] = []
      let token = page.observe(\.heading, options: .new) { told.append($1.newValue!) }
      page.model.title = "u"
      page.name = "m"
      page.model = ForeignTrackingTests.ViewModel("w")
      page.model.title = "x"
      guard told == ["n:u", "m:u", "m:w", "m:x"] else { exit(1) }
      token.invalidate()
    }
  }
}
