// How a read finds out that Swift's Observation tracks it.
//
// Most reads are outside of trackings, so a read must see that at one load. The word that leads to
// a thread's tracking is Observation's own. The library looks for the word's place in a tracking of
// its own, where it is the only word that holds an address of this part of the stack. It believes
// the place once the word has given the public answer, by `TrackingQuestion`, on two threads of its
// own, in a tracking and outside; otherwise each read asks.
//
// Locks:     a static constant's, while the place is looked for.
// Invariant: reads see trackings in each mode but `off`; a mode is chosen once in a process.
internal import CSwiftRuntime
internal import IsaKeyValue
internal import Observation

/// The ways of finding out, by their names in the variable `ISAKVO_TRACKING` of the environment.
enum TrackingMode: String, Sendable {
  /// Not at all: nothing is tracked.
  case off
  /// Each read asks Observation.
  case slow
  /// Each read looks at the word.
  case fast

  /// The mode of the process: the wanted mode, or the best that there is.
  static let inUse = choose()

  /// Whether a tracking runs on the calling thread, which reads an object, as the mode can tell.
  static func seesTracking(reading object: KVObject) -> Bool {
    switch inUse {
    case .off: return false
    case .fast: return swift_runtime_may_track()
    case .slow:
      guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return false }
      return TrackingQuestion.ask(for: object)
    }
  }

  /// Whether a tracking runs on the calling thread which is not the library's own.
  static func seesOthersTracking(reading object: KVObject) -> Bool {
    guard let own = ThreadKey.pointer(for: .listening) else { return seesTracking(reading: object) }
    return swift_runtime_looked_at_word() != own && inUse == .fast
  }

  /// Runs `body` in a tracking of the library's own, whose reads of `KVObject`s others look after.
  static func listen(to body: () -> Void) {
    // Where reads look at a word of the library's own, that is NULL else.
    if inUse == .off { return _ = readsTracked(body) }
    let word = swift_runtime_looked_at_word()
    let outer = ThreadKey.exchange(.listening, word ?? UnsafeMutableRawPointer(bitPattern: 1))
    body()
    _ = ThreadKey.exchange(.listening, outer)
  }

  /// Runs `body`; whether it reads what Observation tracks.
  ///
  /// No tracking that runs meanwhile hears of the reads where the word is known: it then holds the
  /// address of a list of what is read.
  static func tracksReads(_ body: () -> Void) -> Bool {
    if exchangesWord { return readsTracked(body) }
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else {
      body()
      return false
    }
    // The argument is evaluated if there is something to hear of.
    var isAny = false
    func note() -> @Sendable () -> Void {
      isAny = true
      return {}
    }
    withObservationTracking({ listen(to: body) }, onChange: note())
    return isAny
  }

  /// Runs `body`. Only trackings that begin in it hear of its reads. Where the word is not known,
  /// the others do hear of objects of other classes, and trackings in `body` hear of no `KVObject`.
  static func apart<Result>(_ body: () -> Result) -> Result {
    guard mayBeTracked() else { return body() }
    var result: Result?
    if exchangesWord { _ = readsTracked { result = body() } } else { listen { result = body() } }
    return result!
  }

  // MARK: By the word

  /// Whether reads are listened to by an address of the library's own in Observation's word, which puts
  /// up with it. In a tracking the word leads to a place for the list of what is read, an object of
  /// Swift's, which is NULL before the first read.
  static let exchangesWord: Bool = {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return false }
    return inUse == .fast && TrackingWord.canBeExchanged
  }()

  /// The addresses that are looked at outside of an evaluation.
  struct Outer {
    fileprivate let word: UnsafeMutableRawPointer?
    fileprivate let listened: UnsafeMutableRawPointer?
  }

  /// Listens to what the thread reads; Observation's list of that is put at `list`, which is nil.
  @inline(__always)
  static func beginListening(at list: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Outer {
    Outer(
      word: swift_runtime_exchange_looked_at_word(list),
      listened: ThreadKey.exchange(.listening, list))
  }

  /// Ends that; whether there is such a list, which is dropped.
  @inline(__always)
  static func endListening(
    _ outer: Outer, at list: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Bool {
    _ = swift_runtime_exchange_looked_at_word(outer.word)
    _ = ThreadKey.exchange(.listening, outer.listened)
    if list.pointee == nil { return false }
    swift_release(list.pointee)
    list.pointee = nil
    return true
  }

  fileprivate static func readsTracked(_ body: () -> Void) -> Bool {
    var list: UnsafeMutableRawPointer?
    return withUnsafeMutablePointer(to: &list) { place in
      let outer = beginListening(at: place)
      body()
      return endListening(outer, at: place)
    }
  }

  @available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
  private static let foundWord = TrackingWord.find()

  private static func choose() -> TrackingMode {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else {
      return ignoring()
    }
    switch wanted {
    case .off: return ignoring()
    case .slow: return .slow
    case .fast, nil:
      guard let word = foundWord else { return .slow }
      swift_runtime_look_for_trackings(word.word)
      return .fast
    }
  }

  private static func ignoring() -> TrackingMode {
    swift_runtime_ignore_trackings()
    return .off
  }

  /// The mode that was asked for; nil if none was, or a mode that does not exist, which is printed.
  private static var wanted: TrackingMode? {
    guard let text = swift_runtime_environment("ISAKVO_TRACKING").map({ String(cString: $0) }),
      !text.isEmpty
    else { return nil }
    if let mode = TrackingMode(rawValue: text) { return mode }
    // Not by the misuse handler: its reads would wait for the mode.
    swift_runtime_warn(
      "IsaKVO: ISAKVO_TRACKING is \(text.prefix(40).debugDescription), not off, slow or fast; it is "
        + "passed over")
    return nil
  }
}

/// The word of each thread that is not NULL while a tracking runs on it.
@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
struct TrackingWord: @unchecked Sendable {
  // Sendable because it is three numbers.
  let word: swift_runtime_word

  /// The word, if a word gives the public answer on two threads.
  ///
  /// Neither is the calling one: a tracking that runs there would have what is asked, and keep its
  /// closures by it.
  static func find() -> TrackingWord? {
    guard let found = search(), swift_runtime_has_word(found.word), found.isRightElsewhere(),
      found.isRightElsewhere()
    else { return nil }
    return found
  }

  /// Whether another thread finds the word right.
  private func isRightElsewhere() -> Bool {
    let trial = Trial(self)
    // It is the thread's if that does not come to an end, because the caller holds what it waits for.
    let context = Unmanaged.passRetained(trial)
    let hasEnded = swift_runtime_run_on_thread(
      { Unmanaged<Trial>.fromOpaque($0!).takeUnretainedValue().run() }, context.toOpaque(), 2)
    guard hasEnded else { return false }
    defer { context.release() }
    return trial.isRight
  }

  /// The only word that holds an address of the stack in a tracking, and a later one in a second
  /// within.
  private static func search() -> TrackingWord? {
    let high = swift_runtime_stack_place()
    var outer: [swift_runtime_word] = []
    var inner: [swift_runtime_word] = []
    track {
      let middle = swift_runtime_stack_place()
      outer = words(above: middle, below: high)
      track { inner = words(above: swift_runtime_stack_place(), below: middle) }
    }
    let both = outer.filter { word in inner.contains { $0.place == word.place } }
    return both.count == 1 ? TrackingWord(word: both[0]) : nil
  }

  private static func words(
    above low: UnsafeRawPointer?, below high: UnsafeRawPointer?
  ) -> [swift_runtime_word] {
    let capacity = 16
    return [swift_runtime_word](unsafeUninitializedCapacity: capacity) { words, count in
      count = min(capacity, swift_runtime_find_words(low, high, words.baseAddress, capacity))
    }
  }

  /// Whether the calling thread has the word, and it says what the public answer is.
  private var isRight: Bool {
    guard swift_runtime_has_word(word), agrees() else { return false }
    var agreesWithin = false
    track { agreesWithin = holds && agrees() }
    return agreesWithin && agrees()
  }

  private func agrees() -> Bool { holds == TrackingQuestion.ask() }

  private var holds: Bool { swift_runtime_thread_word(word.place) != nil }

  /// Whether the word, where reads look, may lead to such a place: what is noted in a list there is kept
  /// by it, and by nobody once it has gone.
  fileprivate static var canBeExchanged: Bool {
    let question = TrackingQuestion.fresh()
    guard !TrackingMode.readsTracked({}), !question.isNoted else { return false }
    var isNoted = false
    let isAny = TrackingMode.readsTracked {
      question.note()
      isNoted = question.isNoted
    }
    return isAny && isNoted && !question.isNoted
  }

  /// A trial on a thread.
  private final class Trial: @unchecked Sendable {
    // Sendable because the outcome is written before the thread's end is told.
    private let word: TrackingWord
    private(set) var isRight = false

    init(_ word: TrackingWord) { self.word = word }

    func run() { isRight = word.isRight }
  }
}

/// Runs `body` as a tracking that nobody waits for.
@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
private func track(_ body: () -> Void) { withObservationTracking(body) {} }
