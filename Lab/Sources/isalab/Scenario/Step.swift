/// The facts of one line of a scenario. The views are functions of these.
struct Step: Hashable, Sendable, Codable {
  var number: Int
  var location: SourceLocation
  var text: String
  /// The statement as written: a struct or class with its members; and the same on one line.
  var lines: [String]
  var whole: String
  /// The facts worth telling, in the order in which they are told.
  var facts: [Fact]
  /// The runtime's own log of this step.
  var events: [Event]
  /// How all stands afterwards.
  var state: WorldState

  var deliveries: [Delivery] { facts.deliveries }

  /// Whether the line only asked whether something is so.
  var isExpectation: Bool {
    facts.contains {
      switch $0 {
      case .held, .broken: true
      default: false
      }
    }
  }
}

extension [Fact] {
  /// With those that came of what observers did in the place where they did it.
  var flattened: [Fact] {
    flatMap { fact -> [Fact] in
      if case .reaction(_, _, let facts) = fact { facts.flattened } else { [fact] }
    }
  }

  var deliveries: [Delivery] {
    flattened.compactMap { if case .delivery(let delivery) = $0 { delivery } else { nil } }
  }
}

/// One thing that a step brought about.
enum Fact: Hashable, Sendable, Codable {
  struct IvarView: Hashable, Sendable, Codable {
    var name: String
    var encoding: String
    var offset: Int
  }

  case structure(name: String, encoding: String, size: Int)
  case classPair(name: String, superclass: String, size: Int, ivars: [IvarView])
  case object(name: String, symbol: String, className: String, address: UInt)
  /// The isa moved; `claim` is what sending `class` answers, before and after.
  case isa(object: String, from: String, to: String, claim: String, claimBefore: String)
  case notifyingClass(name: String, superclass: String)
  case methods(className: String, gained: [ImplementationView])
  case delivery(Delivery)
  /// An observer's act when it was told, and its facts.
  indirect case reaction(observer: String, text: String, [Fact])
  /// A registration that serves one of another object, or of another key, came or went.
  case forwarder(object: String, key: String, isThere: Bool)
  /// A setter's code was exchanged with that of a new method; of an inherited one there is none, it
  /// was overridden.
  case swizzled(className: String, setter: String, method: String?)
  case collection(name: String, typeName: String, contents: Value)
  /// A change that no observer was told of.
  case silence
  /// A key that the class does not know, and its property with the nearest name.
  case unknownKey(key: String, className: String, nearest: String?)
  case death(object: String)
  case answer(Answer)
  /// A token was ended that had ended before.
  case endedBefore(token: String)
  /// The act of a re-enacted design instead of observing.
  case note(Text)
  /// A message was sent to nil on the way of a path.
  case sentToNil
  case refused(Refusal)
  case misuse(Refusal)
  case held
  case broken(actual: Text, expected: Text)
}

/// The answer of a query.
enum Answer: Hashable, Sendable, Codable {
  case property(String, Value)
  case isa(of: String, String, address: UInt)
  case claimedClass(of: String, String)
  case superclass(of: String, String)
  case methods(of: String, [ImplementationView])
  case implementation(of: String, ImplementationView?, code: [UInt8])
  case retainCount(of: String, Int)
  case registrations(of: String, [RegistrationView])
  case alive(String, Bool)
  /// Keys with their values.
  case bulk(of: String, Value)
  case validation(of: String, Value, isValid: Bool, error: String?)
  /// Whom a change would tell, in that order.
  case affected(by: String, [RegistrationView])
  /// The keys that affect one, declared for it or to the end.
  case affecting(String, keys: [String], isClosure: Bool)
  case pending(of: String, [PendingView])
}

/// A change that was announced and not ended.
struct PendingView: Hashable, Sendable, Codable {
  var key: String
  var kind: NotificationPattern.Kind
}

/// One registration on an object.
struct RegistrationView: Hashable, Sendable, Codable {
  var observer: String
  var object: String
  var key: String
  var options: [String]
  var context: UInt
  var isShared = false
  /// The registration that a forwarder serves: its object and key path.
  var root: String?
}

/// A scenario that was run, as far as it went.
struct Run: Hashable, Sendable {
  var file: String
  /// The scenario's lines as written.
  var source: [String]
  /// The program that was run: a step for each of its statements, as far as it went.
  var program: Program?
  /// How all stood before the first step.
  var start = WorldState()
  var steps: [Step]
  var held = 0
  var broken: [Diagnostic] = []
  /// How the process of a design ended that did not run the scenario to its end, or what it left.
  var failure: Diagnostic?
  /// Why the run stopped before its end.
  var stopped: Diagnostic?
  /// The machine code that was asked for.
  var code: [UInt8] = []

  init(_ program: Program) {
    file = program.scenario.file
    source = program.scenario.source
    self.program = program
    steps = []
  }

  /// How all stood after step `number`; 0 is the start.
  func state(at number: Int) -> WorldState { number == 0 ? start : steps[number - 1].state }

  /// All that is not as expected.
  var mistakes: [Diagnostic] { broken + [failure].compactMap(\.self) }

  /// Where step `number` stands; the beginning of the text before there is one.
  func location(ofStep number: Int) -> SourceLocation {
    number == 0 ? SourceLocation(line: 1, column: 1) : steps[number - 1].location
  }

  /// 0: all is as expected; 1: an expectation is broken, or a design fails; 2: the scenario cannot be run.
  var exitCode: Int32 {
    if stopped != nil { return 2 }
    return broken.isEmpty && failure == nil ? 0 : 1
  }
}
