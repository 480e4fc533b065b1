// Plays a scene: does what its lines say with the student's class, and writes down, from the
// runtime's log, who heard what.

import Foundation
import IsaRuntime
import StudentKVO

/// The act of an observer once it is told.
struct Reaction {
  let observer: String
  let text: String
  let isLasting: Bool
}

final class Stage: @unchecked Sendable {
  let student = Student()
  let world = World()
  private let lock = NSLock()
  private var reactions: [Reaction] = []
  private var heardCount = 0
  fileprivate var keptClass: RuntimeClass?

  init() {
    must {
      try world.makeClasses { [unowned self] object in
        refusing { try student.remove(object, from: object, keyPath: "count", context: nil) }
      }
    }
  }

  private static let hear = RuntimeSelector("hear")
  /// Where a thread keeps the change that it is about to tell.
  private static let told = "told"

  /// The timeline's lines from the runtime's log: a message that says hear, an object's end.
  func log(_ event: RuntimeEvent) {
    guard let address = event.object else { return }
    if event.kind == .deallocated {
      world.noteDeath(at: address)
    } else if event.kind == .message, event.selector == Stage.hear, !transcript.isQuiet {
      sayHeard(address, Thread.current.threadDictionary[Stage.told] as? StudentChange)
    }
  }

  private func sayHeard(_ observer: UInt, _ change: StudentChange?) {
    guard let change else { return }
    let thing = world.thing(at: observer)
    let name = thing?.name ?? "something unknown"
    let who = thing?.isDead == true ? "the dead \(name)" : name
    say("\(who) hears \(world.name(of: change.object)).\(change.keyPath)\(details(change))")
  }

  /// Tells by a message. There is none for an observer that is dead or none of the scene's.
  private func tell(_ observer: RuntimeObject, _ change: StudentChange) {
    let mine = Thread.current.threadDictionary
    let before = mine[Stage.told]
    mine[Stage.told] = change
    defer { mine[Stage.told] = before }
    if world.thing(at: observer.address)?.isDead == false {
      must { _ = try observer.send(Stage.hear) }
    } else if !transcript.isQuiet {
      sayHeard(observer.address, change)
    }
  }

  fileprivate func hear(_ observer: RuntimeObject, _ change: StudentChange) {
    lock.withLock { heardCount += 1 }
    let name = world.thing(at: observer.address)?.name ?? "something unknown"
    tell(observer, change)
    guard let reaction = takeReaction(of: name) else { return }
    for part in reaction.text.split(separator: ";") {
      let line = part.trimmingCharacters(in: .whitespaces)
      say("\(name) does: \(line)")
      perform(line)
    }
  }

  private func details(_ change: StudentChange) -> String {
    var text =
      switch change.kind {
      case .setting: ""
      case .insertion(let index): ", insertion at \(index)"
      case .removal(let index): ", removal at \(index)"
      case .replacement(let index): ", replacement at \(index)"
      }
    if change.isPrior { text += ", prior" }
    if let old = change.old { text += ", old \(world.text(of: old))" }
    if let new = change.new { text += ", new \(world.text(of: new))" }
    if change.context != 0 { text += ", context \(change.context)" }
    return Thread.isMainThread ? text : text + ", on another thread"
  }

  fileprivate func react(_ reaction: Reaction) { lock.withLock { reactions.append(reaction) } }

  private func takeReaction(of observer: String) -> Reaction? {
    lock.withLock {
      guard let index = reactions.firstIndex(where: { $0.observer == observer }) else {
        return nil
      }
      return reactions[index].isLasting ? reactions[index] : reactions.remove(at: index)
    }
  }

  fileprivate var heard: Int {
    get { lock.withLock { heardCount } }
    set { lock.withLock { heardCount = newValue } }
  }

  /// A refusal is what the student's class says it is; any other error is shown as it is.
  fileprivate func refusing(_ body: () throws -> Void) {
    do { try body() } catch is NotRegistered { transcript.say("refused") } catch {
      transcript.say("throws \(words(for: error))")
    }
  }
}

/// A line's words; one that is missing ends the scene.
struct Words {
  let line: String
  private let words: [Substring]

  init(_ line: String) {
    self.line = line
    words = line.split(separator: " ")
  }

  var count: Int { words.count }

  subscript(index: Int) -> String {
    guard index < words.count else { stop("a word is missing: \(line)") }
    return String(words[index])
  }

