import Foundation
import IsaRuntime

/// One run of a scenario under a design: stands between the performer and the design.
final class DesignSession {
  let info: DesignInfo
  let language: Language
  /// Whether steps and events are reported as they are recorded too.
  let isRecorded: Bool
  /// Told of everything as soon as it is so. Of an exception that nobody catches it is told last:
  /// the process ends.
  private let report: (DesignReport) -> Void
  private var stage: DesignStage?
  private var design: (any ObservingDesign)?
  /// The part of the step that is carried out which the design could not express.
  private var unsupported: Text?
  /// The things that are there when the scenario is over.
  private(set) var ending = DesignEnding()

  init(
    _ info: DesignInfo, _ language: Language = .english, isRecorded: Bool = false,
    report: @escaping (DesignReport) -> Void
  ) {
    self.isRecorded = isRecorded
    self.info = info
    self.language = language
    self.report = report
  }

  func begin(_ performer: Performer) throws(KeyValueError) {
    performer.design = self
    let stage = DesignStage(performer) { [unowned self] in
      report(.raised("\($0.exception): \($0.reason)"))
      abort()
    }
    self.stage = stage
    design = try info.make(stage)
    guard info.misuse == .exception else { return }
    let session = Unowned(self)
    KeyValueSettings.misuseHandler = { session.object.misused($0) }
  }

  /// Told how all stands before the first statement.
  func began(_ state: WorldState) {
    guard isRecorded else { return }
    report(.start(state))
    stage?.recorder.atEvent = { [report] in report(.event($0)) }
  }

  /// The design's own acts; nil for a statement that is left to the runtime.
  func perform(_ statement: Statement) throws(KeyValueError) -> [Fact]? {
    guard let design else { return nil }
    if let obstacle = design.obstacle(to: statement) {
      unsupported = obstacle
      return [.note(Text("design.unsupported", ["what": obstacle]))]
    }
    return try handles(statement, design) ? [] : nil
  }

  private func handles(
    _ statement: Statement, _ design: any ObservingDesign
  ) throws(KeyValueError) -> Bool {
    switch statement.kind {
    case .observer(let name): return try design.makeObserver(name)
    case .observe(let observe): return try design.observe(observe)
    case .removeObserver(let remove): return try design.remove(remove)
    case .removeToken(let name): return try design.remove(token: name.text)
    case .set(let target, let value): return try design.set(target, value)
    case .release(let name):
      design.willRelease(name.text)
      return false
    default: return false
    }
  }

  /// Told of a refusal inside a callback, where a statement has nobody to return to.
  func refused(_ refusal: Refusal) {
    if info.misuse == .exception { stage?.raise(refusal) }
  }

  private func misused(_ misuse: Misuse) {
    // Of a setter that it leaves alone Foundation only writes a line, likewise of a name taken.
    let isLogged = misuse.code == .notWrapped || misuse.code == .nameTaken
    if !isLogged { stage?.raise(Refusal(misuse)) }
    stage?.recorder.record(misuse)
  }

  func begins(_ statement: Statement) { report(.begins(DesignMoment(statement))) }

  func ended(_ step: Step) {
    report(.step(DesignStep(step, language, unsupported: unsupported?[language])))
    if isRecorded { report(.recorded(step)) }
    unsupported = nil
    for case .refused(let refusal) in step.facts { refused(refusal) }
  }

  /// Notes what the scenario leaves behind, then gives up its references, then notes what lives on.
  func finish(_ symbols: Symbols) {
    guard let stage else { return }
    stage.isOver = true
    let world = stage.world
    for (name, object) in world.objects where symbols.isObservable(name) {
      ending.isas[name] = stage.performer.inspector.trueClass(of: object)
    }
    for name in world.objects.keys.sorted() {
      design?.willRelease(name)
      world.release(name)
    }
    ending.leaks = stage.names.namedObjects.map(\.name).filter { symbols.objects[$0] != nil }
      .sorted()
    design?.end()
  }
}

/// The things that a scenario leaves behind.
struct DesignEnding: Hashable, Sendable, Codable {
  /// The true class of each object that the scenario still held.
  var isas: [String: String] = [:]
  /// The objects that live on when all that held them by name has let go.
  var leaks: [String] = []
}

extension Symbols {
  /// Whether the name is that of an object of a class that the scenario declares.
  fileprivate func isObservable(_ name: String) -> Bool {
    guard let className = objects[name]?.className else { return false }
    return className != Symbols.observerClass && classes[className] != nil
  }
}
