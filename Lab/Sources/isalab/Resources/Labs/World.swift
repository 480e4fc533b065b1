// The parts that scenes are made of: classes, named objects and observers, values as text.

import Foundation
import IsaRuntime

// MARK: - Lines

/// The scene's lines and the way to the grader, both taken before the student's code runs: it finds
/// an empty standard input and a standard output of its own.
///
/// Each line to the grader begins with a key that it draws for each scene. A key `-` stands for a
/// scene that is played by hand: its timeline goes to standard output.
final class Channel: Sendable {
  let lines: [String]
  private let key: String
  private let file: FileHandle

  init() {
    let all = FileHandle.standardInput.readDataToEndOfFile()
    let text = String(decoding: all, as: UTF8.self).split(separator: "\n").map(String.init)
    let isByHand = text.first == nil || text.first == "-"
    key = isByHand ? "" : text[0]
    lines = Array(text.dropFirst())
    file = FileHandle(
      fileDescriptor: fcntl(isByHand ? 1 : 3, F_DUPFD_CLOEXEC, 100), closeOnDealloc: false)
    if !isByHand { close(3) }
    let nothing = open("/dev/null", O_RDONLY)
    dup2(nothing, 0)
    close(nothing)
  }

  func write(_ line: String) { file.write(Data("\(key)\(line)\n".utf8)) }
}

/// The events, line by line.
final class Transcript: @unchecked Sendable {
  private let channel: Channel
  private let lock = NSLock()
  private var count = 0
  private var isSilent = false

  init(_ channel: Channel) { self.channel = channel }

  var isQuiet: Bool {
    get { lock.withLock { isSilent } }
    set { lock.withLock { isSilent = newValue } }
  }

  func say(_ line: String) {
    count(line)
    channel.write("  " + line)
  }

  private func count(_ line: String) {
    let isTooMuch = lock.withLock {
      count += 1
      return count > 500
    }
    if isTooMuch { stop("more is told than the scene can tell: without end") }
  }
}

func say(_ line: String) { if !transcript.isQuiet { transcript.say(line) } }

/// Ends the scene with a line that the grader takes for its own failure.
func stop(_ what: String) -> Never {
  channel.write("! " + what)
  end(3)
}

/// Ends the process, whatever still lives and runs.
func end(_ code: Int32) -> Never {
  fflush(stdout)
  _exit(code)
}

/// The answer of `body`; the scene ends if it throws.
func must<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { stop(words(for: error)) }
}

/// An error in words, which are the same each time: addresses are not.
func words(for error: any Error) -> String {
  "\(error)".replacingOccurrences(of: " 0x[0-9a-f]+", with: "", options: .regularExpression)
}

// MARK: - Things

/// An object of the scene, also when it is gone.
struct Thing {
  let name: String
  let address: UInt
  let madeAs: RuntimeClass
  var object: RuntimeObject?
  var isDead = false
}

final class World: @unchecked Sendable {
  private let lock = NSLock()
  private var things: [Thing] = []

  func note(_ name: String, _ object: RuntimeObject, _ madeAs: RuntimeClass) {
    lock.withLock {
      things.append(Thing(name: name, address: object.address, madeAs: madeAs, object: object))
    }
  }

  func thing(_ name: String) -> Thing {
    guard let thing = lock.withLock({ things.last { $0.name == name } }) else {
      stop("there is nothing of that name: \(name)")
    }
    return thing
  }

  /// An address may have had several objects: the latest counts.
  func thing(at address: UInt) -> Thing? {
    lock.withLock { things.last { $0.address == address } }
  }

  func name(of object: RuntimeObject) -> String {
    thing(at: object.address)?.name ?? "something unknown"
  }

  func object(_ name: String) -> RuntimeObject {
    guard let object = thing(name).object else { stop("it was let go of: \(name)") }
    return object
  }

  /// The scene's own reference, for the caller to let go of.
  func take(_ name: String) -> RuntimeObject? {
    lock.withLock {
      guard let index = things.lastIndex(where: { $0.name == name }) else { return nil }
      defer { things[index].object = nil }
      return things[index].object
    }
  }