  func contains(_ word: String) -> Bool { words.contains { $0 == word } }

  func from(_ index: Int) -> [String] { words.dropFirst(index).map(String.init) }

  /// The text behind the colon.
  var rest: String {
    let text = line.split(separator: ":", maxSplits: 1).last ?? ""
    return text.trimmingCharacters(in: .whitespaces)
  }

  /// The word's part before its dot, and the part behind it.
  func pair(_ index: Int) -> (String, String) {
    let parts = self[index].split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { stop("a name and a key were expected: \(line)") }
    return (parts[0], parts[1])
  }
}

// MARK: - Lines

extension Stage {
  private static let commands: [String: (Stage, Words) -> Void] = [
    "add": { $0.add($1) },
    "remove": { $0.remove($1) },
    "set": { $0.set($1) },
    "get": { $0.get($1) },
    "new": { $0.make($1[1], of: $1[2]) },
    "reuse": { $0.reuse($1) },
    "observer": { for name in $1.from(1) { $0.make(name, of: "Observer") } },
    "isa": { $0.showIsa($1) },
    "class": { say($0.world.object($1[1]).class.name) },
    "setter": { $0.showSetter($1) },
    "references": { say("\($0.world.object($1[1]).retainCount)") },
    "keep-class": { $0.keptClass = $0.world.object($1[1]).isa },
    "class-kept": {
      say($0.world.object($1[1]).isa == $0.keptClass ? "the same class" : "another class")
    },
    "alive": { say($0.world.thing($1[1]).isDead ? "no" : "yes") },
    "release": { _ = $0.world.take($1[1]) },
    "note": { say($1.from(1).joined(separator: " ")) },
    "append": { $0.append($1) },
    "insert": { $0.send("insertObject:inItemsAtIndex:", $1) },
    "take": { $0.send("removeObjectFromItemsAtIndex:", $1) },
    "replace": { $0.send("replaceObjectInItemsAtIndex:withObject:", $1) },
    "depends": { $0.depends($1) },
    "will": { $0.announce($1) },
    "did": { $0.announce($1) },
    "when": { $0.react($1) },
    "always": { $0.react($1) },
    "thread": { $0.runOnThread($1) },
    "race": { $0.race($1) },
    "visit": { $0.visit($1) },
    "heard": { stage, _ in say("heard \(stage.heard)") },
  ]

  func perform(_ line: String) {
    let words = Words(line)
    guard words.count > 0 else { return }
    guard let command = Stage.commands[words[0]] else {
      stop("there is no such command: \(line)")
    }
    command(self, words)
  }

  fileprivate func target(_ words: Words, _ index: Int) -> (RuntimeObject, String) {
    let (name, path) = words.pair(index)
    return (world.object(name), path)
  }

  private func allocate(_ className: String) -> (object: RuntimeObject, madeAs: RuntimeClass) {
    guard let made = RuntimeClass.find(named: className) else {
      stop("there is no class \(className)")
    }
    return (must { try made.allocate() }, made)
  }

  private func make(_ name: String, of className: String) {
    let (object, made) = allocate(className)
    world.note(name, object, made)
  }

  /// Makes objects until one stands where a dead one stood.
  private func reuse(_ words: Words) {
    let address = world.thing(words[3]).address
    var made: [RuntimeObject] = []
    while made.last?.address != address, made.count < 256 {
      made.append(allocate(words[2]).object)
    }
    world.note(words[1], made[made.count - 1], allocate(words[2]).madeAs)
  }

  private func add(_ words: Words) {
    let (object, path) = target(words, 2)
    let known: [(String, StudentOptions)] = [
      ("new", .new), ("old", .old), ("initial", .initial), ("prior", .prior),
    ]
    let options = StudentOptions(known.filter { words.contains($0.0) }.map(\.1))
    refusing {
      try student.add(
        world.object(words[1]), to: object, keyPath: path, options: options,
        context: context(words) ?? 0, tell: { [unowned self] in hear($0, $1) })
    }
  }

  private func remove(_ words: Words) {
    let (object, path) = target(words, 2)
    refusing {
      try student.remove(
        world.object(words[1]), from: object, keyPath: path, context: context(words))
    }
  }

  private func context(_ words: Words) -> Int? {
    let all = words.from(0)
    return all.firstIndex(of: "context").flatMap { Int(all[$0 + 1]) }
  }

