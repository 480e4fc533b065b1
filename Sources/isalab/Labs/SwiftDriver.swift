/// The Swift program that plays scenes with the student's class.
enum SwiftDriver {
  /// `main.swift`.
  static let source = #"""
    // Plays a scene: reads its lines from standard input, does what they say with the student's class,
    // and writes down what was done and who heard what.

    import Foundation
    import IsaKVO
    import StudentKVO

    func say(_ line: String) {
      print("  " + line)
      fflush(stdout)
    }

    final class Stage: @unchecked Sendable {
      private let student = Student()
      private var objects: [String: RuntimeObject] = [:]
      private var names: [UInt: String] = [:]
      private var classes: [String: RuntimeClass] = [:]
      private var reactions: [UInt: String] = [:]
      private var keptClass: RuntimeClass?

      init() throws {
        let dies: @Sendable (MethodCall) -> Void = { [unowned self] call in
          say("\(names[call.receiver.address] ?? "something unknown") dies")
        }
        _ = try ClassBuilder("Observer").method("dealloc", "v@:", dies).register()
        let item = try ClassBuilder("Item").property("name", "@").property("count", "q")
          .property("flag", "B").property("child", "@").method("dealloc", "v@:", dies).register()
        _ = try ClassBuilder("SubItem", superclass: item).register()
        let nothing: @Sendable (MethodCall) -> Void = { _ in }
        _ = try ClassBuilder("Silent", superclass: item).method("setName:", "v@:@", nothing).register()
      }

      private func object(_ name: String) throws -> RuntimeObject {
        guard let object = objects[name] else { throw Problem("there is nothing named \(name)") }
        return object
      }

      /// `i.name`: the object i and the key.
      private func target(_ word: String) throws -> (RuntimeObject, String) {
        let parts = word.split(separator: ".", maxSplits: 1).map(String.init)
        return (try object(parts[0]), parts[1])
      }

      private func text(_ value: RuntimeValue) -> String {
        if value.isNil { return "nil" }
        if let bool = value.bool { return bool ? "1" : "0" }
        if let string = value.string { return "\"\(string)\"" }
        return value.object.flatMap { names[$0.address] } ?? value.description
      }

      private func hear(_ observer: RuntimeObject, _ change: StudentChange) {
        let name = names[observer.address] ?? "something unknown"
        var line = "\(name) hears \(names[change.object.address] ?? "something unknown").\(change.key)"
        if change.isPrior { line += ", prior" }
        if let old = change.old { line += ", old \(text(old))" }
        if let new = change.new { line += ", new \(text(new))" }
        if change.context != 0 { line += ", context \(change.context)" }
        say(line)
        guard let reaction = reactions[observer.address] else { return }
        say("\(name) does: \(reaction)")
        try? perform(reaction)
      }

      private func make(_ name: String, of className: String) throws {
        guard let made = RuntimeClass.find(named: className) else {
          throw Problem("there is no class \(className)")
        }
        let object = try made.allocate()
        objects[name] = object
        names[object.address] = name
        classes[name] = made
      }

      private func add(_ words: [String]) throws {
        let (object, key) = try target(words[2])
        let known: [(String, StudentOptions)] = [
          ("new", .new), ("old", .old), ("initial", .initial), ("prior", .prior),
        ]
        let options = known.filter { words.contains($0.0) }.map(\.1)
        do {
          try student.add(
            try self.object(words[1]), to: object, key: key, options: StudentOptions(options),
            context: context(words) ?? 0, tell: { [unowned self] in hear($0, $1) })
        } catch {
          say("refused")
        }
      }

      private func context(_ words: [String]) -> Int? {
        words.firstIndex(of: "context").flatMap { Int(words[$0 + 1]) }
      }

      private func remove(_ words: [String]) throws {
        let (object, key) = try target(words[2])
        do {
          try student.remove(
            try self.object(words[1]), from: object, key: key, context: context(words))
        } catch {
          say("refused")
        }
      }

      private func set(_ words: [String], _ line: String) throws {
        let (object, key) = try target(words[1])
        let setter = Selector("set" + key.prefix(1).uppercased() + key.dropFirst() + ":")
        let value: RuntimeValue
        if let quote = line.firstIndex(of: "\"") {
          value = RuntimeValue(String(line[quote...].dropFirst().dropLast()))
        } else if let number = Int(words[2]) {
          value = RuntimeValue(number)
        } else if words[2] == "true" || words[2] == "false" {
          value = RuntimeValue(words[2] == "true")
        } else {
          value = words[2] == "nil" ? .nilObject : RuntimeValue(try self.object(words[2]))
        }
        _ = try object.send(setter, value)
      }

      private func showSetter(_ word: String) throws {
        let (object, key) = try target(word)
        let name = String(word.split(separator: ".")[0])
        let setter = Selector("set" + key.prefix(1).uppercased() + key.dropFirst() + ":")
        let before = classes[name]?.implementation(of: setter)
        say(object.isa.implementation(of: setter) == before ? "as it was" : "replaced")
      }

      private func showIsa(_ name: String) throws {
        let isa = try object(name).isa
        guard let madeAs = classes[name] else { return }
        if isa == madeAs {
          say(isa.name)
        } else {
          say(isa.superclass == madeAs ? "a subclass of \(madeAs.name)" : "the class \(isa.name)")
        }
      }

      func perform(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words[0] {
        case "new": try make(words[1], of: words[2])
        case "observer": for name in words.dropFirst() { try make(name, of: "Observer") }
        case "add": try add(words)
        case "remove": try remove(words)
        case "set": try set(words, line)
        case "get":
          let (object, key) = try target(words[1])
          say(text(try object.value(forKey: key)))
        case "isa": try showIsa(words[1])
        case "class": say(try object(words[1]).class.name)
        case "setter": try showSetter(words[1])
        case "references": say("\(try object(words[1]).retainCount)")
        case "keep-class": keptClass = try object(words[1]).isa
        case "class-kept":
          say(try object(words[1]).isa == keptClass ? "the same class" : "another class")
        case "release": objects[words[1]] = nil
        case "note": say(words.dropFirst().joined(separator: " "))
        case "always":
          let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
          let name = String(parts[0].split(separator: " ")[1])
          reactions[try object(name).address] = String(parts[1].drop { $0 == " " })
        default: throw Problem("there is no such command: \(line)")
        }
      }
    }

    struct Problem: Error, CustomStringConvertible {
      var description: String
      init(_ description: String) { self.description = description }
    }

    do {
      let stage = try Stage()
      while let line = readLine() {
        print("> " + line)
        fflush(stdout)
        try stage.perform(line)
      }
      print("end")
      // What still lives stays: the scene is over.
      exit(0)
    } catch {
      print("! \(error)")
      exit(3)
    }
    """#
}
