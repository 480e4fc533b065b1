import Foundation
import IsaKVO
import IsaKVOTestSupport
import Observation
import Testing

@Suite("Key paths through classes of the macro @Observable")
struct ForeignTrackingTests {
  @Observable final class ViewModel {
    var title: String
    var count = 0
    @ObservationIgnored var ignored = 0
    init(_ title: String) { self.title = title }
  }

  final class Page: KVObject {
    @Dynamic var model = ViewModel("t")
    @Dynamic var name = "n"
    @Dynamic var isShort = false
    let fixed = ViewModel("f")

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
