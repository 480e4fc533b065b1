// Whether Swift's Observation tracks what the calling thread reads, by its public interface alone.
//
// Observation has no such call. But a tracking keeps the key paths that are read in it. If nobody
// else has a key path, then a reference to it after it was noted as read shows that a tracking
// runs.
//
// Such a tracking also has the registrar of the question, and keeps its closures by the registrar
// until it fires or the registrar ends. So the registrar becomes the registrar of the object that
// is read, and ends with the object.
//
// Owns:      a registrar and a key path.
// Lives:     a thread's question until a tracking has it, and then as the object that was read; if
//            no tracking ever has it, until the thread ends.
// Locks:     none; a thread reaches its own question, an object's question is under the lock of its
//            tracker.
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

  /// A question that no tracking has heard of.
  static func fresh() -> TrackingQuestion { TrackingQuestion() }

  /// Whether a tracking runs on the calling thread.
  func ask() -> Bool {
    // Trackings of before may still have the question that was noted last.
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
