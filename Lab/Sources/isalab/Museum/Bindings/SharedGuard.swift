import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// One flag says that a push is under way, whichever thread it is on.
  static let sharedGuard = Demonstration(name: "shared-guard") { isHere, acts in
    let rounds = 500
    let model = Cell(), field = Cell()
    var binding: FlaggedBinding?
    acts.act("bind field.number to model.number") {
      if isHere {
        do { try field.bind(\.number, to: model, \.number) } catch { acts.see("\(error)") }
      } else {
        binding = FlaggedBinding(field, model)
      }
    }
    var lost = 0
    // While the first thread shows a number, a second one sets the model.
    let screen = field.observe(\.number, options: .new) { field, _ in
      let number = field.number
      guard number > 0 else { return }
      OtherThread.run {
        model.number = -number
        if field.number != -number { lost += 1 }
      }
    }
    acts.act(acts.say("demo.rounds", ["count": rounds])) {
      for number in 1...rounds { model.number = number }
      acts.see(acts.say("demo.reached", ["count": 2 * rounds, "reached": 2 * rounds - lost]))
    }
    acts.expect("expect changes lost == 0", lost, 0)
    acts.expect("expect field.number == model.number", field.number, model.number)
    screen.invalidate()
    withExtendedLifetime(binding) {}
  }
}

/// A number that two threads set, in turns that the demonstration gives them.
private final class Cell: KVObject {
  @Dynamic var number = 0
}

/// Two observers, and a flag against the echo.
private final class FlaggedBinding {
  private var isPushing = false
  private var tokens: [KeyValueObservation] = []

  init(_ field: Cell, _ model: Cell) {
    tokens = [
      model.observe(\.number, options: .new) { [unowned self, unowned field] model, _ in
        push { field.number = model.number }
      },
      field.observe(\.number, options: .new) { [unowned self, unowned model] field, _ in
        push { model.number = field.number }
      },
    ]
  }

  private func push(_ body: () -> Void) {
    if isPushing { return }
    isPushing = true
    body()
    isPushing = false
  }
}
