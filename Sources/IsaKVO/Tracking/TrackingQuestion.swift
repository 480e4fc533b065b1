// Whether Swift's Observation tracks what the calling thread reads, by its public interface alone.
//
// Observation has no such call. But a tracking keeps the key paths of what is read in it: one that
// nobody else has is kept by somebody else, once it was noted as read, if and only if a tracking runs.
//
// Such a tracking has the registrar of the question, too, and keeps its closures by it until it fires or
// the registrar ends. So that one becomes the registrar of the object that is read, which ends with it.
//
// Owns:      a registrar and a key path.
// Lives:     the one of a thread until a tracking has it, and then as the object that was read; where
//            none ever has, until the thread ends.
// Locks:     none; a thread reaches its own, an object's is under the lock of its tracker.
// Invariant: the key path is nobody else's when it is noted.
internal import IsaKeyValue
internal import Observation

@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
final class TrackingQuestion: Observable {
  let registrar = ObservationRegistrar()
  private var number = 0
  private var path: KeyPath<TrackingQuestion, Void>

  private init() { path = \.[question: 0] }

  private subscript(question number: Int) -> Void { () }

  /// Whether a tracking runs on the calling thread, which reads an object.
  static func ask(for object: KVObject) -> Bool {
    if let tracker = object.alreadyKept(PropertyTracker.self) { return tracker.ask() }
    let question = ofThread
    guard question.ask() else { return false }
    // Without memory for a tracker the thread keeps the question, and the read is reported.
    if let tracker = try? object.kept({ PropertyTracker(question) }) {
      tracker.adopt(question)
      takeFromThread()
    }
    return true
  }

  /// Whether a tracking runs on the calling thread, which then has the thread's own registrar.
  static func ask() -> Bool { ofThread.ask() }

  /// One that no tracking has heard of.
  static func fresh() -> TrackingQuestion { TrackingQuestion() }

  /// Whether a tracking runs on the calling thread.
  func ask() -> Bool {
    // Trackings of before may still have the one that was noted last.
    if isNoted { renew() }
    note()
    return isNoted
  }

  /// Has the tracking that runs, if one does, note the key path as read.
  func note() { registrar.access(self, keyPath: path) }

  /// Whether some tracking has the key path.
  var isNoted: Bool { !isKnownUniquelyReferenced(&path) }

  /// A tracking that has a key path keeps no other that is equal to it.
  private func renew() {
    number += 1
    path = \.[question: number]
  }

  // MARK: The thread's own

  private static let key = ThreadKey(.tracking) { question in
    question.map { Unmanaged<TrackingQuestion>.fromOpaque($0).release() }
  }

  private static var ofThread: TrackingQuestion {
    if let known = key.pointer {
      return Unmanaged<TrackingQuestion>.fromOpaque(known).takeUnretainedValue()
    }
    let made = TrackingQuestion()
    key.pointer = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  /// Has the thread's own belong to those who have it.
  private static func takeFromThread() {
    guard let known = key.pointer else { return }
    key.pointer = nil
    Unmanaged<TrackingQuestion>.fromOpaque(known).release()
  }
}
