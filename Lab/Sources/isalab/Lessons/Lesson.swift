/// One lesson of the tour: a scenario of its own, and the words around it.
struct Lesson: Sendable {
  /// The name that `isalab tour` takes, and a page's file has: `isa-swap`.
  var name: String
  var title: Text
  /// The thing that a reader can say or do afterwards.
  var goal: Text
  var introduction: Text
  /// Asked before the lesson runs; the run answers it.
  var question: Question
  /// The line that answers it, before which a page waits for the prediction; without it, the turn's.
  var answeringLine: String?
  /// A whole scenario.
  var lines: String
  /// Whether the runtime's event log is shown below each step.
  var showsTrace = false
  /// Whether the page's drawing has the metaclasses.
  var showsMetaclasses = false
  /// The step whose before and after are compared.
  var turn: Turn
  /// Where Apple's runtime and this one do it in different ways.
  var departures: [Departure]
  var conclusion: Text
  var exercise: Exercise
}

extension Lesson {
  /// A question with two to four choices. Each says what would be so in a run of the lesson, and
  /// of one of them it is so: nothing else makes it the right one.
  struct Question: Sendable {
    var text: Text
    var choices: [Choice]
    /// Why the right choice is right.
    var explanation: Text

    /// The choice that the run bears out; nil if it is none or more than one.
    func answer(in run: Run) -> Int? {
      let right = choices.indices.filter { choices[$0].isBorneOut(run) }
      return right.count == 1 ? right[0] : nil
    }
  }

  struct Choice: Sendable {
    var text: Text
    /// Why it is wrong; nil of the right one.
    var reply: Text?
    /// Whether it is so in a run of the lesson.
    var isBorneOut: @Sendable (Run) -> Bool
  }

  /// A line of the lesson, and the objects and classes to look at before it and after it.
  struct Turn: Hashable, Sendable {
    var line: String
    var subjects: [Subject]
  }

  enum Subject: Hashable, Sendable {
    case object(String)
    case cls(String)
  }

  /// One row of docs/behaviour.md in words for a reader of the lesson, or what docs/object-model.md
  /// and docs/dispatch.md say.
  struct Departure: Hashable, Sendable {
    var apple: Text
    var here: Text
    /// The rule's number in docs/behaviour.md.
    var rule: String?
  }

  /// The task that a reader writes a scenario for, with `isalab run`.
  struct Exercise: Sendable {
    var task: Text
    /// Lines that hold at the end of a scenario that solves it, and not of the lesson's own.
    var check: String
    /// The condition that no line can say.
    var isSolved: @Sendable (Run) -> Bool = { _ in true }
  }
}

extension Lesson {
  /// The file that the lesson's messages name.
  var file: String { name + ".kvo" }

  /// The step of a run that answers the question.
  func stepOfAnswer(in run: Run) -> Int? { run.step(answeringLine ?? turn.line)?.number }

  func run() throws(DiagnosticList) -> Run {
    Runner.run(try ScenarioFile.program(of: lines + "\n", file: file))
  }
}
