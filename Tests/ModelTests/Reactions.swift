/// The acts of observers when they are told, in one run of a program.
final class Reactions {
  private static let deepest = 3

  private let all: [Reaction]
  private var timesLeft: [Int]
  private var depth = 0

  init(_ program: Program) {
    all = program.reactions
    timesLeft = all.map(\.times)
  }

  /// Lets `observer` do what it does in that phase, unless that has gone too deep.
  func run(_ observer: Observer, _ phase: Phase, _ perform: (Step) -> Void) {
    for (index, reaction) in all.enumerated()
    where reaction.observer == observer && reaction.phase == phase {
      if timesLeft[index] == 0 || depth == Self.deepest { continue }
      timesLeft[index] -= 1
      depth += 1
      perform(reaction.step)
      depth -= 1
    }
  }
}
