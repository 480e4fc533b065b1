import Foundation
import IsaKVO
import IsaRuntime
import Observation

import enum IsaKVOTestSupport.Recording

/// One program, and the mistakes in the values that its observers are told.
final class HeardRun {
  private let world: any World
  private let sites: [Site]
  private let lane: Int
  private var watchers: [Watcher] = []
  private var reactions: [KeyValueObservation] = []
  /// Of the step in progress: the changes made, whether there are any that nobody is to be told, and
  /// whether an observer has made one.
  private var writes = 0
  private var isSilent = false
  private var hasReacted = false
  private var complaint: String?

  /// The first mistake, and its step; nil if there is none.
  ///
  /// - Parameter lane: Of two programs that run at once, each has its own.
  static func complaint<Kind: World>(
    about program: HeardProgram, _ kind: Kind.Type, lane: Int = 0
  ) -> String? {
    let run = HeardRun(kind.init(leaves: HeardProgram.leaves, lane: lane), program.sites, lane)
    for (number, step) in program.steps.enumerated() {
      run.take(step)
      if let complaint = run.complaint { return "step \(number): \(complaint)" }
    }
    return nil
  }

  private init(_ world: any World, _ sites: [SitePlace], _ lane: Int) {
    (self.world, self.lane) = (world, lane)
    self.sites = sites.map(world.site)
  }

  /// Ends what observes before the world goes, whose getters then find it gone.
  deinit {
    for watcher in watchers { watcher.token?.invalidate() }
    for reaction in reactions { reaction.invalidate() }
  }

  // MARK: Steps

  private func take(_ step: HeardStep) {
    (writes, isSilent, hasReacted) = (0, false, false)
    for watcher in watchers { watcher.begin() }
    do { try perform(step) } catch { complaint = "\(error)" }
    var most = writes
    if case .mute = step.here { most = 0 }
    for watcher in watchers where complaint == nil {
      complaint = watcher.complaint(most: most, isSilent: isSilent, hasReacted: hasReacted)
    }
  }

  private func perform(_ step: HeardStep) throws {
    switch step {
    case .observe(let site, let form, let options):
      let site = self.site(site)
      watch(site.forms[form % site.forms.count], site.name, Self.options[options % 8])
    case .observeSize(let leaf): watch(world.size(leaf), "leaf \(leaf)", [.old, .new])
    case .react(let leaf, let size): try react(leaf, size)
    case .end(let number):
      if !watchers.isEmpty { watchers.remove(at: number % watchers.count).token?.invalidate() }
    case .mute(let step): try mute(step)
    case .transaction(let steps):
      try KVObject.transaction { for step in steps { try perform(step) } }
    case .elsewhere(let step):
      onThread { do { try perform(step) } catch { complaint = "\(error)" } }
    default: try change(step)
    }
  }

  private func change(_ step: HeardStep) throws {
    writes += 1
    switch step {
    case .size(let leaf, let size, let way): try world.setSize(leaf, size, way)
    case .next(let leaf, let next): world.setNext(leaf, next)
    case .point(let site, let leaves): self.site(site).point?(leaves)
    case .set(let site, let value, let way):
      let site = self.site(site)
      writes += site.writes - 1
      if !site.sets.isEmpty { try site.sets[way % site.sets.count](value) }
    case .poke(let site, let value):
      isSilent = true
      self.site(site).poke?(value)
    default: fatalError("\(step) changes nothing")
    }
  }

  private func site(_ number: Int) -> Site { sites[number % sites.count] }

  private func mute(_ step: HeardStep) throws {
    let object: KVObject? =
      switch step {
      case .size(let leaf, _, _), .next(let leaf, _): world.object(leaf)
      case .point(let site, _): self.site(site).object
      default: nil
      }
    guard let object else { return }
    isSilent = true
    try object.muting { try perform(step) }
  }

  private func react(_ leaf: Int, _ size: Int) throws {
    reactions.append(
      try world.size(leaf).observe(.new) { [unowned self] _, _ in
        (writes, hasReacted) = (writes + 1, true)
        try? world.setSize(HeardProgram.sink, size, 0)
      })
  }

  // MARK: Observing

  private static let options: [ObservationOptions] = [
    .new, [.old, .new], [.new, .initial], [.old, .new, .initial], [.new, .prior],
    [.old, .new, .prior], [.old, .new], .new,
  ]

