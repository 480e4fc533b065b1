// A machine that fills bottles: settings, which people change, and readings, which it changes itself.
import Foundation
public import IsaKVO

/// The settings of one machine, and the rules for what people enter.
public final class Settings: KVObject, MainActorObject {
  /// Bottles a minute.
  @Dynamic public var target = 60
  /// The temperature from which on the machine is too hot.
  @Dynamic public var limit = 70.0

  public override class var keys: [KeyDeclaration] {
    [
      .key(
        "target", \Settings.target,
        validate: { _, target in
          if target < 0 { throw Refusal("A target is 0 or more.") }
          target = min(target, 200)
        }),
      .key(
        "limit", \Settings.limit,
        validate: { _, limit in
          guard 20...150 ~= limit else { throw Refusal("A limit is from 20 to 150 °C.") }
        }),
    ]
  }
}

/// One machine.
public final class Machine: KVObject, MainActorObject {
  /// A machine's state, in a word.
  public enum State: String, Encodable, Sendable { case off, running, hot }

  /// The machine's number, which no other has.
  public nonisolated let id: Int
  /// A name for people.
  @Dynamic public var name: String
  /// The values that people set.
  @Dynamic public var settings = Settings()
  /// Whether the machine works.
  @Dynamic public var isOn = true
  /// Bottles a minute.
  @Dynamic public private(set) var speed = 0.0
  /// The temperature, in degrees Celsius.
  @Dynamic public private(set) var temperature = 20.0
  /// The bottles that have been filled.
  @Dynamic public private(set) var bottles = 0

  private var age = 0.0
  /// The part of the next bottle that is full.
  private var part = 0.0

  init(_ id: Int, _ name: String) {
    self.id = id
    self.name = name
    super.init()
  }

  /// Follows all that it reads: no declaration says so.
  public var state: State {
    if !isOn { return .off }
    return temperature > settings.limit ? .hot : .running
  }

  public override class var keys: [KeyDeclaration] {
    [.key("name", \Machine.name, validate: { _, name in name = try properName(name) })]
  }

  /// Brings the readings on by `seconds`.
  func work(for seconds: Double) {
    age += seconds
    let aim = isOn ? Double(settings.target) : 0
    let warmth = isOn ? 20 + 0.7 * speed + 6 * sin(age / 3 + Double(id)) : 20
    KVObject.transaction {
      speed = near(aim, from: speed, within: seconds)
      temperature = near(warmth, from: temperature, within: seconds / 4)
    }
    part += speed / 60 * seconds
    while part >= 1 {
      part -= 1
      fill()
    }
  }

  /// Fills one bottle.
  func fill() { bottles += 1 }
}

private func near(_ aim: Double, from value: Double, within share: Double) -> Double {
  value + (aim - value) * min(1, share)
}

/// A name without blanks around it.
func properName(_ name: String) throws(Refusal) -> String {
  let proper = name.trimmingCharacters(in: .whitespacesAndNewlines)
  guard 1...30 ~= proper.count else { throw Refusal("A name has 1 to 30 characters.") }
  return proper
}