  func noteDeath(at address: UInt) {
    let name: String? = lock.withLock {
      let index = things.lastIndex { $0.address == address }
      guard let index, !things[index].isDead else { return nil }
      things[index].isDead = true
      return things[index].name
    }
    if let name { say("\(name) dies") }
  }
}

// MARK: - Values

extension World {
  func text(of value: RuntimeValue) -> String {
    if value.isNil || value.isNull { return "nil" }
    if let elements = value.array {
      return "[\(elements.map(text).joined(separator: ", "))]"
    }
    if let number = value.int { return "\(number)" }
    if let string = value.string { return "\"\(string)\"" }
    return value.object.map(name) ?? value.description
  }

  /// The value that a word of a scene stands for.
  func value(_ word: String) -> RuntimeValue {
    if word == "nil" { return .nilObject }
    if word == "true" || word == "false" { return RuntimeValue(word == "true") }
    if let number = Int(word) { return RuntimeValue(number) }
    let inside = word.dropFirst().dropLast()
    if word.hasPrefix("\"") { return RuntimeValue(String(inside)) }
    if word.hasPrefix("[") {
      let names = inside.split(separator: ",").map(String.init)
      return .array(names.map { RuntimeValue(object($0)) }, isMutable: true)
    }
    return RuntimeValue(object(word))
  }
}

/// The shelf's own array.
func items(of shelf: RuntimeObject) -> MutableArrayProxy {
  must {
    if shelf.ivar(named: "_items")?.isNil == true {
      try shelf.poke(ivar: "_items", .array([], isMutable: true))
    }
  }
  let array = shelf.ivar(named: "_items")?.object.flatMap { MutableArrayProxy($0) }
  guard let array else { stop("the shelf has no array that can change") }
  return array
}

// MARK: - Classes

extension World {
  /// - Parameter ends: The act of an object that observes itself, when it dies.
  func makeClasses(selfish ends: @escaping @Sendable (RuntimeObject) -> Void) throws {
    let nothing: @Sendable (RuntimeMethodCall) -> Void = { _ in }
    // The runtime's log has the message, which is all that is needed.
    _ = try RuntimeClassBuilder("Observer").method("hear", "v@:", nothing).register()
    let item = try RuntimeClassBuilder("Item").property("name", .object)
      .property("count", .int64).property("flag", .bool).property("child", .object)
      .method("hear", "v@:", nothing).register()
    _ = try RuntimeClassBuilder("SubItem", superclass: item).register()
    _ = try RuntimeClassBuilder("Silent", superclass: item).method("setName:", "v@:@", nothing)
      .register()
    _ = try RuntimeClassBuilder("Selfish", superclass: item)
      .method("dealloc", "v@:") { call -> Void in ends(call.receiver) }.register()
    try makeDependents(item)
    try makeCollections(item)
  }

  private func makeDependents(_ item: RuntimeClass) throws {
    @Sendable func number(_ call: RuntimeMethodCall, _ key: String) -> Int {
      must { try call.receiver.get(key, as: Int.self) }
    }
    @Sendable func derived(_ call: RuntimeMethodCall) -> String? {
      must { try call.receiver.value(forKey: "name") }.string.map { "!!!\($0)!!!" }
    }
    let model = try RuntimeClassBuilder("Model", superclass: item)
      .property("a", .int64).property("b", .int64).property("c", .int64)
      .method("total", "q@:") { RuntimeValue(number($0, "a") + number($0, "b")) }
      .method("derived", "@@:") { derived($0).map { RuntimeValue($0) } ?? .nilObject }
      .method("derivedLength", "q@:") { RuntimeValue(derived($0)?.count ?? 0) }
      .register()
    _ = try RuntimeClassBuilder("SubModel", superclass: model).register()
  }

  private func makeCollections(_ item: RuntimeClass) throws {
    _ = try RuntimeClassBuilder("Shelf", superclass: item).property("items", .object)
      .orderedMutators(
        "items",
        insert: { shelf, element, index in
          must { try items(of: shelf).insert(element, at: index) }
        },
        remove: { shelf, index in must { try items(of: shelf).remove(at: index) } },
        replace: { shelf, index, element in
          must { try items(of: shelf).replace(at: index, with: element) }
        }
      ).register()
  }
}