  private func watch(_ form: Form, _ name: String, _ options: ObservationOptions) {
    // Of two threads' programs it is not the same twice which is told first.
    let watcher = Watcher(form, "\(name), \(form.name)", isRecorded: lane == 0)
    watchers.append(watcher)
    do { try watcher.start(options) } catch { complaint = "\(watcher.name): \(error)" }
    if watcher.token?.isValid == false { complaint = "\(watcher.name) is refused" }
  }
}

extension HeardStep {
  /// The step itself, on whichever thread.
  fileprivate var here: HeardStep { if case .elsewhere(let step) = self { step } else { self } }
}

/// Runs `body` on another thread, and waits for the end of the thread, which then holds nothing.
private func onThread(_ body: () -> Void) {
  withoutActuallyEscaping(body) { body in
    var body = body
    withUnsafeMutablePointer(to: &body) { place in
      var thread = pthread_t()
      let error = pthread_create(
        &thread, nil,
        { place in
          place!.assumingMemoryBound(to: (() -> Void).self).pointee()
          return nil
        }, place)
      precondition(error == 0, "no thread can be made")
      pthread_join(thread, nil)
    }
  }
}

/// An observer, and what it has been told.
private final class Watcher {
  let name: String
  private(set) var token: KeyValueObservation?
  private let form: Form
  private let isRecorded: Bool
  /// The value as the observer knows it.
  private var known: Int
  /// Of the step in progress: how often it was told, and the first old value.
  private var told = 0
  private var old: Int?
  private var lacksNew = false
  private var isNew = true
  private var before: Int
  private var tracking: Tracking?

  init(_ form: Form, _ name: String, isRecorded: Bool) {
    (self.form, self.name, self.isRecorded) = (form, name, isRecorded)
    known = form.value()
    before = known
  }

  func start(_ options: ObservationOptions) throws {
    token = try form.observe(options) { [unowned self] old, new in hear(old, new) }
    if form.isTracked { tracking = Tracking(form.value) }
    // An initial value is told at once.
    if told > 0 { (told, old) = (0, nil) }
  }

  private func hear(_ old: Int?, _ new: Int?) {
    if isRecorded { Recording.add("\(name) \(old, default: "-") \(new, default: "-")") }
    if told == 0 { self.old = old }
    told += 1
    if let new { known = new } else { lacksNew = true }
  }

  func begin() { (told, old, isNew, before) = (0, nil, false, known) }

  /// The mistake at the end of a step; nil if there is none.
  ///
  /// - Parameters:
  ///   - most: How often it may have been told.
  ///   - isSilent: Whether something has changed that nobody is told of.
  ///   - hasReacted: Whether an observer has made a change, of which others may have been told first.
  func complaint(most: Int, isSilent: Bool, hasReacted: Bool) -> String? {
    let value = form.value()
    defer { tracking = tracking?.renewed(value, form.value) }
    if lacksNew { return "\(name) is told no new value" }
    if told > most { return "\(name) is told \(told) times of \(most) changes" }
    if isSilent {
      known = value
      return nil
    }
    if known != value {
      let last = told == 0 ? "nothing; it knows \(known)" : "\(known)"
      return "\(name) is \(value), and its observer was told \(last)"
    }
    if let old, old != before, !isNew, !hasReacted {
      return "\(name) was \(before), and is told to have been \(old)"
    }
    if let tracking, tracking.hasFired, tracking.value != value, told == 0 {
      return "\(name) is \(value), of which Observation tells and its observer was not told"
    }
    return nil
  }
}

/// A tracking of Observation's over a getter.
private final class Tracking {
  private final class Flag: @unchecked Sendable {
    // Sendable because threads take turns.
    var isSet = false
  }

  private let flag = Flag()
  /// The value when the tracking began, or when the last step ended.
  private(set) var value: Int

  var hasFired: Bool { flag.isSet }

  init(_ read: () -> Int) {
    value = 0
    let flag = flag
    if #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) {
      value = withObservationTracking(read) { flag.isSet = true }
    }
  }

  /// The tracking for the next step.
  func renewed(_ value: Int, _ read: () -> Int) -> Tracking {
    if hasFired { return Tracking(read) }
    self.value = value
    return self
  }
}