  private func setter(_ key: String) -> RuntimeSelector {
    RuntimeSelector("set" + key.prefix(1).uppercased() + key.dropFirst() + ":")
  }

  private func set(_ words: Words) {
    let (object, key) = target(words, 1)
    let value = world.value(words.from(2).joined(separator: " "))
    must { _ = try object.send(setter(key), value) }
  }

  private func get(_ words: Words) {
    let (object, path) = target(words, 1)
    say(world.text(of: must { try object.value(forKeyPath: path) }))
  }

  private func showSetter(_ words: Words) {
    let (object, key) = target(words, 1)
    let before = world.thing(words.pair(1).0).madeAs.implementation(of: setter(key))
    say(object.isa.implementation(of: setter(key)) == before ? "as it was" : "replaced")
  }

  private func showIsa(_ words: Words) {
    let isa = world.object(words[1]).isa
    let madeAs = world.thing(words[1]).madeAs
    if isa == madeAs {
      say(isa.name)
    } else {
      say(isa.superclass == madeAs ? "a subclass of \(madeAs.name)" : "the class \(isa.name)")
    }
  }

  /// An accessor for elements, with numbers and objects as they stand in the line.
  private func send(_ selector: RuntimeSelector, _ words: Words) {
    let arguments = words.from(2).map { world.value($0) }
    must { _ = try world.object(words[1]).send(selector, arguments: arguments) }
  }

  private func append(_ words: Words) {
    must { try items(of: world.object(words[1])).append(world.value(words[2])) }
  }

  private func react(_ words: Words) {
    let observer = words[1].replacingOccurrences(of: ":", with: "")
    react(Reaction(observer: observer, text: words.rest, isLasting: words[0] == "always"))
  }
}

// MARK: - Later, elsewhere, often

extension Stage {
  /// Does each line so often, on a thread of its own, and waits.
  private func run(_ lines: [String], times: Int) {
    let group = DispatchGroup()
    for line in lines {
      group.enter()
      let thread = Thread { [self] in
        for _ in 0..<times { perform(line) }
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
  }

  private func runOnThread(_ words: Words) {
    run([words.from(1).joined(separator: " ")], times: 1)
  }

  /// race 1000: LINE | LINE: each on a thread of its own, so often, nothing said meanwhile.
  private func race(_ words: Words) {
    guard let times = Int(words[1].dropLast()) else { stop("how often? \(words.line)") }
    transcript.isQuiet = true
    heard = 0
    run(words.rest.split(separator: "|").map(String.init), times: times)
    transcript.isQuiet = false
  }

  /// Comes and goes, with an observer of its own for each thread.
  private func visit(_ words: Words) {
    let mine = Thread.current.threadDictionary
    let visitor = mine["visitor"] as? RuntimeObject ?? allocate("Observer").object
    mine["visitor"] = visitor
    let (object, path) = target(words, 1)
    must {
      try student.add(
        visitor, to: object, keyPath: path, options: [], context: 0, tell: { _, _ in })
      try student.remove(visitor, from: object, keyPath: path, context: nil)
    }
  }
}
// @from 6

// MARK: - Dependent keys

extension Stage {
  fileprivate func depends(_ words: Words) {
    let (className, key) = words.pair(1)
    guard let cls = RuntimeClass.find(named: className) else {
      stop("there is no class \(className)")
    }
    student.setKeyPaths(Set(words.from(2)), affecting: key, of: cls)
  }
}
// @until 6

extension Stage {
  fileprivate func depends(_ words: Words) { stop("from level 6 on: \(words.line)") }
}
// @from 7

// MARK: - Announcing by hand

extension Stage {
  fileprivate func announce(_ words: Words) {
    let (object, key) = target(words, 1)
    if words[0] == "will" {
      student.willChange(key, of: object, kind(words))
    } else {
      student.didChange(key, of: object, kind(words))
    }
  }

  private func kind(_ words: Words) -> StudentKind {
    if words.count == 2 { return .setting }
    guard let index = Int(words[3]) else { stop("an index was expected: \(words.line)") }
    return switch words[2] {
    case "insertion": .insertion(at: index)
    case "removal": .removal(at: index)
    case "replacement": .replacement(at: index)
    default: stop("there is no such kind: \(words.line)")
    }
  }
}
// @until 7

extension Stage {
  fileprivate func announce(_ words: Words) { stop("from level 7 on: \(words.line)") }
}
// @always
